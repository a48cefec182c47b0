/** A bracketed stretch of a text, from its opening bracket to the place after its closing one. */
export interface Span {
  start: number;
  end: number;
  /** 1 for a span without spans inside it. */
  height: number;
  children: readonly Span[];
}

/** All bracketed stretches of a text. */
export interface BracketSpans {
  /** The outermost spans, by start. Two may overlap: see `bracketSpans`. */
  roots: Span[];
  /** Places of opening brackets that were never closed, by place. */
  unclosed: number[];
}

interface Frame {
  start: number;
  closer: number;
  height: number;
  /** Null until there is one: a hostile text can hold a million brackets. */
  children: Span[] | null;
}

const NO_SPANS: readonly Span[] = [];
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const CLOSERS: ReadonlyMap<number, number> = new Map([
  [0x7b, 0x7d],
  [0x5b, 0x5d],
]);

/**
 * Matches the curly and square brackets of a text that may hold JSON anywhere, in one pass.
 *
 * Prose around JSON may hold any odd quote or bracket, so nobody knows beforehand which quotes open a string. But
 * inside one JSON value strings are exactly every second gap between unescaped quotes, and its brackets all stand in
 * the other gaps. Brackets in even gaps and in odd gaps are therefore matched apart, each on a stack of its own: every
 * JSON value of the text comes out whole on one of the two. A pair that does not fit drops what was open on its stack.
 */
export function bracketSpans(text: string): BracketSpans {
  const roots: Span[] = [];
  const unclosed: number[] = [];
  const stacks: [Frame[], Frame[]] = [[], []];
  let odd = false;

  const drop = (stack: Frame[]): void => {
    for (const frame of stack) {
      unclosed.push(frame.start);
      for (const child of frame.children ?? NO_SPANS) roots.push(child);
    }
    stack.length = 0;
  };

  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === BACKSLASH) {
      // The next character is escaped in a string, and nothing that matters outside of one.
      index += text.charCodeAt(index + 1) === QUOTE || text.charCodeAt(index + 1) === BACKSLASH ? 1 : 0;
      continue;
    }
    if (unit === QUOTE) {
      odd = !odd;
      continue;
    }
    const stack = stacks[odd ? 1 : 0];
    const closer = CLOSERS.get(unit);
    if (closer !== undefined) {
      stack.push({ start: index, closer, height: 1, children: null });
      continue;
    }
    if (unit !== 0x7d && unit !== 0x5d) continue;
    const frame = stack.at(-1);
    if (frame === undefined) continue;
    if (frame.closer !== unit) {
      drop(stack);
      continue;
    }
    stack.pop();
    const span = {
      start: frame.start,
      end: index + 1,
      height: frame.height,
      children: frame.children ?? NO_SPANS,
    };
    const parent = stack.at(-1);
    if (parent === undefined) roots.push(span);
    else {
      parent.children ??= [];
      parent.children.push(span);
      parent.height = Math.max(parent.height, span.height + 1);
    }
  }
  drop(stacks[0]);
  drop(stacks[1]);
  roots.sort((left, right) => left.start - right.start);
  unclosed.sort((left, right) => left - right);
  return { roots, unclosed };
}
