import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listSuites, loadSuiteAt, resolveSuite, type SuiteRoots } from '../../src/suite/index.js';
import { caseText, directoryOf, lateRefusal, refusal, type Files } from './assertion-support.js';

const SUITE = caseText('');
const FIXTURE = JSON.stringify({
  model_name: 'sample',
  turns: [{ user_input: 'hello', steps: [{ response: { type: 'text', content: 'ok' } }] }],
  expects: { response_contains: ['ok'] },
});

/** Roots `user`, `project`, `shared` and `bundled` in a directory with these files. */
function rootsOf(files: Files): { cwd: string; roots: SuiteRoots } {
  const cwd = directoryOf(files);
  return {
    cwd,
    roots: {
      userDir: join(cwd, 'user'),
      projectDirs: [join(cwd, 'project'), join(cwd, 'shared')],
      bundledDir: join(cwd, 'bundled'),
    },
  };
}

describe('a suite is found by its name', () => {
  const order = [
    'user/a.yaml',
    'user/Regression/a.yaml',
    'user/regression/a.yaml',
    'user/Capability/a.yaml',
    'user/capability/a.yaml',
    'user/a.yml',
    'user/Regression/a.yml',
    'user/a.suite.ts',
    'user/Capability/a.suite.mjs',
    'user/a/one.json',
    'user/Regression/a/one.json',
    'project/a.yaml',
    'shared/a.yaml',
    'bundled/a.yaml',
    'bundled/bundled/a.yaml',
  ];

  it.each(order.map((first, index) => ({ first, rest: order.slice(index) })))(
    'in $first before all later places',
    ({ first, rest }) => {
      const { cwd, roots } = rootsOf(
        Object.fromEntries(rest.map((path) => [path, path.endsWith('.json') ? FIXTURE : SUITE])),
      );
      const placeOf = (path: string): string => join(cwd, path.replace(/\/one\.json$/, ''));
      const found = resolveSuite('a', roots);
      expect(found.path).toBe(placeOf(first));
      expect(new Set([found.path, ...found.shadowed])).toEqual(new Set(rest.map(placeOf)));
    },
  );

  it('and told whose it is, how it is written and what it hides', () => {
    const { cwd, roots } = rootsOf({ 'project/a.yml': SUITE, 'bundled/a.yaml': SUITE });
    expect(resolveSuite('a', roots)).toEqual({
      name: 'a',
      path: join(cwd, 'project', 'a.yml'),
      origin: 'project',
      format: 'assertion',
      shadowed: [join(cwd, 'bundled', 'a.yaml')],
    });
  });

  it('in the folder of drafts when the name says so', () => {
    const { cwd, roots } = rootsOf({ 'user/_drafts/new.yaml': SUITE });
    expect(resolveSuite('_drafts/new', roots).path).toBe(join(cwd, 'user', '_drafts', 'new.yaml'));
  });

  it('once, when two roots are the same place', () => {
    const { cwd, roots } = rootsOf({ 'bundled/a.yaml': SUITE });
    expect(resolveSuite('a', { ...roots, projectDirs: [join(cwd, 'bundled')] }).shadowed).toEqual([]);
  });

  it('or else told the names there are', () => {
    const { roots } = rootsOf({ 'user/greetings.yaml': SUITE, 'project/Capability/hard.yml': SUITE });
    expect(refusal(() => resolveSuite('greetigns', roots))).toMatchObject({
      code: 'SUITE_NOT_FOUND',
      message: 'suite not found: greetigns',
      fix: 'did you mean greetings?',
    });
    expect(refusal(() => resolveSuite('zzz', roots)).fix).toBe('the suites are: greetings, hard');
    expect(refusal(() => resolveSuite('zzz', rootsOf({}).roots)).fix).toContain('no suites');
  });

  it.each([
    '',
    ' ',
    '..',
    '../a',
    'a/../../b',
    '/etc/passwd',
    'C:\\x',
    '..\\a',
    'a\0b',
    './a',
    'a//b',
    'a\u001b[2Jb',
  ])('never by %j', (name) => {
    const error = refusal(() => resolveSuite(name, rootsOf({ 'a.yaml': SUITE, 'user/a.yaml': SUITE }).roots));
    expect(error.code).toBe('SUITE_NOT_FOUND');
    expect(error.message).toContain('names no suite');
  });

  it('never outside its roots, whatever the name', () => {
    const { cwd, roots } = rootsOf({ 'user/a.yaml': SUITE, 'outside.yaml': SUITE });
    const parts = fc.constantFrom('..', '.', 'a', 'outside', 'user', '', '_drafts');
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 5 }), (names) => {
        try {
          expect(resolveSuite(names.join('/'), roots).path).toBe(join(cwd, 'user', 'a.yaml'));
        } catch (error) {
          expect(error).toMatchObject({ code: 'SUITE_NOT_FOUND' });
        }
      }),
    );
  });

  it('never through a symlink that leads out', () => {
    const { cwd, roots } = rootsOf({ 'user/b.yaml': SUITE, 'outside.yaml': SUITE });
    symlinkSync(join(cwd, 'outside.yaml'), join(cwd, 'user', 'a.yaml'));
    expect(refusal(() => resolveSuite('a', roots)).message).toContain('leads out of its directory');
    expect(listSuites(roots).map((suite) => suite.name)).toEqual(['b']);
  });
});

