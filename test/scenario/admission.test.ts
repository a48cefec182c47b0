import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AssayError, isJsonObject, type JsonObject } from '../../src/core/index.js';
import { loadSuite } from '../../src/run/index.js';
import type { Case, Suite } from '../../src/suite/index.js';

let directory = '';
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'assay-scenario-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const TALK = { persona: 'A customer.', goal: 'Send it back.', criteria: ['The agent was polite.'] };

async function suiteOf(value: JsonObject): Promise<Suite> {
  const path = join(directory, 's.yaml');
  writeFileSync(path, JSON.stringify(value));
  return loadSuite(path, { cwd: directory });
}

async function caseOf(conversation: JsonObject, more: JsonObject = {}): Promise<Case> {
  const suite = await suiteOf({ cases: [{ id: 'a', scenario: conversation, ...more }] });
  const [made] = suite.cases;
  if (made === undefined) throw new Error('no case');
  return made;
}

/** The problems of a case, as key and text. */
async function problems(conversation: JsonObject, more: JsonObject = {}): Promise<string[]> {
  try {
    await caseOf(conversation, more);
  } catch (error) {
    if (AssayError.isInstance(error))
      return error.problems.map(({ key, message, fix }) => `${key}: ${message}; ${fix}`);
    throw error;
  }
  return [];
}

