import { CONFIG_CHANGE_MARKER } from '../core/index.js';
import type { Environment } from '../model/index.js';

const MARKERS = ['CLAUDE_AGENT_TYPE', 'CLAUDE_CODE_SUBAGENT_NAME', 'CLAUDE_CODE_SUBAGENT_TYPE'];
const AGENT_DIRECTORY = /[/\\]\.claude[/\\]agents[/\\]/i;

/**
 * Which variable tells that a subagent speaks; null when none does. Only variables that say so and nothing else: a
 * feature flag that was once read as one switched such hooks off everywhere, without a word.
 */
export function subagentMarker(environment: Environment): string | null {
  for (const name of MARKERS) if ((environment[name] ?? '') !== '') return name;
  if (environment['CLAUDE_AGENT_SDK'] === '1') return 'CLAUDE_AGENT_SDK';
  const project = environment['CLAUDE_PROJECT_DIR'] ?? '';
  return AGENT_DIRECTORY.test(`${project}/`) ? 'CLAUDE_PROJECT_DIR' : null;
}

/** True inside a run that a changed configuration set off: nothing that happens there may set off another. */
export function isInsideRun(environment: Environment): boolean {
  return (environment[CONFIG_CHANGE_MARKER] ?? '') !== '';
}
