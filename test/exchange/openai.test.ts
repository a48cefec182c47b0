import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { yamlText } from '../../src/cases/index.js';
import type { JsonObject } from '../../src/core/index.js';
import {
  exportOpenaiEvals,
  exportOpenaiGraders,
  importAgentevals,
  importOpenaiEvals,
  importOpenaiGraders,
  trajectoryLine,
  writtenSuiteCases,
  type SuiteImport,
  type WrittenSuite,
} from '../../src/exchange/index.js';
import { loadAssertionSuite } from '../../src/suite/index.js';
import { jsonLines, OPENAI } from '../cases/samples.js';

function written(suite: JsonObject): WrittenSuite {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'assay-openai-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'suite.yaml'), yamlText(suite));
  return writtenSuiteCases(loadAssertionSuite(join(root, 'suite.yaml')));
}

function cases(made: SuiteImport): unknown {
  return made.suites[0]?.suite['cases'];
}

function dropped(made: Pick<SuiteImport, 'rows'>): string[] {
  return made.rows.filter((row) => row.outcome === 'dropped').map((row) => `${row.name}: ${row.note}`);
}

const GRADER = {
  type: 'string_check',
  name: 'label',
  input: '{{sample.output_text}}',
  operation: 'eq',
  reference: '{{item.label}}',
};
const EVAL = {
  name: 'tickets',
  testing_criteria: [
    GRADER,
    { ...GRADER, name: 'mentions', operation: 'ilike', reference: 'ticket {{ item.id }}' },
  ],
  input_messages: {
    type: 'template',
    template: [
      { role: 'developer', content: 'Classify.' },
      { role: 'user', content: 'Ticket: {{item.text}}' },
    ],
  },
};
const ITEMS = jsonLines([
  { item: { id: 'a', text: 'Broken.', label: 'hardware' } },
  { item: { id: 'b', text: 'Slow.', label: '' } },
]);

