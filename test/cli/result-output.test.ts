import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, describe, expect, it } from 'vitest';
import { assay, cleanEnvironment, CLI, echoFixture, project, type Project } from './run-cli.js';

function made(): Project {
  const one = project({ 'evals/regression/a.json': echoFixture('a') });
  onTestFinished(() => one.remove());
  return one;
}

const FORMATS = ['json', 'table'];
const unix = it.skipIf(process.platform === 'win32');
const linux = it.skipIf(!existsSync('/dev/full'));

/** Runs with stdout on an open file, and waits for the end. */
function onto(
  root: string,
  path: string,
  words: readonly string[],
): Promise<{ code: number | null; stderr: string }> {
  const out = openSync(path, 'w');
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [CLI, ...words], {
      cwd: root,
      env: cleanEnvironment(),
      stdio: ['ignore', out, 'pipe'],
    });
    closeSync(out);
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', failed);
    child.on('close', (code) => done({ code, stderr }));
  });
}

describe.each(FORMATS)('a result as %s', (format) => {
  linux('that a full device cannot take ends with 1 and says why', async () => {
    const { root } = made();
    const ended = await assay(root, ['run', '--format', format, '--out', '/dev/full']);
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toMatch(/assay: cannot write "\/dev\/full": ENOSPC/);
    expect(ended.stderr).not.toContain('EBADF');
    expect(statSync('/dev/full').isCharacterDevice()).toBe(true);
  });

  linux('on a stdout that is full ends with 1 and says why', async () => {
    const ended = await onto(made().root, '/dev/full', ['run', '--format', format]);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('assay: the result cannot be written: ENOSPC');
  });

  unix('goes to a device without replacing it', async () => {
    const ended = await assay(made().root, ['run', '--format', format, '--out', '/dev/null']);
    expect(ended.code).toBe(0);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  unix('goes through a link, which stays one, also when nothing is there yet', async () => {
    const one = made();
    one.write('real.txt', 'old');
    symlinkSync('real.txt', join(one.root, 'link'));
    symlinkSync('new.txt', join(one.root, 'dangling'));
    for (const [link, real] of [
      ['link', 'real.txt'],
      ['dangling', 'new.txt'],
    ] as const) {
      expect((await assay(one.root, ['run', '--format', format, '--out', link])).code).toBe(0);
      expect(lstatSync(join(one.root, link)).isSymbolicLink()).toBe(true);
      expect(readFileSync(join(one.root, real), 'utf8')).toContain('a');
      expect(readFileSync(join(one.root, real), 'utf8')).not.toBe('old');
    }
  });
});

describe('a result that has no place', () => {
  unix.each([
    ['a directory', 'dir', 'it is a directory'],
    ['below a file', 'file/x.json', 'cannot write "file/x.json"'],
    ['no name', '', 'it is no name'],
    ['a link that leads to itself', 'circle', 'its links lead in a circle'],
  ])('as it is %s is refused before anything runs, and nothing is left behind', async (_, path, says) => {
    const one = made();
    mkdirSync(join(one.root, 'dir'));
    one.write('file', 'kept');
    symlinkSync('circle', join(one.root, 'circle'));
    const before = readdirSync(one.root);
    const ended = await assay(one.root, ['run', '--json', '--out', path]);
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toContain(says);
    expect(ended.stderr).toContain('name a file that can be written after --out');
    expect(readdirSync(one.root)).toEqual(before);
    expect(readFileSync(join(one.root, 'file'), 'utf8')).toBe('kept');
  });

  it('gets one where only directories were missing, with the permissions of the file that was there', async () => {
    const one = made();
    expect((await assay(one.root, ['run', '--json', '--out', 'a/b/c.json'])).code).toBe(0);
    expect(readdirSync(join(one.root, 'a/b'))).toEqual(['c.json']);
    expect(JSON.parse(readFileSync(join(one.root, 'a/b/c.json'), 'utf8'))).toMatchObject({ passed: 1 });
  });
});

describe('a result for a pipe', () => {
  unix('waits for its reader, and is there in one piece', async () => {
    const one = made();
    expect(spawnSync('mkfifo', [join(one.root, 'pipe')]).status).toBe(0);
    const running = assay(one.root, ['run', '--json', '--out', 'pipe']);
    const reader = spawn('cat', [join(one.root, 'pipe')], { stdio: ['ignore', 'pipe', 'ignore'] });
    let read = '';
    reader.stdout.setEncoding('utf8').on('data', (text: string) => (read += text));
    const closed = new Promise((done) => reader.on('close', done));
    expect((await running).code).toBe(0);
    await closed;
    expect(JSON.parse(read)).toMatchObject({ passed: 1 });
    expect(lstatSync(join(one.root, 'pipe')).isFIFO()).toBe(true);
  });

  unix('that nobody reads is refused after a while', async () => {
    const one = made();
    spawnSync('mkfifo', [join(one.root, 'pipe')]);
    const ended = await assay(one.root, ['run', '--json', '--out', 'pipe']);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('nobody reads from the pipe');
  });

  unix('whose reader goes away is no success', async () => {
    const one = made();
    const script = `"${process.execPath}" "${CLI}" run --json; echo "code $?" >&2`;
    const ended = spawnSync('sh', ['-c', `( ${script} ) | sh -c 'exec <&-; sleep 3'`], {
      cwd: one.root,
      env: cleanEnvironment(),
      encoding: 'utf8',
    });
    expect(ended.stderr).toContain('code 141');
  });
});
