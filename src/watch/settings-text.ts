import { lstatSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Momoa from '@humanwhocodes/momoa';
import {
  AssayError,
  canonicalJson,
  errorMessage,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../core/index.js';

const load = createRequire(import.meta.url);

type Node = Momoa.ValueNode;
type Item = Momoa.MemberNode | Momoa.ElementNode;
type Holder = Momoa.ObjectNode | Momoa.ArrayNode;

/** Settings of an agent as they are written, and what they say. */
export interface SettingsText {
  text: string;
  value: JsonObject;
}

function refused(file: string, why: string): AssayError {
  return new AssayError('INPUT', `${file} cannot be edited: ${why}`, {
    fix: 'nothing was changed; correct the file first',
  });
}

/**
 * The text of a settings file; null when there is none.
 * @throws AssayError `INPUT` when it cannot be read, or is no text
 */
export function readSettingsFile(file: string): string | null {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return null;
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    // Also a link to nothing: what it is meant to lead to is not made behind its owner's back.
    throw new AssayError('INPUT', `${file} cannot be read: ${errorMessage(error)}`, {
      fix: 'nothing was changed; put a file there, or take away what is in its place',
      cause: error,
    });
  }
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes) || text.includes('\0')) {
    throw new AssayError('INPUT', `${file} is not UTF-8 text`, { fix: 'nothing was changed' });
  }
  return text;
}

function tree(text: string): Node {
  const { parse }: typeof Momoa = load('@humanwhocodes/momoa');
  return parse(text, { mode: 'jsonc', allowTrailingCommas: true }).body;
}

function evaluated(node: Node): JsonValue {
  const { evaluate }: typeof Momoa = load('@humanwhocodes/momoa');
  return evaluate(node);
}

/**
 * Reads settings: JSON, with comments and trailing commas allowed. Nothing at all is an empty object.
 * @throws AssayError `INPUT` when the text is something else
 */
export function readSettings(file: string, text: string): SettingsText {
  if (text.trim() === '') return { text, value: {} };
  let value: JsonValue;
  try {
    value = evaluated(tree(text));
  } catch (error) {
    throw refused(file, error instanceof Error ? error.message : String(error));
  }
  if (!isJsonObject(value)) throw refused(file, 'it does not hold an object');
  return { text, value };
}

function itemsOf(holder: Holder): readonly Item[] {
  return holder.type === 'Object' ? holder.members : holder.elements;
}

function membersNamed(holder: Node, key: string): Momoa.MemberNode[] {
  if (holder.type !== 'Object') return [];
  return holder.members.filter(({ name }) => (name.type === 'String' ? name.value : name.name) === key);
}

/** The holder at a path of keys; null where there is none. Throws AssayError `INPUT` for a key written twice. */
function holderAt(file: string, root: Node, keys: readonly string[]): Holder | null {
  let node: Node = root;
  for (const key of keys) {
    const [found, second] = membersNamed(node, key);
    if (second !== undefined) throw refused(file, `the key ${key} is written twice`);
    if (found === undefined) return null;
    node = found.value;
  }
  return node.type === 'Object' || node.type === 'Array' ? node : null;
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** What a level of the file is indented by. */
function unitOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[^]*?\*\/|\/\/[^\n]*/g, (comment) => ' '.repeat(comment.length));
}

function laidOut(value: JsonValue, unit: string, indent: string, eol: string): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', eol + indent);
}

/** Puts a member or an element behind the last of a holder, laid out as the file is; comments stay where they are. */
function appended(text: string, holder: Holder, key: string | null, value: JsonValue): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = unitOf(text);
  const start = holder.loc.start.offset;
  const close = holder.loc.end.offset - 1;
  const name = key === null ? '' : `${JSON.stringify(key)}: `;
  const own = indentAt(text, start);
  const last = itemsOf(holder).at(-1);
  if (last === undefined) {
    const indent = own + unit;
    const inner = text.slice(start + 1, close).trimEnd();
    const added = `${inner}${eol}${indent}${name}${laidOut(value, unit, indent, eol)}${eol}${own}`;
    return text.slice(0, start + 1) + added + text.slice(close);
  }
  const end = last.loc.end.offset;
  const between = text.slice(end, close);
  const comma = withoutComments(between).includes(',') ? '' : ',';
  if (!text.slice(start, close).includes('\n')) {
    return `${text.slice(0, end)}${comma}${between.trimEnd()} ${name}${laidOut(value, unit, own, eol)}${between.slice(between.trimEnd().length)}${text.slice(close)}`;
  }
  const indent = indentAt(text, last.loc.start.offset);
  const kept = between.trimEnd();
  const added = `${comma}${kept}${eol}${indent}${name}${laidOut(value, unit, indent, eol)}`;
  return text.slice(0, end) + added + between.slice(kept.length) + text.slice(close);
}

