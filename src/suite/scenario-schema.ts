import { z } from 'zod';
import { assertionSchema } from './assertion-schema.js';
import { json, text } from './assertion-text.js';

/** Most user turns of a scenario. */
export const MOST_SCENARIO_TURNS = 50;

/** User turns of a scenario that does not say. */
export const DEFAULT_SCENARIO_TURNS = 6;

const turnCount = z.int().min(1).max(MOST_SCENARIO_TURNS);

const stopRule = z.strictObject({
  answer_contains: text.optional().describe('Text that an answer holds, case-sensitive.'),
  answer_matches: text.optional().describe('Regular expression, JavaScript syntax, that an answer matches.'),
  tool_used: text.optional().describe('Name of a tool that was called.'),
});

const stopCondition = z.union([text, stopRule]);

const scriptStep = z.union([
  text,
  z.strictObject({ simulate: turnCount.describe('Turns that the simulated user speaks.') }),
]);

const statements = z.union([text, z.array(text)]);

const said = {
  persona: text.optional().describe('Who the simulated user is, what it knows and how it writes.'),
  goal: text.optional().describe('What the simulated user wants from the agent.'),
  opening: text.optional().describe('What the user says first; the simulated user thinks of it when absent.'),
  script: z
    .array(scriptStep)
    .optional()
    .describe('User turns in order: text to be said, or { simulate: 2 } for turns of the simulated user.'),
  max_turns: turnCount
    .optional()
    .describe(`User turns at most; ${DEFAULT_SCENARIO_TURNS}, or the length of the script, when absent.`),
  stop_when: z
    .union([text, stopRule, z.array(stopCondition)])
    .optional()
    .describe('When the conversation ends before that: a sentence for the simulated user, or rules.'),
  criteria: statements
    .optional()
    .describe('Statements about the whole conversation; a judge must find every one true.'),
  recorded: text
    .optional()
    .describe('Recording of the simulated user, relative to the suite file; it is then not asked.'),
};

const point = {
  after_turn: z.int().min(1).describe('The user turn, counted from 1, whose answer is graded.'),
  criteria: statements.optional().describe('Statements that must hold of the conversation up to then.'),
};

/** The keys of a scenario apart from the inside of its assertions. */
export const scenarioHeadSchema = z.strictObject({
  ...said,
  checkpoints: z.array(z.strictObject({ ...point, assert: z.array(json).optional() })).optional(),
});

/** A scenario as a human writes it. */
export const scenarioSchema = z.strictObject({
  ...said,
  checkpoints: z
    .array(
      z.strictObject({
        ...point,
        assert: z.array(assertionSchema).min(1).optional().describe('Assertions on the answer of that turn.'),
      }),
    )
    .min(1)
    .optional()
    .describe('What must hold in the middle of the conversation.'),
});

/** The keys of a scenario as written. */
export type ScenarioHead = z.output<typeof scenarioHeadSchema>;
