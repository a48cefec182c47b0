import { AssayError, plural, type RunEvent } from '../core/index.js';
import { SpendCeiling, type ModelServices } from '../model/index.js';
import { storedSpend } from '../store/index.js';
import { dirname } from 'node:path';
import type { RunFlags } from './commands/run.js';
import { note } from './streams.js';

/** The services of a run with what `--max-cost` bounds put in. */
export function withCeiling(services: ModelServices, flags: RunFlags): ModelServices {
  return flags.maxCost === undefined ? services : { ...services, spend: new SpendCeiling(flags.maxCost) };
}

/**
 * Counts what the trials of a resumed run have cost against the ceiling.
 * @throws AssayError `LIMIT` when some of them do not say: the ceiling could not be kept
 */
export function carrySpend(
  ceiling: SpendCeiling | undefined,
  flags: RunFlags,
  directory: string | null,
): void {
  if (ceiling === undefined || directory === null || flags.resume === undefined || flags.resume === false)
    return;
  const { cost, unknown } = storedSpend(directory);
  if (unknown > 0) {
    throw new AssayError(
      'LIMIT',
      `${plural(unknown, 'finished trial')} of this run did not say what ${unknown === 1 ? 'it' : 'they'} cost, so --max-cost cannot be kept`,
      { fix: 'resume without --max-cost, or start a new run with prices in the configuration' },
    );
  }
  ceiling.carry(cost);
}

/** Says what a run has spent of its ceiling. */
export function noteSpend(ceiling: SpendCeiling | undefined): void {
  if (ceiling === undefined) return;
  note(
    ceiling.closed ??
      `spent $${ceiling.spent.toFixed(4)} of $${ceiling.limit} (agents, judges and simulators)`,
  );
}

/** Says where the directory of a trial was left. */
export function noteKept(event: RunEvent): void {
  if (event.type !== 'trial-end' || event.reused) return;
  const { caseId, trial, recording } = event.trial;
  if (recording?.workspace === undefined) return;
  note(`kept ${caseId}, trial ${trial}: ${dirname(recording.workspace.root)}`);
}
