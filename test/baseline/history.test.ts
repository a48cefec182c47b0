import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  checkKind,
  HistoryDraft,
  namedChecks,
  portableDirectory,
  portableReference,
  writeHistory,
} from '../../src/baseline/index.js';
import type { Check } from '../../src/core/index.js';
import {
  check,
  erroredTrial,
  failedTrial,
  receipt,
  recording,
  sampleCase,
  trial,
} from '../report/samples.js';
import { baselineOf, FACTS, recordOf, runAgainst, temporary } from './support.js';

let place = temporary();
beforeEach(() => (place = temporary()));
afterEach(() => place.remove());

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

it('a receipt of another model is kept for its case', () => {
  const live = receipt({ mode: 'live', modelRef: 'claude-cli:sonnet', judgeRef: 'claude-cli:opus' });
  const record = recordOf([sampleCase('a', [trial({ receipt: live })])]);
  expect(record.cases[0]).toMatchObject({ provider_ref: 'claude-cli:sonnet', judge_ref: 'claude-cli:opus' });
});
