import * as fc from 'fast-check';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  checkKind,
  HistoryDraft,
  isShortLived,
  namedChecks,
  portableDirectory,
  portableReference,
  readHistory,
  trends,
  writeHistory,
  type HistoryRecord,
} from '../../src/baseline/index.js';
import type { Check, RunSummary } from '../../src/core/index.js';
import { formatTrend, sparkline } from '../../src/report/index.js';
import {
  check,
  erroredTrial,
  failedTrial,
  receipt,
  recording,
  sampleCase,
  summary,
  trial,
  type SampleCase,
} from '../report/samples.js';
import { baselineOf, runAgainst, temporary } from './support.js';

let place = temporary();
beforeEach(() => (place = temporary()));
afterEach(() => place.remove());

const FACTS = { recordedAt: '2026-01-02T03:04:06.000Z', git: null, suitePath: '/work/evals/s', cwd: '/work' };

function recordOf(
  cases: readonly SampleCase[],
  changes: Partial<RunSummary> = {},
  facts: Partial<Omit<typeof FACTS, 'git'>> & { git?: RunSummary['git'] } = {},
): HistoryRecord {
  const draft = new HistoryDraft();
  for (const one of cases) draft.add(one.result, one.trials);
  return draft.record(summary(cases, changes), { ...FACTS, ...facts });
}

describe('what history calls a check', () => {
  const named = (label: string, changes: Partial<Check> = {}): string =>
    checkKind(check({ label, ...changes }));

  it.each([
    ['response_contains("x")', 'response_contains'],
    ['response_not_contains("x")', 'response_not_contains'],
    ['response_matches("x")', 'response_matches'],
    ['response_json("/a")', 'response_json'],
    ['tools_used("x")', 'tools_used'],
    ['tools_not_used("x")', 'tools_not_used'],
    ['max_tool_calls(1)', 'max_tool_calls'],
    ['min_tool_calls(1)', 'min_tool_calls'],
    ['exact_tool_calls(1)', 'exact_tool_calls'],
    ['tool_arguments_contain("t", "x")', 'tool_arguments_contain'],
    ['tool_results_contain("t"[0], "x")', 'tool_results_contain'],
    ['all_tools_succeeded(true)', 'all_tools_succeeded'],
    ['file_contains("p", "x")', 'file_contains'],
    ['max_total_tokens(5)', 'max_total_tokens'],
    ['turns[0].response_contains("x")', 'response_contains'],
  ])('%s is %s', (label, kind) => {
    expect(named(label)).toBe(kind);
  });

  it('is the type where the label is none of the expectations of a fixture', () => {
    expect(named('anything', { type: 'not-contains' })).toBe('not-contains');
    expect(named('anything', { type: 'llm-rubric', category: 'judge' })).toBe('llm-rubric');
    expect(named('judge:secret name', { type: 'trace-judge', category: 'judge' })).toBe('judge');
  });

  it('is the category where the type is not known either', () => {
    expect(named('secret("x")', { type: 'secret', category: 'tool' })).toBe('tool');
    expect(named('constructor("x")', { type: 'constructor', category: 'tool' })).toBe('tool');
  });

  it('never holds anything of a label but a name of the list', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (label, type) => {
        expect(checkKind({ label, type, category: 'response' })).toMatch(/^[a-z_-]{1,40}$/);
      }),
    );
  });

  it('counts the checks of one kind, so that none collapses into another', () => {
    const checks = ['exact_tool_calls(1)', 'tools_used("a")', 'tools_used("a")', 'min_tool_calls(1)'];
    expect(namedChecks(checks.map((label) => check({ label }))).map(([name]) => name)).toEqual([
      'exact_tool_calls:1',
      'tools_used:1',
      'tools_used:2',
      'min_tool_calls:1',
    ]);
  });
});

