import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../src/core/index.js';
import { parseYamlDocument, type WrittenDocument } from '../../src/suite/index.js';

function documentOf(text: string): WrittenDocument {
  const parsed = parseYamlDocument('a.yaml', text);
  if (!parsed.ok) throw new Error(parsed.problems.map((problem) => problem.message).join('; '));
  return parsed.document;
}

function problemsOf(text: string): Problem[] {
  const parsed = parseYamlDocument('a.yaml', text);
  if (parsed.ok) throw new Error('the text was parsed');
  return parsed.problems;
}

describe('a YAML document', () => {
  it('is read by the core schema of YAML 1.2', () => {
    const text =
      'a: 1.10\nb: 2026-01-02\nc: on\nd: 0x1f\ne: ~\nf: true\ng: 1e3\nh: yes\ni: "1"\nj: .inf\nk:\n';
    expect(documentOf(text).value).toEqual({
      a: 1.1,
      b: '2026-01-02',
      c: 'on',
      d: 31,
      e: null,
      f: true,
      g: 1000,
      h: 'yes',
      i: '1',
      j: '.inf',
      k: null,
    });
  });

  it('is read by the same schema when it declares itself YAML 1.1', () => {
    expect(documentOf('%YAML 1.1\n---\non: yes\n').value).toEqual({ on: 'yes' });
  });

  it('knows the text of every scalar as it was written', () => {
    const document = documentOf(
      'a: 1.10\nb: [0x1f, 12345678901234567890, "x\\ty", ~]\nc:\nd: |\n  text\ne: {}\n',
    );
    expect(document.sourceAt(['a'])).toBe('1.10');
    expect(document.sourceAt(['b', 0])).toBe('0x1f');
    expect(document.sourceAt(['b', 1])).toBe('12345678901234567890');
    expect(document.sourceAt(['b', 2])).toBe('x\ty');
    expect(document.sourceAt(['b', 3])).toBe('~');
    expect(document.sourceAt(['c'])).toBe('');
    expect(document.sourceAt(['d'])).toBe('text\n');
    expect(document.sourceAt(['e'])).toBeNull();
    expect(document.sourceAt(['nowhere'])).toBeNull();
  });

  it('knows the place of every key and value, and of the nearest one where there is none', () => {
    const document = documentOf('a:\n  - b: 1\n    c: [2,  3]\n');
    expect(document.locate(['a', 0, 'c', 1])).toEqual({ line: 3, column: 13 });
    expect(document.locate(['a', 0, 'c'], 'key')).toEqual({ line: 3, column: 5 });
    expect(document.locate(['a', 0, 'missing'])).toEqual({ line: 2, column: 5 });
    expect(document.locate(['a', 7])).toEqual({ line: 2, column: 3 });
    expect(document.locate([])).toEqual({ line: 1, column: 1 });
  });

  it('follows aliases, in values and in places', () => {
    const document = documentOf('a: &x { b: 1.0 }\nc: *x\n');
    expect(document.value).toEqual({ a: { b: 1 }, c: { b: 1 } });
    expect(document.locate(['c'])).toEqual({ line: 2, column: 4 });
    expect(document.locate(['c', 'b'])).toEqual({ line: 1, column: 12 });
    expect(document.sourceAt(['c', 'b'])).toBe('1.0');
  });

  it('may begin with a byte-order mark and end its lines in CR LF', () => {
    const document = documentOf('\ufeffa: 1\r\nb: 2\r\n');
    expect(document.value).toEqual({ a: 1, b: 2 });
    expect(document.locate(['a'])).toEqual({ line: 1, column: 4 });
    expect(document.locate(['b'])).toEqual({ line: 2, column: 4 });
  });

  it('holds nothing when it is empty or only a comment', () => {
    expect(documentOf('').value).toBeNull();
    expect(documentOf('# nothing\n').value).toBeNull();
  });

  it.each([
    ['an unclosed quote', 'a: "x\nb: 1\n', { line: 3, column: 1, message: 'Missing closing' }],
    ['a tab as indentation', 'a:\n\tb: 1\n', { line: 2, column: 1, message: 'Tabs' }],
    ['an unclosed bracket', 'a: [1, 2\n', { line: 2, column: 1, message: 'end with a ]' }],
    ['a colon in plain text', 'a: b: c\n', { line: 1, column: 4, message: 'Nested mappings' }],
    [
      'a second document',
      'a: 1\n---\nb: 2\n',
      { line: 2, column: 1, message: 'a second document begins here' },
    ],
    [
      'an alias without an anchor',
      'a: *x\n',
      { line: 1, column: 4, key: 'a', message: 'no anchor before it' },
    ],
    [
      'an alias before its anchor',
      'a: *x\nb: &x 1\n',
      { line: 1, column: 4, message: 'no anchor before it' },
    ],
    [
      'an alias inside its own value',
      'a: &x [*x]\n',
      { line: 1, column: 8, key: 'a[0]', message: 'inside its own value' },
    ],
    ['a tag of its own', 'a: !thing 1\n', { line: 1, column: 4, message: 'Unresolved tag' }],
    ['a merge key', 'a: &x { b: 1 }\nc: { <<: *x }\n', { line: 2, column: 6, message: 'merge keys' }],
    ['a key that is no text', '? [a]\n: 1\n', { line: 1, column: 3, message: 'a key must be text' }],
    ['a key that would change its object', '__proto__: 1\n', { line: 1, column: 1, message: 'not allowed' }],
    [
      'a repeated key',
      'a: 1\nb: 2\na: 3\n',
      { line: 3, column: 1, key: 'a', message: 'written twice (first on line 1)' },
    ],
    [
      'a repeated key further in',
      'x:\n  - { "b": 1, b: 2 }\n',
      { line: 2, column: 15, key: 'x[0].b', message: 'first on line 2' },
    ],
  ])('is refused for %s', (_why, text, { message, ...place }) => {
    expect(problemsOf(text)).toEqual([
      expect.objectContaining({ file: 'a.yaml', ...place, message: expect.stringContaining(message) }),
    ]);
  });

  it('is refused with all its faults at once, in order', () => {
    expect(problemsOf('a: 1\na: 2\nb: *x\nc: !t 1\n').map((problem) => problem.line)).toEqual([2, 3, 4]);
    expect(problemsOf('a: }\nb: 1\nc: "\\q"\n').length).toBeGreaterThan(1);
  });

  it('is refused when aliases multiply, and never expands them', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
    const lines = names.map((name, index) => {
      const inner = index === 0 ? '1' : `*${names[index - 1] ?? ''}`;
      return `${name}: &${name} [${Array.from({ length: 10 }, () => inner).join(', ')}]`;
    });
    expect(problemsOf(lines.join('\n'))[0]?.message).toContain('more than 100000 values');
  });

  it('is refused when it is nested too deep, in flow and in block form', () => {
    expect(problemsOf('['.repeat(20_000))[0]?.message).toContain('levels deep');
    expect(problemsOf(`${'- '.repeat(20_000)}a`)[0]?.message).toContain('levels deep');
    expect(documentOf(`a: ${'['.repeat(50)}${']'.repeat(50)}`).value).toBeDefined();
  });

  it('keeps the written form of any unquoted number', () => {
    const digits = fc.stringMatching(/^-?(?:0|[1-9]\d{0,24})(?:\.\d{1,6})?(?:[eE][-+]?\d{1,3})?$/);
    fc.assert(
      fc.property(digits, (written) => {
        expect(documentOf(`a: ${written}\n`).sourceAt(['a'])).toBe(written);
      }),
    );
  });

  it('reads any JSON as JSON does', () => {
    const safe = fc
      .jsonValue({ noUnicodeString: true, maxDepth: 4 })
      .filter((value) => !JSON.stringify(value).includes('__proto__'));
    fc.assert(
      fc.property(safe, (value) => {
        const text = JSON.stringify(value);
        expect(documentOf(text).value).toEqual(JSON.parse(text));
      }),
    );
  });
});
