import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CheckParameters } from '../../src/core/index.js';
import { gradeChecks, gradeRecording } from '../../src/grade/index.js';
import { answered, gradedFully, spec, temporaryDirectory } from './support.js';

const NODE = process.execPath;

function inWorkspace() {
  const root = realpathSync(temporaryDirectory());
  const recording = answered('done', { workspace: { root } });
  const run = (parameters: Partial<CheckParameters['command']>, negated = false) =>
    gradedFully(
      spec(
        'command',
        { command: [NODE, '-e', ''], exitCode: 0, timeoutMs: 30_000, ...parameters },
        { negated },
      ),
      recording,
    );
  return { root, recording, run, script: (code: string) => run({ command: [NODE, '-e', code] }) };
}

describe('command', () => {
  it('passes on the wanted exit code and fails on another', async () => {
    const { run, script } = inWorkspace();
    expect(await script('console.log("fine")')).toMatchObject({
      outcome: 'pass',
      evidence: 'exit code 0, 0 is wanted; its output ends:\nfine',
    });
    expect(await script('process.exit(3)')).toMatchObject({
      outcome: 'fail',
      evidence: 'exit code 3, 0 is wanted; it printed nothing',
    });
    expect(await run({ command: [NODE, '-e', 'process.exit(3)'], exitCode: 3 })).toMatchObject({
      outcome: 'pass',
    });
    expect(await run({}, true)).toMatchObject({ outcome: 'fail', type: 'not-command' });
    expect(await run({ command: [NODE, '-e', 'process.exit(3)'] }, true)).toMatchObject({ outcome: 'pass' });
  });

  it('keeps the last 500 characters of the output', async () => {
    const { script } = inWorkspace();
    const check = await script(
      'console.log("a".repeat(20000) + "END"); console.error("é".repeat(100)); process.exit(1)',
    );
    expect(check.evidence.length).toBeLessThan(700);
    expect(check.evidence).toContain('a');
  });

  it('runs in the workspace with arguments as they are, never through a shell', async () => {
    const { root, run } = inWorkspace();
    const code =
      'require("fs").writeFileSync("seen", JSON.stringify([process.cwd(), process.argv.slice(1)]))';
    const hostile = '$(touch pwned); `touch pwned` && touch pwned';
    await run({ command: [NODE, '-e', code, hostile] });
    expect(JSON.parse(readFileSync(join(root, 'seen'), 'utf8'))).toEqual([root, [hostile]]);
    expect(existsSync(join(root, 'pwned'))).toBe(false);
  });

  it('finds a program of the workspace by its relative path', async () => {
    const { root, run } = inWorkspace();
    writeFileSync(join(root, 'check.sh'), '#!/bin/sh\nexit 4\n', { mode: 0o755 });
    expect(await run({ command: ['./check.sh'], exitCode: 4 })).toMatchObject({ outcome: 'pass' });
  });

  it('hands on a short list of variables only, with HOME the workspace', async () => {
    const { root, script } = inWorkspace();
    process.env['ASSAY_TEST_API_KEY'] = 'secret';
    await script('require("fs").writeFileSync("seen", JSON.stringify(process.env))');
    delete process.env['ASSAY_TEST_API_KEY'];
    const seen: { [name: string]: string } = JSON.parse(readFileSync(join(root, 'seen'), 'utf8'));
    expect(seen['HOME']).toBe(root);
    expect(seen['PATH']).toBe(process.env['PATH']);
    for (const name of Object.keys(seen))
      expect(['HOME', 'PATH', 'LANG', 'TMPDIR', 'SYSTEMROOT']).toContain(name);
  });

  it('closes standard input', async () => {
    const { script } = inWorkspace();
    const check = await script('process.stdin.on("data", () => {}).on("end", () => console.log("closed"))');
    expect(check.evidence).toContain('closed');
  });

  it('looks for text on standard output, also in long output and not on standard error', async () => {
    const { run } = inWorkspace();
    const printing = (code: string) => run({ command: [NODE, '-e', code], stdoutContains: 'needle ü' });
    expect(
      await printing('process.stdout.write("need"); setTimeout(() => process.stdout.write("le ü"), 50)'),
    ).toMatchObject({
      outcome: 'pass',
    });
    expect(await printing('console.log("needle ü" + "x".repeat(3e6))')).toMatchObject({ outcome: 'pass' });
    expect(await printing('console.error("needle ü")')).toMatchObject({ outcome: 'fail' });
    expect((await printing('console.error("needle ü")')).evidence).toContain(
      'standard output does not contain "needle ü"',
    );
  });

  it('stops the whole process group when time runs out, and makes an error of it in either polarity', async () => {
    const { root, run } = inWorkspace();
    const late = `setTimeout(() => require("fs").writeFileSync(${JSON.stringify(join(root, 'late'))}, ""), 1500)`;
    const code = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(late)}], {stdio: "inherit"}); console.log("started"); setInterval(() => {}, 1000)`;
    for (const negated of [false, true]) {
      const check = await run({ command: [NODE, '-e', code], timeoutMs: 700 }, negated);
      expect(check).toMatchObject({ outcome: 'error', score: 0 });
      expect(check.evidence).toContain('was stopped after 700 ms');
    }
    await new Promise((resolve) => setTimeout(resolve, 1700));
    expect(existsSync(join(root, 'late'))).toBe(false);
  });

  it('does not wait for what a finished program left in the background, and stops that too', async () => {
    const { root, run } = inWorkspace();
    const late = `setTimeout(() => require("fs").writeFileSync(${JSON.stringify(join(root, 'late'))}, ""), 1200)`;
    const code = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(late)}], {stdio: "inherit"}).unref(); process.exit(0)`;
    expect(await run({ command: [NODE, '-e', code] })).toMatchObject({ outcome: 'pass' });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(existsSync(join(root, 'late'))).toBe(false);
  });

  it('fails on a program that a signal ended', async () => {
    const { script } = inWorkspace();
    expect(
      (await script('process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000)')).evidence,
    ).toContain('was ended by SIGTERM');
  });

  it('makes an error of a program that does not start', async () => {
    const { run, recording } = inWorkspace();
    expect(await run({ command: ['no-such-program-here'] })).toMatchObject({ outcome: 'error' });
    expect(await run({ command: [] })).toMatchObject({ outcome: 'error' });
    expect(await run({ command: ['a\0b'] })).toMatchObject({ outcome: 'error' });
    const gone = answered('x', { workspace: { root: join(recording.workspace?.root ?? '', 'gone') } });
    const check = spec('command', { command: [NODE, '-e', ''], exitCode: 0, timeoutMs: 5000 });
    expect(await gradedFully(check, gone)).toMatchObject({ outcome: 'error' });
  });

  it('runs in an empty directory that is gone afterwards when there is no workspace', async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('assay-empty-'));
    const code = 'process.exit(require("fs").readdirSync(".").length)';
    const check = spec('command', { command: [NODE, '-e', code], exitCode: 0, timeoutMs: 30_000 });
    expect(await gradedFully(check, answered('x'))).toMatchObject({ outcome: 'pass' });
    const after = readdirSync(tmpdir()).filter((name) => name.startsWith('assay-empty-'));
    expect(after.filter((name) => !before.includes(name))).toEqual([]);
  });

  it('is graded after the files were looked at, and one command after the other', async () => {
    const { root, recording } = inWorkspace();
    mkdirSync(join(root, 'log'));
    const append = (name: string) => [
      NODE,
      '-e',
      `const fs = require("fs"); fs.mkdirSync("busy"); setTimeout(() => { fs.rmdirSync("busy"); fs.writeFileSync("log/${name}", ""); }, 100)`,
    ];
    const checks = await gradeRecording(
      [
        spec('command', { command: append('one'), exitCode: 0, timeoutMs: 30_000 }),
        spec('command', { command: append('two'), exitCode: 0, timeoutMs: 30_000 }),
        spec('file-absent', { path: 'log/one' }),
      ],
      recording,
      { emptyText: 'fail' },
    );
    expect(checks.map((check) => check.outcome)).toEqual(['pass', 'pass', 'pass']);
    expect(readdirSync(join(root, 'log'))).toEqual(['one', 'two']);
  });

  it('needs gradeRecording', () => {
    const check = spec('command', { command: [NODE], exitCode: 0, timeoutMs: 1000 });
    expect(gradeChecks([check], answered('x'), { emptyText: 'fail' })[0]).toMatchObject({ outcome: 'error' });
  });
});