describe('the list of suites', () => {
  it('is sorted, tells which are hidden and by what, and loads none', () => {
    const { cwd, roots } = rootsOf({
      'user/b.yaml': 'not: [valid',
      'project/b.suite.ts': 'throw new Error("never run")',
      'project/a/one.json': FIXTURE,
      'project/_drafts/c.yaml': SUITE,
      'project/rows.csv': 'x',
      'bundled/Capability/d.yml': SUITE,
    });
    const at = (path: string): string => join(cwd, path);
    expect(listSuites(roots)).toEqual([
      {
        name: '_drafts/c',
        path: at('project/_drafts/c.yaml'),
        origin: 'project',
        format: 'assertion',
        shadowedBy: null,
      },
      { name: 'a', path: at('project/a'), origin: 'project', format: 'trace', shadowedBy: null },
      { name: 'b', path: at('user/b.yaml'), origin: 'user', format: 'assertion', shadowedBy: null },
      {
        name: 'b',
        path: at('project/b.suite.ts'),
        origin: 'project',
        format: 'program',
        shadowedBy: at('user/b.yaml'),
      },
      {
        name: 'd',
        path: at('bundled/Capability/d.yml'),
        origin: 'bundled',
        format: 'assertion',
        shadowedBy: null,
      },
    ]);
  });

  it('is empty where there are no directories', () => {
    expect(listSuites({ userDir: null, projectDirs: ['/nowhere/at/all'], bundledDir: null })).toEqual([]);
  });
});

describe('a path is loaded', () => {
  it.each([
    ['s.yaml', SUITE, 'assertion'],
    ['s.yml', SUITE, 'assertion'],
    [
      's.suite.mjs',
      `export default { cases: [{ id: 'a', prompt: 'b', assert: [{ type: 'is-json' }] }] }`,
      'program',
    ],
    ['s.json', FIXTURE, 'trace'],
  ])('by its ending: %s', async (name, content, format) => {
    const suite = await loadSuiteAt(name, { cwd: directoryOf({ [name]: content }) });
    expect(suite).toMatchObject({ name: 's', format });
    expect(suite.cases.length).toBe(1);
  });

  it('as trace fixtures when it is a directory of them', async () => {
    const suite = await loadSuiteAt('s', {
      cwd: directoryOf({ 's/one.json': FIXTURE, 's/other.yaml': SUITE }),
    });
    expect(suite).toMatchObject({ name: 's', format: 'trace' });
  });

  it('never as a directory of other suites, which are listed', async () => {
    const cwd = directoryOf({ 's/b.yaml': SUITE, 's/a.suite.ts': '', 's/notes.txt': '' });
    const error = await lateRefusal(loadSuiteAt('s', { cwd }));
    expect(error.code).toBe('SUITE_EMPTY');
    expect(error.message).toContain('a.suite.ts, b.yaml');
    expect(error.fix).toContain(join('s', 'a.suite.ts'));
  });

  it('never when it is no suite, or not there', async () => {
    const cwd = directoryOf({ 'notes.txt': 'x' });
    expect((await lateRefusal(loadSuiteAt('notes.txt', { cwd }))).message).toBe('notes.txt is not a suite');
    for (const name of ['nowhere', 'nowhere.yaml', 'nowhere.suite.ts', 'nowhere.txt']) {
      expect(existsSync(join(cwd, name))).toBe(false);
      expect((await lateRefusal(loadSuiteAt(name, { cwd }))).code).toBe('SUITE_NOT_FOUND');
    }
  });
});