describe('Hosted graders', () => {
  it('become cases of every item', () => {
    const made = importOpenaiGraders(JSON.stringify(EVAL), ITEMS, 'eval.json', 'tickets');
    expect(made.suites[0]?.suite['system_prompt']).toBe('Classify.');
    expect(cases(made)).toEqual([
      {
        id: 'a',
        prompt: 'Ticket: Broken.',
        threshold: 1,
        assert: [
          { type: 'equals', value: 'hardware', required: true, metric: 'label' },
          { type: 'icontains', value: 'ticket a', required: true, metric: 'mentions' },
        ],
      },
      {
        id: 'b',
        prompt: 'Ticket: Slow.',
        threshold: 1,
        assert: [{ type: 'icontains', value: 'ticket b', required: true, metric: 'mentions' }],
      },
    ]);
    expect(dropped(made)).toEqual(['label of b: its reference is empty for this item']);
  });

  it.each([
    [{ ...GRADER, operation: 'ne' }, 'not-equals'],
    [{ ...GRADER, operation: 'neq' }, 'not-equals'],
    [{ ...GRADER, operation: 'like' }, 'contains'],
    [{ ...GRADER, input: GRADER.reference, reference: GRADER.input }, 'equals'],
  ])('%j is %s', (grader, type) => {
    const item = jsonLines([{ prompt: 'x', label: 'l' }]);
    const made = importOpenaiGraders(JSON.stringify({ testing_criteria: [grader] }), item, 'e', 'e');
    expect(cases(made)).toMatchObject([{ prompt: 'x', assert: [{ type, value: 'l' }] }]);
  });

  it.each([
    [{ ...GRADER, operation: 'starts' }, 'has no twin'],
    [{ ...GRADER, input: '{{sample.output_json.a}}' }, 'as a whole'],
    [{ ...GRADER, input: GRADER.reference, reference: GRADER.input, operation: 'like' }, 'as a whole'],
    [{ ...GRADER, reference: '{{item.nothing}}' }, 'is not in the item'],
    [{ ...GRADER, reference: '{{sample.output_text}}' }, 'is not in the item'],
    [{ type: 'score_model', name: 'judge' }, 'graders of type score_model have no twin'],
    [{ type: 'python', source: 'import os' }, 'graders of type python have no twin'],
  ])('%j has no twin', (grader, why) => {
    const item = jsonLines([{ prompt: 'x', label: 'l' }]);
    const made = importOpenaiGraders(JSON.stringify({ testing_criteria: [grader] }), item, 'e', 'e');
    expect(made.suites).toEqual([]);
    expect(dropped(made)[0]).toContain(why);
  });

  it('come back from a suite the same', () => {
    const suite = {
      name: 's',
      system_prompt: 'Be brief.',
      trials: 1,
      type: 'capability',
      pass_threshold: 1,
      cases: [
        {
          id: 'a',
          prompt: 'x',
          threshold: 1,
          assert: [
            { type: 'equals', value: '1', required: true, metric: 'm' },
            { type: 'icontains', value: 'q', required: true, metric: 'n' },
          ],
        },
        {
          id: 'b',
          prompt: 'y',
          threshold: 1,
          assert: [{ type: 'not-equals', value: '2', required: true, metric: 'm' }],
        },
      ],
    };
    const { document, rows } = exportOpenaiGraders(written(suite));
    expect(rows.filter((row) => row.outcome !== 'kept')).toEqual([]);
    const again = importOpenaiGraders(JSON.stringify(document), null, 'e', 's');
    expect(again.suites[0]?.suite).toEqual(suite);
  });

  it('list what they have no word for', () => {
    const { rows } = exportOpenaiGraders(
      written({
        name: 's',
        cases: [
          {
            id: 'a',
            prompt: 'x',
            negative: true,
            assert: [
              { type: 'regex', value: 'x' },
              { type: 'contains', value: 'y' },
            ],
          },
          { id: 'b', turns: [{ prompt: '1' }, { prompt: '2' }], assert: [{ type: 'contains', value: 'x' }] },
        ],
      }),
    );
    expect(dropped({ rows })).toEqual([
      'regex of a: no hosted grader does this',
      'negative of a: a hosted eval has no word for it',
      'b: an item has one prompt',
    ]);
  });

  it.each([
    ['[', null, 'not JSON'],
    ['{}', ITEMS, 'holds no graders'],
    [JSON.stringify(EVAL), null, 'comes without items'],
  ])('%.20j is refused', (text, data, message) => {
    expect(() => importOpenaiGraders(text, data, 'e', 'e')).toThrow(message);
  });
});

