const SMALLEST_PIECE = 24;
const MOST_PIECES = 64;

/**
 * Cuts a text into the pieces in which it is streamed: 24 UTF-16 units each, longer for a long text so that there
 * are at most about 64, and never through the middle of a code point. An empty text gives no piece.
 */
export function pieces(text: string): string[] {
  const size = Math.max(SMALLEST_PIECE, Math.ceil(text.length / MOST_PIECES));
  const parts: string[] = [];
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + size, text.length);
    const last = text.charCodeAt(end - 1);
    const next = end < text.length ? text.charCodeAt(end) : 0;
    if (last >= 0xd800 && last <= 0xdbff && next >= 0xdc00 && next <= 0xdfff) end += 1;
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}
