import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseKeyPath, removeJson, setJson } from '../../src/curate/index.js';

const FIXTURE = `{
  "model_name": "sample",
  "tags": ["should",  "tool"],
  "turns": [
    { "user_input": "hi",   "steps": [] }
  ],
  "expects": {
    "response_contains": ["ok"]
  }
}
`;

describe('Editing JSON', () => {
  it('changes one value and leaves every other byte as it was', () => {
    expect(setJson(FIXTURE, ['model_name'], 'other')).toBe(FIXTURE.replace('"sample"', '"other"'));
    expect(setJson(FIXTURE, ['tags', 1], 'call')).toBe(FIXTURE.replace('"tool"', '"call"'));
  });

  it('adds a member on a line of its own where members have one', () => {
    expect(setJson(FIXTURE, ['expects', 'exact_tool_calls'], 1)).toBe(
      FIXTURE.replace('["ok"]\n', '["ok"],\n    "exact_tool_calls": 1\n'),
    );
  });

  it('adds a member on the same line where members share one', () => {
    expect(setJson(FIXTURE, ['turns', 0, 'expects'], { response_contains: ['ok'] })).toBe(
      FIXTURE.replace('"steps": []', '"steps": [], "expects": { "response_contains": ["ok"] }'),
    );
  });

  it('adds an entry to a list, also to an empty one', () => {
    expect(setJson(FIXTURE, ['tags', 2], 'x')).toBe(FIXTURE.replace('"tool"]', '"tool", "x"]'));
    expect(setJson(FIXTURE, ['turns', 0, 'steps', 0], 1)).toBe(FIXTURE.replace('[] }', '[1] }'));
    expect(setJson('{ "a": {} }', ['a', 'b'], 1)).toBe('{ "a": { "b": 1 } }');
  });

  it('removes first, middle and last members', () => {
    expect(removeJson(FIXTURE, ['model_name'])).toBe(FIXTURE.replace('"model_name": "sample",\n  ', ''));
    expect(removeJson(FIXTURE, ['tags'])).toBe(FIXTURE.replace(',\n  "tags": ["should",  "tool"]', ''));
    expect(removeJson(FIXTURE, ['tags', 1])).toBe(FIXTURE.replace(',  "tool"', ''));
    expect(removeJson('{ "a": 1 }', ['a'])).toBe('{  }');
  });

  it('refuses what is not there, and what is not JSON', () => {
    expect(() => removeJson(FIXTURE, ['nothing'])).toThrow('nothing cannot be edited');
    expect(() => setJson(FIXTURE, ['nothing', 'below'], 1)).toThrow('nothing.below cannot be edited');
    expect(() => setJson('{', ['a'], 1)).toThrow('cannot be edited');
  });

  it('sets any value anywhere and changes nothing else', () => {
    const place = fc.constantFrom<(string | number)[]>(
      ['model_name'],
      ['fresh key'],
      ['tags'],
      ['tags', 0],
      ['tags', 2],
      ['turns', 0, 'fresh'],
      ['expects', 'response_contains'],
      ['turns', 0, 'steps', 0],
    );
    fc.assert(
      fc.property(place, fc.jsonValue(), (path, wanted) => {
        const value = JSON.parse(JSON.stringify(wanted)) as Parameters<typeof setJson>[2];
        const expected = JSON.parse(FIXTURE) as unknown;
        let holder = expected as { [key: string | number]: unknown };
        for (const part of path.slice(0, -1)) holder = holder[part] as { [key: string | number]: unknown };
        holder[path.at(-1) ?? ''] = value;
        expect(JSON.parse(setJson(FIXTURE, path, value))).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});

describe('Key paths', () => {
  it('are read as they are written', () => {
    expect(parseKeyPath('assert[0].value')).toEqual(['assert', 0, 'value']);
    expect(parseKeyPath('response_json["/a\\"b"]')).toEqual(['response_json', '/a"b']);
    expect(parseKeyPath('pass_threshold')).toEqual(['pass_threshold']);
  });

  it('are refused when they are none', () => {
    for (const written of ['', '.a', 'a..b', 'a[b]', 'a b']) {
      expect(() => parseKeyPath(written), written).toThrow(/key path/);
    }
  });
});
