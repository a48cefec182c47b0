import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../src/match/index.js';
import { answered, graded, gradeText, spec } from './support.js';

const javascript = (pattern: string, text: string, flags = '', negated = false) =>
  gradeText('regex', { pattern, flags, dialect: 'javascript' }, text, { negated });
const linear = (pattern: string, text: string, flags = '') =>
  graded(spec('regex', { pattern, flags, dialect: 're2', trim: false }), answered(text), {
    emptyText: 'grade',
  });

describe('regex in the JavaScript dialect', () => {
  it('searches anywhere and says what matched where', () => {
    expect(javascript('Order \\d+', 'an Order 12 here')).toMatchObject({
      outcome: 'pass',
      evidence: 'matches "Order \\\\d+" at character 4: "Order 12"',
    });
    expect(javascript('Order \\d+', 'none')).toMatchObject({
      outcome: 'fail',
      evidence: 'no match for "Order \\\\d+": response was "none"',
    });
    expect(javascript('Order \\d+', 'Order 1', '', true).outcome).toBe('fail');
  });

  it('takes flags and a leading inline group', () => {
    expect(javascript('^b$', 'a\nB', 'im').outcome).toBe('pass');
    expect(javascript('(?im)^b$', 'a\nB').outcome).toBe('pass');
    expect(javascript('(?s)a.b', 'a\nb').outcome).toBe('pass');
    expect(javascript('a.b', 'a\nb').outcome).toBe('fail');
    expect(javascript('^\\p{Lu}', 'Éa', 'u').outcome).toBe('pass');
    expect(javascript('foo(?=bar)', 'foobar').outcome).toBe('pass');
  });

  it('gives the same answer every time with g and y', () => {
    for (let times = 0; times < 3; times += 1) {
      expect(javascript('a', 'xa', 'g').outcome).toBe('pass');
      expect(javascript('a', 'a', 'y').outcome).toBe('pass');
      expect(javascript('a', 'xa', 'y').outcome).toBe('fail');
    }
  });

  it('makes an error of a pattern that does not compile, in either polarity', () => {
    expect(javascript('(', 'x')).toMatchObject({ outcome: 'error', score: 0 });
    expect(javascript('(', 'x', '', true).outcome).toBe('error');
    expect(javascript('(', 'x').evidence).toContain('invalid pattern "("');
  });

  it('normalises pattern and text', () => {
    const parameters = { pattern: 'cafe\u0301$', flags: '', dialect: 'javascript' } as const;
    expect(gradeText('regex', parameters, 'caf\u00e9').outcome).toBe('fail');
    expect(gradeText('regex', { ...parameters, normalize: 'NFC' }, 'caf\u00e9').outcome).toBe('pass');
    expect(gradeText('regex', { ...parameters, normalize: 'NFKD' }, 'caf\u00e9').outcome).toBe('pass');
  });

  const long = 'word '.repeat(10_000);
  it.each([
    ['(a+)+$', `${'a'.repeat(5000)}!`],
    ['(a|a)*b', 'a'.repeat(5000)],
    ['(.*)*x', long],
    ['^(\\w+\\s?)*$', `${long}!`],
    ['a*a*a*a*a*b', 'a'.repeat(5000)],
    ['(?=(a+)+$)b', `${'a'.repeat(5000)}!`],
    ['^(?:a|aa)+$', `${'a'.repeat(60)}!`],
    ['^(a?){30}\\1$', `${'a'.repeat(60)}!`],
    ['(x+x+)+y', 'x'.repeat(40)],
  ])('stops %s in time', (pattern, text) => {
    const context = { emptyText: 'fail', limits: { regexMs: 60 } } as const;
    for (const negated of [false, true]) {
      const check = spec('regex', { pattern, flags: '', dialect: 'javascript' }, { negated });
      expect(graded(check, answered(text), context)).toMatchObject({ outcome: 'error', score: 0 });
    }
  });

  it('says that the default bound of 1 s was exceeded', () => {
    expect(javascript('(a+)+$', `${'a'.repeat(60)}!`).evidence).toBe(
      'the pattern "(a+)+$" exceeded 1 s on 61 characters',
    );
  });

  it('agrees with a plain search, whatever path it takes', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '.',
      'a*',
      'b+?',
      '(ab)?',
      '(?:a|b)',
      '[ab]{1,2}',
      '\\w',
      '$',
      '^',
      'a{2}',
    );
    const pattern = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(pattern, text, (source, value) => {
        let wanted: string;
        try {
          wanted = new RegExp(source).test(value) ? 'pass' : 'fail';
        } catch {
          wanted = 'error';
        }
        expect(javascript(source, value).outcome).toBe(wanted);
      }),
    );
  });
});

