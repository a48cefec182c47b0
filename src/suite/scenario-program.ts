import { didYouMean, type KeyPath } from '../core/index.js';
import { assertionSuiteSchema, type SuiteDefinition } from './assertion-suite-schema.js';
import type { RuleProblem } from './document.js';
import { scenarioSchema } from './scenario-schema.js';

type CaseDefinition = Extract<SuiteDefinition['cases'], readonly unknown[]>[number];
type Conversation = NonNullable<CaseDefinition['scenario']>;

/**
 * One scenario in code: the keys of a scenario, of its case and of its suite side by side. `id` is the name of the file
 * when absent; `criteria` are those of the scenario.
 */
export type ScenarioDefinition = Conversation &
  Omit<
    CaseDefinition,
    'id' | 'scenario' | 'prompt' | 'turns' | 'trials' | 'tags' | 'vars' | 'limits' | 'owner'
  > &
  Omit<SuiteDefinition, 'cases' | 'criteria'> & { id?: string };

/**
 * Declares a scenario in code, with types. Export what it returns, as the default or as `scenario`, from a file that
 * ends in `.scenario.ts`, `.mts`, `.js` or `.mjs`.
 */
export function defineScenario(definition: ScenarioDefinition): ScenarioDefinition {
  return definition;
}

const CONVERSATION_KEYS: ReadonlySet<string> = new Set(Object.keys(scenarioSchema.shape));

/** Keys that belong to the case and to no suite. */
const CASE_KEYS: ReadonlySet<string> = new Set([
  'id',
  'assert',
  'threshold',
  'negative',
  'cluster',
  'expected',
  'allow_empty',
  'setup',
  'tools',
  'grader_files',
  'reference',
  'known_bad',
  'accepted_mutants',
]);

const SUITE_KEYS: ReadonlySet<string> = new Set(
  Object.keys(assertionSuiteSchema.shape).filter((key) => key !== 'cases' && !CONVERSATION_KEYS.has(key)),
);

/** What a program exports as a scenario, as a suite of one case. */
export interface ScenarioAsSuite {
  value: unknown;
  problems: RuleProblem[];
}

/** The suite of one case that a flat scenario stands for; problems name its own keys. */
export function suiteOfScenario(definition: object, name: string): ScenarioAsSuite {
  const suite: { [key: string]: unknown } = {};
  const made: { [key: string]: unknown } = { id: name };
  const conversation: { [key: string]: unknown } = {};
  const problems: RuleProblem[] = [];
  for (const [key, value] of Object.entries(definition)) {
    if (CONVERSATION_KEYS.has(key)) conversation[key] = value;
    else if (CASE_KEYS.has(key)) made[key] = value;
    else if (SUITE_KEYS.has(key)) suite[key] = value;
    else {
      const meant = didYouMean(key, [...CONVERSATION_KEYS, ...CASE_KEYS, ...SUITE_KEYS]);
      problems.push({
        path: [key],
        at: 'key',
        message: 'unknown key',
        fix: meant === null ? 'remove it; docs/scenarios.md has the keys' : `did you mean ${meant}?`,
      });
    }
  }
  return { value: { ...suite, cases: [{ ...made, scenario: conversation }] }, problems };
}

/** The key path of a suite of one scenario as its author wrote it. */
export function flatPath(path: KeyPath): KeyPath {
  if (path[0] !== 'cases' || path[1] !== 0) return path;
  return path.slice(path[2] === 'scenario' ? 3 : 2);
}
