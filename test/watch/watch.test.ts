import { spawn } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Project } from '../cli/run-cli.js';
import {
  configured,
  entries,
  hook,
  lockOwners,
  payload,
  readTexts,
  settled,
  start,
  until,
  waiting,
  type Running,
} from './support.js';

/** Starts the watcher and waits until it sees edits. */
async function watching(made: Project): Promise<Running> {
  const running = start(made, ['watch', '--json'], { input: '' });
  await until('the watcher is ready', () => running.stdout().includes('"event":"ready"'));
  return running;
}

/** A program that saves a file over and over, each time as a whole, and at last with `text`. */
function editor({ root }: Project, name: string, text: string): Promise<void> {
  const code = `
const { renameSync, writeFileSync } = require('node:fs');
const [file, name, text] = process.argv.slice(1);
for (let save = 0; save < 20; save += 1) {
  writeFileSync(file + '.' + name, 'draft ' + save + ' of ' + name);
  renameSync(file + '.' + name, file);
}
if (text !== '') writeFileSync(file, text);
`;
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, ['-e', code, '--', join(root, 'CLAUDE.md'), name, text], {
      stdio: 'inherit',
    });
    child.on('error', failed);
    child.on('close', () => done());
  });
}

describe('assay watch', () => {
  it('runs the suite after an edit by any program, and says what came of it', async () => {
    const made = configured();
    const running = await watching(made);
    writeFileSync(join(made.root, 'CLAUDE.md'), 'yes please!');
    await until('a run is logged', () => entries(made, 'run').length > 0);
    await settled(made);
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 0 });
    const said = running
      .stdout()
      .trimEnd()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line));
    expect(said[0]).toMatchObject({ event: 'ready', suite: 's' });
    expect(said.at(-1)).toMatchObject({
      event: 'run',
      trigger: join(made.root, 'CLAUDE.md'),
      verdict: 'good',
    });
  });

  it('tests the final state once when two editors save at the same time', async () => {
    const made = configured({ quiet_secs: 8 });
    const running = await watching(made);
    await Promise.all([editor(made, 'first', ''), editor(made, 'second', '')]);
    writeFileSync(join(made.root, 'CLAUDE.md'), 'yes please: final');
    await until('a run is logged', () => entries(made, 'run').length > 0);
    await settled(made);
    expect(entries(made, 'run')).toMatchObject([{ passed: true }]);
    expect(new Set(readTexts(made))).toEqual(new Set(['yes please: final']));
    running.child.kill('SIGINT');
    await running.ended;
  });

  it('sees sentinels that are made, replaced and removed, in directories that come later, and no other file', async () => {
    const made = configured({ sentinels: ['prompts/**/*.md', 'CLAUDE.md'] });
    const running = await watching(made);
    const seen = async (what: string, change: () => void): Promise<void> => {
      const before = entries(made, 'queued').length;
      change();
      await until(`${what} is seen`, () => entries(made, 'queued').length > before);
      await settled(made);
    };
    await seen('a new file in a new directory', () => made.write('prompts/deep/er/voice.md', 'x'));
    await seen('a replaced file', () => {
      made.write('draft', 'yes please');
      renameSync(join(made.root, 'draft'), join(made.root, 'CLAUDE.md'));
    });
    made.write('prompts/notes.txt', 'x');
    made.write('README.md', 'x');
    await seen('a removed file', () => rmSync(join(made.root, 'prompts/deep/er/voice.md')));
    const seenFiles = new Set(entries(made, 'queued').map((entry) => entry['trigger']));
    expect(seenFiles).toEqual(
      new Set([join(made.root, 'prompts/deep/er/voice.md'), join(made.root, 'CLAUDE.md')]),
    );
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
  });

  it('killed in the middle of a run leaves nothing that stops the next one', async () => {
    const made = configured();
    const first = await watching(made);
    writeFileSync(join(made.root, 'CLAUDE.md'), 'yes please wait:never');
    await until('the agent is asked', () => readTexts(made).length > 0);
    first.child.kill('SIGKILL');
    await first.ended;
    expect(entries(made, 'run')).toEqual([]);
    expect(waiting(made).length).toBeGreaterThan(0);
    writeFileSync(join(made.root, 'CLAUDE.md'), 'yes please after');
    await hook(made, payload(made, 'CLAUDE.md'));
    await settled(made);
    expect(entries(made, 'run')).toMatchObject([{ passed: true }]);
    expect(readTexts(made).at(-1)).toBe('yes please after');
    expect(lockOwners(made.root)).toMatchObject([{ released: true }]);
  });

  it('started again tests what its predecessor left', async () => {
    const made = configured();
    const first = await watching(made);
    writeFileSync(join(made.root, 'CLAUDE.md'), 'yes please wait:go');
    await until('the agent is asked', () => readTexts(made).length > 0);
    first.child.kill('SIGKILL');
    await first.ended;
    writeFileSync(join(made.root, 'go'), '');
    const second = await watching(made);
    await until('a run is logged', () => entries(made, 'run').length > 0);
    await settled(made);
    second.child.kill('SIGINT');
    await second.ended;
    expect(waiting(made)).toEqual([]);
  });

  it('ended by Ctrl-C in the middle of a run keeps the edit for the next time', async () => {
    const made = configured();
    const running = await watching(made);
    writeFileSync(join(made.root, 'CLAUDE.md'), 'yes please wait:never');
    await until('the agent is asked', () => readTexts(made).length > 0);
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(0);
    expect(entries(made, 'run')).toEqual([]);
    expect(waiting(made).length).toBeGreaterThan(0);
    expect(lockOwners(made.root)).toMatchObject([{ released: true }]);
  });

  it('refuses a configuration that is wrong, before it looks at anything', async () => {
    const made = configured({ sentinels: [] });
    const ended = await start(made, ['watch'], { input: '' }).ended;
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain('config_change.sentinels');
  });
});