describe('regex in the linear-time dialect', () => {
  it('searches unanchored, with . short of the line feed and $ at the very end', () => {
    expect(linear('b+', 'abbc').evidence).toBe('matches "b+" at character 2: "bb"');
    expect(linear('a.c', 'a\nc').outcome).toBe('fail');
    expect(linear('(?s)a.c', 'a\nc').outcome).toBe('pass');
    expect(linear('a$', 'a\n').outcome).toBe('fail');
    expect(linear('(?m)a$', 'a\n').outcome).toBe('pass');
    expect(linear('B', 'b', 'i').outcome).toBe('pass');
    expect(linear('(?P<n>a)', 'a').outcome).toBe('pass');
  });

  it('reads classes as Unicode', () => {
    expect(linear('^\\w+$', 'größe_١').outcome).toBe('pass');
    expect(linear('^\\d$', '٣').outcome).toBe('pass');
    expect(linear('^\\s$', '\u00a0').outcome).toBe('pass');
    expect(linear('^\\W$', 'é').outcome).toBe('fail');
    expect(linear('^[\\w-]+$', 'naïve-té').outcome).toBe('pass');
    expect(linear('^[^\\W]$', 'é').outcome).toBe('pass');
    expect(linear('^[\\W]$', 'é').outcome).toBe('fail');
    expect(linear('^[\\D\\S]$', '7').outcome).toBe('pass');
    expect(linear('^[\\S]$', '\u2003').outcome).toBe('fail');
    expect(linear('^\\p{Greek}\\p{script=Greek}$', 'αβ').outcome).toBe('pass');
    expect(linear('^\\u{61}\\u0062\\U00000063\\x{64}$', 'abcd').outcome).toBe('pass');
    expect(linear('^[]a]+$', ']a').outcome).toBe('pass');
    expect(linear('^[[:alpha:]]+$', 'ab').outcome).toBe('pass');
  });

  it('gives \\w, \\d, \\s and their complements the members that Unicode gives them', () => {
    const classes = [
      ['\\d', /^\p{Nd}$/u],
      ['\\w', /^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]$/u],
      ['\\s', /^\p{White_Space}$/u],
    ] as const;
    const character = fc.string({ unit: 'grapheme-composite', minLength: 1, maxLength: 1 });
    fc.assert(
      fc.property(fc.constantFrom(...classes), character, ([name, members], value) => {
        const [first = ''] = Array.from(value);
        const text = `.${first}.`;
        const wanted = members.test(first);
        const upper = name.toUpperCase();
        for (const positive of [name, `[${name}]`, `[^${upper}]`]) {
          expect(linear(`^\\.${positive}\\.$`, text).outcome).toBe(wanted ? 'pass' : 'fail');
        }
        for (const negative of [upper, `[${upper}]`, `[^${name}]`]) {
          expect(linear(`^(?s:\\.${negative}\\.)$`, text).outcome).toBe(wanted ? 'fail' : 'pass');
        }
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['(a+)+$', `${'a'.repeat(50_000)}!`, 'fail'],
    ['(a|a)*b', 'a'.repeat(50_000), 'fail'],
    ['(.*)*x', 'a'.repeat(50_000), 'fail'],
    ['^(\\w+\\s?)*$', 'word '.repeat(10_000), 'pass'],
  ])('answers %s on a long text', (pattern, text, outcome) => {
    expect(linear(pattern, text).outcome).toBe(outcome);
  });

  it('makes an error of a big pattern on a big text rather than hanging', () => {
    const check = spec('regex', { pattern: '[ab]*a[ab]{900}c', flags: '', dialect: 're2' });
    const context = { emptyText: 'fail', limits: { regexMs: 5 } } as const;
    const check2 = graded(check, answered(`${'ab'.repeat(500_000)}c`), context);
    expect(check2.outcome).toBe('error');
  });
});

describe('compilePattern', () => {
  it.each([
    ['a', 'gimsuy', 'javascript'],
    ['(?im)a', '', 'javascript'],
    ['foo(?=bar)(a)\\1', '', 'javascript'],
    ['\\bx{2,3}[^\\d]', 'imsU', 're2'],
    ['\\{"ok"\\}', '', 're2'],
  ] as const)('accepts %s with flags "%s" in %s', (pattern, flags, dialect) => {
    expect(compilePattern(pattern, flags, dialect)).toEqual({ ok: true });
  });

  it.each([
    ['a', 'q', 'javascript', /unknown flag "q"/],
    ['a', 'ii', 'javascript', /twice/],
    ['a', 'uv', 'javascript', /flags/i],
    ['(?x)a', '', 'javascript', /inline flag "x"/],
    ['(', '', 'javascript', /Unterminated group/],
    ['(?=a)', '', 're2', /look-around/],
    ['(?<!a)b', '', 're2', /look-around/],
    ['(a)\\1', '', 're2', /back-reference/],
    ['\\k<n>', '', 're2', /back-reference/],
    ['{"ok":', '', 're2', /write \\\{/],
    ['[a[b]]', '', 're2', /class inside a class/],
    ['[a&&b]', '', 're2', /class operator &&/],
    ['\\Qa\\E', '', 're2', /\\Q is not supported/],
    ['[a', '', 're2', /not closed/],
    ['(?x)a', '', 're2', /./],
    ['a', 'g', 're2', /flag "g"/],
    ['a{1001}', '', 're2', /repeat count/],
  ] as const)('refuses %s with flags "%s" in %s', (pattern, flags, dialect, message) => {
    expect(compilePattern(pattern, flags, dialect)).toEqual({
      ok: false,
      message: expect.stringMatching(message),
    });
  });
});
