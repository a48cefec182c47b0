import {
  createReporter,
  stringOutput,
  type ReportFormat,
  type ReporterOptions,
} from '../../src/report/index.js';
import type {
  CaseResult,
  Check,
  Receipt,
  Recording,
  RunEvent,
  RunSummary,
  TrialResult,
} from '../../src/core/index.js';
import { wilson } from '../../src/stats/index.js';

/** A passing check with some members replaced. */
export function check(changes: Partial<Check> = {}): Check {
  return {
    label: 'response_contains("hello")',
    type: 'contains',
    outcome: 'pass',
    score: changes.outcome === undefined || changes.outcome === 'pass' ? 1 : 0,
    weight: 1,
    category: 'response',
    diagnostic: false,
    required: false,
    evidence: 'found in "hello there"',
    ...changes,
  };
}

/** A receipt of a replay. */
export function receipt(changes: Partial<Receipt> = {}): Receipt {
  return {
    schema: 'assay/recording/v1',
    caseId: 'greets',
    caseHash: 'a'.repeat(64),
    trial: 1,
    mode: 'replay',
    modelRef: 'scripted',
    servedModel: null,
    toolSurface: { requested: [], effective: ['echo'], registered: ['echo'] },
    sandbox: { autonomy: 'supervised', workspaceOnly: false },
    judgeRef: null,
    promptHash: null,
    ...changes,
  };
}

/** A recording of one turn that used 10 tokens in and 5 out. */
export function recording(changes: Partial<Recording> = {}): Recording {
  return {
    receipt: receipt(),
    turns: [{ user: 'hi', text: 'hello there' }],
    messages: [],
    toolCalls: [],
    usage: { inputTokens: 10, outputTokens: 5, cost: null },
    llmCalls: 1,
    durationMs: 20,
    ...changes,
  };
}

/** A passing trial with some members replaced. */
export function trial(changes: Partial<TrialResult> = {}): TrialResult {
  const caseId = changes.caseId ?? 'greets';
  const made = receipt({ caseId, trial: changes.trial ?? 1, mode: changes.receipt?.mode ?? 'replay' });
  return {
    caseId,
    caseHash: 'a'.repeat(64),
    trial: 1,
    status: 'passed',
    error: null,
    score: changes.status === 'failed' ? 0 : 1,
    checks: [check()],
    recording: recording({ receipt: made }),
    startedAt: '2026-01-02T03:04:05.000Z',
    ...changes,
    receipt: changes.receipt ?? made,
  };
}

/** A trial that failed one check. */
export function failedTrial(changes: Partial<TrialResult> = {}): TrialResult {
  return trial({
    status: 'failed',
    score: 0,
    checks: [check({ outcome: 'fail', evidence: 'not in "bye"' })],
    ...changes,
  });
}

/** A trial that could not be scored. */
export function erroredTrial(changes: Partial<TrialResult> = {}): TrialResult {
  return trial({
    status: 'error',
    score: null,
    checks: [],
    recording: null,
    error: { kind: 'script', message: 'turn 1 asked for more than the script holds' },
    ...changes,
  });
}

/** The result that these trials come to, with some members replaced. */
export function result(trials: readonly TrialResult[], changes: Partial<CaseResult> = {}): CaseResult {
  const scored = trials.filter(({ status }) => status !== 'error');
  const passed = trials.filter(({ status }) => status === 'passed').length;
  const errors: { [kind: string]: number } = {};
  for (const { error } of trials) if (error !== null) errors[error.kind] = (errors[error.kind] ?? 0) + 1;
  const complete = scored.length === trials.length;
  const scores = scored.map(({ score }) => score ?? 0);
  return {
    id: trials[0]?.caseId ?? 'greets',
    hash: 'a'.repeat(64),
    source: 'greets.json',
    line: 1,
    negative: false,
    tags: [],
    cluster: null,
    planned: trials.length,
    scored: scored.length,
    passed,
    errors,
    passAtK: passed > 0 ? 1 : complete ? 0 : null,
    passHatK: passed < scored.length ? 0 : complete ? 1 : null,
    meanScore: scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length,
    interval: scored.length === 0 ? null : wilson({ n: scored.length, c: passed }),
    outcome: passed < scored.length ? 'failed' : complete ? 'passed' : 'error',
    curtailed: false,
    curtailedRate: null,
    expectedFailing: false,
    inputTokens: 10 * scored.length,
    outputTokens: 5 * scored.length,
    cost: null,
    durationMs: 20 * scored.length,
    ...changes,
  };
}

