import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareUtf8, quote, type Recording } from '../core/index.js';
import type { FileChange, Mutant } from './mutant.js';
import { otherText } from './text-edits.js';

/** Directories that tools fill by themselves. */
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Regular files of a workspace, by relative path with slashes, sorted; links are not followed. */
export function workspaceFiles(root: string, below = ''): string[] {
  const entries = readdirSync(join(root, below), { withFileTypes: true });
  const found = entries.flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : workspaceFiles(root, path);
    return entry.isFile() ? [path] : [];
  });
  return found.toSorted(compareUtf8);
}

/** Faults in the workspace: every file removed, emptied and changed. `spared` are not the agent's: graders put them there. */
export function* fileMutants(recording: Recording, spared: ReadonlySet<string>): Generator<Mutant> {
  const root = recording.workspace?.root;
  // Of a stored run the files are gone; what was in them nobody knows.
  if (root === undefined || !existsSync(root)) return;
  for (const path of workspaceFiles(root)) {
    if (spared.has(path)) continue;
    const fault = (kind: string, claim: string, content: FileChange['content']): Mutant => ({
      id: `file:${path}:${kind}`,
      claim: `the file ${quote(path)} ${claim}`,
      facet: 'files',
      recording,
      file: { path, content },
    });
    const text = readFileSync(join(root, path)).toString('utf8');
    yield fault('removed', 'was not there', null);
    if (text === '') continue;
    yield fault('emptied', 'was empty', Buffer.alloc(0));
    yield fault('changed', 'held something else', Buffer.from(otherText(text)));
  }
}
