import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/core/index.js';
import { compileSchema } from '../../src/match/index.js';
import { answered, graded, gradeText, spec } from './support.js';

describe('equals on JSON values', () => {
  it('ignores key order and spacing', () => {
    const value = { a: [1, { b: null }], c: 'x' };
    expect(gradeText('equals', { value }, '{ "c":"x",\n "a":[1,{"b":null}] }').outcome).toBe('pass');
  });

  it('names the first path that differs, not both values', () => {
    const value = { order: { lines: [{ id: 1 }, { id: 2 }] } };
    const wrong = '{"order":{"lines":[{"id":1},{"id":3}]}}';
    expect(gradeText('equals', { value }, wrong).evidence).toBe(
      'the JSON differs at /order/lines/1/id: expected 2, found 3',
    );
    expect(gradeText('equals', { value: { a: 1 } }, '{"a":1,"b":2}').evidence).toBe(
      'the JSON differs at /b: expected nothing, found 2',
    );
    expect(gradeText('equals', { value: { 'a/b': { '~': 1 } } }, '{"a/b":{}}').evidence).toBe(
      'the JSON differs at /a~1b/~0: expected 1, found nothing',
    );
    expect(gradeText('equals', { value: [1] }, '[1,2]').evidence).toBe(
      'the JSON differs at /1: expected nothing, found 2',
    );
    expect(gradeText('equals', { value: { a: 1 } }, '[]').evidence).toBe(
      'the JSON differs at the top: expected {"a":1}, found []',
    );
  });

  it('compares numbers, booleans and null by their written form', () => {
    expect(gradeText('equals', { value: 7 }, ' 7\n').outcome).toBe('pass');
    expect(gradeText('equals', { value: 7 }, '7.0').outcome).toBe('fail');
    expect(gradeText('equals', { value: true }, 'true').outcome).toBe('pass');
    expect(gradeText('equals', { value: null }, 'nil').outcome).toBe('fail');
  });

  it('fails on text that is not JSON, and not-equals passes there', () => {
    expect(gradeText('equals', { value: { a: 1 } }, '{a: 1}').outcome).toBe('fail');
    expect(gradeText('equals', { value: { a: 1 } }, '{a: 1}', { negated: true }).outcome).toBe('pass');
  });

  it('does not take inherited members for written ones', () => {
    expect(gradeText('equals', { value: { constructor: 1 } }, '{}').outcome).toBe('fail');
    expect(gradeText('contains-json', { subset: { toString: {} } }, '{}').outcome).toBe('fail');
  });
});

describe('is-json', () => {
  it.each(['42', '"x"', 'null', '[]', ' \t\r\n{"a": 1}\n'])('passes on %j', (text) => {
    expect(gradeText('is-json', {}, text).outcome).toBe('pass');
  });

  it.each(['```json\n{}\n```', '{"a": NaN}', '\ufeff{}', '\u00a0{}', '{} done', "{'a': 1}", '{"a":1,}'])(
    'fails on %j',
    (text) => {
      expect(gradeText('is-json', {}, text).outcome).toBe('fail');
    },
  );

  it('says what it is under not-', () => {
    expect(gradeText('is-json', {}, '{"a":1}', { negated: true })).toMatchObject({
      outcome: 'fail',
      evidence: 'the response is JSON, an object with 1 key',
    });
  });

  it('names the place where the schema is broken', () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'array', items: { type: 'number' } } },
      additionalProperties: false,
    };
    expect(gradeText('is-json', { schema }, '{"n":[1,2]}').outcome).toBe('pass');
    expect(gradeText('is-json', { schema }, '{"n":[1,"2"]}').evidence).toContain(
      'breaks the schema at /n/1: must be number',
    );
    expect(gradeText('is-json', { schema }, '{"zz":1}').evidence).toContain('(zz)');
    expect(gradeText('is-json', { schema: false }, '1').outcome).toBe('fail');
    expect(gradeText('is-json', { schema: true }, '1').outcome).toBe('pass');
  });

  it('reads draft 2020-12 when the schema says so, and draft 7 otherwise', () => {
    const prefix = { prefixItems: [{ type: 'number' }], items: false };
    const newest = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...prefix };
    expect(gradeText('is-json', { schema: newest }, '[1]').outcome).toBe('pass');
    expect(gradeText('is-json', { schema: newest }, '[1,2]').outcome).toBe('fail');
    const older = { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'number' }] };
    expect(gradeText('is-json', { schema: older }, '["x"]').outcome).toBe('fail');
  });

  it('keeps two schemas with the same $id apart', () => {
    const schemaOf = (key: string): JsonValue => ({ $id: 'https://x.test/s', required: [key] });
    expect(gradeText('is-json', { schema: schemaOf('a') }, '{"a":1}').outcome).toBe('pass');
    expect(gradeText('is-json', { schema: schemaOf('b') }, '{"a":1}').outcome).toBe('fail');
    expect(gradeText('is-json', { schema: schemaOf('a') }, '{"a":1}').outcome).toBe('pass');
  });

  it('checks formats', () => {
    const schema = { type: 'string', format: 'date' };
    expect(gradeText('is-json', { schema }, '"2024-02-29"').outcome).toBe('pass');
    expect(gradeText('is-json', { schema }, '"2023-02-29"').outcome).toBe('fail');
  });

  it('tells several patterns of one schema apart', () => {
    const schema = { properties: { a: { pattern: '^a+$' }, b: { pattern: '^b+$' } } };
    expect(gradeText('is-json', { schema }, '{"a":"aa","b":"bb"}').outcome).toBe('pass');
    expect(gradeText('is-json', { schema }, '{"a":"aa","b":"aa"}').outcome).toBe('fail');
  });

  it('makes an error of a schema pattern that runs away, in either polarity', () => {
    const schema = { type: 'string', pattern: '^(a+)+$' };
    for (const negated of [false, true]) {
      const check = gradeText('is-json', { schema }, JSON.stringify(`${'a'.repeat(40)}!`), { negated });
      expect(check).toMatchObject({ outcome: 'error', score: 0 });
      expect(check.evidence).toContain('exceeded 1 s');
    }
  });

  it('makes an error of a validation that runs away', () => {
    const items = Array.from({ length: 60_000 }, (_, index) => ({ index }));
    const check = gradeText('is-json', { schema: { uniqueItems: true } }, JSON.stringify(items));
    expect(check).toMatchObject({ outcome: 'error' });
  });
});

