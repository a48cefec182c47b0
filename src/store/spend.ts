import { join } from 'node:path';
import type { TrialResult } from '../core/index.js';
import { JOURNAL_NAME, readJournal } from './journal.js';

/** What the trials of a journal have cost. */
export interface StoredSpend {
  /** US dollars, agents, judges and simulators together, as far as they are known. */
  cost: number;
  /** Trials of which some call does not say what it cost. */
  unknown: number;
}

function costOfTrial(trial: TrialResult): number | null {
  let total: number | null = trial.recording === null ? 0 : trial.recording.usage.cost;
  const simulated =
    trial.recording?.simulation?.cost ?? (trial.recording?.simulation === undefined ? 0 : null);
  total = total === null || simulated === null ? null : total + simulated;
  for (const { judge } of trial.checks) {
    // An answer from the cache was paid for by another trial.
    if (judge === undefined || judge.cached) continue;
    total = total === null || judge.cost === null ? null : total + judge.cost;
  }
  return total;
}

/**
 * What a stored run has cost so far: every finished trial in its journal, also those that were run again later, since
 * they were paid for all the same.
 */
export function storedSpend(directory: string): StoredSpend {
  const spend: StoredSpend = { cost: 0, unknown: 0 };
  for (const entry of readJournal(join(directory, JOURNAL_NAME))) {
    if (entry.type !== 'trial') continue;
    const cost = costOfTrial(entry.trial);
    if (cost === null) spend.unknown += 1;
    else spend.cost += cost;
  }
  return spend;
}