/** The events of one suite: its start, its cases and its end. */
export interface SampleCase {
  trials: TrialResult[];
  result: CaseResult;
}

/** A case of these trials under an id. */
export function sampleCase(
  id: string,
  trials: readonly TrialResult[],
  changes: Partial<CaseResult> = {},
): SampleCase {
  const named = trials.map((one, index) => ({
    ...one,
    caseId: id,
    trial: index + 1,
    receipt: { ...one.receipt, caseId: id, trial: index + 1 },
  }));
  return { trials: named, result: result(named, { id, source: `${id}.json`, ...changes }) };
}

/** The summary that these cases come to, with some members replaced. */
export function summary(cases: readonly SampleCase[], changes: Partial<RunSummary> = {}): RunSummary {
  const results = cases.map((one) => one.result);
  const count = (outcome: CaseResult['outcome']): number =>
    results.filter((one) => one.outcome === outcome).length;
  const total = (read: (one: CaseResult) => number): number =>
    results.reduce((sum, one) => sum + read(one), 0);
  const mean = (values: readonly (number | null)[]): number | null => {
    const known = values.filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  };
  const outcome = count('error') > 0 ? 'error' : count('failed') > 0 ? 'failed' : 'passed';
  return {
    runId: 'run_1_abcdef',
    suite: 'regression',
    suitePath: 'evals/regression',
    format: 'trace',
    kind: 'regression',
    mode: 'replay',
    gate: 'all',
    threshold: 1,
    outcome,
    reason: outcome === 'passed' ? 'all cases passed' : `${count('failed')} of ${results.length} failed`,
    trials: 1,
    score: mean(results.map((one) => one.meanScore)),
    passAtK: mean(results.map((one) => one.passAtK)),
    passHatK: mean(results.map((one) => one.passHatK)),
    totals: {
      cases: results.length,
      passed: count('passed'),
      failed: count('failed'),
      errored: count('error'),
      notRun: 0,
      trials: cases.reduce((sum, one) => sum + one.trials.length, 0),
      scoredTrials: total((one) => one.scored),
      passedTrials: total((one) => one.passed),
      reusedTrials: 0,
    },
    inputTokens: total((one) => one.inputTokens),
    outputTokens: total((one) => one.outputTokens),
    cost: null,
    agentModel: 'scripted',
    judgeModel: null,
    seed: 7,
    startedAt: '2026-01-02T03:04:05.000Z',
    finishedAt: '2026-01-02T03:04:06.000Z',
    interrupted: false,
    assayVersion: '0.1.0',
    git: null,
    directory: null,
    ...changes,
  };
}

/** All events of one suite. */
export function events(cases: readonly SampleCase[], changes: Partial<RunSummary> = {}): RunEvent[] {
  const end = summary(cases, changes);
  return [
    {
      type: 'run-start',
      suite: end.suite,
      cases: cases.length,
      trials: end.trials,
      directory: end.directory,
    },
    ...cases.flatMap((one): RunEvent[] => [
      ...one.trials.map((done): RunEvent => ({ type: 'trial-end', trial: done, reused: false })),
      { type: 'case-end', result: one.result, trials: one.trials },
    ]),
    { type: 'run-end', summary: end },
  ];
}

/** The whole report of these events. */
export function report(
  format: ReportFormat,
  happened: readonly RunEvent[],
  options: Partial<ReporterOptions> = {},
): string {
  const output = stringOutput();
  const reporter = createReporter(format, output, { color: false, suites: 1, ...options });
  for (const event of happened) reporter.event(event);
  reporter.finish();
  return output.text();
}
