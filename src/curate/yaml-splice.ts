import type * as Yaml from 'yaml';
import type { JsonValue, KeyPath } from '../core/index.js';
import { columnOf, lineEnd, lineStart, shifted, spliced } from './edit-lines.js';

type Library = typeof Yaml;
type Node = Yaml.ParsedNode;
type Pair = Yaml.Pair<Node, Node | null>;
/** What a suite file holds at its top. */
export type YamlMapping = Yaml.YAMLMap.Parsed;
type Document = Yaml.Document.Parsed<YamlMapping>;

function pairOf(library: Library, map: YamlMapping, key: string): Pair | undefined {
  return map.items.findLast((pair) => library.isScalar(pair.key) && String(pair.key.value) === key);
}

/** The collection that holds the value at `path`; null where the way to it leads through an alias or nothing. */
function holderOf(library: Library, document: Document, path: KeyPath): Node | null {
  let node: Node | null = document.contents;
  for (const part of path.slice(0, -1)) {
    if (library.isMap(node)) node = pairOf(library, node, String(part))?.value ?? null;
    else if (library.isSeq(node) && typeof part === 'number') node = node.items[part] ?? null;
    else return null;
  }
  return node;
}

function endOf(pair: Pair): number {
  return pair.value === null ? (pair.key.range[1] ?? 0) : pair.value.range[1];
}

