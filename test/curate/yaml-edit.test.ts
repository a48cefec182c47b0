import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { removeYaml, setYaml, yamlEntry } from '../../src/curate/index.js';

const SUITE = `# a suite
name:   weather      # spaces kept
type: capability
pass_threshold: 0.70

cases:
    # about the first
    - id: first   # why
      prompt: "Is it raining?"
      tags: [a,   b]
      assert:
        - {type: contains, value: "rain"}

    # about the second
    - id: second
      prompt: |
        Several
          lines
      assert:
        - type: contains
          value: 'it''s'
        # trailing
# the end
`;

describe('Editing YAML', () => {
  it('changes one number and leaves every other byte as it was', () => {
    expect(setYaml(SUITE, ['pass_threshold'], 0.95)).toBe(SUITE.replace('0.70', '0.95'));
  });

  it('changes a quoted text within its quotes', () => {
    expect(setYaml(SUITE, ['cases', 0, 'prompt'], 'Is it "wet"?')).toBe(
      SUITE.replace('"Is it raining?"', '"Is it \\"wet\\"?"'),
    );
  });

  it('replaces a block text', () => {
    expect(setYaml(SUITE, ['cases', 1, 'prompt'], 'short')).toBe(
      SUITE.replace('|\n        Several\n          lines\n', 'short\n'),
    );
  });

  it('changes a value inside a list on one line', () => {
    expect(setYaml(SUITE, ['cases', 0, 'assert', 0, 'value'], 'snow')).toBe(
      SUITE.replace('"rain"', '"snow"'),
    );
  });

  it('adds a key at the end of its block', () => {
    expect(setYaml(SUITE, ['cases', 0, 'threshold'], 0.5)).toBe(
      SUITE.replace('value: "rain"}\n', 'value: "rain"}\n      threshold: 0.5\n'),
    );
  });

  it('adds a key to a block on one line', () => {
    expect(setYaml(SUITE, ['cases', 0, 'assert', 0, 'weight'], 2)).toBe(
      SUITE.replace('value: "rain"}', 'value: "rain", weight: 2 }'),
    );
  });

  it('adds a block under a new key', () => {
    const edited = setYaml(SUITE, ['cases', 0, 'reference'], { output: 'rain' });
    expect(edited).toContain('"rain"}\n      reference:\n        output: rain\n');
    expect(edited).toContain('tags: [a,   b]');
  });

  it('adds an entry where entries stand, with a blank line where they have one', () => {
    const edited = setYaml(SUITE, ['cases', 2], { id: 'third', prompt: 'x' });
    expect(edited).toContain("value: 'it''s'\n");
    expect(edited).toContain('\n\n    - id: third\n      prompt: x\n');
    expect(parse(edited).cases).toHaveLength(3);
  });

  it('keeps the text of an entry that comes from elsewhere, comments and all', () => {
    const raw = '# note\n- id: third   # kept\n  prompt:   spaced\n';
    const edited = setYaml(SUITE, ['cases', 2], { id: 'third', prompt: 'spaced' }, raw);
    expect(edited).toContain('    # note\n    - id: third   # kept\n      prompt:   spaced\n');
  });

  it('writes the value anew when the text from elsewhere does not hold it', () => {
    const edited = setYaml(SUITE, ['cases', 2], { id: 'third' }, '- id: *gone\n');
    expect(parse(edited).cases[2]).toEqual({ id: 'third' });
  });

  it('removes an entry with the comments above it and nothing else', () => {
    const edited = removeYaml(SUITE, ['cases', 0]);
    expect(edited).not.toContain('about the first');
    expect(edited).toContain('cases:\n    # about the second\n    - id: second\n');
    expect(edited.endsWith('# the end\n')).toBe(true);
  });

  it('removes the last entry', () => {
    const edited = removeYaml(SUITE, ['cases', 1]);
    expect(edited).toContain('value: "rain"}\n');
    expect(edited).not.toContain('second');
    expect(parse(edited).cases).toHaveLength(1);
  });

  it('removes a key, also the first of an entry', () => {
    expect(removeYaml(SUITE, ['type'])).toBe(SUITE.replace('type: capability\n', ''));
    const edited = removeYaml(SUITE, ['cases', 0, 'id']);
    expect(edited).toContain('    - prompt: "Is it raining?"\n');
  });

  it('removes a key from a block on one line', () => {
    const edited = removeYaml(SUITE, ['cases', 0, 'assert', 0, 'value']);
    expect(parse(edited).cases[0].assert).toEqual([{ type: 'contains' }]);
    expect(edited).toContain('# about the first');
  });

  it('refuses a path that is not there', () => {
    expect(() => removeYaml(SUITE, ['cases', 5])).toThrow('cases[5] cannot be edited');
    expect(() => setYaml(SUITE, ['cases', 7], { id: 'x' })).toThrow('cases[7] cannot be edited');
    expect(() => setYaml('a: [', ['a'], 1)).toThrow('cannot be edited');
  });

  it('refuses to write through an alias, which would change the other place as well', () => {
    const text = 'base: &base\n  a: 1\nother: *base\n';
    expect(() => setYaml(text, ['other', 'a'], 2)).toThrow('cannot be edited');
  });

  it('gives the text of an entry at the left margin', () => {
    expect(yamlEntry(SUITE, ['cases', 1])).toMatch(
      /^# about the second\n- id: second\n {2}prompt: \|\n {4}Several\n/,
    );
    expect(yamlEntry('cases: [{id: a}]', ['cases', 0])).toBeNull();
  });

  it('sets any value anywhere and changes nothing else', () => {
    const scalar = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom('on', '1.10', '~', 'a: b', '# x', '- y', ''),
    );
    const value = fc.oneof(
      scalar,
      fc.array(scalar, { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('p', 'q r', 'x:'), scalar, { maxKeys: 3 }),
    );
    const place = fc.constantFrom<(string | number)[]>(
      ['name'],
      ['type'],
      ['fresh'],
      ['cases', 0, 'id'],
      ['cases', 0, 'tags'],
      ['cases', 0, 'tags', 1],
      ['cases', 0, 'fresh'],
      ['cases', 1, 'prompt'],
      ['cases', 1, 'assert'],
      ['cases', 1, 'assert', 0, 'value'],
      ['cases', 1, 'assert', 1],
      ['cases', 2],
    );
    fc.assert(
      fc.property(place, value, (path, wanted) => {
        const edited = parse(setYaml(SUITE, path, wanted)) as unknown;
        const expected = parse(SUITE) as unknown;
        let holder = expected as { [key: string | number]: unknown };
        for (const part of path.slice(0, -1)) holder = holder[part] as { [key: string | number]: unknown };
        holder[path.at(-1) ?? ''] = wanted;
        expect(edited).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});
