import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSuite } from '../../src/index.js';
import { admitted, directoryOf, fixture, load, refusal } from './trace-support.js';

const named = (id: string): string => fixture({ top: `"id": "${id}"` });
const misspelt = fixture({ top: '"clustr": "a"' });
const shown = (name: string): string => join('regression', name);

describe('a suite is the *.json files of one directory', () => {
  it('in the order of their names, by code point', async () => {
    const suite = await load({
      'b.json': named('b'),
      'Z.json': named('Z'),
      '\u{1f600}.json': named('astral'),
      '\uff5e.json': named('wide'),
      'a.json': named('a'),
      'a-b.json': named('a-b'),
      'é.json': named('é'),
    });
    expect([...suite.cases].map((tested) => tested.id)).toEqual([
      'Z',
      'a-b',
      'a',
      'b',
      'é',
      'wide',
      'astral',
    ]);
    expect(suite).toMatchObject({ name: 'regression', kind: 'regression', format: 'trace', gate: 'all' });
  });

  it('a dot-file counts, other endings do not', async () => {
    const suite = await load({
      '.hidden.json': named('hidden'),
      'a.JSON': 'no fixture',
      'a.json5': 'no fixture',
      'a.json.bak': 'no fixture',
      json: 'no fixture',
      'README.md': 'no fixture',
    });
    expect([...suite.cases].map((tested) => tested.source.name)).toEqual(['.hidden.json']);
  });

  it('subdirectories are not read', async () => {
    const { cwd, path } = directoryOf({ 'a.json': named('a') });
    mkdirSync(join(path, 'nested'));
    writeFileSync(join(path, 'nested', 'b.json'), misspelt);
    expect([...(await loadSuite(path, { cwd })).cases].map((tested) => tested.id)).toEqual(['a']);
  });

  it('a single fixture is a suite of one case', async () => {
    const { cwd, path } = directoryOf({ 'a.json': named('a'), 'b.json': misspelt });
    const suite = await loadSuite(join(path, 'a.json'), { cwd });
    expect([...suite.cases].map((tested) => tested.id)).toEqual(['a']);
  });

  it('a link to a fixture is read like the fixture', async () => {
    const { cwd, path } = directoryOf({ 'a.json': named('a') });
    writeFileSync(join(cwd, 'elsewhere'), named('linked'));
    symlinkSync(join(cwd, 'elsewhere'), join(path, 'b.json'));
    expect([...(await loadSuite(path, { cwd })).cases].map((tested) => tested.id)).toEqual(['a', 'linked']);
  });
});

describe('a suite never shrinks silently', () => {
  it('a directory named x.json is refused, an ordinary directory is not', async () => {
    const { cwd, path } = directoryOf({ 'a.json': named('a') });
    mkdirSync(join(path, 'x'));
    await loadSuite(path, { cwd });
    mkdirSync(join(path, 'x.json'));
    const error = await refusal(loadSuite(path, { cwd }));
    expect(error.code).toBe('SUITE_INVALID');
    expect(error.problems).toEqual([
      {
        file: shown('x.json'),
        line: null,
        column: null,
        key: '',
        message: 'is a directory, not a fixture',
        fix: expect.stringContaining('*.json files'),
      },
    ]);
  });

  it('a link that leads nowhere is refused', async () => {
    const { cwd, path } = directoryOf({ 'a.json': named('a') });
    symlinkSync(join(cwd, 'gone'), join(path, 'b.json'));
    const error = await refusal(loadSuite(path, { cwd }));
    expect(error.problems).toEqual([
      expect.objectContaining({ file: shown('b.json'), message: expect.stringContaining('cannot be read') }),
    ]);
  });

  it('a link that leads to itself is refused', async () => {
    const { cwd, path } = directoryOf({ 'a.json': named('a') });
    symlinkSync(join(path, 'b.json'), join(path, 'b.json'));
    const error = await refusal(loadSuite(path, { cwd }));
    expect(error.problems).toEqual([
      expect.objectContaining({ file: shown('b.json'), message: expect.stringContaining('cannot be read') }),
    ]);
  });

  it('a directory without fixtures is refused, one fixture is enough', async () => {
    const { cwd, path } = directoryOf({ 'README.md': 'no fixture' });
    const error = await refusal(loadSuite(path, { cwd }));
    expect(error.code).toBe('SUITE_EMPTY');
    expect(error.message).toContain('no fixtures in regression');
    expect(error.fix).toContain('*.json');
    writeFileSync(join(path, 'a.json'), named('a'));
    expect((await loadSuite(path, { cwd })).cases.length).toBe(1);
  });

  it('a directory that is not there is refused', async () => {
    const { cwd } = directoryOf({});
    const error = await refusal(loadSuite('regresion', { cwd }));
    expect(error.code).toBe('SUITE_NOT_FOUND');
    expect(error.message).toContain('suite not found: regresion');
    expect(error.fix).toContain('--suite');
  });
});

