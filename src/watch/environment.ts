import { CONFIG_CHANGE_MARKER } from '../core/index.js';
import { isForbidden, type Environment } from '../model/index.js';

/**
 * The environment of a run that a hook or watcher starts, and of the programs it notifies with: without keys, tokens
 * and base URLs, which outrank the user's subscription, and without the variables of an agent's session, which make a
 * nested agent hang. `keep` names those that the configuration asks for all the same.
 */
export function runEnvironment(
  environment: Environment,
  token: string,
  keep: readonly string[],
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && (!isForbidden(name) || keep.includes(name))) kept[name] = value;
  }
  return { ...kept, [CONFIG_CHANGE_MARKER]: token };
}
