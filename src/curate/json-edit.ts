import { createRequire } from 'node:module';
import type * as Momoa from '@humanwhocodes/momoa';
import {
  AssayError,
  canonicalJson,
  formatKeyPath,
  parseJson,
  type JsonValue,
  type KeyPath,
} from '../core/index.js';
import { compactJson } from './compact-json.js';
import { columnOf, lineStart, spliced } from './edit-lines.js';
import { valueAt, withoutValueAt, withValueAt } from './json-values.js';

const load = createRequire(import.meta.url);

type Node = Momoa.ValueNode;
type Member = Momoa.MemberNode;

function tree(text: string): Node {
  const { parse }: typeof Momoa = load('@humanwhocodes/momoa');
  return parse(text, { mode: 'json' }).body;
}

function memberOf(node: Node, key: string): Member | undefined {
  if (node.type !== 'Object') return undefined;
  return node.members.findLast(({ name }) => (name.type === 'String' ? name.value : name.name) === key);
}

function nodeAt(root: Node, path: KeyPath): Node | null {
  let node: Node = root;
  for (const part of path) {
    const next: Node | undefined =
      node.type === 'Array' && typeof part === 'number'
        ? node.elements[part]?.value
        : memberOf(node, String(part))?.value;
    if (next === undefined) return null;
    node = next;
  }
  return node;
}

type Span = { loc: { start: { offset: number }; end: { offset: number } } };

/** Puts `written` behind the last of some members, laid out as they are. */
function behind(text: string, last: Span, holder: Span, written: (indent: string) => string): string {
  const end = last.loc.end.offset;
  const start = last.loc.start.offset;
  const ownLine = text.slice(lineStart(text, start), start).trim() === '';
  if (!ownLine)
    return spliced(text, end, end, `, ${written(' '.repeat(columnOf(text, holder.loc.start.offset)))}`);
  const indent = ' '.repeat(columnOf(text, start));
  return spliced(text, end, end, `,\n${indent}${written(indent)}`);
}

function added(text: string, holder: Node, part: string | number, value: JsonValue): string | null {
  const name = typeof part === 'string' ? `${JSON.stringify(part)}: ` : '';
  const written = (indent: string): string => name + compactJson(value, indent);
  if (holder.type !== 'Object' && holder.type !== 'Array') return null;
  const last = holder.type === 'Object' ? holder.members.at(-1) : holder.elements.at(-1);
  if (last !== undefined) return behind(text, last, holder, written);
  const { start, end } = holder.loc;
  const [open, close] = holder.type === 'Object' ? ['{ ', ' }'] : ['[', ']'];
  return spliced(text, start.offset, end.offset, open + written('') + close);
}

function cannotEdit(path: KeyPath): AssayError {
  return new AssayError('INPUT', `${formatKeyPath(path)} cannot be edited where it stands`, {
    fix: 'edit the file by hand',
  });
}

function checked(text: string | null, wanted: JsonValue, path: KeyPath): string {
  const parsed = text === null ? null : parseJson(text);
  if (text === null || !parsed?.ok || canonicalJson(parsed.value) !== canonicalJson(wanted))
    throw cannotEdit(path);
  return text;
}

/**
 * JSON text with the value at `path` set; only that value changes, everything else stays as it is laid out. The object
 * or list that holds it must be there.
 * @throws AssayError `INPUT` when the text is not JSON or the value cannot be put there
 */
export function setJson(text: string, path: KeyPath, value: JsonValue): string {
  const before = parseJson(text);
  const part = path.at(-1);
  if (!before.ok || part === undefined) throw cannotEdit(path);
  const root = tree(text);
  const node = nodeAt(root, path);
  const holder = nodeAt(root, path.slice(0, -1));
  let edited: string | null = null;
  if (node !== null) {
    const { start, end } = node.loc;
    const line = lineStart(text, start.offset);
    const indent = /^[ \t]*/.exec(text.slice(line))?.[0] ?? '';
    edited = spliced(text, start.offset, end.offset, compactJson(value, indent));
  } else if (holder !== null) edited = added(text, holder, part, value);
  return checked(edited, withValueAt(before.value, path, value), path);
}

/**
 * JSON text without the value at `path` and its key.
 * @throws AssayError `INPUT` when there is no such value
 */
export function removeJson(text: string, path: KeyPath): string {
  const before = parseJson(text);
  const part = path.at(-1);
  if (!before.ok || part === undefined || valueAt(before.value, path) === undefined) throw cannotEdit(path);
  const holder = nodeAt(tree(text), path.slice(0, -1));
  const siblings: readonly Span[] =
    holder?.type === 'Object' ? holder.members : holder?.type === 'Array' ? holder.elements : [];
  const own =
    holder?.type === 'Object'
      ? holder.members.findIndex((member) => member === memberOf(holder, String(part)))
      : Number(part);
  const [span, previous, next] = [siblings[own], siblings[own - 1], siblings[own + 1]];
  let edited: string | null = null;
  if (span !== undefined && previous !== undefined)
    edited = spliced(text, previous.loc.end.offset, span.loc.end.offset, '');
  else if (span !== undefined)
    edited = spliced(text, span.loc.start.offset, next?.loc.start.offset ?? span.loc.end.offset, '');
  return checked(edited, withoutValueAt(before.value, path), path);
}
