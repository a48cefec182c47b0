import { terminalLine } from '../core/index.js';
import { headAndTail } from './clip-text.js';

const MARKUP = /[!#$&*+\-./:<=>@[\\\]_`{|}~]/g;
const WORD = /[A-Za-z0-9]/;

/**
 * Untrusted text as one line of code in Markdown. Every sign that Markdown, HTML or a code host could read as markup,
 * a link, a mention or a table border is written as a character reference, and the whole stands in `<code>`, where
 * hosts look for no mentions. `-`, `_` and `.` between two letters or digits start nothing and stay, so that names
 * can still be searched for; only the dot of a bare `www.` would make a link.
 */
export function markdownCode(text: string, limit = Number.POSITIVE_INFINITY): string {
  const line = terminalLine(headAndTail(text, limit));
  const escaped = line.replace(MARKUP, (sign, at: number) => {
    const inside = WORD.test(line.charAt(at - 1)) && WORD.test(line.charAt(at + 1));
    const plain = sign === '-' || sign === '_' || (sign === '.' && !/www$/i.test(line.slice(0, at)));
    return inside && plain ? sign : `&#${sign.charCodeAt(0)};`;
  });
  return `<code>${escaped}</code>`;
}