describe('a history record', () => {
  it('says nothing of what was said, done or expected', () => {
    const secret = 'SENTINEL';
    const call = {
      id: secret,
      name: `tool-${secret}`,
      arguments: `{"key":"${secret}"}`,
      result: secret,
      ok: false,
      turn: 0,
      startedAt: 0,
      durationMs: 1,
    };
    const checks = [
      check({ label: `response_contains("${secret}")`, evidence: secret, metric: secret }),
      check({ label: `${secret}("x")`, type: secret, evidence: secret }),
      check({
        label: `judge:${secret}`,
        type: 'trace-judge',
        category: 'judge',
        diagnostic: true,
        judge: {
          model: secret,
          servedModel: secret,
          promptHash: secret,
          replies: [secret],
          inputTokens: 1,
          outputTokens: 1,
          cost: null,
          cached: false,
        },
      }),
    ];
    const said = recording({
      turns: [{ user: secret, text: secret }],
      messages: [{ role: 'assistant', text: secret, reasoning: secret }],
      toolCalls: [call],
      notes: [secret],
      extra: { secret },
      workspace: { root: `/home/${secret}` },
    });
    const cases = [
      sampleCase('a', [trial({ checks, recording: said }), failedTrial({ checks, recording: said })], {
        tags: [secret],
      }),
      sampleCase('b', [erroredTrial({ error: { kind: 'agent', message: secret } })]),
    ];
    const record = recordOf(
      cases,
      {
        reason: secret,
        suitePath: `/home/${secret}/evals/s`,
        directory: `/home/${secret}/.assay`,
        agentModel: `module:/home/${secret}/agent.mjs`,
      },
      { suitePath: `/home/${secret}/evals/s`, cwd: '/elsewhere' },
    );
    const path = writeHistory(place.root, record);
    expect(readFileSync(path, 'utf8')).not.toContain(secret);
    expect(path).not.toContain(secret);
    expect(record).toMatchObject({ suite_dir: 's', provider_ref: 'module:agent.mjs' });
  });

  it('keeps counts, the interval, and what each case came to', () => {
    const record = recordOf([
      sampleCase('a', [trial()]),
      sampleCase('b', [failedTrial()]),
      sampleCase('c', [erroredTrial()]),
    ]);
    expect(record).toMatchObject({
      schema: 'assay/history/v1',
      run_id: 'run_1_abcdef',
      suite: 'regression',
      suite_dir: 'evals/s',
      passed: 1,
      failed: 2,
      errored: 1,
      total: 3,
      repeat_ci: null,
      cases: [
        {
          case_id: 'a',
          verdict: 'pass',
          error: false,
          score: 1,
          checks: { 'response_contains:1': { passed: true } },
        },
        { case_id: 'b', verdict: 'fail', error: false, score: 0 },
        { case_id: 'c', verdict: null, error: true, score: null, checks: {} },
      ],
    });
    // Wilson's interval of 1 of 2.
    expect(record.pass_rate_interval?.lo).toBeCloseTo(0.0945, 4);
    expect(record.pass_rate_interval?.hi).toBeCloseTo(0.9055, 4);
  });

  it('keeps the attempts of a repeated case and its flips, without a label', () => {
    const record = recordOf([sampleCase('a', [trial(), failedTrial(), erroredTrial()])]);
    expect(record.cases[0]?.repeat).toMatchObject({
      k: 3,
      passes: 1,
      completed: 2,
      truncated: true,
      error: true,
      check_flips: { 'response_contains:1': 1 },
      attempts: [
        { attempt: 1, outcome: 'passed', error: false },
        {
          attempt: 2,
          outcome: 'failed',
          checks: { 'response_contains:1': { passed: false, diagnostic: false } },
        },
        { attempt: 3, outcome: 'error', checks: {}, error: true },
      ],
    });
  });

  it('keeps how each case stood against the baseline', () => {
    const before = baselineOf([sampleCase('a', [trial()]), sampleCase('b', [trial()])]);
    const cases = [sampleCase('a', [failedTrial()]), sampleCase('b', [trial()])];
    const draft = new HistoryDraft();
    for (const one of cases) draft.add(one.result, one.trials);
    const record = draft.record(runAgainst(cases, before), FACTS);
    expect(record.cases).toMatchObject([
      { baseline_comparison: 'regression', regression_categories: ['response'] },
      { baseline_comparison: 'unchanged', regression_categories: [] },
    ]);
  });

  it.each([
    ['claude-cli:sonnet', 'claude-cli:sonnet'],
    ['openrouter:meta-llama/llama-3', 'openrouter:meta-llama/llama-3'],
    ['outputs:results/out.jsonl', 'outputs:results/out.jsonl'],
    ['outputs:/home/me/out.jsonl', 'outputs:out.jsonl'],
    ['outputs:../../me/out.jsonl', 'outputs:out.jsonl'],
    ['module:C:\\Users\\me\\a.mjs', 'module:a.mjs'],
    ['module:~/a b/c.mjs', 'module:c.mjs'],
    ['/home/me/a.mjs', 'a.mjs'],
    ['openai-compatible:m@http://me:pw@host:1/v1?key=x', 'openai-compatible:m@http://host:1'],
  ])('calls the model %s by %s', (reference, name) => {
    expect(portableReference(reference)).toBe(name);
  });

  it.each([
    ['/work/evals/s', '/work', 'evals/s'],
    ['/work', '/work', 'work'],
    ['/elsewhere/s', '/work', 's'],
    ['/work-2/s', '/work', 's'],
  ])('calls the suite at %s seen from %s by %s', (path, cwd, name) => {
    expect(portableDirectory(path, cwd)).toBe(name);
  });
});

