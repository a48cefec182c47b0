import type { Check } from './check.js';
import type { Recording, Receipt } from './recording.js';

/** How a trial ended. Only passed and failed trials are *scored* and enter n. */
export type TrialStatus = 'passed' | 'failed' | 'error';

/** What went wrong in a trial that could not be scored. */
export type ErrorKind =
  | 'agent'
  | 'model'
  | 'grader'
  | 'timeout'
  | 'limit'
  | 'script'
  | 'setup'
  | 'cancelled'
  /** The simulated user of a scenario could not go on. */
  | 'simulator';

/** Why a trial could not be scored. */
export interface TrialError {
  kind: ErrorKind;
  message: string;
}

/** One finished attempt at one case. */
export interface TrialResult {
  caseId: string;
  caseHash: string;
  /** 1-based. */
  trial: number;
  status: TrialStatus;
  error: TrialError | null;
  /** Weighted score, 0..1; null for an errored trial. */
  score: number | null;
  checks: Check[];
  /** Null when nothing was recorded before the error. */
  recording: Recording | null;
  receipt: Receipt;
  /** ISO time; the injected clock's. */
  startedAt: string;
}
