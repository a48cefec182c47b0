import { clopperPearsonLowerOneSided, mdeMiller, threeValuedGate } from '../stats/index.js';
import type { Case, Suite } from '../suite/index.js';
import type { CaseCounts, RunEvidence } from './run-evidence.js';

/** How saturation and graduation are decided: by bounds on pass rates, or by counting good runs. */
export type EvidenceRule = 'evidence' | 'simple';

/** Runs of one family whose trials are pooled for a case, and that the simple rule looks at. */
export const POOLED_RUNS = 10;
/** Runs in a row that must be saturated. */
export const RUNS_IN_A_ROW = 3;
/** Pass rate that a case must be shown to have before it graduates. */
export const GRADUATION_BAR = 0.9;
/** Confidence of every one-sided bound. */
const CONFIDENCE = 0.95;
/** Pass rate below which a case that never passes counts as dead, once that is shown. */
const DEAD_BELOW = 0.1;
/** Tag of a case about whose right verdict people disagree. */
const AMBIGUOUS = 'ambiguous';

/** What is known of one case from its trials. */
export interface CaseEvidence {
  caseId: string;
  /** Runs that its trials come from. */
  runs: number;
  /** Scored and passed trials, pooled. */
  n: number;
  c: number;
  /** One-sided 95 % bounds of its pass rate; null without trials. */
  lower: number | null;
  upper: number | null;
  /**
   * `ready`: it may graduate. `dead`: it never passes, so look at the case first. `ambiguous`: people disagree about it.
   * `open`: not enough is known.
   */
  state: 'ready' | 'open' | 'dead' | 'ambiguous';
  /** Why, in one sentence. */
  reason: string;
}

/** What is known of a suite from its runs. */
export interface SaturationReport {
  suite_id: string;
  rule: EvidenceRule;
  /** Newest last. */
  pass_rate_history: { date: string; rate: number; run: string; trials: number; lower: number | null }[];
  saturated: boolean;
  /** Newest runs in a row at or above the threshold. */
  consecutive_above_threshold: number;
  recommended_action: 'graduate_to_regression' | 'add_harder_cases' | 'keep';
  reason: string;
  threshold: number;
  cases: CaseEvidence[];
}

/** Replayed answers are the same every time and prove nothing about an agent. */
function isEvidence(run: RunEvidence): boolean {
  return run.mode !== 'replay';
}

/** The newest runs that may be compared with the newest of all. */
function comparable(runs: readonly RunEvidence[]): RunEvidence[] {
  const real = runs.filter(isEvidence);
  const newest = real.at(-1);
  return newest === undefined ? [] : real.filter((run) => run.family === newest.family);
}

const indexes = new WeakMap<RunEvidence, ReadonlyMap<string, CaseCounts>>();

/** How a case did in a run; undefined where it had no scored trial. */
function countsIn(run: RunEvidence, id: string): CaseCounts | undefined {
  let index = indexes.get(run);
  if (index === undefined) {
    index = new Map(run.cases().map((counts) => [counts.id, counts]));
    indexes.set(run, index);
  }
  const counts = index.get(id);
  return counts === undefined || counts.n === 0 ? undefined : counts;
}

function pooledOf(tested: Case, runs: readonly RunEvidence[]): { runs: number; n: number; c: number } {
  const counts = runs.flatMap((run) => {
    const found = countsIn(run, tested.id);
    return found?.hash === tested.hash ? [found] : [];
  });
  return {
    runs: counts.length,
    n: counts.reduce((sum, count) => sum + count.n, 0),
    c: counts.reduce((sum, count) => sum + count.c, 0),
  };
}

function simpleState(tested: Case, runs: readonly RunEvidence[]): Pick<CaseEvidence, 'state' | 'reason'> {
  const last = runs.flatMap((run) => countsIn(run, tested.id) ?? []).slice(-RUNS_IN_A_ROW);
  const good = last.filter(({ n, c }) => n === c).length;
  const ready = good === RUNS_IN_A_ROW;
  return {
    state: ready ? 'ready' : 'open',
    reason: `all trials passed in ${good} of its last ${last.length} runs; ${RUNS_IN_A_ROW} in a row are needed`,
  };
}

/** What the stored trials of a case show. Only trials of its content as it is today, under one family, are pooled. */
export function caseEvidence(tested: Case, runs: readonly RunEvidence[], rule: EvidenceRule): CaseEvidence {
  const pooled = pooledOf(tested, comparable(runs).slice(-POOLED_RUNS));
  const { n, c } = pooled;
  const base = { caseId: tested.id, ...pooled };
  const gate = n === 0 ? null : threeValuedGate({ n, c, p0: GRADUATION_BAR, confidence: CONFIDENCE });
  const bounds = { lower: gate?.lower ?? null, upper: gate?.upper ?? null };
  if (tested.tags.includes(AMBIGUOUS)) {
    const reason = 'it is tagged ambiguous: settle what the right verdict is first';
    return { ...base, ...bounds, state: 'ambiguous', reason };
  }
  if (rule === 'simple') return { ...base, ...bounds, ...simpleState(tested, runs) };
  if (gate === null) return { ...base, ...bounds, state: 'open', reason: 'no trial of it as it is today' };
  const shown = `${c} of ${n} trials passed`;
  if (gate.verdict === 'pass') {
    const reason = `${shown}: at least ${gate.lower.toFixed(3)} with 95 % confidence`;
    return { ...base, ...bounds, state: 'ready', reason };
  }
  if (c === 0 && gate.upper < DEAD_BELOW) {
    return { ...base, ...bounds, state: 'dead', reason: `${shown}: look at the case before the agent` };
  }
  const reason = `${shown}: no more than ${gate.lower.toFixed(3)} is shown, ${GRADUATION_BAR} is needed`;
  return { ...base, ...bounds, state: 'open', reason };
}

