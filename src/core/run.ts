import type { BaselineComparison, CaseComparison } from './comparison.js';
import type { ErrorKind, TrialResult } from './trial.js';

/** Lower and upper bound of a rate, both 0..1. */
export interface Interval {
  lo: number;
  hi: number;
}

/** What judges used, apart from the agent under test. Answers from the cache cost nothing again and are left out. */
export interface JudgeUsage {
  calls: number;
  inputTokens: number;
  outputTokens: number;
  /** US dollars; null when some call's cost is not known. */
  cost: number | null;
}

/** What simulated users used, apart from agents and judges. */
export type SimulatorUsage = JudgeUsage;

/** What all trials of one case came to. */
export interface CaseResult {
  id: string;
  /** SHA-256 of the case's content. */
  hash: string;
  /** Name of the file the case was written in. */
  source: string;
  line: number;
  negative: boolean;
  tags: string[];
  cluster: string | null;
  /** Trials that were planned: k. */
  planned: number;
  /** Scored trials (passed or failed): n. */
  scored: number;
  /** Passed trials: c. */
  passed: number;
  /** Trials that could not be scored, by kind of error. */
  errors: { [Kind in ErrorKind]?: number };
  /** Estimate that at least one of k trials passes; null when fewer than k were scored. */
  passAtK: number | null;
  /** Estimate that all of k trials pass; null when fewer than k were scored. */
  passHatK: number | null;
  /** Mean of the scored trials' scores; null when none was scored. */
  meanScore: number | null;
  /** Wilson interval of c of n; null when none was scored. */
  interval: Interval | null;
  /**
   * Weighted mean score by the `metric` of its checks, over the scored trials; null when none was scored. Absent when no
   * check of the case has one.
   */
  metrics?: { [metric: string]: number | null };
  /** `passed`: every planned trial was scored and passed. `error`: some trial could not be scored. */
  outcome: 'passed' | 'failed' | 'error';
  /** The case was stopped because its verdict could no longer change. */
  curtailed: boolean;
  /** Unbiased pass rate of a curtailed case; null otherwise. */
  curtailedRate: number | null;
  /** What the stopping rule of the run decided; absent without one. `inconclusive` cases have the outcome `error`. */
  decision?: { rule: string; verdict: 'pass' | 'fail' | 'inconclusive' };
  /** The case is marked as known to fail. */
  expectedFailing: boolean;
  inputTokens: number;
  outputTokens: number;
  /** US dollars; null when some trial's cost is not known. */
  cost: number | null;
  durationMs: number;
}

/** How a run ended. `inconclusive`: the gate could not be decided. */
export type RunOutcome = 'passed' | 'failed' | 'error' | 'inconclusive';

/** How a criterion of a suite came out. `inconclusive`: too little was scored to say, which is never a pass. */
export interface CriterionResult {
  /** `pass_rate`, `pass^k`, `pass@k`, `mean`, or the metric of an assertion. */
  metric: string;
  /** What the metric must be shown to reach, 0..1. */
  threshold: number;
  /** One-sided confidence of each bound. */
  confidence: number;
  /** Mean over the units that have a value; null when none has. */
  value: number | null;
  /** Independent units: cases, families of correlated cases counted once. */
  units: number;
  /** Cases that have the metric and could not be scored in full. */
  missing: number;
  /** One-sided bounds, missing cases counted as 0 in the lower and as 1 in the upper one; null without any case. */
  lower: number | null;
  upper: number | null;
  verdict: 'pass' | 'fail' | 'inconclusive';
}

/** The scores of the assertions that name one metric. */
export interface MetricResult {
  metric: string;
  /** Mean over the cases of their weighted means; null when none was scored. */
  score: number | null;
  /** Cases with a score. */
  cases: number;
  /** 95 % interval of the mean; null without a case. */
  interval: Interval | null;
}

/** The result of running one suite; plain data. */
export interface RunSummary {
  runId: string;
  suite: string;
  /** The suite's file or directory, as the user would name it. */
  suitePath: string;
  format: 'trace' | 'assertion' | 'program';
  kind: 'regression' | 'capability';
  mode: 'replay' | 'live' | 'record' | 'outputs';
  gate: 'all' | 'mean' | 'pass^k';
  /** Score the suite must reach under the `mean` gate, 0..1. */
  threshold: number;
  outcome: RunOutcome;
  /** Why the outcome is what it is, in one sentence. */
  reason: string;
  /** Trials a case: k. */
  trials: number;
  /** Mean over the cases with a score; null when there is none. */
  score: number | null;
  /** Mean over the cases with an estimate; null when there is none. */
  passAtK: number | null;
  passHatK: number | null;
  /** The suite's criteria, in its order; absent when it has none. */
  criteria?: CriterionResult[];
  /** Metrics named by assertions, sorted; absent when no assertion names one. */
  metrics?: MetricResult[];
  totals: {
    cases: number;
    passed: number;
    failed: number;
    errored: number;
    /** Cases that were not run because the run was stopped. */
    notRun: number;
    trials: number;
    scoredTrials: number;
    passedTrials: number;
    /** Trials taken over from an earlier, interrupted run. */
    reusedTrials: number;
  };
  inputTokens: number;
  outputTokens: number;
  /** US dollars; null when some of it is not known. */
  cost: number | null;
  /** What judges used in this invocation; absent when none was asked. */
  judgeUsage?: JudgeUsage;
  /** What simulated users of scenarios used; absent when none was asked. */
  simulatorUsage?: SimulatorUsage;
  agentModel: string;
  judgeModel: string | null;
  /** The simulator of scenarios; absent when none is asked. */
  simulatorModel?: string;
  seed: number;
  /** ISO times. */
  startedAt: string;
  finishedAt: string;
  interrupted: boolean;
  assayVersion: string;
  git: { commit: string; dirty: boolean } | null;
  /** Directory of the stored run; null when nothing was stored. */
  directory: string | null;
  /** The run against a baseline, which then decided `outcome`; absent when there was none. */
  baseline?: BaselineComparison;
}

/** What a run says while it goes on. */
export type RunEvent =
  | { type: 'run-start'; suite: string; cases: number; trials: number; directory: string | null }
  | { type: 'trial-end'; trial: TrialResult; reused: boolean }
  | {
      type: 'case-end';
      result: CaseResult;
      trials: readonly TrialResult[];
      /** The case against the baseline; absent when there is none. */
      comparison?: CaseComparison;
    }
  | { type: 'run-end'; summary: RunSummary };
