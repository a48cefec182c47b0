import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AssayError, errorMessage, isSafeRelativePath, parseJson } from '../core/index.js';

/** Name of the file that says what Assay wrote into a skill's directory. */
export const MANIFEST_NAME = '.assay-skill.json';

/** Directory, inside the skill's, of what an installation replaced. */
export const BACKUP_NAME = '.assay-backup';

const inside = z.string().refine(isSafeRelativePath);

const manifestSchema = z.strictObject({
  schema: z.literal('assay/skill-install/v1'),
  version: z.string(),
  /** Hash of every file as it was written. */
  files: z.record(inside, z.string()),
  /** Files that were somebody else's or edited, and where they are kept. */
  replaced: z.record(inside, inside),
});

/** What an installation left behind of itself. */
export type Manifest = z.output<typeof manifestSchema>;

/** The text of a file; null when nothing is there. Throws AssayError `INPUT` for anything but a plain file. */
export function textAt(path: string): string | null {
  try {
    const state = lstatSync(path);
    if (state.isFile()) return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return null;
    throw new AssayError('INPUT', `${path} cannot be read: ${errorMessage(error)}`, { cause: error });
  }
  throw new AssayError('INPUT', `${path} is no plain file`, {
    fix: 'a skill is never written through a link: move it away',
  });
}

/** Refuses a directory on the way to a skill's files that is a link or a file. Throws AssayError `INPUT`. */
export function requireDirectory(path: string): void {
  try {
    if (lstatSync(path).isDirectory()) return;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw new AssayError('INPUT', `${path} cannot be looked at: ${errorMessage(error)}`, { cause: error });
  }
  throw new AssayError('INPUT', `${path} is no directory of its own`, {
    fix: 'a skill is never written through a link: move it away',
  });
}

/** What was installed in a directory; null when nothing was. Throws AssayError `INPUT` when that cannot be told. */
export function readManifest(directory: string): Manifest | null {
  const path = join(directory, MANIFEST_NAME);
  const text = textAt(path);
  if (text === null) return null;
  const parsed = parseJson(text);
  const manifest = manifestSchema.safeParse(parsed.ok ? parsed.value : null);
  if (manifest.success) return manifest.data;
  throw new AssayError('INPUT', `${path} is not what an installation writes`, {
    fix: 'remove that file; the files beside it then count as your own',
  });
}
