import { describe, expect, it } from 'vitest';
import { AssayError, loadSuite, type Problem } from '../../src/index.js';
import { traceExtensions } from '../../src/suite/index.js';
import {
  directoryOf,
  firstCase,
  fixture,
  fixtureSuite,
  textStep,
  yamlSuite,
  type FixtureValue,
} from './support.js';

async function problems(loading: Promise<unknown>): Promise<readonly Problem[]> {
  try {
    await loading;
  } catch (error) {
    if (error instanceof AssayError) return error.problems;
    throw error;
  }
  throw new Error('it was admitted');
}

const CASE = `
  - id: a
    prompt: q
    assert: [{ type: contains, value: x }]
`;

/** Keys of a case of a suite, and the words with which they are refused; null where they are admitted. */
const KEYS: readonly (readonly [keys: string, key: string, says: string | null])[] = [
  ['reference: { output: x }', '', null],
  ['reference: x', 'cases[0].reference', 'must be an object'],
  ['reference: {}', 'cases[0].reference', 'there is no answer in it'],
  ['reference: { output: [x] }', '', null],
  [
    'reference: { output: [x, y] }',
    'cases[0].reference.output',
    'has the answers of 2 turns, and the case has 1',
  ],
  ['reference: { output: x, recording: r.json }', 'cases[0].reference.recording', 'say the same thing'],
  ['reference: { recording: r.json }', '', null],
  ['reference: { recording: gone.json }', 'cases[0].reference.recording', 'there is no file gone.json'],
  ['reference: { recording: ../r.json }', 'cases[0].reference.recording', 'leaves'],
  ['reference: { recording: r.json, files: { a: b } }', 'cases[0].reference.files', 'a recording holds all'],
  ['reference: { output: x, files: { a.txt: b } }', '', null],
  [
    'reference: { output: x, files: { ../a.txt: b } }',
    'cases[0].reference.files["../a.txt"]',
    'not a path inside',
  ],
  ['reference: { output: x, tool_calls: [{ name: t }] }', '', null],
  ['reference: { output: x, tool_calls: [] }', 'cases[0].reference.tool_calls', 'at least 1 entry'],
  ['reference: { output: x, tool_calls: [{ name: " " }] }', 'cases[0].reference.tool_calls[0].name', 'blank'],
  ['reference: { outptu: x }', 'cases[0].reference.outptu', 'unknown key'],
  ['known_bad: [x, { output: y, reason: z }]', '', null],
  ['known_bad: []', 'cases[0].known_bad', 'at least 1 entry'],
  ['known_bad: [{ output: y, reason: "" }]', 'cases[0].known_bad[0].reason', 'blank'],
  ['accepted_mutants: [{ id: "text:empty", reason: y }]', '', null],
  ['accepted_mutants: [{ id: "text:empty" }]', 'cases[0].accepted_mutants[0].reason', 'missing'],
  ['accepted_mutants: [{ id: "text:empty", reason: " " }]', 'cases[0].accepted_mutants[0].reason', 'blank'],
  [
    'accepted_mutants: [{ id: a, reason: y }, { id: a, reason: z }]',
    'cases[0].accepted_mutants[1].id',
    'written twice',
  ],
  ['lint: { ignore: [{ id: path-only, reason: y }] }', '', null],
  ['lint: { ignore: [{ id: path-onyl, reason: y }] }', 'cases[0].lint.ignore[0].id', 'is not one of'],
  ['lint: { ignore: [{ id: path-only }] }', 'cases[0].lint.ignore[0].reason', 'missing'],
  ['lint: {}', 'cases[0].lint.ignore', 'missing'],
  [
    'lint: { ignore: [{ id: stale, reason: y }, { id: stale, reason: z }] }',
    'cases[0].lint.ignore[1].id',
    'twice',
  ],
  ['reviewed_at: 2026-02-28', '', null],
  ['reviewed_at: 2026-02-30', 'cases[0].reviewed_at', 'must be a day'],
  ['reviewed_at: yesterday', 'cases[0].reviewed_at', 'must be a day'],
];

