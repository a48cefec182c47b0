import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AssayError, sha256 } from '../core/index.js';
import { writeFileAtomic } from '../store/index.js';
import {
  BACKUP_NAME,
  MANIFEST_NAME,
  readManifest,
  requireDirectory,
  textAt,
  type Manifest,
} from './installed.js';

/** Mode of files that an agent reads. */
const FILE_MODE = 0o644;

/**
 * What an installation does with a file. `new`: written; `update`: an earlier version of Assay's own is replaced;
 * `unchanged`: it is there already; `edited`: somebody changed it or put it there, it is replaced only when forced, and
 * kept aside; `stale`: an earlier version had it, it goes.
 */
export type FileChange = 'new' | 'update' | 'unchanged' | 'edited' | 'stale';

/** One file of a skill that is to be installed. */
export interface PlannedFile {
  /** Relative to the skill's directory, with `/`. */
  name: string;
  change: FileChange;
  /** What is there; null when nothing is. */
  before: string | null;
  /** What will be there; null when the file goes. */
  after: string | null;
}

/** An installation before anything is written. */
export interface InstallPlan {
  /** Absolute path of the skill's directory. */
  directory: string;
  files: PlannedFile[];
  manifest: Manifest | null;
}

/** The files of a skill by name relative to its directory. Throws AssayError `INPUT` when there is no SKILL.md. */
export function skillFiles(source: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const walk = (directory: string, prefix: string): void => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) walk(path, `${prefix}${entry.name}/`);
      else if (entry.isFile() && entry.name.endsWith('.md'))
        files.set(`${prefix}${entry.name}`, readFileSync(path, 'utf8'));
    }
  };
  try {
    walk(source, '');
  } catch (error) {
    throw new AssayError('INPUT', `the files of the skill are not at ${source}`, {
      fix: 'install the package again',
      cause: error,
    });
  }
  if (!files.has('SKILL.md')) {
    throw new AssayError('INPUT', `${source} holds no SKILL.md`, { fix: 'install the package again' });
  }
  return new Map([...files].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function changeOf(before: string | null, after: string, written: string | undefined): FileChange {
  if (before === null) return 'new';
  if (before === after) return 'unchanged';
  return written !== undefined && sha256(before) === written ? 'update' : 'edited';
}

function requirePlainWay(directory: string, names: Iterable<string>): void {
  const ways = new Set([directory]);
  for (const name of names) ways.add(dirname(join(directory, name)));
  for (const way of ways) requireDirectory(way);
}

/**
 * What installing a skill would change. Nothing is written.
 * @param source directory of the skill's files
 * @param directory absolute path of the directory that gets them
 * @throws AssayError `INPUT` when something there cannot be told apart or is a link
 */
export function planInstall(source: string, directory: string): InstallPlan {
  const wanted = skillFiles(source);
  requireDirectory(directory);
  const manifest = readManifest(directory);
  const earlier = new Map(Object.entries(manifest?.files ?? {}));
  requirePlainWay(directory, [...wanted.keys(), ...earlier.keys()]);
  const files: PlannedFile[] = [];
  for (const [name, after] of wanted) {
    const before = textAt(join(directory, name));
    files.push({ name, change: changeOf(before, after, earlier.get(name)), before, after });
  }
  for (const [name, written] of earlier) {
    if (wanted.has(name)) continue;
    const before = textAt(join(directory, name));
    if (before === null) continue;
    const change = sha256(before) === written ? 'stale' : 'edited';
    files.push({ name, change, before, after: null });
  }
  return { directory, files, manifest };
}

/** The files of a plan that somebody edited or put there. */
export function editedFiles(plan: InstallPlan): PlannedFile[] {
  return plan.files.filter((file) => file.change === 'edited');
}

/** A free name, inside the skill's directory, to keep a file under. */
function backupName(directory: string, name: string): string {
  for (let number = 1; ; number += 1) {
    const wanted = `${BACKUP_NAME}/${name}${number === 1 ? '' : `.${number}`}`;
    if (textAt(join(directory, wanted)) === null) return wanted;
  }
}

async function write(directory: string, name: string, text: string): Promise<void> {
  const path = join(directory, name);
  mkdirSync(dirname(path), { recursive: true });
  requireDirectory(dirname(path));
  await writeFileAtomic(path, text, FILE_MODE);
}

/**
 * Carries a plan out: edited files are kept aside first, every file is written whole or not at all, and last comes the
 * note of what was written, by which it can be taken back.
 * @param version of Assay
 * @throws AssayError `INPUT` for edited files that are not to be replaced (before anything is written), `STORE`
 */
export async function applyInstall(
  plan: InstallPlan,
  options: { version: string; force: boolean },
): Promise<void> {
  const { directory, files } = plan;
  const edited = editedFiles(plan);
  if (edited.length > 0 && !options.force) {
    throw new AssayError(
      'INPUT',
      `nothing was written: ${edited.map(({ name }) => name).join(', ')} in ${directory} ${edited.length === 1 ? 'was' : 'were'} edited or put there by somebody else`,
      { fix: '--dry-run shows the difference; --force replaces them and keeps them aside' },
    );
  }
  const replaced: Record<string, string> = { ...plan.manifest?.replaced };
  for (const { name, before } of edited) {
    const kept = backupName(directory, name);
    await write(directory, kept, before ?? '');
    replaced[name] = kept;
  }
  for (const { name, change, after } of files) {
    if (after === null) rmSync(join(directory, name), { force: true });
    else if (change !== 'unchanged') await write(directory, name, after);
  }
  const manifest: Manifest = {
    schema: 'assay/skill-install/v1',
    version: options.version,
    files: Object.fromEntries(
      files.flatMap(({ name, after }) => (after === null ? [] : [[name, sha256(after)]])),
    ),
    replaced,
  };
  await write(directory, MANIFEST_NAME, `${JSON.stringify(manifest, null, 2)}\n`);
}
