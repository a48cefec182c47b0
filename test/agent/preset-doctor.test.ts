import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { presetDoctor } from '../../src/agent/index.js';

/** A directory with a `copilot` that says this of its version. */
function installed(says: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'assay-preset-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const program = join(directory, 'copilot');
  writeFileSync(program, `#!/bin/sh\necho '${says}'\n`);
  chmodSync(program, 0o755);
  return directory;
}

describe('the version of an agent that is installed', () => {
  it.each([
    ['GitHub Copilot CLI 1.0.102.', '1.0.102', ''],
    ['1.0.200-beta.2 (latest)', '1.0.200-beta.2', ''],
    ['copilot 2.0.0', '2.0.0', expect.stringContaining('1.0.102')],
    ['a new one', null, expect.stringContaining('does not say')],
  ])('%j is %s', async (says, version, problem) => {
    const PATH = `${installed(says)}:/usr/bin:/bin`;
    const report = (await presetDoctor({ PATH })).find(({ preset }) => preset === 'copilot');
    expect(report).toMatchObject({ installed: { version }, problem });
  });
});
