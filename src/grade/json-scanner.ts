const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SIMPLE_ESCAPES = '"\\/bfnrt';
const FOUR_HEX = /[0-9a-fA-F]{4}/y;

/** What the grammar allows next inside the innermost open container. */
type Expecting = 'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'next';

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Index behind the string that opens at `start`, or -1 when it is no JSON string. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === 0x22) return index + 1;
    if (code < 0x20) return -1;
    if (code !== 0x5c) {
      index += 1;
      continue;
    }
    const escape = text.charAt(index + 1);
    if (escape === 'u') {
      FOUR_HEX.lastIndex = index + 2;
      if (!FOUR_HEX.test(text)) return -1;
      index += 6;
    } else if (escape !== '' && SIMPLE_ESCAPES.includes(escape)) index += 2;
    else return -1;
  }
  return -1;
}

/** Index behind the string, number or word at `start`, or -1. */
function endOfScalar(text: string, start: number): number {
  const first = text.charAt(start);
  if (first === '"') return endOfString(text, start);
  for (const word of ['true', 'false', 'null']) {
    if (text.startsWith(word, start)) return start + word.length;
  }
  NUMBER.lastIndex = start;
  return NUMBER.test(text) ? NUMBER.lastIndex : -1;
}

/**
 * Walks the JSON container that opens at `start` and notes in `ends`, for it and for every container opened on the
 * way, the index behind it, or -1 when it does not parse. Containers still open at a syntax error all fail at that
 * place, because the text behind their opening decides alone.
 */
export function walkContainer(text: string, start: number, ends: Map<number, number>): void {
  const openings: number[] = [];
  let expecting: Expecting = 'first-value';
  let index = start;
  const open = (): void => {
    openings.push(index);
    expecting = text.charAt(index) === '{' ? 'first-key' : 'first-value';
    index += 1;
  };
  open();
  while (openings.length > 0) {
    const code = text.charCodeAt(index);
    if (isSpace(code)) {
      index += 1;
      continue;
    }
    const next = step(text, index, openings.at(-1) ?? start, expecting);
    if (next.kind === 'open') open();
    else if (next.kind === 'close') {
      index += 1;
      ends.set(openings.pop() ?? start, index);
      expecting = 'next';
    } else if (next.kind === 'token') {
      index = next.end;
      expecting = next.expecting;
    } else break;
  }
  for (const opening of openings) ends.set(opening, -1);
}

type Step =
  | { kind: 'open' }
  | { kind: 'close' }
  | { kind: 'token'; end: number; expecting: Expecting }
  | { kind: 'error' };

const OPEN: Step = { kind: 'open' };
const CLOSE: Step = { kind: 'close' };
const ERROR: Step = { kind: 'error' };

/** What the character at `index` means to a container opened at `opening`. */
function step(text: string, index: number, opening: number, expecting: Expecting): Step {
  const character = text.charAt(index);
  const isObject = text.charAt(opening) === '{';
  const closes = character === (isObject ? '}' : ']');
  switch (expecting) {
    case 'first-key':
    case 'key': {
      if (closes && expecting === 'first-key') return CLOSE;
      const end = character === '"' ? endOfString(text, index) : -1;
      return end < 0 ? ERROR : { kind: 'token', end, expecting: 'colon' };
    }
    case 'colon':
      return character === ':' ? { kind: 'token', end: index + 1, expecting: 'value' } : ERROR;
    case 'next':
      if (closes) return CLOSE;
      if (character !== ',') return ERROR;
      return { kind: 'token', end: index + 1, expecting: isObject ? 'key' : 'value' };
    case 'first-value':
    case 'value': {
      if (closes && expecting === 'first-value') return CLOSE;
      if (character === '{' || character === '[') return OPEN;
      const end = character === '' ? -1 : endOfScalar(text, index);
      return end < 0 ? ERROR : { kind: 'token', end, expecting: 'next' };
    }
    default:
      return ERROR;
  }
}
