import type { TrialResult } from '../core/index.js';
import type { Case } from '../suite/index.js';
import type { RunOptions } from './options.js';
import type { Unit } from './schedule.js';

/** One case on its way: its trials as they finish. */
export interface Progress {
  tested: Case;
  planned: number;
  trials: (TrialResult | undefined)[];
  open: number;
  curtailed: boolean;
}

/**
 * Trials that a case gets: what the command line says, else the case, else the suite; a replay cannot differ from
 * itself and runs once.
 * @param tested null for the suite's own number
 */
export function plannedTrials(options: RunOptions, tested: Case | null): number {
  if (options.agents.mode === 'replay') return 1;
  if (options.rule !== undefined) return options.rule.most;
  const { trials } = options;
  if (typeof trials === 'function') return trials(tested);
  return trials ?? tested?.trials ?? options.suite.trials;
}

/** A case before its first trial. */
export function startProgress(options: RunOptions, tested: Case): Progress {
  const planned = plannedTrials(options, tested);
  const trials: Progress['trials'] = [];
  for (let trial = 1; trial <= planned; trial += 1) trials.push(undefined);
  return {
    tested,
    planned,
    trials,
    open: planned,
    curtailed: false,
  };
}

/** Whether a case has run and did not pass, unless it is known to fail. */
export function isMissed({ tested, trials, open }: Progress): boolean {
  if (open > 0 || tested.expectedFailing) return false;
  return trials.some((trial) => trial !== undefined && trial.status !== 'passed');
}

/** Every trial of some cases, case by case. */
export function unitsOf(cases: readonly Progress[]): Unit[] {
  const units: Unit[] = [];
  for (let position = 0; position < cases.length; position += 1) {
    const planned = cases[position]?.planned ?? 0;
    for (let trial = 1; trial <= planned; trial += 1) units.push({ position, trial });
  }
  return units;
}
