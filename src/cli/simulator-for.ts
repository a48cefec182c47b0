import type { RunOptions } from '../run/index.js';
import { scenarioUser } from '../scenario/index.js';
import type { Case, Suite } from '../suite/index.js';
import { chooseModel, type AgentsContext } from './choose-model.js';
import { askingModel } from './judge-for.js';
import { modelScope } from './run-identity.js';

/** Least time that one call of the simulator gets, whatever its level says; milliseconds. */
const SIMULATOR_LEAST_MS = 90_000;

/** The users of a suite's scenarios, ready to speak. */
export interface PreparedUsers {
  userOf: NonNullable<RunOptions['userOf']>;
  /** The simulator as named; null when no model is asked. */
  ref: string | null;
  /** As `modelScope`; null when no model is asked. */
  scope: string | null;
  /** What must not be kept. */
  secrets: readonly string[];
}

/**
 * Who speaks in the scenarios of a suite. The simulator is the model named, else the suite's, else the configured one,
 * else that of the suite's simulator level.
 * @param simulated whether some scenario needs a model
 * @throws AssayError or ModelError before anything is asked
 */
export async function prepareUsers(
  suite: Suite,
  simulated: boolean,
  context: AgentsContext,
  redact: (text: string) => string,
): Promise<PreparedUsers> {
  const { flags, loaded, source } = context;
  const named = flags.simulator ?? suite.simulatorModel ?? loaded.config.eval.simulator_provider;
  const chosen = simulated
    ? await chooseModel(named, suite.simulatorLevel ?? 'medium', SIMULATOR_LEAST_MS, context)
    : null;
  return {
    ref: chosen?.resolved.ref ?? null,
    scope: chosen === null ? null : modelScope(chosen),
    secrets: [...(chosen?.resolved.secrets ?? []), ...(chosen?.fallback?.secrets ?? [])],
    userOf(tested: Case, trial) {
      if (tested.scenario === undefined) throw new Error(`${tested.id} is no scenario`);
      return scenarioUser({
        scenario: tested.scenario,
        redact,
        simulator:
          chosen === null
            ? null
            : {
                modelRef: chosen.resolved.ref,
                random: () => source.random(),
                // What a user says differs from trial to trial, so no answer is taken from the cache.
                ask: askingModel(chosen, trial, tested.id, context, false),
              },
      });
    },
  };
}