describe('the bytes of a fixture', () => {
  it('a byte-order mark is ignored, and so are line ends of any kind', async () => {
    const text = named('a');
    const plain = await admitted(text);
    const marked = await admitted(`\ufeff${text.replaceAll('\n', '\r\n')}`);
    expect(marked.hash).toBe(plain.hash);
  });

  it('a byte-order mark does not move the place of a fault', async () => {
    const error = await refusal(load({ 'a.json': `\ufeff${misspelt}` }));
    expect(error.problems[0]).toMatchObject({ line: 3, column: 3, key: 'clustr' });
  });

  it('text that is not UTF-8 is refused', async () => {
    const bytes = Buffer.from(named('é'), 'latin1');
    const error = await refusal(load({ 'a.json': bytes }));
    expect(error.problems).toEqual([
      {
        file: shown('a.json'),
        line: null,
        column: null,
        key: '',
        message: 'is not UTF-8 text',
        fix: 'save it as UTF-8',
      },
    ]);
    expect((await admitted(Buffer.from(named('é'), 'utf8'))).id).toBe('é');
  });

  it('UTF-16 is refused', async () => {
    const error = await refusal(load({ 'a.json': Buffer.from(`\ufeff${named('a')}`, 'utf16le') }));
    expect(error.problems[0]?.message).toBe('is not UTF-8 text');
  });
});

describe('identities', () => {
  it('two cases may not share one; both files are named, at the key that gives the name', async () => {
    const error = await refusal(
      load({ 'a.json': fixture(), 'b.json': named('other'), 'c.json': fixture({ top: '"id": "sample"' }) }),
    );
    expect(error.code).toBe('SUITE_INVALID');
    expect(error.problems).toEqual([
      {
        file: shown('c.json'),
        line: 3,
        column: 3,
        key: 'id',
        message: `the identity "sample" is already used by ${shown('a.json')}`,
        fix: 'give one of the two an id of its own',
      },
    ]);
  });

  it('that are shared are told together with what else is wrong with either file', async () => {
    const error = await refusal(
      load({ 'a.json': fixture({ top: '"taggs": []' }), 'b.json': fixture({ top: '"ownr": "x"' }) }),
    );
    expect(error.problems.map(({ file, key }) => [file, key])).toEqual([
      [shown('a.json'), 'taggs'],
      [shown('b.json'), 'model_name'],
      [shown('b.json'), 'ownr'],
    ]);
  });

  it('a shared model_name is a shared identity, unless an id tells the two apart', async () => {
    const error = await refusal(load({ 'a.json': fixture(), 'b.json': fixture() }));
    expect(error.problems[0]).toMatchObject({
      file: shown('b.json'),
      line: 2,
      column: 3,
      key: 'model_name',
      message: expect.stringContaining(shown('a.json')),
    });
    const suite = await load({ 'a.json': fixture(), 'b.json': named('b'), 'c.json': named('Sample') });
    expect([...suite.cases].map((tested) => tested.id)).toEqual(['sample', 'b', 'Sample']);
  });
});

describe('the problems of all files are reported together', () => {
  it('sorted by file and place, the duplicates among them', async () => {
    const error = await refusal(
      load({
        'd.json': fixture(),
        'c.json': '{',
        'b.json': fixture({ top: '"clustr": "a",\n  "repeat": null' }),
        'a.json': fixture(),
        'e.json': Buffer.from([0xff]),
      }),
    );
    expect(error.code).toBe('SUITE_INVALID');
    expect(error.message).toBe('regression cannot be loaded: 6 problems');
    expect(error.problems.map((problem) => [problem.file, problem.line, problem.key])).toEqual([
      [shown('b.json'), 2, 'model_name'],
      [shown('b.json'), 3, 'clustr'],
      [shown('b.json'), 4, 'repeat'],
      [shown('c.json'), 1, ''],
      [shown('d.json'), 2, 'model_name'],
      [shown('e.json'), null, ''],
    ]);
  });

  it('in one readable block, one line a problem, safe to print', async () => {
    const error = await refusal(load({ 'a.json': fixture({ top: String.raw`"\u001b[31mred": 1` }) }));
    expect(error.describe().split('\n')).toEqual([
      'regression cannot be loaded: 1 problem',
      expect.stringMatching(
        /^ {2}regression.a\.json:3:3 .*: unknown key; remove it; the keys here are .*\bmodel_name\b/,
      ),
    ]);
    expect(error.describe()).not.toContain('\u001b');
  });
});
