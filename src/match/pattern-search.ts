import type { CheckSpecOf } from '../core/index.js';
import type { Compiled, PatternMatch } from './pattern-match.js';
import { compileJavaScript, searchJavaScript } from './regex-javascript.js';
import { compileRe2, searchRe2 } from './regex-re2.js';

/** The syntaxes of regular expressions: `javascript` in suites, `re2` (linear time) in trace fixtures. */
export type PatternDialect = CheckSpecOf<'regex'>['dialect'];

/** Whether a pattern with these flags compiles in its dialect, for the loader. */
export function compilePattern(pattern: string, flags: string, dialect: PatternDialect): Compiled {
  return dialect === 're2' ? compileRe2(pattern, flags) : compileJavaScript(pattern, flags);
}

/** Searches a text for at most `limitMs` milliseconds. Throws an Error when the pattern does not compile. */
export function searchPattern(
  pattern: string,
  flags: string,
  dialect: PatternDialect,
  text: string,
  limitMs: number,
): PatternMatch {
  const search = dialect === 're2' ? searchRe2 : searchJavaScript;
  return search(pattern, flags, text, limitMs);
}
