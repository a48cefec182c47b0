import { join } from 'node:path';
import { AssayError, yamlLibrary } from '../core/index.js';

/** A scenario to be written; null and empty for what the example says. */
export interface NewScenario {
  name: string;
  /** Absolute: the suite directory it goes to. */
  directory: string;
  kind: 'regression' | 'capability';
  format: 'yaml' | 'program';
  level: string;
  maxTurns: number;
  description: string | null;
  persona: string | null;
  goal: string | null;
  opening: string | null;
  systemPrompt: string | null;
  criteria: readonly string[];
}

/** An example that says what each key is for by showing it. */
const EXAMPLE = {
  systemPrompt:
    'You are the support agent of a shop. Orders can be returned within 30 days. Ask for the order number before you promise anything.',
  persona: 'A customer in a hurry who writes short messages. Order number 4711, bought two weeks ago.',
  goal: 'Learn whether the order can still be returned, and how.',
  opening: 'Hi, can I still send something back?',
  criteria: [
    'The agent asked for the order number before it promised a return.',
    'The agent said that returns are possible within 30 days.',
  ],
};

/**
 * The file of a new scenario; `yaml` is the same as an assertion suite, which can be admitted.
 * @throws AssayError `USAGE` for a name that cannot be one
 */
export function newScenario(scenario: NewScenario): { path: string; text: string; yaml: string } {
  const { name, kind, format, criteria, maxTurns } = scenario;
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name) || name.includes('..')) {
    throw new AssayError('USAGE', `${JSON.stringify(name)} cannot be the name of a scenario`, {
      fix: 'use letters, digits, dots, underscores and hyphens',
    });
  }
  // Somebody who says who is speaking means another case than the example, and writes its opening too, or none.
  const own = scenario.persona !== null || scenario.goal !== null || scenario.systemPrompt !== null;
  const opening = scenario.opening ?? (own ? null : EXAMPLE.opening);
  const head = {
    name,
    description: scenario.description ?? `A conversation about ${name}`,
    type: kind,
    agent_level: scenario.level,
    trials: 3,
    system_prompt: scenario.systemPrompt ?? EXAMPLE.systemPrompt,
  };
  const conversation = {
    persona: scenario.persona ?? EXAMPLE.persona,
    goal: scenario.goal ?? EXAMPLE.goal,
    ...(opening === null ? {} : { opening }),
    max_turns: maxTurns,
    criteria: criteria.length > 0 ? [...criteria] : EXAMPLE.criteria,
  };
  const { stringify } = yamlLibrary();
  const suite = { ...head, cases: [{ id: name, scenario: conversation }] };
  const yaml = `# Scenario: a simulated user talks to the agent. docs/scenarios.md says what can be written here.\n${stringify(suite, { lineWidth: 0 })}`;
  const folder = kind === 'regression' ? 'Regression' : 'Capability';
  const base = join(scenario.directory, folder, name);
  if (format === 'yaml') return { path: `${base}.yaml`, text: yaml, yaml };
  const program = { ...head, ...conversation };
  const text = `import { defineScenario } from 'assay';\n\nexport default defineScenario(${JSON.stringify(program, null, 2)});\n`;
  return { path: `${base}.scenario.ts`, text, yaml };
}
