import { constants } from 'node:fs';
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize, relative, sep } from 'node:path';
import type { GraderFileState } from '../core/index.js';
import type { GraderFiles } from '../suite/index.js';

/** What a link in a copy points to that stands for something that cannot be copied: there is something, and no file. */
const NOTHING_TO_COPY = '/dev/null/not-copied';

/** The target of a link as it must be in the copy: a way into the workspace leads into the copy. */
function linkTarget(target: string, from: string, to: string): string {
  if (!isAbsolute(target)) return target;
  const way = relative(from, target);
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? target : join(to, way);
}

async function copyEntry(source: string, copy: string, roots: { from: string; to: string }): Promise<void> {
  const stats = await lstat(source);
  if (stats.isDirectory()) {
    await mkdir(copy, { mode: 0o700 });
    for (const name of await namesIn(source)) await copyEntry(join(source, name), join(copy, name), roots);
  } else if (stats.isSymbolicLink()) {
    await symlink(linkTarget(await readlink(source), roots.from, roots.to), copy);
  } else if (stats.isFile()) {
    await copyPlain(source, copy);
  } else {
    await symlink(NOTHING_TO_COPY, copy);
  }
}

/** What the agent closed to us is still ours. */
async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch {
    await chmod(directory, 0o700);
    return readdir(directory);
  }
}

async function copyPlain(source: string, copy: string): Promise<void> {
  try {
    await copyFile(source, copy, constants.COPYFILE_FICLONE);
  } catch {
    await chmod(source, 0o600);
    await copyFile(source, copy, constants.COPYFILE_FICLONE);
  }
}

/**
 * Copies a workspace as it stands, links as links. What is written to the workspace afterwards, by whatever the agent
 * left running, does not reach the copy. `to` must not exist.
 */
export async function copyWorkspace(from: string, to: string): Promise<void> {
  await copyEntry(from, to, { from, to });
}

async function contentOf(content: GraderFiles[string]): Promise<Buffer> {
  return 'text' in content ? Buffer.from(content.text, 'utf8') : readFile(content.file);
}

/** What stands at a path of a copy: a plain file's bytes, `other`, or nothing. No link is followed on the way. */
async function plainAt(root: string, path: string): Promise<Buffer | 'other' | null> {
  const names = normalize(path)
    .split(/[\\/]/)
    .filter((name) => name !== '');
  let current = root;
  for (const [index, name] of names.entries()) {
    current = join(current, name);
    const stats = await lstat(current).catch(() => null);
    if (stats === null) return null;
    const last = index === names.length - 1;
    if (!(last ? stats.isFile() : stats.isDirectory())) return 'other';
  }
  return readFile(current);
}

/** Puts a file into a copy. What stands in its way, links among it, is taken away. */
async function putFile(root: string, path: string, bytes: Buffer): Promise<void> {
  const parts = normalize(path).split(/[\\/]/);
  let current = root;
  for (const name of parts.slice(0, -1)) {
    current = join(current, name);
    const stats = await lstat(current).catch(() => null);
    if (stats?.isDirectory() === true) continue;
    await rm(current, { force: true });
    await mkdir(current);
  }
  const target = join(root, ...parts);
  await rm(target, { recursive: true, force: true });
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, bytes);
}

function stateOf(before: string | undefined, found: Buffer | 'other' | null): GraderFileState['state'] {
  if (found === null) return before === undefined ? 'untouched' : 'removed';
  if (before === undefined) return 'made';
  return found !== 'other' && found.equals(Buffer.from(before, 'utf8')) ? 'untouched' : 'changed';
}

/**
 * Puts the files of the graders into a copy of the workspace and says for each whether the agent had left its place
 * alone: as `setup` made it, or empty.
 */
export async function putGraderFiles(
  copy: string,
  files: GraderFiles,
  setup: { readonly [path: string]: string },
): Promise<GraderFileState[]> {
  const before = new Map(Object.entries(setup).map(([path, text]) => [normalize(path), text]));
  const states: GraderFileState[] = [];
  for (const path of Object.keys(files)) {
    states.push({ path, state: stateOf(before.get(normalize(path)), await plainAt(copy, path)) });
  }
  for (const [path, content] of Object.entries(files)) await putFile(copy, path, await contentOf(content));
  return states;
}

/** Looks again once the checks ran: a file that is not what was put there was changed by what the checks started. */
export async function lookAgain(
  copy: string,
  files: GraderFiles,
  states: readonly GraderFileState[],
): Promise<GraderFileState[]> {
  return Promise.all(
    states.map(async (known): Promise<GraderFileState> => {
      const content = files[known.path];
      if (known.state !== 'untouched' || content === undefined) return known;
      const found = await plainAt(copy, known.path);
      const same = found !== null && found !== 'other' && found.equals(await contentOf(content));
      return same ? known : { path: known.path, state: found === null ? 'removed' : 'changed' };
    }),
  );
}
