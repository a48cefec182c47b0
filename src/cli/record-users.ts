import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { AssayError, type RunEvent, type TrialResult } from '../core/index.js';
import { simulatorRecordingText } from '../scenario/index.js';
import { writeFileAtomic } from '../store/index.js';
import { displayPath, type Case } from '../suite/index.js';
import { selectedCases, type SelectedSuite } from './select-cases.js';
import { note } from './streams.js';

/** Writes the recordings of simulated users of one run. */
export interface UserRecorder {
  event(event: RunEvent): void;
  /** Writes what was recorded; false when some conversation broke off, so that its recording stays as it was. */
  finish(): Promise<boolean>;
}

/**
 * Prepares the recording of the simulated users of a suite's scenarios.
 * @throws AssayError `INPUT` when no scenario says where, or two say the same place
 */
export function recordUsers(selected: SelectedSuite, cwd: string): UserRecorder {
  const cases = new Map<string, Case>();
  const caseAt = new Map<string, string>();
  for (const tested of selectedCases(selected)) {
    const path = tested.scenario?.recorded?.path;
    if (path === undefined) continue;
    const other = caseAt.get(path);
    if (other !== undefined) {
      throw new AssayError(
        'INPUT',
        `${tested.id} and ${other} are both recorded in ${displayPath(path, cwd)}`,
        {
          fix: 'give every scenario a recording of its own',
        },
      );
    }
    cases.set(tested.id, tested);
    caseAt.set(path, tested.id);
  }
  if (cases.size === 0) {
    throw new AssayError('INPUT', `no scenario of ${selected.suite.displayPath} says where it is recorded`, {
      fix: 'write recorded: NAME.simulator.json in the scenario',
    });
  }
  const trials = new Map<string, TrialResult>();
  return {
    event(event) {
      if (event.type === 'trial-end' && cases.has(event.trial.caseId))
        trials.set(event.trial.caseId, event.trial);
    },
    async finish() {
      let whole = true;
      for (const [id, tested] of cases) {
        const path = tested.scenario?.recorded?.path;
        const trial = trials.get(id);
        const text = trial === undefined ? null : simulatorRecordingText(tested, trial);
        if (path === undefined || text === null) {
          whole = false;
          note(`${id}: the conversation broke off, so nothing was recorded`);
          continue;
        }
        mkdirSync(dirname(path), { recursive: true });
        await writeFileAtomic(path, text, 0o644);
        note(`${id}: the simulated user is recorded in ${displayPath(path, cwd)}`);
      }
      return whole;
    },
  };
}
