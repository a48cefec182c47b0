import type {
  Receipt,
  Recording,
  RunEvent,
  RunSummary,
  Source,
  TrialLimits,
  TrialResult,
} from '../core/index.js';
import type { GradeContext } from '../grade/index.js';
import type { Case, Suite } from '../suite/index.js';
import type { PreparedAgent, UserSide } from '../trial/index.js';
import type { RunBudget } from './budget.js';
import type { StoppingRule } from './stopping-rule.js';

/** What answers in a run: makes the agent of each trial and knows how it is described. */
export interface AgentSource {
  /** `replay`, `live`, `outputs` or `record`; part of every receipt. */
  mode: Receipt['mode'];
  /** The model as named. */
  modelRef: string;
  /** The model of one case, where it is not the same for all. */
  modelRefOf?(tested: Case): string;
  /** True when two runs of the same case cannot differ, so that trials are not repeated nor shuffled. */
  deterministic: boolean;
  /** Tools that a case is granted, for its receipt. */
  toolSurface(tested: Case): Receipt['toolSurface'];
  /** What trials may do, for their receipts; a function where cases differ. */
  sandbox: Receipt['sandbox'] | ((tested: Case) => Receipt['sandbox']);
  /** Throws when the trial cannot be set up: that is an error of the trial, not of the run. */
  prepare(tested: Case, trial: number): PreparedAgent | Promise<PreparedAgent>;
}

/** Where finished trials go before they are counted; the store implements it. */
export interface TrialSink {
  /** Kept when the trial is stored; trials that are stored together may share one promise. */
  append(trial: TrialResult): Promise<unknown>;
  /** Stores at once what waits for more to be stored with it: somebody waits for it. */
  flush?(): Promise<unknown>;
}

/** How to run a suite. */
export interface RunOptions {
  suite: Suite;
  agents: AgentSource;
  /** Time, ids and randomness; default the machine's own. */
  source?: Source;
  /** Trials a case, overriding suite and case, 1 or more; a function is asked for each case, and for null by the report. */
  trials?: number | ((tested: Case | null) => number);
  /** Trials under way at once, 1 or more. Default 8. */
  concurrency?: number;
  /** Stop starting cases after the first that does not pass. */
  failFast?: boolean;
  /** Stop a case at its first failed trial, where that decides all the suite asks for; see `canCurtail`. */
  curtail?: boolean;
  /** Ends the trials of a case by their outcomes; each case runs one trial after another. Not for replays. */
  rule?: StoppingRule;
  /** No block of cases starts once this is spent; the order of the cases is then random. */
  budget?: RunBudget;
  /** Seed of the order of trials; recorded. Default derived from the run id. */
  seed?: number;
  runId?: string;
  /** Which cases to run; default all. */
  select?: (tested: Case) => boolean;
  /** Cases that start together, in this order, instead of all of the suite; between two blocks `enough` is asked. */
  blocks?: readonly (readonly Case[])[];
  /** No further block starts once it says so, which must depend on finished trials alone. */
  enough?: () => boolean;
  /** How many cases `select` selects, for progress. */
  selectedCases?: number;
  /** Ask judges about cases that have failed already. Default false. */
  allChecks?: boolean;
  /** Judge, time bounds. */
  grade?: Partial<GradeContext>;
  /**
   * Who speaks to the agent in a trial of a scenario; throws when the trial cannot be set up. When absent only words
   * that are written or recorded can be said.
   */
  userOf?: (tested: Case, trial: number) => UserSide;
  /** The simulator as named, for the summary; null when none is asked. */
  simulatorRef?: string | null;
  /** The judge as named, for receipts; null when there is none. */
  judgeRef?: string | null;
  /** Milliseconds a turn may take, above 0; null for no limit; a function where cases differ. */
  turnTimeoutMs?: number | null | ((tested: Case) => number | null);
  /** Hard limits of a trial for what its case does not limit itself. */
  limits?: TrialLimits;
  /** Leave the directories of trials where they are; recordings say where. */
  keepWorkspaces?: boolean;
  /** This run rewrites the files that checks compare with, so their change is no tampering. */
  goldenMayChange?: boolean;
  /** Takes out of what agents, models, tools and graders said what must not be kept. */
  redact?: (text: string) => string;
  /** Why no new trial may start, such as a spend ceiling that is reached; null while one may. */
  exhausted?: () => string | null;
  /** Says to a person what the run does otherwise than was asked. */
  note?: (text: string) => void;
  /** Run every replay twice and compare the recordings. */
  verifyDeterminism?: boolean;
  sink?: TrialSink | null;
  /** Commit the run is of, for the summary. */
  git?: RunSummary['git'];
  /** Directory of the stored run, for the summary. */
  directory?: string | null;
  /** Finished trials of an earlier, interrupted run: returns one to take it over. */
  reuse?: (tested: Case, trial: number) => TrialResult | null;
  /** No new trial starts once it fires. */
  stop?: AbortSignal;
  /** Running trials are given up once it fires. */
  cancel?: AbortSignal;
  /** Keep every case's result in the report. Off for streamed runs of very large suites. Default true. */
  keepCases?: boolean;
  onEvent?: (event: RunEvent) => void;
  /** Called with every recording before it is graded; may rewrite the files that it is compared with. */
  onRecorded?: (tested: Case, recording: Recording) => void;
}

/** Options with the source of time filled in. */
export type ReadyOptions = RunOptions & { source: Source };