describe('a scenario in a suite', () => {
  it('has as many turns as it may have, and only its words are known', async () => {
    const made = await caseOf({ ...TALK, opening: 'Hi', max_turns: 3 });
    expect(made.turns.map(({ user }) => user)).toEqual(['Hi', '', '']);
    expect(made.scenario?.words).toEqual(['Hi', null, null]);
    const scripted = await caseOf({ ...TALK, script: ['Hi', { simulate: 2 }, 'Bye'] });
    expect(scripted.scenario?.words).toEqual(['Hi', null, null, 'Bye']);
    expect((await caseOf(TALK)).scenario?.words).toHaveLength(6);
  });

  it('makes one required check of the criteria and one of every checkpoint that has some', async () => {
    const made = await caseOf({
      ...TALK,
      criteria: ['One.', 'Two.'],
      checkpoints: [{ after_turn: 2, criteria: 'Three.', assert: [{ type: 'contains', value: 'x' }] }],
    });
    expect(made.checks.map(({ type, turn, required, label }) => ({ type, turn, required, label }))).toEqual([
      { type: 'contains', turn: 1, required: false, label: 'turns[1].contains("x")' },
      { type: 'llm-assert', turn: 1, required: true, label: 'turns[1].criteria("Three.")' },
      { type: 'llm-assert', turn: undefined, required: true, label: 'criteria("One.", "Two.")' },
    ]);
  });

  it.each<[string, JsonObject, JsonObject, string]>([
    ['a missing persona', { goal: 'g', criteria: 'c' }, {}, 'cases[0].scenario.persona: missing'],
    ['a missing goal', { persona: 'p', criteria: 'c' }, {}, 'cases[0].scenario.goal: missing'],
    ['a misspelt key', { ...TALK, gaol: 'x' }, {}, 'did you mean goal?'],
    ['a prompt beside it', TALK, { prompt: 'x' }, 'cases[0].prompt: the scenario says what the user says'],
    ['no turns', { ...TALK, max_turns: 0 }, {}, 'scenario.max_turns: must be at least 1'],
    ['more turns than anybody reads', { ...TALK, max_turns: 51 }, {}, 'scenario.max_turns'],
    ['an empty script', { ...TALK, script: [] }, {}, 'scenario.script: the list is empty'],
    ['opening and script', { ...TALK, script: ['a'], opening: 'b' }, {}, 'scenario.opening'],
    ['a script that is longer', { ...TALK, script: ['a', { simulate: 3 }], max_turns: 3 }, {}, 'more than 3'],
    [
      'turns that are never reached',
      { criteria: 'c', script: ['a', 'b'], max_turns: 3 },
      {},
      'never reached',
    ],
    ['nothing to check', { persona: 'p', goal: 'g' }, {}, 'cases[0].assert: missing'],
    ['empty criteria', { ...TALK, criteria: [] }, {}, 'scenario.criteria: the list is empty'],
    ['a blank criterion', { ...TALK, criteria: ['ok', ' '] }, {}, 'scenario.criteria[1]: must not be blank'],
    ['an empty checkpoint', { ...TALK, checkpoints: [{ after_turn: 1 }] }, {}, 'checks nothing'],
    [
      'a checkpoint after the end',
      { ...TALK, checkpoints: [{ after_turn: 7, criteria: 'c' }] },
      {},
      'scenario.checkpoints[0].after_turn: there is no turn 7: the scenario has at most 6',
    ],
    [
      'two checkpoints in one place',
      {
        ...TALK,
        checkpoints: [
          { after_turn: 1, criteria: 'c' },
          { after_turn: 1, criteria: 'd' },
        ],
      },
      {},
      'there are two checkpoints after turn 1',
    ],
    [
      'a checkpoint about the whole run',
      { ...TALK, checkpoints: [{ after_turn: 1, assert: [{ type: 'file-exists', value: 'x' }] }] },
      {},
      'file-exists looks at the whole run',
    ],
    ['a broken pattern', { ...TALK, stop_when: { answer_matches: '(' } }, {}, 'is no regular expression'],
    [
      'two rules in one',
      { ...TALK, stop_when: { tool_used: 'a', answer_contains: 'b' } },
      {},
      'several rules',
    ],
    [
      'a sentence for nobody',
      { criteria: 'c', script: ['a'], stop_when: 'done' },
      {},
      'this scenario has none',
    ],
    ['a recording that is not there', { ...TALK, recorded: 'x.simulator.json' }, {}, 'there is no file'],
    ['a recording outside', { ...TALK, recorded: '../x.simulator.json' }, {}, 'leaves'],
    ['a recording that looks like a fixture', { ...TALK, recorded: 'x.json' }, {}, '.simulator.json'],
    [
      'a recording of nothing',
      { criteria: 'c', script: ['a'], recorded: 'x.simulator.json' },
      {},
      'simulated',
    ],
    ['an agent without memory', TALK, { agent: { preset: 'codex' } }, 'forgets the conversation'],
    ['an unknown variable', { ...TALK, goal: '{{x}} {{y}}' }, { vars: { x: 1 } }, '{{y}} is no variable'],
  ])('is refused with %s', async (_name, conversation, more, says) => {
    expect((await problems(conversation, more)).join('\n')).toContain(says);
  });

  it('reports everything that is wrong at once', async () => {
    const found = await problems({ gaol: 'x', max_turns: 0, checkpoints: [], criteria: [''] });
    expect(found.length).toBeGreaterThanOrEqual(2);
  });

  it('fills variables in every text of the conversation', async () => {
    const made = await caseOf(
      {
        persona: 'I am {{who}}.',
        goal: 'Get {{what}}.',
        script: ['Hi, {{who}} here', { simulate: 1 }],
        stop_when: [{ answer_contains: '{{what}}' }, 'when {{who}} is tired'],
        criteria: ['It named {{what}}.'],
      },
      { vars: { who: 'Doe', what: 'a refund' } },
    );
    expect(made.scenario).toMatchObject({
      persona: 'I am Doe.',
      goal: 'Get a refund.',
      words: ['Hi, Doe here', null],
      stopSentence: 'when Doe is tired',
      stopRules: [{ type: 'answer_contains', value: 'a refund' }],
    });
    expect(made.checks[0]).toMatchObject({ statements: ['It named a refund.'] });
  });

  it('has a hash that every part of the conversation changes', async () => {
    const base = { ...TALK, opening: 'Hi', stop_when: 'when done', max_turns: 3 };
    const variants: JsonObject[] = [
      base,
      { ...base, persona: 'Another.' },
      { ...base, goal: 'Another.' },
      { ...base, opening: 'Hello' },
      { ...base, stop_when: 'never' },
      { ...base, stop_when: { answer_contains: 'when done' } },
      { ...base, max_turns: 4 },
      { ...base, criteria: ['Another.'] },
      { ...base, checkpoints: [{ after_turn: 1, criteria: 'c' }] },
    ];
    const hashes: string[] = [];
    for (const variant of variants) hashes.push((await caseOf(variant)).hash);
    expect(new Set(hashes).size).toBe(variants.length);
    expect((await caseOf(base)).hash).toBe(hashes[0]);
  });

  it('makes all the default gate of a regression suite, and of no other', async () => {
    const cases = [{ id: 'a', scenario: TALK }];
    expect((await suiteOf({ cases })).gate).toBe('all');
    expect((await suiteOf({ cases, gate: 'mean' })).gate).toBe('mean');
    expect((await suiteOf({ cases, type: 'capability' })).gate).toBe('mean');
    const plain = [{ id: 'a', prompt: 'x', assert: [{ type: 'contains', value: 'y' }] }];
    expect((await suiteOf({ cases: plain })).gate).toBe('mean');
  });

  it('takes a reference of as many turns as were had, and of no more', async () => {
    const reference = (count: number): JsonObject => ({ output: Array.from({ length: count }, () => 'ok') });
    expect((await caseOf({ ...TALK, max_turns: 3 }, { reference: reference(2) })).curation).toBeDefined();
    const found = await problems({ ...TALK, max_turns: 3 }, { reference: reference(4) });
    expect(found.join('\n')).toContain('at most 3');
  });

  it('is described by the schema that assay schema prints', async () => {
    const { schemaText } = await import('../../src/cli/actions/schema-action.js');
    const schema: unknown = JSON.parse(schemaText('suite'));
    expect(isJsonObject(schema)).toBe(true);
    expect(schemaText('suite')).toContain('"stop_when"');
  });
});
