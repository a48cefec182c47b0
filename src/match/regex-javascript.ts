import { errorMessage, quote } from '../core/index.js';
import { withinTime } from './bounded.js';
import { BoundedCache, type Compiled, type PatternMatch } from './pattern-match.js';
import { regexCost, type RegexCost } from './regex-cost.js';

const FLAGS = 'dgimsuvy';
const INLINE = /^\(\?([a-zA-Z]+)\)/;

// A search with fewer steps than this is over in well under a second even in V8's slower interpreter.
const DIRECT_STEPS = 2e7;

/** A pattern ready to be searched for. */
interface JavaScriptPattern {
  ok: true;
  expression: RegExp;
  cost: RegexCost | null;
}

type Prepared = JavaScriptPattern | { ok: false; message: string };

const cache = new BoundedCache<Prepared>(1000);

function problemOfFlags(flags: string): string | null {
  for (const [index, flag] of Array.from(flags).entries()) {
    if (!FLAGS.includes(flag)) return `unknown flag ${quote(flag)}; the flags are d, g, i, m, s, u, v and y`;
    if (flags.indexOf(flag) !== index) return `the flag ${quote(flag)} is given twice`;
  }
  return null;
}

function prepare(pattern: string, flags: string): Prepared {
  const problem = problemOfFlags(flags);
  if (problem !== null) return { ok: false, message: problem };
  const inline = INLINE.exec(pattern);
  const letters = Array.from(inline?.[1] ?? '');
  const wrong = letters.find((letter) => !FLAGS.includes(letter));
  if (wrong !== undefined) return { ok: false, message: `unknown inline flag ${quote(wrong)}` };
  const source = pattern.slice(inline?.[0].length ?? 0);
  // g and d do not change whether there is a match; g would make the next search start where this one ended.
  const wanted = [...new Set([...Array.from(flags), ...letters])]
    .filter((flag) => flag !== 'g' && flag !== 'd')
    .join('');
  try {
    return { ok: true, expression: new RegExp(source, wanted), cost: regexCost(source, wanted) };
  } catch (error) {
    return { ok: false, message: errorMessage(error) };
  }
}

function prepared(pattern: string, flags: string): Prepared {
  return cache.get(`${flags}/${pattern}`, () => prepare(pattern, flags));
}

/** Whether a JavaScript pattern with these flags compiles. */
export function compileJavaScript(pattern: string, flags: string): Compiled {
  const compiled = prepared(pattern, flags);
  return compiled.ok ? { ok: true } : compiled;
}

/**
 * Searches a text for a JavaScript pattern, unanchored (flag y anchors it at the start), for at most `limitMs`
 * milliseconds. Throws an Error when the pattern does not compile.
 */
export function searchJavaScript(
  pattern: string,
  flags: string,
  text: string,
  limitMs: number,
): PatternMatch {
  const compiled = prepared(pattern, flags);
  if (!compiled.ok) throw new Error(compiled.message);
  const { expression, cost } = compiled;
  const search = (): PatternMatch => {
    expression.lastIndex = 0;
    const found = expression.exec(text);
    return found === null ? { status: 'none' } : { status: 'match', index: found.index, text: found[0] };
  };
  const steps = cost === null ? Infinity : cost.factor * (text.length + 1) ** cost.power;
  if (steps <= DIRECT_STEPS) return search();
  const bounded = withinTime(limitMs, search);
  return bounded.finished ? bounded.value : { status: 'timeout' };
}
