import { join, resolve } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { defineSuite, loadProgramSuite, type SuiteDefinition } from '../../src/suite/index.js';
import { casesOf, directoryOf, lateRefusal, type Files } from './assertion-support.js';

const DOOR = JSON.stringify(resolve(import.meta.dirname, '../../src/suite/index.js'));

const SUITE = `
import type { SuiteDefinition } from ${DOOR};
interface Row { word: string }
const rows: Row[] = [{ word: 'one' }, { word: 'two' }];
const suite: SuiteDefinition = {
  trials: 2,
  cases: rows.map(({ word }) => ({
    id: word,
    prompt: \`Say \${word}\`,
    assert: [{ type: 'contains', value: word }, { type: 'not-max-length', value: 1 }],
  })),
};
export default suite;
`;

function loadFrom(files: Files, name = 'sample.suite.ts'): ReturnType<typeof loadProgramSuite> {
  return loadProgramSuite(name, { cwd: directoryOf(files) });
}

/** A program that exports a suite of one case with these members. */
function exporting(members: string): Files {
  return {
    'sample.suite.ts': `const assert = [{ type: 'contains', value: 'x' }];\nexport default { cases: [{ id: 'a', prompt: 'b', assert, ${members} }] };\n`,
  };
}

describe('a suite as a program', () => {
  it('is run in place, types and all, and admitted by the rules of YAML', async () => {
    const suite = await loadFrom({ 'sample.suite.ts': SUITE });
    expect(suite).toMatchObject({
      name: 'sample',
      format: 'program',
      trials: 2,
      gate: 'mean',
      kind: 'regression',
    });
    expect(
      casesOf(suite).map(({ id, turns, checks }) => [id, turns[0]?.user, checks.map(({ label }) => label)]),
    ).toEqual([
      ['one', 'Say one', ['contains("one")', 'not-max-length(1)']],
      ['two', 'Say two', ['contains("two")', 'not-max-length(1)']],
    ]);
    expect(casesOf(suite)[0]?.source).toEqual({ file: 'sample.suite.ts', name: 'sample.suite.ts', line: 1 });
  });

  it.each(['sample.suite.ts', 'sample.suite.mts', 'sample.suite.js', 'sample.suite.mjs'])(
    'may be %s and export it as suite',
    async (name) => {
      const text = `export const suite = { cases: [{ id: 'a', prompt: 'b', assert: [{ type: 'is-json' }] }] };`;
      expect((await loadFrom({ [name]: text }, name)).cases.length).toBe(1);
    },
  );

  it('may import files beside it, and by the path aliases of the nearest tsconfig.json', async () => {
    const suite = await loadFrom(
      {
        'tsconfig.json': '{ "compilerOptions": { "baseUrl": ".", "paths": { "@words/*": ["./lib/*"] } } }',
        'lib/words.ts': `export const word: string = 'alias';`,
        'evals/near.ts': `export const near = 'near';`,
        'evals/sample.suite.ts': `
          import { word } from '@words/words';
          import { near } from './near.js';
          export default { cases: [{ id: word, prompt: near, assert: [{ type: 'is-json' }] }] };`,
      },
      'evals/sample.suite.ts',
    );
    expect(casesOf(suite)[0]).toMatchObject({ id: 'alias', turns: [{ user: 'near' }] });
  });

  it('is run anew each time it is loaded', async () => {
    const cwd = directoryOf({ 'sample.suite.ts': exporting(`tags: ['first']`)['sample.suite.ts'] ?? '' });
    const { writeFileSync } = await import('node:fs');
    expect(casesOf(await loadProgramSuite('sample.suite.ts', { cwd }))[0]?.tags).toEqual(['first']);
    writeFileSync(join(cwd, 'sample.suite.ts'), exporting(`tags: ['second']`)['sample.suite.ts'] ?? '');
    expect(casesOf(await loadProgramSuite('sample.suite.ts', { cwd }))[0]?.tags).toEqual(['second']);
  });

  it('gives its cases the hashes that the same cases have in YAML', async () => {
    const { loadAssertionSuite } = await import('../../src/suite/index.js');
    const cwd = directoryOf({
      ...exporting(`threshold: 0.5`),
      'sample.yaml': 'cases: [{ id: a, prompt: b, threshold: 0.5, assert: [{ type: contains, value: x }] }]',
    });
    const program = await loadProgramSuite('sample.suite.ts', { cwd });
    const yaml = loadAssertionSuite('sample.yaml', { cwd });
    expect(casesOf(program)[0]?.hash).toBe(casesOf(yaml)[0]?.hash);
  });

  it.each([
    [`threshold: 2`, 'cases[0].threshold', 'at most 1'],
    [`wieght: 2`, 'cases[0].wieght', 'unknown key'],
    [`assert: [{ type: 'contains', value: '' }]`, 'cases[0].assert[0].value', 'tests nothing'],
    [`assert: [() => true]`, 'cases[0].assert[0]', 'a function cannot stand in a suite'],
    [`created: new Date(0)`, 'cases[0].created', 'a Date cannot stand in a suite'],
    [`trials: 3n`, 'cases[0].trials', 'a bigint cannot'],
    [`threshold: NaN`, 'cases[0].threshold', 'NaN cannot'],
    [`tags: [Symbol('x')]`, 'cases[0].tags[0]', 'a symbol cannot'],
    [`vars: new Map()`, 'cases[0].vars', 'a Map cannot'],
  ])('is refused for %s, by its key path', async (members, key, says) => {
    const error = await lateRefusal(loadFrom(exporting(members)));
    expect(error.code).toBe('SUITE_INVALID');
    expect(error.problems).toMatchObject([
      { file: 'sample.suite.ts', line: null, column: null, key, message: expect.stringContaining(says) },
    ]);
  });

  it('may leave members undefined', async () => {
    expect((await loadFrom(exporting('owner: undefined'))).cases.length).toBe(1);
  });

  it('is refused for a value that contains itself', async () => {
    const text = `const vars: any = {}; vars.self = vars; export default { vars, cases: [] };`;
    const error = await lateRefusal(loadFrom({ 'sample.suite.ts': text }));
    expect(error.problems[0]?.message).toContain('contains itself');
  });

  it.each([
    ['export const other = 1;', 'exports no suite', 'export default defineSuite'],
    ['throw new Error("no luck");', 'no luck', 'must run without an error'],
    ['const broken = ;', 'cannot be loaded', 'must run without an error'],
    [`import './nowhere.js';`, 'nowhere', 'must run without an error'],
    [
      `import { defineSuite } from 'assay'; export default defineSuite({});`,
      "Cannot find module 'assay'",
      'npm install --save-dev assay',
    ],
  ])('is refused when its text is: %s', async (text, says, fix) => {
    const error = await lateRefusal(loadFrom({ 'sample.suite.ts': text }));
    expect(error.code).toBe('SUITE_INVALID');
    expect(error.message).toContain(says);
    expect(error.fix).toContain(fix);
  });

  it('is refused when it has no cases', async () => {
    const error = await lateRefusal(loadFrom({ 'sample.suite.ts': 'export default { cases: [] };' }));
    expect(error.code).toBe('SUITE_EMPTY');
  });
});

describe('defineSuite', () => {
  it('returns the definition as it is', () => {
    const definition: SuiteDefinition = { cases: [{ id: 'a', prompt: 'b', assert: [{ type: 'is-json' }] }] };
    expect(defineSuite(definition)).toBe(definition);
  });

  it('knows the keys of every assertion type', () => {
    expectTypeOf(defineSuite).parameter(0).toExtend<{ trials?: number | undefined }>();
    // @ts-expect-error: max-length takes a number
    defineSuite({ cases: [{ id: 'a', prompt: 'b', assert: [{ type: 'max-length', value: '5' }] }] });
    // @ts-expect-error: there is no such type
    defineSuite({ cases: [{ id: 'a', prompt: 'b', assert: [{ type: 'contians', value: 'x' }] }] });
    // @ts-expect-error: there is no such key
    defineSuite({ cases: [{ id: 'a', promt: 'b', assert: [{ type: 'is-json' }] }] });
  });
});
