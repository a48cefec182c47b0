import { basename } from 'node:path';
import type { RuleProblem } from './document.js';
import { mapScript } from './reference-script.js';
import type { ScenarioAsSuite } from './scenario-program.js';

/** User turns of a module in the reference's form that does not say. */
const REFERENCE_TURNS = 10;

/** Who the user is when the module says only what the scenario is about. */
const NOBODY_SPECIAL =
  'The user whom the goal describes. Write as people write in a chat: short and in plain words.';

const KEYS: ReadonlySet<string> = new Set(['id', 'name', 'description', 'agents', 'script', 'maxTurns']);

/** Keys that shape reports or logs there, and nothing here. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(['verbose', 'setId', 'threadId', 'metadata']);

/** True for a module in the form of the reference: name, description and agents as objects with a role. */
export function isReferenceScenario(exported: unknown): exported is object {
  return typeof exported === 'object' && exported !== null && Array.isArray(Reflect.get(exported, 'agents'));
}

function roleOf(agent: unknown): string {
  const role: unknown = typeof agent === 'object' && agent !== null ? Reflect.get(agent, 'role') : undefined;
  return typeof role === 'string' ? role.toLowerCase() : '';
}

/** A member of an agent, or of the configuration that it was made with. */
function setting(agent: unknown, key: string): unknown {
  if (typeof agent !== 'object' || agent === null) return undefined;
  for (const holder of [agent, Reflect.get(agent, 'config'), Reflect.get(agent, 'cfg')] as unknown[]) {
    const found: unknown =
      typeof holder === 'object' && holder !== null ? Reflect.get(holder, key) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

type Refuse = (path: (string | number)[], message: string, fix: string) => void;

/** The agents of a module by their roles; what cannot be placed is refused. */
function agentsOf(agents: readonly unknown[], refuse: Refuse): { user: unknown; judge: unknown } {
  const found: { user: unknown; judge: unknown } = { user: null, judge: null };
  let tested = 0;
  for (const [index, agent] of agents.entries()) {
    const role = roleOf(agent);
    const path = ['agents', index];
    if (role === 'agent') {
      tested += 1;
      if (tested > 1) refuse(path, 'is the second agent under test', 'keep one; write a scenario for each');
      if (typeof setting(agent, 'call') !== 'function')
        refuse(path, 'has no call()', 'give it a function call(input)');
    } else if (role === 'user' || role === 'judge') {
      if (found[role] !== null) refuse(path, `is the second with the role ${role}`, 'keep one of them');
      found[role] = agent;
    } else refuse([...path, 'role'], 'is no role of a scenario', 'write Agent, User or Judge');
  }
  if (tested === 0)
    refuse(['agents'], 'has no agent under test', 'add one with the role Agent and call(input)');
  return found;
}

/**
 * A module in the form of the reference (name, description, agents, script) as a suite of one scenario. What has no
 * twin is refused by its key; which models its user and its judge name is not taken over, and said in `ignored`.
 * @param exportName under which export of the file it stands
 */
export function suiteOfReference(
  exported: object,
  place: { file: string; exportName: string; name: string },
): ScenarioAsSuite & { ignored: string[] } {
  const problems: RuleProblem[] = [];
  const ignored: string[] = [];
  const refuse: Refuse = (path, message, fix) => {
    problems.push({ path, message, fix });
  };
  const member = (key: string): unknown => Reflect.get(exported, key);
  for (const key of Object.keys(exported)) {
    if (WITHOUT_EFFECT.has(key)) ignored.push(key);
    else if (!KEYS.has(key))
      refuse([key], 'has no twin in Assay', 'remove it, or write the scenario with defineScenario');
  }
  for (const key of ['name', 'description']) {
    const text = member(key);
    if (typeof text !== 'string' || text.trim() === '')
      refuse([key], 'missing or no text', 'write some text');
  }
  const agents = member('agents');
  const { user, judge } = agentsOf(Array.isArray(agents) ? agents : [], refuse);
  const most = member('maxTurns');
  const turns = most === undefined ? REFERENCE_TURNS : most;
  const criteria = setting(judge, 'criteria');
  const persona = setting(user, 'systemPrompt');
  if (setting(judge, 'systemPrompt') !== undefined)
    refuse(['agents'], "the judge's systemPrompt has no twin in Assay", 'say it in the criteria');
  for (const [role, agent] of [
    ['user', user],
    ['judge', judge],
  ] as const)
    if (setting(agent, 'model') !== undefined) ignored.push(`the model of the ${role}`);
  const steps = member('script');
  const script =
    Array.isArray(steps) && typeof turns === 'number' ? mapScript(steps, turns, ['script'], problems) : null;
  if (steps !== undefined && !Array.isArray(steps)) refuse(['script'], 'is no list', 'write a list of steps');
  const goesToJudge = script === null || script.judged || script.checkpoints.length === 0;
  const conversation = {
    persona: persona ?? NOBODY_SPECIAL,
    goal: member('description'),
    ...(script === null || script.script.length === 0 ? { max_turns: turns } : { script: script.script }),
    ...(script === null || script.checkpoints.length === 0 ? {} : { checkpoints: script.checkpoints }),
    ...(criteria === undefined || !goesToJudge ? {} : { criteria }),
  };
  const value = {
    name: member('name'),
    description: member('description'),
    agent: { module: `./${basename(place.file)}`, export: place.exportName },
    cases: [{ id: member('id') ?? place.name, scenario: conversation }],
  };
  return { value, problems, ignored };
}
