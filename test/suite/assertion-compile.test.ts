import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  assertionSchema,
  assertionSuiteSchema,
  ASSERTION_TYPES,
  compileAgent,
  compileAssertions,
  parseJsonDocument,
} from '../../src/suite/index.js';
import { directoryOf } from './assertion-support.js';

const PLACE = { path: ['expects', 'assert'], directory: '/suite', turnCount: 2 };

describe('a list of assertions outside a suite', () => {
  it('is compiled in order, with its own key path', () => {
    const values = [
      { type: 'contains', value: 'x' },
      { type: 'not-regex', value: 'y', turn: 0 },
    ];
    const { checks, problems } = compileAssertions(values, PLACE);
    expect(problems).toEqual([]);
    expect(checks.map(({ label, key, turn }) => [label, key, turn])).toEqual([
      ['contains("x")', 'expects.assert[0]', undefined],
      ['turns[0].not-regex("y")', 'expects.assert[1]', 0],
    ]);
  });

  it('of one turn grades that turn', () => {
    const { checks } = compileAssertions([{ type: 'contains', value: 'x' }], { ...PLACE, turn: 1 });
    expect(checks).toMatchObject([{ turn: 1, label: 'turns[1].contains("x")' }]);
  });

  it('keeps the written form of numbers of a JSON fixture', () => {
    const parsed = parseJsonDocument(
      'a.json',
      '[{"type":"contains","value":1.10},{"type":"equals","value":1e3}]',
    );
    if (!parsed.ok) throw new Error('not parsed');
    const { document } = parsed;
    const context = {
      ...PLACE,
      path: [],
      sourceAt: (path: readonly (string | number)[]) => document.sourceAt(path),
    };
    expect(compileAssertions(document.value, context).checks).toMatchObject([
      { value: '1.10' },
      { value: '1e3' },
    ]);
  });

  it('takes a number as JSON writes it where no text is known', () => {
    expect(compileAssertions([{ type: 'contains', value: 1.5 }], PLACE).checks).toMatchObject([
      { value: '1.5' },
    ]);
  });

  it.each([
    [[], ['expects', 'assert'], 'tests nothing'],
    [{ type: 'contains' }, ['expects', 'assert'], 'must be a list, not an object'],
    [[{ type: 'contains', value: '' }], ['expects', 'assert', 0, 'value'], 'tests nothing'],
    [
      [{ type: 'contains', value: 'x', turn: 2 }],
      ['expects', 'assert', 0, 'turn'],
      'no turn 2: the case has 2',
    ],
    [[{ type: 'contains', value: 'x', when: 1 }], ['expects', 'assert', 0, 'when'], 'unknown key'],
    [[null], ['expects', 'assert', 0], 'must be an object, not null'],
  ])('is refused: %j', (values, path, says) => {
    const { problems } = compileAssertions(values, PLACE);
    expect(problems).toMatchObject([{ path, message: expect.stringContaining(says) }]);
  });

  it('may hold a check of an empty answer only where one may pass', () => {
    const values = [{ type: 'equals', value: '' }];
    expect(compileAssertions(values, { ...PLACE, allowEmpty: true }).problems).toEqual([]);
    expect(compileAssertions(values, PLACE).problems).toHaveLength(1);
  });

  it('finds its files from the directory given, inside the one that it may not leave', () => {
    const cwd = directoryOf({ 'golden/a.txt': 'x', 'suite/b.txt': 'y' });
    const values = [{ type: 'matches-file', value: '../golden/a.txt' }];
    const directory = `${cwd}/suite`;
    expect(compileAssertions(values, { ...PLACE, directory, within: cwd }).problems).toEqual([]);
    expect(compileAssertions(values, { ...PLACE, directory }).problems).toMatchObject([
      { message: expect.stringContaining('leaves') },
    ]);
  });
});

describe('an agent outside a suite', () => {
  const context = { path: ['agent'], root: { directory: '/suite', within: '/suite' }, sourceAt: () => null };

  it('is compiled by the rules of suites', () => {
    expect(compileAgent({ command: ['node', 'a.js'] }, context, [])).toEqual({
      type: 'command',
      command: ['node', 'a.js'],
    });
  });

  it('is null with the reason noted', () => {
    const problems: Parameters<typeof compileAgent>[2] = [];
    expect(compileAgent({ comand: ['node'] }, context, problems)).toBeNull();
    expect(problems).toMatchObject([{ path: ['agent', 'comand'], fix: 'did you mean command?' }]);
  });
});

describe('the JSON Schema of assertion suites', () => {
  const schema = z.toJSONSchema(assertionSuiteSchema, { io: 'input', target: 'draft-2020-12' });
  const validate = new Ajv2020({ strict: false }).compile(schema);
  const suite = (assertion: object): object => ({ cases: [{ id: 'a', prompt: 'b', assert: [assertion] }] });

  it('takes what loads', () => {
    expect(validate(suite({ type: 'not-contains', value: 0, weight: 2 }))).toBe(true);
    expect(validate(suite({ type: 'tool-calls', calls: [{ tool: 'a' }] }))).toBe(true);
    expect(
      validate({ cases: { from: 'rows.csv', template: { prompt: '{{q}}', assert: [{ type: 'is-json' }] } } }),
    ).toBe(true);
    expect(validate({ ...suite({ type: 'is-json' }), agent: { module: './a.ts' }, gate: 'pass^k' })).toBe(
      true,
    );
  });

  it('refuses unknown keys at every depth, unknown types and missing values', () => {
    expect(validate({ ...suite({ type: 'is-json' }), gaet: 'mean' })).toBe(false);
    expect(validate(suite({ type: 'contains', value: 'x', wieght: 2 }))).toBe(false);
    expect(validate(suite({ type: 'contians', value: 'x' }))).toBe(false);
    expect(validate(suite({ type: 'contains' }))).toBe(false);
    expect(validate({ cases: [] })).toBe(false);
  });

  it('knows every assertion type and its negation', () => {
    const text = JSON.stringify(z.toJSONSchema(assertionSchema, { io: 'input' }));
    for (const type of ASSERTION_TYPES) {
      expect(text).toContain(`"${type}"`);
      expect(text).toContain(`"not-${type}"`);
    }
  });
});