/** Takes an item out of a holder, with one comma and the space before it; comments stay. */
function removed(text: string, holder: Holder, item: Item): string {
  const items = itemsOf(holder);
  const place = items.indexOf(item);
  const next = items[place + 1];
  const previous = items[place - 1];
  const start = item.loc.start.offset;
  const end = item.loc.end.offset;
  const close = holder.loc.end.offset - 1;
  const spaced = text.slice(0, start).trimEnd().length;
  const after = withoutComments(text.slice(end, next?.loc.start.offset ?? close)).indexOf(',');
  const before =
    previous === undefined ? -1 : withoutComments(text.slice(previous.loc.end.offset, start)).indexOf(',');
  let left = text.slice(0, spaced);
  let right = text.slice(end);
  if (after >= 0) right = right.slice(0, after) + right.slice(after + 1);
  else if (previous !== undefined && before >= 0) {
    const comma = previous.loc.end.offset + before;
    left = left.slice(0, comma) + left.slice(comma + 1);
  }
  if (items.length > 1) return left + right;
  // The last one is gone: what is left between the brackets is dropped when it is only space.
  const opened = holder.loc.start.offset + 1;
  const rest = right.length - (text.length - close);
  const inner = left.slice(opened) + right.slice(0, rest);
  return inner.trim() === '' ? left.slice(0, opened) + right.slice(rest) : left + right;
}

function listAt(file: string, value: JsonObject, event: string): JsonValue[] {
  const { hooks = {} } = value;
  if (!isJsonObject(hooks)) throw refused(file, '`hooks` is not an object');
  const list = hooks[event] ?? [];
  if (!Array.isArray(list)) throw refused(file, `\`hooks.${event}\` is not a list`);
  return list;
}

function verified(file: string, text: string, wanted: JsonObject): string {
  if (canonicalJson(readSettings(file, text).value) === canonicalJson(wanted)) return text;
  throw refused(file, 'the edit would have changed something else');
}

/** Groups of hooks that stand in the list of an event; [] when there is none. Throws AssayError `INPUT`. */
export function hookGroups(file: string, settings: SettingsText, event: string): JsonValue[] {
  return listAt(file, settings.value, event);
}

/**
 * The settings with one more group of hooks at the end of an event's list; everything else stays as it is written.
 * @throws AssayError `INPUT` when the file has another shape
 */
export function withHookGroup(
  file: string,
  settings: SettingsText,
  event: string,
  group: JsonObject,
): string {
  const { text, value } = settings;
  const list = listAt(file, value, event);
  const { hooks = {} } = value;
  const wanted: JsonObject = {
    ...value,
    hooks: { ...(isJsonObject(hooks) ? hooks : {}), [event]: [...list, group] },
  };
  if (text.trim() === '') return verified(file, `${JSON.stringify(wanted, null, 2)}\n`, wanted);
  const root = tree(text);
  if (root.type !== 'Object') throw refused(file, 'it does not hold an object');
  const atEvent = holderAt(file, root, ['hooks', event]);
  const atHooks = holderAt(file, root, ['hooks']);
  if (atEvent !== null) return verified(file, appended(text, atEvent, null, group), wanted);
  if (atHooks !== null) return verified(file, appended(text, atHooks, event, [group]), wanted);
  return verified(file, appended(text, root, 'hooks', { [event]: [group] }), wanted);
}

/** What is to be taken out: keys of its holder, and its own key; null for an element of the list. */
function placeOf(wholeList: boolean, wholeHooks: boolean, event: string): [string[], string | null] {
  if (!wholeList) return [['hooks', event], null];
  return wholeHooks ? [[], 'hooks'] : [['hooks'], event];
}

/**
 * The settings without the group at `index` of an event's list. With `prune`, a list and an object of hooks that hold
 * nothing any more go too.
 * @throws AssayError `INPUT` when there is no such group
 */
export function withoutHookGroup(
  file: string,
  settings: SettingsText,
  at: { event: string; index: number; prune: boolean },
): string {
  const { event, index, prune } = at;
  const { value, text } = settings;
  const list = listAt(file, value, event).filter((_, place) => place !== index);
  const { hooks = {} } = value;
  const { [event]: _list, ...others } = isJsonObject(hooks) ? hooks : {};
  const { hooks: _hooks, ...rest } = value;
  const kept = prune && list.length === 0 ? others : { ...others, [event]: list };
  const wanted = prune && Object.keys(kept).length === 0 ? rest : { ...rest, hooks: kept };
  const root = tree(text);
  const [keys, key] = placeOf(list.length === 0 && prune, Object.keys(kept).length === 0, event);
  const holder = holderAt(file, root, keys);
  const item =
    holder === null ? undefined : key === null ? itemsOf(holder)[index] : membersNamed(holder, key)[0];
  if (holder === null || item === undefined) throw refused(file, 'the hook is not there');
  return verified(file, removed(text, holder, item), wanted);
}