describe('a history directory', () => {
  const record = recordOf([sampleCase('a', [trial()])]);

  it('has one private file for each run, named by time and commit, and overwrites none', () => {
    const commit = recordOf(
      [sampleCase('a', [trial()])],
      {},
      {
        git: { commit: '0123456789abcdef0123', dirty: true },
      },
    );
    writeHistory(place.root, record);
    writeHistory(place.root, record);
    writeHistory(place.root, commit);
    const folder = join(place.root, 'regression');
    expect(readdirSync(folder).toSorted()).toEqual([
      '20260102T030406Z-0123456789ab.json',
      '20260102T030406Z-nogit.json',
      '20260102T030406Z-nogit_1.json',
    ]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, '20260102T030406Z-nogit.json')).mode & 0o777).toBe(0o600);
  });

  it('never takes a commit for a path', () => {
    const hostile = { ...record, git_sha: '../../../../x' };
    expect(writeHistory(place.root, hostile)).toBe(
      join(place.root, 'regression/20260102T030406Z-nogit.json'),
    );
  });

  it('keeps a suite with a hostile name inside', () => {
    const path = writeHistory(place.root, { ...record, suite: '../../out' });
    expect(path.startsWith(`${place.root}/`)).toBe(true);
    expect(readHistory(place.root, '../../out').records).toHaveLength(1);
  });

  it('is not written through a link in place of the suite', () => {
    const elsewhere = join(place.root, 'elsewhere');
    mkdirSync(elsewhere);
    mkdirSync(join(place.root, 'h'));
    symlinkSync(elsewhere, join(place.root, 'h/regression'));
    expect(() => writeHistory(join(place.root, 'h'), record)).toThrow(/symbolic link/);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('is said to be short-lived where build tools clear away', () => {
    expect(isShortLived('/work/target/history')).toBe(true);
    expect(isShortLived('/work/node_modules/x')).toBe(true);
    expect(isShortLived('/work/targets/history')).toBe(false);
  });

  it('is read oldest first, and a file that is not right hides no other', () => {
    writeHistory(place.root, { ...record, recorded_at: '2026-03-01T00:00:00.000Z', run_id: 'late' });
    writeHistory(place.root, { ...record, recorded_at: '2026-02-01T00:00:00.000Z', run_id: 'early' });
    const folder = join(place.root, 'regression');
    writeFileSync(join(folder, 'a.json'), '{');
    writeFileSync(join(folder, 'b.json'), JSON.stringify({ ...record, extra: 1 }));
    writeFileSync(join(folder, 'c.json'), JSON.stringify({ ...record, suite: 'other' }));
    writeFileSync(join(place.root, 'secret.json'), JSON.stringify(record));
    symlinkSync(join(place.root, 'secret.json'), join(folder, 'd.json'));
    writeFileSync(join(folder, '.hidden.json'), '{');
    const { records, problems } = readHistory(place.root, 'regression');
    expect(records.map((one) => one.run_id)).toEqual(['early', 'late']);
    expect(problems.map((one) => one.path.slice(-6))).toEqual(['a.json', 'b.json', 'c.json', 'd.json']);
  });

  it('that does not exist has no runs and no problems', () => {
    expect(readHistory(join(place.root, 'none'), null)).toEqual({ records: [], problems: [] });
  });
});

