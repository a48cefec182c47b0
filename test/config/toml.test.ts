import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/index.js';
import type { AssayError } from '../../src/core/index.js';

async function places(text: string): Promise<(string | number | null)[][]> {
  const cwd = mkdtempSync(join(tmpdir(), 'assay-toml-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  writeFileSync(join(cwd, 'assay.config.toml'), text);
  const error = await loadConfig(cwd).then(
    () => null,
    (thrown: unknown) => thrown as AssayError,
  );
  return (error?.problems ?? [])
    .map(({ line, column, key }) => [line, column, key])
    .toSorted(([left], [right]) => Number(left) - Number(right));
}

describe('a problem of a TOML configuration', () => {
  it('is told at the line of its key, in tables, with dots and in quotes', async () => {
    const text =
      '# first\n[eval]\nmodel_x = 1\n  mod = "replay"\n\n[eval.limits]\ncost = -1\n[store]\n"fsync" = "never"\n';
    expect(await places(text)).toEqual([
      [3, 1, 'eval.model_x'],
      [4, 3, 'eval.mod'],
      [7, 1, 'eval.limits.cost'],
      [9, 1, 'store.fsync'],
    ]);
    expect(await places('\neval.mod = 1\n')).toEqual([[2, 1, 'eval.mod']]);
  });

  it('inside an inline table is told at the key that holds it', async () => {
    expect(await places('[eval]\nmode = "live"\n[store]\n[judge]\n')).toEqual([[4, 1, 'judge']]);
    expect(await places('\n\nstore = { fsync = "x" }\n')).toEqual([[3, 1, 'store.fsync']]);
  });

  it('does not mistake a text for a key', async () => {
    const text = '[eval]\nsuite_dir = """\nmod = 1\n"""\nmod = 1\n';
    expect(await places(text)).toEqual([[5, 1, 'eval.mod']]);
  });
});
