/** What one group of checks came to over the scored trials of a case. */
export interface DimensionCount {
  /** Checks that passed. */
  passed: number;
  /** Checks that failed, were unknown or could not be evaluated. */
  other: number;
  /** Sum of the scores, each 0..1. */
  score: number;
}

/** What the judged checks of the trials of a case came to. */
export interface JudgeVerdicts {
  pass: number;
  fail: number;
  /** The judge answered that it cannot tell. */
  unknown: number;
  /** No verdict could be had. */
  error: number;
}

/** What a case spent, as means over its trials that were recorded; null when none was, or when it is not known. */
export interface CaseSpending {
  inputTokens: number | null;
  outputTokens: number | null;
  /** US dollars. */
  cost: number | null;
  /** Milliseconds. */
  durationMs: number | null;
  /** Tokens of the judge, in and out; 0 when no check is judged. */
  judgeTokens: number | null;
  /** US dollars of the judge. */
  judgeCost: number | null;
}

/** One case of one side of a comparison. */
export interface ComparedCase {
  /** What the sides are matched by: the hash of the case's content, or the case itself for arms of one run. */
  key: string;
  id: string;
  /** Label of a family of correlated cases. */
  cluster: string | null;
  /** Scored trials: n. */
  scored: number;
  /** Passed trials: c. */
  passed: number;
  /** Trials that could not be scored. */
  errored: number;
  /** Unbiased pass rate, 0..1; null when nothing was scored. c/n, except where the trials were stopped early. */
  rate: number | null;
  /** The number of trials depended on their outcomes, so that c of n is no plain sample. */
  stopped: boolean;
  /** Mean score of the scored trials, 0..1; null when nothing was scored. */
  score: number | null;
  spending: CaseSpending;
  /** Some check asks a judge. */
  judged: boolean;
  verdicts: JudgeVerdicts;
  /** Tools and sandbox that the scored trials really had, as one comparable text; '' when nothing was scored. */
  environment: string;
  /** By name of the dimension: the metric of the checks, else their category. */
  dimensions: ReadonlyMap<string, DimensionCount>;
}

/** One side of a comparison: a stored run, or one arm of it. */
export interface ComparedRun {
  /** How the side is called: the run's id or the arm's name. */
  label: string;
  suite: string;
  mode: 'replay' | 'live' | 'record' | 'outputs';
  agentModel: string;
  judgeModel: string | null;
  /** SHA-256 of the default system text. */
  promptHash: string | null;
  assayVersion: string;
  commit: string | null;
  startedAt: string;
  /** Hard limits and settings that change what a trial may do, as one comparable text by name. */
  limits: ReadonlyMap<string, string>;
  /** Cases that were planned and never ran. */
  notRun: number;
  /** Why the run is not whole; null when it is. */
  incomplete: string | null;
  cases: readonly ComparedCase[];
}
