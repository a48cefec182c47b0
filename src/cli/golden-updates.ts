import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { AssayError, finalText } from '../core/index.js';
import { updateGoldenFile } from '../grade/index.js';
import type { RunOptions } from '../run/index.js';
import type { Case } from '../suite/index.js';

function restoreFile(path: string, content: Buffer | null): void {
  if (content === null) rmSync(path, { force: true });
  else writeFileSync(path, content);
}

/** Writes the golden files of a run with `--update`. */
export function goldenUpdates(): RunOptions['onRecorded'] {
  const written = new Map<string, { text: string; before: Buffer | null; disputed: boolean }>();
  return (tested: Case, recording) => {
    for (const check of tested.checks) {
      if (check.type !== 'matches-file' || check.negated) continue;
      const text = finalText(recording);
      const earlier = written.get(check.path);
      // One file cannot be the right answer of two that differ.
      if (earlier !== undefined && (earlier.disputed || earlier.text !== text)) {
        // What was there stays: neither answer is more right than the other.
        if (!earlier.disputed) restoreFile(check.path, earlier.before);
        earlier.disputed = true;
        throw new AssayError('INPUT', `two answers of this run differ, and both would be ${check.path}`, {
          fix: 'update with one trial, and give every case a golden file of its own',
        });
      }
      const before = earlier?.before ?? (existsSync(check.path) ? readFileSync(check.path) : null);
      updateGoldenFile(check, recording);
      written.set(check.path, { text, before, disputed: false });
    }
  };
}
