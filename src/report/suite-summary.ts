import type { RunSummary } from '../core/index.js';
import { counted, percent } from './number-text.js';

/**
 * The one-line summary of a run that JSON reports and stored runs carry:
 * `pass^k 67%, mean 83.3%, 3 trials`.
 */
export function suiteSummary(summary: Pick<RunSummary, 'trials' | 'passHatK' | 'score'>): string {
  const passHatK = percent(summary.passHatK, 0);
  return `pass^k ${passHatK}, mean ${percent(summary.score, 1)}, ${counted(summary.trials, 'trial')}`;
}
