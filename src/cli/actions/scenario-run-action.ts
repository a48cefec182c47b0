import { AssayError } from '../../core/index.js';
import type { RunFlags } from '../commands/run.js';
import { runAction } from './run-action.js';

/**
 * `assay scenario run`: a run of scenarios alone.
 * @throws AssayError `USAGE` for options that do not go together
 */
export async function scenarioRunAction(flags: RunFlags): Promise<void> {
  const resuming = flags.resume !== undefined && flags.resume !== false;
  if ((flags.suite ?? []).length === 0 && !resuming) {
    throw new AssayError('USAGE', 'name the scenario or suite to run', {
      fix: 'assay scenario run NAME; assay list shows what there is',
    });
  }
  if (flags.record !== true) return runAction({ ...flags, scenarios: true });
  const excluded = [
    ...(resuming ? ['--resume'] : []),
    ...(flags.outputs === undefined ? [] : ['--outputs']),
    ...((flags.trials ?? 1) > 1 ? ['more than one trial'] : []),
  ];
  if (excluded.length > 0) {
    throw new AssayError('USAGE', `--record does not go with ${excluded.join(' and ')}`, {
      fix: 'a recording is one whole conversation with the agent itself',
    });
  }
  return runAction({ ...flags, scenarios: true, trials: 1 });
}
