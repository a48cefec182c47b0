import { existsSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { AssayError, errorMessage, sha256 } from '../core/index.js';
import { BACKUP_NAME, MANIFEST_NAME, readManifest, requireDirectory, textAt } from './installed.js';

/**
 * What taking a skill back does with a file. `remove`: as it was written, it goes; `restore`: what it replaced comes
 * back; `edited`: somebody changed it since, it stays unless forced; `gone`: it is not there any more.
 */
export type RemovalChange = 'remove' | 'restore' | 'edited' | 'gone';

/** One file of a skill that is to be taken back. */
export interface RemovedFile {
  name: string;
  change: RemovalChange;
  /** What comes back, relative to the skill's directory; null when nothing does. */
  kept: string | null;
}

/** Taking a skill back, before anything is changed. */
export interface UninstallPlan {
  directory: string;
  files: RemovedFile[];
}

/** What taking an installed skill back would change. Throws AssayError `INPUT` where Assay installed nothing. */
export function planUninstall(directory: string, force: boolean): UninstallPlan {
  requireDirectory(directory);
  const manifest = readManifest(directory);
  if (manifest === null) {
    throw new AssayError('INPUT', `assay skill install wrote nothing to ${directory}`, {
      fix: 'name the place it was installed to: --agent, --user or --directory',
    });
  }
  const names = new Set([...Object.keys(manifest.files), ...Object.keys(manifest.replaced)]);
  const files = [...names].map((name): RemovedFile => {
    for (const each of [name, manifest.replaced[name] ?? name]) {
      requireDirectory(dirname(join(directory, each)));
    }
    const text = textAt(join(directory, name));
    const backup = manifest.replaced[name];
    const kept = backup !== undefined && textAt(join(directory, backup)) !== null ? backup : null;
    if (text !== null && sha256(text) !== manifest.files[name] && !force)
      return { name, change: 'edited', kept };
    if (kept !== null) return { name, change: 'restore', kept };
    return { name, change: text === null ? 'gone' : 'remove', kept };
  });
  return { directory, files };
}

/** Removes directories that are empty now, from `path` up to and with `top`. */
function removeEmpty(path: string, top: string): void {
  for (let at = path; !relative(top, at).startsWith('..'); at = dirname(at)) {
    try {
      rmdirSync(at);
    } catch {
      // Something else is in it.
      return;
    }
  }
}

/** Carries a removal out. What was edited stays, and so does the note of it. Throws AssayError `STORE`. */
export function applyUninstall({ directory, files }: UninstallPlan): void {
  try {
    for (const { name, change, kept } of files) {
      const path = join(directory, name);
      if (change === 'remove') rmSync(path, { force: true });
      if (change === 'restore' && kept !== null) renameSync(join(directory, kept), path);
    }
    if (files.every(({ change }) => change !== 'edited'))
      rmSync(join(directory, MANIFEST_NAME), { force: true });
  } catch (error) {
    throw new AssayError('STORE', `${directory} cannot be changed: ${errorMessage(error)}`, { cause: error });
  }
  const emptied = files.flatMap(({ name, kept }) => (kept === null ? [name] : [name, kept]));
  for (const name of emptied) removeEmpty(dirname(join(directory, name)), directory);
  if (existsSync(directory)) removeEmpty(join(directory, BACKUP_NAME), directory);
}