describe('Samples of open-source evals', () => {
  const SAMPLES = jsonLines([
    {
      input: [
        { role: 'system', content: 'Answer.' },
        { role: 'user', content: '2+2?' },
      ],
      ideal: '4',
    },
    {
      input: [
        { role: 'system', content: 'Answer.' },
        { role: 'user', content: 'Capital?' },
      ],
      ideal: ['Bern', 'Berne (CH)'],
    },
    {
      input: [
        { role: 'system', content: 'Other.' },
        { role: 'user', content: 'x' },
      ],
      ideal: 'y',
    },
    {
      input: [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: 'a' },
        { role: 'user', content: 'r' },
      ],
      ideal: 'y',
    },
    { input: 'plain', choices: [] },
  ]);

  it('match what starts with an ideal answer', () => {
    const made = importOpenaiEvals(SAMPLES, 's.jsonl', 'math', 'match');
    expect(cases(made)).toMatchObject([
      { prompt: '2+2?', assert: [{ type: 'starts-with', value: '4' }] },
      { prompt: 'Capital?', assert: [{ type: 'regex', value: '^(?:Bern|Berne \\(CH\\))' }] },
    ]);
    expect(dropped(made)).toEqual([
      'sample-3: its system message is another one than that of the samples before',
      'sample-4: it puts words into the mouth of "assistant"',
      'choices of sample-5: it has no twin',
      'sample-5: it has no ideal answer',
    ]);
  });

  it('include it, or equal it as JSON, when they are told to', () => {
    expect(cases(importOpenaiEvals(SAMPLES, 's', 's', 'includes'))).toMatchObject([
      { assert: [{ type: 'contains', value: '4' }] },
      { assert: [{ type: 'contains-any', value: ['Bern', 'Berne (CH)'] }] },
    ]);
    const json = jsonLines([
      { input: 'x', ideal: '{"a":1}' },
      { input: 'x', ideal: 'no' },
    ]);
    expect(cases(importOpenaiEvals(json, 's', 's', 'json-match'))).toMatchObject([
      { assert: [{ type: 'equals', value: { a: 1 } }] },
    ]);
  });

  it('come back from a suite the same', () => {
    const samples = [
      {
        id: 'one',
        input: [
          { role: 'system', content: 'Answer.' },
          { role: 'user', content: '2+2?' },
        ],
        ideal: '4',
      },
      {
        id: 'two',
        input: [
          { role: 'system', content: 'Answer.' },
          { role: 'user', content: 'a' },
          { role: 'user', content: 'b' },
        ],
        ideal: 'c',
      },
    ];
    const made = importOpenaiEvals(jsonLines(samples), 's', 's', 'match');
    const [only] = made.suites;
    if (only === undefined) throw new Error('no suite');
    expect(exportOpenaiEvals(written(only.suite)).lines).toEqual(samples);
  });

  it('are refused when there are none', () => {
    expect(() => importOpenaiEvals('nothing', 's', 's', 'match')).toThrow('holds no samples');
  });
});

describe('Trajectories of agentevals', () => {
  it('are recordings that are not graded yet', () => {
    const made = importAgentevals(JSON.stringify(OPENAI), 't.json', null);
    expect(made.runs[0]?.trials).toMatchObject([
      {
        caseId: 'trajectory-1',
        status: 'error',
        error: { kind: 'grader' },
        recording: { toolCalls: [{ name: 'read', result: 'port = 8080' }] },
      },
    ]);
  });

  it('come alone, in a list, or under outputs; reference trajectories are listed', () => {
    const lines = jsonLines([
      { id: 'a', outputs: OPENAI, reference_outputs: OPENAI },
      { id: 'a', outputs: OPENAI },
      { id: 'b', outputs: { messages: OPENAI } },
      { x: 1 },
    ]);
    const made = importAgentevals(lines, 't.jsonl', null);
    expect(made.runs[0]?.trials.map((trial) => trial.caseId)).toEqual(['a', 'b']);
    expect(dropped(made)).toEqual([
      'reference_outputs of a: write it as tool-calls assertions of a suite',
      'a: its id is used twice',
      'trajectory-4: it holds no messages',
    ]);
    expect(importAgentevals(JSON.stringify([OPENAI, OPENAI]), 't', null).runs[0]?.trials).toHaveLength(2);
  });

  it('come back the same', () => {
    const [trial] = importAgentevals(JSON.stringify([OPENAI]), 't', null).runs[0]?.trials ?? [];
    if (trial === undefined) throw new Error('no trial');
    const line = trajectoryLine(trial);
    const [again] = importAgentevals(JSON.stringify(line), 't', null).runs[0]?.trials ?? [];
    expect(again?.recording?.messages).toEqual(trial.recording?.messages);
    expect(again?.recording?.toolCalls).toEqual(trial.recording?.toolCalls);
    expect(trajectoryLine({ ...trial, recording: null })).toBeNull();
  });

  it.each([
    ['nothing', 'neither JSON'],
    [`${'['.repeat(999)}${']'.repeat(999)}`, 'nested more than'],
  ])('%.10j is refused', (text, message) => {
    expect(() => importAgentevals(text, 't', null)).toThrow(message);
  });
});