describe('the trend of a suite', () => {
  const at = (day: number, runId: string): HistoryRecord => ({
    ...recordOf([sampleCase('a', [trial()]), sampleCase('b', [failedTrial()])]),
    recorded_at: `2026-01-0${day}T00:00:00.000Z`,
    run_id: runId,
  });

  it('takes history and stored runs together, each run once, oldest first', () => {
    const stored = summary([sampleCase('a', [trial()])], {
      finishedAt: '2026-01-02T00:00:00.000Z',
      runId: 'stored',
    });
    const both = summary([sampleCase('a', [trial()])], { runId: 'one' });
    const found = trends([at(3, 'three'), at(1, 'one')], [stored, both]);
    expect([...found.keys()]).toEqual(['regression']);
    expect(found.get('regression')?.map((point) => point.runId)).toEqual(['one', 'stored', 'three']);
  });

  it('leaves what could not be scored out of the rate and says how much that is', () => {
    const cases = [sampleCase('a', [trial()]), sampleCase('b', [erroredTrial()])];
    const [point] = trends([], [summary(cases)]).get('regression') ?? [];
    expect(point).toMatchObject({ passed: 1, scored: 1, missing: 1 });
  });

  it('is a table with n and interval of every point, and a line of bars', () => {
    const points = trends([at(1, 'one')], [summary([sampleCase('a', [trial()])], { runId: 'two' })]).get(
      'regression',
    );
    const text = formatTrend('regression', points ?? [], { color: false });
    expect(text).toContain('regression: 2 runs');
    expect(text).toMatch(/2026-01-01T00:00:00\.000Z +failed +50\.0% +\[9\.5%, 90\.5%\] +1\/2/);
    expect(text).toMatch(/2026-01-02T03:04:06\.000Z +passed +100\.0% +\[20\.7%, 100\.0%\] +1\/1/);
    expect(text.trimEnd().split('\n').at(-1)).toBe('▄█');
  });

  it('draws a full bar only for everything, and a dot where nothing was scored', () => {
    expect(sparkline([0, 0.5, 0.999, 1, null, Number.NaN])).toBe('▁▄▇█··');
    expect(sparkline([])).toBe('');
  });

  it('cannot be made to drive a terminal', () => {
    const hostile = { ...at(1, 'one\u001b[2J'), provider_ref: 'a\nb' };
    const points = trends([hostile], []).get('regression') ?? [];
    const text = formatTrend('x\u001b[31m', points, { color: false });
    expect(text).not.toContain('\u001b');
    expect(text.split('\n')).toHaveLength(5);
  });
});

it('a receipt of another model is kept for its case', () => {
  const live = receipt({ mode: 'live', modelRef: 'claude-cli:sonnet', judgeRef: 'claude-cli:opus' });
  const record = recordOf([sampleCase('a', [trial({ receipt: live })])]);
  expect(record.cases[0]).toMatchObject({ provider_ref: 'claude-cli:sonnet', judge_ref: 'claude-cli:opus' });
});
