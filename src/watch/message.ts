import { clip, terminalLine } from '../core/index.js';
import type { ChangeVerdict } from './decide.js';

/** A change that a person should hear of. */
export interface Alert {
  verdict: Exclude<ChangeVerdict, 'good'> | 'error';
  /** The edited files, as they are named to people; at least one. */
  triggers: readonly string[];
  suite: string;
  /** Why: the decision's reason, or the error. */
  reason: string;
  /** What the run came to; null when there was none. */
  run: {
    runId: string;
    passHatK: number | null;
    score: number | null;
    /** The run in one line. */
    summary: string;
    weakest: string | null;
  } | null;
}

const MOST_FILES = 3;
const LONGEST_NAME = 200;
const LONGEST_REASON = 1000;

function files(triggers: readonly string[]): string {
  const shown = triggers.slice(0, MOST_FILES).map((trigger) => clip(terminalLine(trigger), LONGEST_NAME));
  const more = triggers.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function share(value: number | null, digits: number): string {
  return value === null ? 'n/a' : `${(value * 100).toFixed(digits)}%`;
}

/**
 * The message of an alert, one line of plain text: the edited file, the suite, pass^k and mean, the summary, the weakest
 * case; or that the suite could not run, after which edit, why, and that the change is unverified.
 */
export function alertMessage(alert: Alert): string {
  const reason = clip(terminalLine(alert.reason), LONGEST_REASON);
  const suite = clip(terminalLine(alert.suite), LONGEST_NAME);
  if (alert.verdict === 'error' || alert.run === null) {
    return `Assay could not run ${suite} after an edit of ${files(alert.triggers)}: ${reason}. The change is unverified.`;
  }
  const { passHatK, score, summary, weakest, runId } = alert.run;
  const head = alert.verdict === 'regression' ? 'regression' : 'lower result';
  const weak = weakest === null ? 'n/a' : clip(terminalLine(weakest), LONGEST_NAME);
  return (
    `${head} after an edit of ${files(alert.triggers)}: suite ${suite}, pass^k ${share(passHatK, 0)}, ` +
    `mean ${share(score, 1)}; ${reason}. Summary: ${terminalLine(summary)}; weakest case ${weak}; ` +
    `assay show ${runId}`
  );
}
