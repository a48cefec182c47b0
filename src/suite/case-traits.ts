import { resolve } from 'node:path';
import { isJudged, isSimulated, type AgentSpec, type Case, type CaseList, type CaseTraits } from './case.js';

/** What the cases of a list need; walks them only when the list does not know. */
export function caseTraits(cases: CaseList): CaseTraits {
  return cases.traits ?? traitsOf(cases);
}

/** What cases need, found by walking them. */
export function traitsOf(cases: Iterable<Case>): CaseTraits {
  const traits = emptyTraits();
  for (const tested of cases) addTraits(traits, tested);
  return traits;
}

/** Traits that are still being collected. */
export interface GrowingTraits {
  judged: boolean;
  agents: Set<AgentSpec['type']>;
  agentFiles: Set<string>;
  judges: Set<string>;
  scenarios: boolean;
  simulated: boolean;
}

/** The traits of no cases. */
export function emptyTraits(): GrowingTraits {
  return {
    judged: false,
    agents: new Set(),
    agentFiles: new Set(),
    judges: new Set(),
    scenarios: false,
    simulated: false,
  };
}

/** Adds what one case needs. */
export function addTraits(traits: GrowingTraits, tested: Case): void {
  const { agent, checks } = tested;
  traits.agents.add(agent.type);
  traits.judged ||= isJudged(tested);
  traits.scenarios ||= tested.scenario !== undefined;
  traits.simulated ||= isSimulated(tested);
  if (agent.type === 'module') traits.agentFiles.add(agent.path);
  if (agent.type === 'command' && agent.suiteDirectory !== undefined) {
    for (const part of agent.command) {
      const named = /\{\{\s*suite\s*\}\}[/\\]*([^{}]+)$/.exec(part)?.[1];
      if (named !== undefined) traits.agentFiles.add(resolve(agent.suiteDirectory, named));
    }
  }
  for (const check of checks)
    if ('model' in check && check.model !== undefined) traits.judges.add(check.model);
}