describe('The upkeep of a case', () => {
  it.each(KEYS)('%s', async (keys, key, says) => {
    const suite = yamlSuite(`${CASE}    ${keys}\n`, { 'r.json': '{}' });
    if (says === null) {
      expect(firstCase(await suite).curation).toBeDefined();
      return;
    }
    const found = await problems(suite);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      key,
      file: 'sample.yaml',
      line: 6,
      message: expect.stringContaining(says),
    });
    expect(found[0]?.column).toBeGreaterThan(0);
    expect(found[0]?.fix).not.toBe('');
  });

  it('is absent where nothing is written', async () => {
    expect(firstCase(await yamlSuite(CASE)).curation).toBeUndefined();
    expect(
      'curation' in
        firstCase(await fixtureSuite([fixture('a', [textStep('x')], { response_contains: ['x'] })])),
    ).toBe(false);
  });

  it('changes no hash, so finished trials stay valid', async () => {
    const plain = firstCase(await yamlSuite(CASE));
    const kept = firstCase(
      await yamlSuite(
        `${CASE}    reference: { output: x }\n    known_bad: [y]\n    reviewed_at: 2026-01-01\n    lint: { ignore: [{ id: stale, reason: y }] }\n`,
      ),
    );
    expect(kept.hash).toBe(plain.hash);
  });

  it('is filled for every row of a data file', async () => {
    const cwd = directoryOf({
      'rows.csv': 'city,country\nParis,France\nRome,Italy\n',
      'rows.yaml': `cases:
  from: rows.csv
  template:
    id: "{{country}}"
    prompt: What is the capital of {{country}}?
    assert: [{ type: contains, value: "{{city}}" }]
    reference: { output: "It is {{city}}." }
    known_bad: ["It is not in {{country}}."]
`,
    });
    const cases = [...(await loadSuite('rows.yaml', { cwd })).cases];
    expect(cases.map(({ curation }) => curation?.reference?.texts)).toEqual([
      ['It is Paris.'],
      ['It is Rome.'],
    ]);
    expect(cases[1]?.curation?.knownBad[0]?.texts).toEqual(['It is not in Italy.']);
  });

  it('names a column that is not there', async () => {
    const cwd = directoryOf({
      'rows.csv': 'city\nParis\n',
      'rows.yaml': `cases:
  from: rows.csv
  template:
    prompt: "{{city}}"
    assert: [{ type: contains, value: "{{city}}" }]
    reference: { output: "{{town}}" }
`,
    });
    const [problem] = await problems(loadSuite('rows.yaml', { cwd }));
    expect(problem).toMatchObject({ message: '{{town}} is no variable here' });
  });
});

describe('The upkeep of a suite', () => {
  it('may silence findings for all its cases, and say when it was reviewed', async () => {
    const suite = await yamlSuite(
      `lint: { ignore: [{ id: balance, reason: only one side exists }] }\nreviewed_at: 2026-01-31\ncases:${CASE}`,
    );
    expect(suite.curation).toEqual({
      lintIgnored: [{ id: 'balance', reason: 'only one side exists' }],
      reviewedAt: '2026-01-31',
      createdAt: null,
      updatedAt: null,
    });
  });

  it('refuses a rule that is not known, with the one that was meant', async () => {
    const [problem] = await problems(
      yamlSuite(`lint: { ignore: [{ id: balanse, reason: x }] }\ncases:${CASE}`),
    );
    expect(problem).toMatchObject({ key: 'lint.ignore[0].id', line: 1, fix: 'did you mean "balance"?' });
  });
});

describe('The upkeep of a fixture', () => {
  const value = (more: { [key: string]: unknown }): FixtureValue =>
    fixture('a', [textStep('x')], { response_contains: ['x'] }, more);
  const upkeep = {
    owner: 'team-a',
    reviewed_at: '2026-01-31',
    accepted_mutants: [{ id: 'text:empty', reason: 'y' }],
    lint: { ignore: [{ id: 'path-only', reason: 'z' }] },
  };

  it('is read, changes no hash and is named as Assay alone reads it', async () => {
    const plain = firstCase(await fixtureSuite([value({})]));
    const kept = firstCase(await fixtureSuite([value(upkeep)]));
    expect(kept.hash).toBe(plain.hash);
    expect(kept.owner).toBe('team-a');
    expect(kept.curation).toMatchObject({
      reviewedAt: '2026-01-31',
      acceptedMutants: upkeep.accepted_mutants,
    });
    expect(traceExtensions(JSON.parse(JSON.stringify(value(upkeep))))).toEqual([
      'owner',
      'reviewed_at',
      'accepted_mutants',
      'lint',
    ]);
  });

  it.each([
    [{ owner: ' ' }, 'owner', 'blank'],
    [{ accepted_mutants: [] }, 'accepted_mutants', 'at least 1 entry'],
    [{ accepted_mutants: [{ id: 'a' }] }, 'accepted_mutants[0].reason', 'missing'],
    [
      {
        accepted_mutants: [
          { id: 'a', reason: 'b' },
          { id: 'a', reason: 'c' },
        ],
      },
      'accepted_mutants[1].id',
      'written twice',
    ],
    [{ lint: { ignore: [{ id: 'nothing-like-it', reason: 'x' }] } }, 'lint.ignore[0].id', 'is not one of'],
    [{ lint: { ingore: [] } }, 'lint.ingore', 'unknown key'],
  ])('refuses %j', async (more, key, says) => {
    const found = await problems(fixtureSuite([value(more)]));
    expect(found).toContainEqual(expect.objectContaining({ key, message: expect.stringContaining(says) }));
  });
});