function poolOf(counts: readonly CaseCounts[]): { n: number; c: number } {
  return {
    n: counts.reduce((sum, count) => sum + count.n, 0),
    c: counts.reduce((sum, count) => sum + count.c, 0),
  };
}

/**
 * Lower bound of a run's pass rate over all its trials. The cases of a suite are fixed, so the trials are what varies;
 * a binomial of their mean rate varies at least as much as they do.
 */
function lowerBound(run: RunEvidence): number | null {
  const { n, c } = poolOf(run.cases());
  return n === 0 ? null : clopperPearsonLowerOneSided({ n, c, confidence: CONFIDENCE }).lo;
}

/** True when what is left to gain is smaller than what a repetition of the run could show. */
function hasNoHeadroom(run: RunEvidence): boolean {
  const scored = run.cases().filter(({ n }) => n > 0);
  const { n, c } = poolOf(scored);
  if (n === 0) return false;
  const trials = Math.max(1, Math.round(n / scored.length));
  // Jeffreys' estimate of each rate: a case that always passed still varies.
  const variances = scored.map((count) => {
    const rate = (count.c + 0.5) / (count.n + 1);
    return rate * (1 - rate);
  });
  const within = variances.reduce((sum, variance) => sum + variance, 0) / variances.length;
  const { mde } = mdeMiller({
    n: scored.length,
    omega2: 0,
    sigmaA2: within,
    sigmaB2: within,
    KA: trials,
    KB: trials,
  });
  return 1 - c / n < mde;
}

/** Run content that must be the same for two runs to say something about the same suite. */
function contentOf(run: RunEvidence): string {
  return JSON.stringify(run.cases().map(({ id, hash }) => [id, hash]));
}

function byEvidence(runs: readonly RunEvidence[], threshold: number): { streak: number; reason: string } {
  const family = comparable(runs);
  const newest = family.at(-1);
  if (newest === undefined) {
    return { streak: 0, reason: 'no finished run of a real agent: replays are no evidence' };
  }
  const same = family.filter((run) => contentOf(run) === contentOf(newest));
  let streak = 0;
  let small = false;
  for (const run of same.toReversed()) {
    const bound = (lowerBound(run) ?? 0) >= threshold;
    if (!bound && !hasNoHeadroom(run)) break;
    if (!bound) small = true;
    streak += 1;
  }
  const counted = `${streak} of the last ${same.length} comparable runs`;
  if (streak === 0)
    return {
      streak,
      reason: `the newest run leaves room: its lower bound is ${(lowerBound(newest) ?? 0).toFixed(3)}`,
    };
  return {
    streak,
    reason: small
      ? `${counted} leave less to gain than such a run could show: more cases or trials would tell more`
      : `${counted} have a lower bound of ${threshold} or more`,
  };
}

function simply(runs: readonly RunEvidence[], threshold: number): { streak: number; reason: string } {
  const rates = runs.flatMap((run) => run.rate ?? []);
  const below = rates.toReversed().findIndex((rate) => rate < threshold);
  const streak = below < 0 ? rates.length : below;
  return { streak, reason: `${streak} of the last ${rates.length} runs in a row reach ${threshold}` };
}

/** Whether a suite still tells good from better, and which of its cases may graduate. `runs`: oldest first. */
export function saturationOf(
  suite: Suite,
  runs: readonly RunEvidence[],
  rule: EvidenceRule,
): SaturationReport {
  const last = runs.slice(-POOLED_RUNS);
  const threshold = suite.saturationThreshold;
  const { streak, reason } = rule === 'simple' ? simply(last, threshold) : byEvidence(last, threshold);
  const saturated = streak >= RUNS_IN_A_ROW;
  const cases: CaseEvidence[] = [];
  for (const tested of suite.cases) cases.push(caseEvidence(tested, last, rule));
  return {
    suite_id: suite.name,
    rule,
    pass_rate_history: last.flatMap((run) =>
      run.rate === null
        ? []
        : [
            {
              date: run.startedAt,
              rate: run.rate,
              run: run.runId,
              trials: poolOf(run.cases()).n,
              lower: lowerBound(run),
            },
          ],
    ),
    saturated,
    consecutive_above_threshold: streak,
    recommended_action: !saturated
      ? 'keep'
      : suite.kind === 'capability'
        ? 'graduate_to_regression'
        : 'add_harder_cases',
    reason,
    threshold,
    cases,
  };
}
