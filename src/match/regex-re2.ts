import { createRequire } from 'node:module';
import type * as re2js from 're2js';
import { errorMessage, quote } from '../core/index.js';
import { withinTime } from './bounded.js';
import { BoundedCache, type Compiled, type PatternMatch } from './pattern-match.js';
import { translateRust } from './rust-pattern.js';

const load = createRequire(import.meta.url);

const FLAGS = 'imsU';

// Linear time still is program size times text; beyond these products a search is bounded, and the place of a match,
// which costs much more than whether there is one, is not looked for.
const DIRECT_STEPS = 1e6;
const PLACE_STEPS = 1e6;

type Prepared = { ok: true; expression: re2js.RE2JS; size: number } | { ok: false; message: string };

const cache = new BoundedCache<Prepared>(1000);

function prepare(pattern: string, flags: string): Prepared {
  const wrong = Array.from(flags).find(
    (flag, index) => !FLAGS.includes(flag) || flags.indexOf(flag) !== index,
  );
  if (wrong !== undefined) {
    return {
      ok: false,
      message: `the flag ${quote(wrong)} is unknown or given twice; the flags are i, m, s and U`,
    };
  }
  const { RE2JS }: typeof re2js = load('re2js');
  try {
    const translated = translateRust(pattern);
    const expression = RE2JS.compile(flags === '' ? translated : `(?${flags})${translated}`);
    return { ok: true, expression, size: expression.programSize() };
  } catch (error) {
    return { ok: false, message: errorMessage(error).replace(/^error parsing regexp: /, '') };
  }
}

function prepared(pattern: string, flags: string): Prepared {
  return cache.get(`${flags}/${pattern}`, () => prepare(pattern, flags));
}

/** Whether a pattern of the linear-time dialect compiles. */
export function compileRe2(pattern: string, flags: string): Compiled {
  const compiled = prepared(pattern, flags);
  return compiled.ok ? { ok: true } : compiled;
}

/**
 * Searches a text in linear time, unanchored: `.` excludes the line feed, `$` is the very end, classes are
 * Unicode-aware, no look-around and no back-references. Throws an Error when the pattern does not compile.
 */
export function searchRe2(pattern: string, flags: string, text: string, limitMs: number): PatternMatch {
  const compiled = prepared(pattern, flags);
  if (!compiled.ok) throw new Error(compiled.message);
  const { expression, size } = compiled;
  const steps = size * (text.length + 1);
  const search = (): PatternMatch => {
    if (!expression.test(text)) return { status: 'none' };
    if (steps > PLACE_STEPS) return { status: 'match', index: null, text: null };
    const matcher = expression.matcher(text);
    if (!matcher.find()) return { status: 'match', index: null, text: null };
    const start = matcher.start();
    return { status: 'match', index: start, text: text.slice(start, matcher.end()) };
  };
  if (steps <= DIRECT_STEPS) return search();
  const bounded = withinTime(limitMs, search);
  return bounded.finished ? bounded.value : { status: 'timeout' };
}