describe('compileSchema', () => {
  it('accepts what compiles', () => {
    expect(compileSchema({ type: 'object', example: 1 })).toEqual({ ok: true });
    expect(compileSchema(true)).toEqual({ ok: true });
  });

  it.each([
    [{ type: 'objekt' }],
    [{ $ref: '#/definitions/none' }],
    [{ $ref: 'https://elsewhere.test/schema' }],
    [{ pattern: '(' }],
    [{ $schema: 'https://unknown.test/draft' }],
    [{ $async: true }],
    ['object'],
    [[]],
    [null],
  ])('refuses %j and says why', (schema: JsonValue) => {
    const compiled = compileSchema(schema);
    expect(compiled.ok).toBe(false);
    expect('message' in compiled && compiled.message).toBeTruthy();
  });
});

describe('json-pointer', () => {
  const at = (pointer: string, value: JsonValue, text: string, negated = false) =>
    graded(spec('json-pointer', { pointer, value }, { negated }), answered(text));

  it('passes on exactly the expected value', () => {
    expect(at('/a/0', 1, ' {"a":[1]} ')).toMatchObject({ outcome: 'pass', evidence: '"/a/0" is 1' });
    expect(at('', { a: 1 }, '{"a":1}').outcome).toBe('pass');
    expect(at('/a', { b: 1 }, '{"a":{"b":1,"c":2}}')).toMatchObject({ outcome: 'fail' });
    expect(at('/a', 1, '{"a":1.0}').outcome).toBe('pass');
    expect(at('/a', '1', '{"a":1}').outcome).toBe('fail');
  });

  it('knows the escapes of RFC 6901', () => {
    const text = '{"a/b":1,"m~n":2,"":3,"~1":4}';
    expect(at('/a~1b', 1, text).outcome).toBe('pass');
    expect(at('/m~0n', 2, text).outcome).toBe('pass');
    expect(at('/', 3, text).outcome).toBe('pass');
    expect(at('/~01', 4, text).outcome).toBe('pass');
  });

  it('needs the pointer to exist, also for null', () => {
    expect(at('/a', null, '{"a":null}').outcome).toBe('pass');
    expect(at('/b', null, '{"a":null}')).toMatchObject({
      outcome: 'fail',
      evidence: 'pointer "/b" is absent',
    });
    expect(at('/01', 1, '[0,1]').outcome).toBe('fail');
    expect(at('/-', 1, '[0,1]').outcome).toBe('fail');
    expect(at('/length', 2, '[0,1]').outcome).toBe('fail');
    expect(at('/constructor', null, '{}').outcome).toBe('fail');
  });

  it('reads the first json block when the whole text is no JSON', () => {
    expect(at('/a', 1, 'Here:\n```json\n{"a":1}\n```\n```json\n{"a":2}\n```').outcome).toBe('pass');
    expect(at('/a', 1, 'Here:\n```\n{"a":1}\n```').evidence).toContain('response is not JSON');
    expect(at('/a', 1, '```json\n{"a":1}').outcome).toBe('fail');
  });

  it('says that a text is not JSON, or what is there instead', () => {
    expect(at('/a', 1, 'no').evidence).toBe('response is not JSON: response was "no"');
    expect(at('/a', 1, '{"a":2}').evidence).toContain('"/a" is 2');
  });

  it('fails in both polarities on what is no pointer', () => {
    for (const negated of [false, true]) {
      expect(at('a', 1, '{"a":1}', negated)).toMatchObject({ outcome: 'fail', score: 0 });
    }
  });
});
