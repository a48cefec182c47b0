interface KeyShape {
  /** Texts of which one occurs in every match. Looking for them is what the common case costs. */
  markers: readonly string[];
  pattern: RegExp;
  /** Whether the match must not be the middle of a longer word. */
  bounded: boolean;
}

// Every pattern is linear (one run of one class after another, look-aheads of bounded length) and matches neither a
// quote nor half of an escape, so that it can be applied to JSON text and leaves JSON.
const SHAPES: readonly KeyShape[] = [
  // Most model providers; a digit or capital tells a key from hyphenated words. Few letters are as frequent as s, so
  // what is looked for begins with the next one.
  { markers: ['k-'], pattern: /sk-(?=[a-z_-]{0,64}[A-Z0-9])[A-Za-z0-9_-]{12,}/g, bounded: true },
  { markers: ['AKIA', 'ASIA'], pattern: /A(?:KI|SI)A[A-Z0-9]{16,}/g, bounded: true },
  { markers: ['AIza'], pattern: /AIza[A-Za-z0-9_-]{30,}/g, bounded: true },
  { markers: ['xox'], pattern: /xox[abceoprs]-[A-Za-z0-9-]{10,}/g, bounded: true },
  { markers: ['glpat-'], pattern: /glpat-[A-Za-z0-9_-]{20,}/g, bounded: true },
  {
    markers: ['.eyJ'],
    // Bounded in the pattern itself: a start inside a long run would make the search quadratic.
    pattern:
      /(?:(?<![A-Za-z0-9_-])|(?<=\\[bfnrt])|(?<=\\u[0-9a-f]{4}))eyJ[A-Za-z0-9_-]{5,}\.eyJ[A-Za-z0-9_-]{2,}\.[A-Za-z0-9_-]*/g,
    bounded: true,
  },
  {
    markers: ['Bearer ', 'bearer ', 'BEARER '],
    pattern:
      /(?:[Bb]earer|BEARER) {1,8}(?:[A-Za-z0-9._~+/=-]{16,}|(?=[A-Za-z._~+/=-]{0,16}[0-9])[A-Za-z0-9._~+/=-]{8,})/g,
    bounded: true,
  },
  {
    markers: ['-----BEGIN '],
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z0-9+/=\s:,.]|-(?!----)|\\[nrt])*(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g,
    bounded: false,
  },
];

/** Shapes that hold an underscore; a text without one is not searched for them. */
const UNDERSCORED: readonly KeyShape[] = [
  {
    markers: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    pattern: /(?:gh[oprsu]_|github_pat_)[A-Za-z0-9_]{20,}/g,
    bounded: true,
  },
  { markers: ['_live_', '_test_'], pattern: /[rsp]k_(?:live|test)_[A-Za-z0-9]{10,}/g, bounded: true },
  { markers: ['npm_'], pattern: /npm_[A-Za-z0-9]{30,}/g, bounded: true },
  { markers: ['hf_'], pattern: /hf_[A-Za-z0-9]{30,}/g, bounded: true },
  { markers: ['gsk_'], pattern: /gsk_[A-Za-z0-9]{30,}/g, bounded: true },
];

const WORD = /[A-Za-z0-9_-]/;
const ESCAPE_BEFORE = /\\(?:[bfnrt]|u[0-9a-fA-F]{4})$/;

/** Whether the character at `offset` is escaped: `\n` before `pm_` is a line feed, not the start of `npm_`. */
function isEscaped(text: string, offset: number): boolean {
  let backslashes = 0;
  while (text.charAt(offset - 1 - backslashes) === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

/** Whether a word may begin at `offset`; in JSON text the `n` of `\n` before it is not a letter. */
function startsWord(text: string, offset: number): boolean {
  if (isEscaped(text, offset)) return false;
  if (offset === 0 || !WORD.test(text.charAt(offset - 1))) return true;
  return ESCAPE_BEFORE.test(text.slice(Math.max(0, offset - 6), offset));
}

function redactShapes(text: string, shapes: readonly KeyShape[]): string {
  let redacted = text;
  for (const { markers, pattern, bounded } of shapes) {
    for (const marker of markers) {
      if (!redacted.includes(marker)) continue;
      const whole = redacted;
      redacted = whole.replace(pattern, (match, offset: number) =>
        bounded && !startsWord(whole, offset) ? match : '[redacted]',
      );
      break;
    }
  }
  return redacted;
}

function holdsMarker(text: string, shapes: readonly KeyShape[]): boolean {
  for (const { markers } of shapes) for (const marker of markers) if (text.includes(marker)) return true;
  return false;
}

/** False when `redactSecrets` would certainly change nothing: a quick look that spares most texts the rest. */
export function mayHoldSecrets(text: string): boolean {
  return holdsMarker(text, SHAPES) || (text.includes('_') && holdsMarker(text, UNDERSCORED));
}

/**
 * Replaces everything that has the shape of a key by `[redacted]`: keys of model providers and clouds, tokens of
 * code hosts and chats, JSON Web Tokens, `Bearer` headers, private key blocks. Works on plain text and on JSON text,
 * which stays valid JSON.
 */
export function redactSecrets(text: string): string {
  const redacted = redactShapes(text, SHAPES);
  return redacted.includes('_') ? redactShapes(redacted, UNDERSCORED) : redacted;
}

/**
 * The JSON of one object made of two parts: identifying members, written as they are, and others, in which secrets
 * are redacted.
 */
export function redactedObject(identity: object, rest: object): string {
  return `${JSON.stringify(identity).slice(0, -1)},${redactSecrets(JSON.stringify(rest)).slice(1)}`;
}
