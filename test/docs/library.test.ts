import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cleanEnvironment, echoFixture, project } from '../cli/run-cli.js';

const run = promisify(execFile);
const repository = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(repository, 'docs/library.md'), 'utf8');
const examples = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');

/** Runs a program as a user of the installed package would, with a suite of one case beside it. */
async function runExample(code: string): Promise<{ stdout: string; stderr: string }> {
  const { root, write, remove } = project({ 'evals/regression/a.json': echoFixture('first-case') });
  onTestFinished(remove);
  mkdirSync(join(root, 'node_modules'));
  symlinkSync(repository, join(root, 'node_modules/assay'));
  symlinkSync(join(repository, 'node_modules/ai'), join(root, 'node_modules/ai'));
  write('package.json', { type: 'module' });
  writeFileSync(join(root, 'example.ts'), code);
  const jiti = join(repository, 'node_modules/jiti/lib/jiti-cli.mjs');
  return run(process.execPath, [jiti, 'example.ts'], { cwd: root, env: cleanEnvironment() });
}

describe('the examples of docs/library.md', () => {
  it('are three programs', () => {
    expect(examples).toHaveLength(3);
  });

  it('run a suite and take its exit code', async () => {
    const { stdout } = await runExample(examples[0] ?? '');
    expect(stdout.trim()).toBe('passed first-case: 1 of 1');
  });

  it('grade a recording of an idle agent', async () => {
    const { stdout } = await runExample(examples[1] ?? '');
    expect(stdout.trim()).toBe('true');
  });

  it('drive an AI SDK agent with a scripted model', async () => {
    const { stdout } = await runExample(examples[2] ?? '');
    expect(stdout.trim()).toBe('Good morning!');
  });
});
