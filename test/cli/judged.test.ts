import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { assay, project, type Project } from './run-cli.js';

interface JudgedVector {
  id: string;
  right: 'pass' | 'fail' | 'unknown' | 'error';
  assert: { type: string; value: unknown; judge_reply: string };
}

const vectors = (
  JSON.parse(readFileSync(resolve(import.meta.dirname, '../vectors/verdicts.json'), 'utf8')) as {
    judged: JudgedVector[];
  }
).judged;

/** An agent that says which trial it is in, and what it cost. */
const AGENT = `export default ({ prompt, trial }) => ({
  text: 'Yes. Answer ' + trial + ' to ' + prompt.length + ' characters; the page was not found.',
  usage: { inputTokens: 10, outputTokens: 5 }, cost: 0.001,
});\n`;

/** A judge that finds everything good, in whatever form it is asked. */
const JUDGE = `export default ({ prompt, system }) => {
  const items = (prompt.match(/begin statement \\d+/g) ?? []).length;
  const verdict = /results/.test(system + prompt)
    ? { results: Array.from({ length: items }, (_, index) => ({ id: index + 1, verdict: 'TRUE' })) }
    : { reason: 'it is good', score: 5, pass: true };
  return { text: 'Good.\\n' + JSON.stringify(verdict), usage: { inputTokens: 100, outputTokens: 20 }, cost: 0.01 };
};\n`;

function make(files: Record<string, unknown>): Project {
  const made = project(files);
  onTestFinished(made.remove);
  return made;
}

/** A report with everything taken out that may differ between two runs. */
function comparable(report: unknown): unknown {
  const volatile = new Set(['run', 'run_id', 'duration_ms', 'started_at', 'startedAt', 'repeat']);
  return JSON.parse(JSON.stringify(report, (key, value: unknown) => (volatile.has(key) ? undefined : value)));
}

describe('judged verdicts through the command line', () => {
  it.each(vectors)('$id is $right', async ({ right, assert: { judge_reply: reply, ...assertion } }) => {
    const { root } = make({
      'judge.mjs': `export default () => ${JSON.stringify(reply)};\n`,
      'answers.jsonl': `${JSON.stringify({ id: 'one', trial: 1, output: 'Some answer.' })}\n`,
      'suite.yaml': JSON.stringify({
        name: 'vectors',
        trials: 1,
        pass_threshold: 1,
        cases: [{ id: 'one', prompt: 'Be polite.', assert: [assertion] }],
      }),
    });
    const words = [
      'run',
      'suite.yaml',
      '--outputs',
      'answers.jsonl',
      '--judge',
      'module:./judge.mjs',
      '--json',
      '--no-store',
    ];
    const ended = await assay(root, words);
    const report = JSON.parse(ended.stdout) as { detail: { trials: { asserts: { outcome: string }[] }[] }[] };
    expect(report.detail[0]?.trials[0]?.asserts.map((check) => check.outcome)).toEqual([right]);
    expect(ended.code).toBe(right === 'pass' ? 0 : 1);
  });
});

