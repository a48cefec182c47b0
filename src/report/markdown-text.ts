import { terminalLine } from '../core/index.js';
import { headAndTail } from './clip-text.js';

const WORD = /[A-Za-z0-9]/;

/**
 * Untrusted text as one line of code in Markdown. Every ASCII sign that Markdown, HTML or a code host could read as
 * markup, a link, a mention or a table border is written as a character reference, and the whole stands in `<code>`,
 * where hosts do not look for mentions. A sign between two letters or digits that starts nothing (`-`, `_`, `.`)
 * stays, so that names can still be searched for.
 */
export function markdownCode(text: string, limit = 120): string {
  const line = terminalLine(headAndTail(text, limit));
  const escaped = line.replace(/[!-/:-@[-`{-~]/g, (sign, at: number) => {
    const inside = WORD.test(line.charAt(at - 1)) && WORD.test(line.charAt(at + 1));
    if (inside && (sign === '-' || sign === '_' || sign === '.')) return sign;
    return `&#${sign.charCodeAt(0)};`;
  });
  return `<code>${escaped}</code>`;
}
