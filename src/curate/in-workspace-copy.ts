import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Recording } from '../core/index.js';
import type { FileChange } from './mutant.js';

/** True when the workspace of a recording is still there. */
export function hasWorkspace(recording: Recording): boolean {
  return recording.workspace !== undefined && existsSync(recording.workspace.root);
}

/**
 * Runs something with a recording whose workspace is a private copy, with one file of it changed: what checks do there
 * touches nothing else. Without a workspace the recording is handed on as it is.
 */
export async function inWorkspaceCopy<Value>(
  recording: Recording,
  change: FileChange | null,
  run: (recording: Recording) => Promise<Value> | Value,
): Promise<Value> {
  const { workspace } = recording;
  if (workspace === undefined || !hasWorkspace(recording)) return run(recording);
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'assay-prove-')));
  try {
    cpSync(workspace.root, root, { recursive: true, verbatimSymlinks: true });
    if (change !== null) {
      const path = join(root, change.path);
      if (change.content === null) unlinkSync(path);
      else writeFileSync(path, change.content);
    }
    return await run({ ...recording, workspace: { root } });
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 2 });
  }
}
