import type { LoadedConfig } from '../config/index.js';
import { AssayError } from '../core/index.js';
import { readRun, type RunHeader } from '../store/index.js';
import type { RunFlags } from './commands/run.js';
import { resumedRun } from './run-store.js';
import { ruleOf, storedStopFlags, type StopFlags } from './stopping.js';

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The number of trials that a run goes on with, and the rule that ends them. */
function resumedTrials(flags: RunFlags, header: RunHeader): StopFlags {
  if (ruleOf(flags) !== null) return {};
  const stored = storedStopFlags(header.settings ?? {});
  if (ruleOf(stored) !== null) return stored;
  const { trials, curtail } = header.settings ?? {};
  // A run that was begun without a number leaves it to suite and cases, which may have numbers of their own.
  const number = flags.trials ?? (typeof trials === 'number' ? trials : undefined);
  return {
    ...stored,
    ...(number === undefined ? {} : { trials: number }),
    ...(curtail === true ? { curtail } : {}),
  };
}

/** The models that the command line named when the run began, where it names none now. */
function resumedModels(flags: RunFlags, header: RunHeader): Pick<RunFlags, 'model' | 'judge' | 'simulator'> {
  const { model, judge, simulator } = header.settings ?? {};
  return {
    ...(flags.model === undefined && typeof model === 'string' ? { model } : {}),
    ...(flags.judge === undefined && typeof judge === 'string' ? { judge } : {}),
    ...(flags.simulator === undefined && typeof simulator === 'string' ? { simulator } : {}),
  };
}

/**
 * The flags of a run that goes on without its suite being named again: suite, selection, trials and stored outputs are
 * the ones the run began with, unless the command line says otherwise.
 */
export function withResumedFlags(flags: RunFlags, loaded: LoadedConfig): RunFlags {
  if (flags.resume === undefined || flags.resume === false || (flags.suite ?? []).length > 0) return flags;
  const { directory } = resumedRun(loaded, flags.resume, null);
  const { header } = readRun(directory);
  const settings = header.settings ?? {};
  if (settings['comparison'] !== undefined) {
    throw new AssayError('USAGE', `${header.runId} is a comparison, not a run of one suite`, {
      fix: 'go on with assay compare prompts, models or ablate, and --resume',
    });
  }
  const { outputs } = settings;
  return {
    ...flags,
    resume: directory,
    suite: [header.suitePath],
    filter: flags.filter ?? texts(settings['filter']),
    case: flags.case ?? texts(settings['case']),
    tag: flags.tag ?? texts(settings['tag']),
    ...resumedTrials(flags, header),
    suiteKind: flags.suiteKind ?? header.kind,
    ...resumedModels(flags, header),
    ...(flags.outputs === undefined && typeof outputs === 'string' ? { outputs } : {}),
  };
}
