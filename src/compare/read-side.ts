import {
  canonicalJson,
  compareUtf8,
  type JsonValue,
  type JudgeTrace,
  type TrialResult,
} from '../core/index.js';
import { curtailedUnbiasedRate } from '../stats/index.js';
import type { StoredCase, StoredHeader, StoredRun } from '../store/index.js';
import type {
  CaseSpending,
  ComparedCase,
  ComparedRun,
  DimensionCount,
  JudgeVerdicts,
} from './compared-run.js';
import { firstTrials } from './fixed-trials.js';

/** Settings of a run that bound or change what its trials may do. */
const LIMIT_SETTINGS = ['maxSteps', 'timeout', 'limits'];

function mean(values: readonly (number | null)[]): number | null {
  let total = 0;
  for (const value of values) {
    if (value === null) return null;
    total += value;
  }
  return values.length === 0 ? null : total / values.length;
}

function plus(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : left + right;
}

/** What the judges of a trial took together; null when one of them does not say. */
function judgeTotal(trial: TrialResult, read: (trace: JudgeTrace) => number | null): number | null {
  return trial.checks.reduce<number | null>(
    (total, { judge }) => (judge === undefined ? total : plus(total, read(judge))),
    0,
  );
}

function spendingOf(trials: readonly TrialResult[]): CaseSpending {
  const recordings = trials.flatMap((trial) => trial.recording ?? []);
  return {
    inputTokens: mean(recordings.map((recording) => recording.usage.inputTokens)),
    outputTokens: mean(recordings.map((recording) => recording.usage.outputTokens)),
    cost: mean(recordings.map((recording) => recording.usage.cost)),
    durationMs: mean(recordings.map((recording) => recording.durationMs)),
    judgeTokens: mean(
      trials.map((trial) =>
        judgeTotal(trial, ({ inputTokens, outputTokens }) => plus(inputTokens, outputTokens)),
      ),
    ),
    judgeCost: mean(trials.map((trial) => judgeTotal(trial, ({ cost }) => cost))),
  };
}

function dimensionsOf(scored: readonly TrialResult[]): Map<string, DimensionCount> {
  const counts = new Map<string, DimensionCount>();
  for (const trial of scored) {
    for (const check of trial.checks) {
      const name = check.metric ?? check.category;
      const count = counts.get(name) ?? { passed: 0, other: 0, score: 0 };
      if (check.outcome === 'pass') count.passed += 1;
      else count.other += 1;
      count.score += check.score;
      counts.set(name, count);
    }
  }
  return new Map([...counts].toSorted(([left], [right]) => compareUtf8(left, right)));
}

/** Judged checks that a judge was asked about; those that were spared because the case had failed say nothing of it. */
function verdictsOf(trials: readonly TrialResult[]): JudgeVerdicts {
  const verdicts: JudgeVerdicts = { pass: 0, fail: 0, unknown: 0, error: 0 };
  for (const { category, outcome, judge } of trials.flatMap(({ checks }) => checks)) {
    const spared = outcome === 'unknown' && judge === undefined;
    if (category === 'judge' && !spared) verdicts[outcome] += 1;
  }
  return verdicts;
}

function environmentOf(trials: readonly TrialResult[]): string {
  const seen = new Set(
    trials.map(({ receipt }) =>
      canonicalJson({ tools: receipt.toolSurface.effective, sandbox: receipt.sandbox }),
    ),
  );
  return [...seen].toSorted(compareUtf8).join('\n');
}

/** How one case is read. */
interface CaseReading {
  key: string;
  id: string;
  cluster: string | null;
  /** Trials that were planned when each case stops once its verdict is decided; null when none does. */
  curtailedAt: number | null;
}

function caseOf(trials: readonly TrialResult[], reading: CaseReading): ComparedCase {
  const scored = trials.filter((trial) => trial.status !== 'error');
  const passed = scored.filter((trial) => trial.status === 'passed').length;
  const n = scored.length;
  const { key, id, cluster, curtailedAt } = reading;
  const fails = n - passed;
  const stopped = curtailedAt !== null && curtailedAt > 1 && fails > 0;
  let rate = n === 0 ? null : passed / n;
  if (stopped && fails === 1 && n <= curtailedAt) {
    ({ rate } = curtailedUnbiasedRate({ n: curtailedAt, need: curtailedAt, passes: passed, fails }));
  }
  return {
    key,
    id,
    cluster,
    scored: n,
    passed,
    errored: trials.length - n,
    rate,
    stopped,
    score: mean(scored.map((trial) => trial.score)),
    spending: spendingOf(trials),
    judged: trials.some(
      (trial) => trial.receipt.judgeRef !== null || trial.checks.some((check) => check.category === 'judge'),
    ),
    verdicts: verdictsOf(trials),
    environment: environmentOf(scored),
    dimensions: dimensionsOf(scored),
  };
}

function limitsOf(header: StoredHeader): Map<string, string> {
  const settings = header.settings ?? {};
  return new Map(
    LIMIT_SETTINGS.flatMap((name): [string, string][] => {
      const value: JsonValue | undefined = settings[name];
      return value === undefined ? [] : [[name, canonicalJson(value)]];
    }),
  );
}

function incompleteOf(run: StoredRun): string | null {
  if (run.summary === null) return 'it was never finished';
  if (run.summary.interrupted) return 'it was interrupted';
  return run.summary.totals.notRun > 0 ? 'it was stopped early' : null;
}

/** How a side is read from a stored run. */
export interface SideOptions {
  /** Default the run's id. */
  label?: string;
  /** Cluster of a case by its hash; default none. */
  clusterOf?: (hash: string) => string | null;
  /** What a stored case is matched by, or null to leave it out; default its hash. */
  keyOf?: (stored: Pick<StoredCase, 'id' | 'hash'>) => { key: string; id: string } | null;
}

/**
 * One side of a comparison from a stored run; only counts stay in memory. Of a run whose rule let outcomes decide how
 * many trials a case gets, the trials that every case was sure to get are compared, since only they are a plain sample.
 */
export function readSide(run: StoredRun, options: SideOptions = {}): ComparedRun {
  const { header, summary } = run;
  const sure = firstTrials(header);
  const curtailed = header.settings?.['curtail'] === true;
  const keyOf =
    options.keyOf ?? ((stored: Pick<StoredCase, 'id' | 'hash'>) => ({ key: stored.hash, id: stored.id }));
  const cases: ComparedCase[] = [];
  for (const stored of run.cases()) {
    const named = keyOf(stored);
    if (named === null) continue;
    const trials = sure === null ? stored.trials : stored.trials.filter((trial) => trial.trial <= sure);
    cases.push(
      caseOf(trials, {
        ...named,
        cluster: options.clusterOf?.(stored.hash) ?? null,
        curtailedAt: curtailed ? header.trials : null,
      }),
    );
  }
  return {
    label: options.label ?? header.runId,
    suite: header.suite,
    mode: header.mode,
    agentModel: header.agentModel,
    judgeModel: header.judgeModel,
    promptHash: header.promptHash,
    assayVersion: header.assayVersion,
    commit: header.git?.commit ?? null,
    startedAt: header.startedAt,
    limits: limitsOf(header),
    notRun: summary?.totals.notRun ?? 0,
    incomplete: incompleteOf(run),
    cases,
  };
}