/** A value on one line. */
function inline(library: Library, value: JsonValue): string {
  const document = new library.Document(value);
  library.visit(document, {
    Collection: (_, node) => {
      node.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: true }).trimEnd();
}

/** `key: value` as a block of lines, each ended. */
function blockPair(library: Library, key: string, value: JsonValue): string {
  return library.stringify({ [key]: value }, { lineWidth: 0 });
}

function indented(block: string, columns: number): string {
  return shifted(block.endsWith('\n') ? block : `${block}\n`, columns);
}

/** Puts lines behind what ends at `offset`; a last line that is not ended is ended first. */
function insertedLines(text: string, offset: number, lines: string): string {
  const at = lineEnd(text, offset);
  const before = at === text.length && !text.endsWith('\n') ? '\n' : '';
  return spliced(text, at, at, before + lines);
}

function replacedValue(library: Library, text: string, pair: Pair, value: JsonValue): string | null {
  const node = pair.value;
  if (node === null) {
    const end = pair.key.range[1] ?? 0;
    const colon = text.indexOf(':', end);
    return colon < 0 ? null : spliced(text, colon + 1, colon + 1, ` ${inline(library, value)}`);
  }
  const [start, end] = node.range;
  const old = text.slice(start, end);
  const ending = old.endsWith('\n') ? '\n' : '';
  if (!isBlock(library, node)) {
    const quoted =
      library.isScalar(node) && typeof value === 'string' ? quotedLike(library, node, value) : null;
    return spliced(text, start, end, (quoted ?? inline(library, value)) + ending);
  }
  const key = pair.key.range[0];
  const column = columnOf(text, key);
  const name = text.slice(key, pair.key.range[1]);
  if (typeof value !== 'object' || value === null)
    return spliced(text, key, end, `${name}: ${inline(library, value)}${ending}`);
  const block = indented(blockPair(library, 'x', value), column).slice(column + 1);
  return spliced(text, key, end, ending === '' ? (name + block).trimEnd() : name + block);
}

/** A text in the quotes that the old one had. */
function quotedLike(library: Library, node: Yaml.Scalar.Parsed, value: string): string | null {
  if (node.type !== 'QUOTE_SINGLE' && node.type !== 'QUOTE_DOUBLE') return null;
  const scalar = new library.Scalar(value);
  scalar.type = node.type;
  return new library.Document(scalar).toString({ lineWidth: 0 }).trimEnd();
}

function addedKey(
  library: Library,
  text: string,
  map: YamlMapping,
  key: string,
  value: JsonValue,
): string | null {
  const last = map.items.at(-1);
  const first = map.items[0];
  if (map.flow === true) {
    const close = map.range[1] - 1;
    const before = text.slice(0, close).trimEnd();
    const member = `${last === undefined ? ' ' : ', '}${inline(library, key)}: ${inline(library, value)} `;
    return spliced(text, before.length, close, member);
  }
  if (first === undefined || last === undefined) return null;
  const column = columnOf(text, first.key.range[0]);
  // At the top of a file a new key stands with the other short ones, not below a long list.
  const short = column === 0 ? map.items.findLast((pair) => !isBlock(library, pair.value)) : undefined;
  return insertedLines(text, endOf(short ?? last), indented(blockPair(library, key, value), column));
}

function isBlock(library: Library, node: Node | null): boolean {
  return library.isCollection(node) && node.flow !== true;
}

/** True where entries of a list stand apart by blank lines. */
function standApart(text: string, items: readonly Node[]): boolean {
  const last = items.at(-1);
  if (items.length < 2 || last === undefined) return false;
  return /\n[ \t]*\n(?:[ \t]*#[^\n]*\n)*[ \t]*-?[ \t]*$/.test(text.slice(0, last.range[0]));
}

function addedEntry(
  library: Library,
  text: string,
  list: Yaml.YAMLSeq.Parsed,
  value: JsonValue,
  raw: string | null,
): string | null {
  const last = list.items.at(-1);
  if (list.flow === true) {
    const close = list.range[1] - 1;
    const before = text.slice(0, close).trimEnd();
    return spliced(text, before.length, close, `${last === undefined ? '' : ', '}${inline(library, value)}`);
  }
  if (last === undefined) return null;
  const dash = text.lastIndexOf('-', last.range[0]);
  const column = columnOf(text, dash);
  const block = raw ?? library.stringify([value], { lineWidth: 0 });
  const apart = standApart(text, list.items) ? '\n' : '';
  return insertedLines(text, last.range[1], apart + indented(block, column));
}

/**
 * The text with one value set or added, everything else left as it stands; null where only the library can do it. The
 * caller checks that the result holds what it should.
 */
export function splicedValue(
  library: Library,
  document: Document,
  text: string,
  path: KeyPath,
  value: JsonValue,
  raw: string | null,
): string | null {
  const holder = holderOf(library, document, path);
  const part = path.at(-1);
  if (part === undefined) return null;
  if (library.isMap(holder)) {
    const pair = pairOf(library, holder, String(part));
    return pair === undefined
      ? addedKey(library, text, holder, String(part), value)
      : replacedValue(library, text, pair, value);
  }
  if (!library.isSeq(holder) || typeof part !== 'number') return null;
  const item = holder.items[part];
  if (item === undefined) return addedEntry(library, text, holder, value, raw);
  if (library.isCollection(item) && item.flow !== true) return null;
  const [start, end] = item.range;
  return spliced(
    text,
    start,
    end,
    inline(library, value) + (text.slice(start, end).endsWith('\n') ? '\n' : ''),
  );
}

/** Where the comment lines right above a line begin. */
function withCommentsAbove(text: string, start: number): number {
  let from = start;
  while (from > 0) {
    const above = lineStart(text, from - 1);
    if (!/^[ \t]*#/.test(text.slice(above, from))) return from;
    from = above;
  }
  return from;
}

/** The stretch of a list entry: from the comment lines above its dash to the end of its last line; null in a flow. */
export function entryStretch(
  library: Library,
  document: Document,
  text: string,
  path: KeyPath,
): { start: number; end: number; column: number } | null {
  const holder = holderOf(library, document, path);
  const part = path.at(-1);
  if (!library.isSeq(holder) || holder.flow === true || typeof part !== 'number') return null;
  const item = holder.items[part];
  if (item === undefined) return null;
  const dash = text.lastIndexOf('-', item.range[0]);
  const start = lineStart(text, dash);
  if (text.slice(start, dash).trim() !== '') return null;
  return {
    start: withCommentsAbove(text, start),
    end: lineEnd(text, item.range[1]),
    column: columnOf(text, dash),
  };
}

/** The text without one value, everything else left as it stands; null where only the library can do it. */
export function splicedRemoval(
  library: Library,
  document: Document,
  text: string,
  path: KeyPath,
): string | null {
  const holder = holderOf(library, document, path);
  const part = path.at(-1);
  if (library.isSeq(holder)) {
    const stretch = entryStretch(library, document, text, path);
    if (stretch === null) return null;
    const { start } = stretch;
    // One of two blank lines around it goes as well, and the one between it and the next when it was the first.
    const blank = /^[ \t]*\n/.exec(text.slice(stretch.end));
    const spare = part === 0 || /(?:^|\n)[ \t]*\n$/.test(text.slice(0, start));
    return spliced(text, start, stretch.end + (blank !== null && spare ? blank[0].length : 0), '');
  }
  if (!library.isMap(holder) || holder.flow === true || part === undefined) return null;
  const pair = pairOf(library, holder, String(part));
  if (pair === undefined || holder.items.length < 2) return null;
  const key = pair.key.range[0];
  const start = lineStart(text, key);
  const end = lineEnd(text, endOf(pair));
  if (text.slice(start, key).trim() === '') return spliced(text, withCommentsAbove(text, start), end, '');
  // The first key of a list entry shares its line with the dash: the next key moves up.
  const next = holder.items[holder.items.indexOf(pair) + 1];
  return next === undefined ? null : spliced(text, key, next.key.range[0], '');
}
