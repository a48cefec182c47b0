import { spawn } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { assay, CLI, cleanEnvironment, project, type Project } from '../cli/run-cli.js';

const LOG = '.assay/execution.jsonl';

function place(files: Record<string, unknown> = {}): Project {
  const made = project(files);
  onTestFinished(() => made.remove());
  return made;
}

function lines({ root }: Project, file = LOG): Record<string, unknown>[] {
  return readFileSync(join(root, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const RAN = ['log', '--workflow', 'RunEval', '--status', 'ok', '--duration', '12.5'];

describe('assay log writes one line', () => {
  test('with the keys of the log, in UTC and whole seconds', async () => {
    const made = place();
    const ended = await assay(made.root, [...RAN, '--input', 'run suite greetings']);
    expect(ended).toMatchObject({ code: 0, stdout: `logged in ${LOG}\n` });
    expect(lines(made)).toEqual([
      {
        ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        skill: 'assay',
        workflow: 'RunEval',
        input: 'run suite greetings',
        status: 'ok',
        duration_s: 12.5,
      },
    ]);
  });

  test('whatever the summary holds: quotes, line feeds and other shells stay inside it', async () => {
    const made = place();
    const nasty = `a "b" 'c' \`id\` $(id) \\ {"status":"ok"}\nsecond line \u0007 評価`;
    await assay(made.root, [...RAN, '--input', nasty]);
    expect(lines(made)).toMatchObject([{ input: nasty }]);
  });

  test('from stdin, where no shell looks at the quotes', async () => {
    const made = place();
    const code = await new Promise((done, failed) => {
      const child = spawn(process.execPath, [CLI, ...RAN, '--input', '-'], {
        cwd: made.root,
        env: cleanEnvironment(),
      });
      child.on('error', failed);
      child.on('close', done);
      child.stdin.end(`it's "quoted"\n`);
    });
    expect(code).toBe(0);
    expect(lines(made)).toMatchObject([{ input: `it's "quoted"` }]);
  });

  test('after what is there, which is never changed, and with secrets hidden', async () => {
    const made = place({ [LOG]: '{"torn' });
    await assay(made.root, [...RAN, '--input', 'first']);
    await assay(made.root, [...RAN, '--input', 'with key sk-ant-api03-abcdefghijklmnopqrstuvwxyz012345']);
    const [torn, ...rest] = readFileSync(join(made.root, LOG), 'utf8').trimEnd().split('\n');
    expect(torn).toBe('{"torn');
    expect(rest).toHaveLength(2);
    expect(rest.join('')).not.toContain('abcdefghijklmnop');
  });

  test('at once from several processes, without mixing them', async () => {
    const made = place();
    const numbers = Array.from({ length: 6 }, (_, number) => number);
    const ended = await Promise.all(
      numbers.map((number) => assay(made.root, [...RAN, '--input', `run ${number} ${'x'.repeat(150)}`])),
    );
    expect(ended.map(({ code }) => code)).toEqual(numbers.map(() => 0));
    expect(
      lines(made)
        .map(({ input }) => String(input).slice(0, 5))
        .toSorted(),
    ).toEqual(numbers.map((number) => `run ${number}`));
  });

  test('where the configuration says, or --log', async () => {
    const made = place({ 'assay.config.yaml': 'store: { execution_log: logs/skill.jsonl }\n' });
    await assay(made.root, [...RAN, '--input', 'one']);
    await assay(made.root, [...RAN, '--input', 'two', '--log', 'other.jsonl']);
    expect(lines(made, 'logs/skill.jsonl')).toMatchObject([{ input: 'one' }]);
    expect(lines(made, 'other.jsonl')).toMatchObject([{ input: 'two' }]);
    expect(existsSync(join(made.root, '.assay'))).toBe(false);
  });

  test('for another skill, whose workflows are its own', async () => {
    const made = place();
    const ended = await assay(made.root, [...RAN.with(2, 'DoSomething'), '--skill', 'other', '--input', 'x']);
    expect(ended.code).toBe(0);
    expect(lines(made)).toMatchObject([{ skill: 'other', workflow: 'DoSomething' }]);
  });

  test.each([
    ['nothing at all', ['log'], /--workflow, --input, --status, --duration are missing/],
    ['no duration', RAN.slice(0, 5).concat('--input', 'x'), /--duration is missing/],
    ['a workflow nobody knows', [...RAN.with(2, 'RunEvil'), '--input', 'x'], /did you mean RunEval\?/],
    ['a blank summary', [...RAN, '--input', '  '], /the summary is blank/],
    ['a summary that is a report', [...RAN, '--input', 'x'.repeat(201)], /201 characters/],
    ['another status', [...RAN.with(4, 'fine'), '--input', 'x'], /Allowed choices are ok, error/],
    ['a negative duration', [...RAN.with(6, '-1'), '--input', 'x'], /write seconds, 0 or more/],
    ['a duration in words', [...RAN.with(6, 'soon'), '--input', 'x'], /write seconds, 0 or more/],
    ['an unknown flag', [...RAN, '--input', 'x', '--loud'], /unknown option '--loud'/],
    ['a stray word', [...RAN, '--input', 'x', 'more'], /too many arguments/],
    ['--last without --list', [...RAN, '--input', 'x', '--last', '3'], /--last belongs to --list/],
    ['--list that would write', ['log', '--list', '--input', 'x'], /--list only reads/],
    [
      'a name that is none',
      [...RAN.with(2, 'Run Eval!'), '--skill', 'x', '--input', 'x'],
      /not the name of a workflow/,
    ],
  ])('refuses %s, and writes nothing', async (_, words, message) => {
    const made = place();
    const ended = await assay(made.root, words);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(message);
    expect(ended.stderr).not.toMatch(/^\s+at /m);
    expect(existsSync(join(made.root, LOG))).toBe(false);
  });

  test('never through a link', async () => {
    const made = place({ 'target.jsonl': '' });
    symlinkSync('target.jsonl', join(made.root, 'link.jsonl'));
    const ended = await assay(made.root, [...RAN, '--input', 'x', '--log', 'link.jsonl']);
    expect(ended.code).toBe(1);
    expect(readFileSync(join(made.root, 'target.jsonl'), 'utf8')).toBe('');
  });
});

describe('assay log --list', () => {
  const MIXED = [
    '{"ts":"2026-03-01T10:00:00Z","skill":"Evals","workflow":"RunEval","input":"core dispositions","status":"ok","duration_s":31}',
    '{"ts":"2026-03-01T10:00:01.123Z","skill":"Evals","args":"run core","input":"please run","source":"hook","session":"s"}',
    'echo without quotes',
    '{"ts":"2026-03-01T10:00:02Z","skill":"Evals","workflow":"RunEval","input":"a","status":"odd","duration_s":1}',
    '{"ts":"2026-03-01T10:00:03Z","skill":"assay","workflow":"ViewResults","input":"b\\u001b[31m","status":"error","duration_s":2}',
  ];
  const files = { [LOG]: `${MIXED.join('\n')}\n` };

  test('reads both shapes, and counts what is neither', async () => {
    const made = place(files);
    const ended = await assay(made.root, ['log', '--list', '--json']);
    expect(ended.stderr).toBe(`${LOG}: 2 lines cannot be read: 3, 4\n`);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      schema: 'assay/executions/v1',
      broken_lines: [3, 4],
      entries: [
        { kind: 'workflow', skill: 'Evals', workflow: 'RunEval', status: 'ok', duration_s: 31, source: null },
        { kind: 'call', skill: 'Evals', workflow: null, status: null, args: 'run core', source: 'hook' },
        { kind: 'workflow', skill: 'assay', workflow: 'ViewResults', status: 'error' },
      ],
    });
  });

  test('narrows the list, newest kept, and prints nothing a terminal would obey', async () => {
    const made = place(files);
    const failed = await assay(made.root, ['log', '--list', '--status', 'error']);
    expect(failed.stdout).toBe(
      '1 execution\n  2026-03-01T10:00:03Z  assay  ViewResults  error  2 s  b\\u{1b}[31m\n',
    );
    const last = await assay(made.root, ['log', '--list', '--skill', 'Evals', '--last', '1']);
    expect(last.stdout).toBe(
      '1 execution\n  2026-03-01T10:00:01.123Z  Evals  called (hook)  run core  please run\n',
    );
  });

  test('of nothing is an empty list', async () => {
    expect(await assay(place().root, ['log', '--list'])).toMatchObject({ code: 0, stdout: '0 executions\n' });
  });
});