describe('the bundled suite core-dispositions', () => {
  it('runs end to end, twice with the same result, and counts what the judge used', async () => {
    const { root } = make({ 'agent.mjs': AGENT, 'judge.mjs': JUDGE });
    const words = [
      'run',
      '-s',
      'core-dispositions',
      '--model',
      'module:./agent.mjs',
      '--judge',
      'module:./judge.mjs',
      '--no-cache',
      '--json',
    ];
    const first = JSON.parse((await assay(root, words)).stdout) as Record<string, unknown>;
    const second = JSON.parse((await assay(root, words)).stdout) as Record<string, unknown>;
    expect(comparable(second)).toEqual(comparable(first));
    expect(first['errors']).toEqual({});
    const trials = (first['totals'] as { trials: number }).trials;
    expect(first['cost']).toBeCloseTo(trials * 0.001, 9);
    const judge = first['judge_usage'] as { calls: number; input_tokens: number; cost: number };
    expect(judge.calls).toBeGreaterThan(0);
    expect(judge.input_tokens).toBe(judge.calls * 100);
    expect(judge.cost).toBeCloseTo(judge.calls * 0.01, 9);
  });

  it('asks no judge twice for the same question, and says which answers are not new', async () => {
    const { root } = make({ 'agent.mjs': AGENT, 'judge.mjs': JUDGE });
    const words = [
      'run',
      '-s',
      'core-dispositions',
      '--model',
      'module:./agent.mjs',
      '--judge',
      'module:./judge.mjs',
      '--json',
    ];
    await assay(root, words);
    const again = JSON.parse((await assay(root, words)).stdout) as Record<string, unknown>;
    expect(again['judge_usage']).toBeNull();
    expect(await assay(root, ['cache', 'clear'])).toMatchObject({ code: 0 });
    const fresh = JSON.parse((await assay(root, words)).stdout) as Record<string, unknown>;
    expect(fresh['judge_usage']).not.toBeNull();
  });

  it('needs nothing but a logged-in claude command line', async () => {
    const { root } = make({
      // Speaks the documented envelope, as judge or as agent, and writes down what it was given.
      'bin/claude': `#!${realpathSync(process.execPath)}
const fs = require('node:fs');
const input = fs.readFileSync(0, 'utf8');
const words = process.argv.slice(2).join(' ');
fs.appendFileSync(${JSON.stringify('LOG')}, JSON.stringify({ argv: process.argv.slice(2), env: process.env }) + '\\n');
const judging = /opus/.test(words);
const items = (input.match(/begin statement \\d+/g) ?? []).length;
const verdict = /results/.test(words + input)
  ? { results: Array.from({ length: items }, (_, index) => ({ id: index + 1, verdict: 'TRUE' })) }
  : { reason: 'good', score: 5, pass: true };
process.stdout.write(JSON.stringify({
  type: 'result', subtype: 'success', is_error: false, stop_reason: 'end_turn', session_id: 's',
  result: judging ? 'Good.\\n' + JSON.stringify(verdict) : 'Yes. I could not check it; the page was not found.',
  total_cost_usd: 0.002, usage: { input_tokens: 7, output_tokens: 3 },
  modelUsage: { [judging ? 'claude-opus-4-1' : 'claude-sonnet-4-5']: { inputTokens: 7, outputTokens: 3 } },
}));
`,
    });
    const program = join(root, 'bin/claude');
    writeFileSync(
      program,
      readFileSync(program, 'utf8').replace('"LOG"', JSON.stringify(join(root, 'calls.jsonl'))),
      { mode: 0o755 },
    );
    const { chmodSync } = await import('node:fs');
    chmodSync(program, 0o755);
    const ended = await assay(root, ['run', '-s', 'core-dispositions', '--json'], {
      environment: {
        PATH: `${join(root, 'bin')}:${process.env['PATH'] ?? ''}`,
        ANTHROPIC_API_KEY: 'sk-ant-placeholder-placeholder',
        ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
        CLAUDE_CODE_ENTRYPOINT: 'hook',
        CLAUDECODE: '1',
      },
    });
    const report = JSON.parse(ended.stdout) as Record<string, unknown>;
    expect(report['errors']).toEqual({});
    expect(report).toMatchObject({ agent_model: 'claude-cli:sonnet', judge_model: 'claude-cli:opus' });
    const calls = readFileSync(join(root, 'calls.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { argv: string[]; env: Record<string, string> });
    expect(calls.length).toBeGreaterThan(12);
    for (const { env, argv } of calls) {
      expect(Object.keys(env).filter((name) => /^(ANTHROPIC|CLAUDE)/.test(name))).toEqual([]);
      expect(argv).toContain('--no-session-persistence');
    }
  });

  it('is refused before anything is spent when the judge is the model under test, unless that is allowed', async () => {
    const { root } = make({ 'agent.mjs': AGENT });
    const words = [
      'run',
      '-s',
      'core-dispositions',
      '--model',
      'module:./agent.mjs',
      '--judge',
      'module:./agent.mjs',
    ];
    const refused = await assay(root, words);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('the judge is the model under test');
    const allowed = await assay(root, [...words, '--allow-same-judge', '--no-store']);
    expect(allowed.stderr).toContain('judges itself');
  });

  it('names the missing program and how to install it when there is no model at all', async () => {
    const { root } = make({});
    const ended = await assay(root, ['run', '-s', 'core-dispositions'], {
      environment: { PATH: '/nonexistent' },
    });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('claude was not found');
    expect(ended.stderr).toContain('npm install');
  });
});
