import type * as Yaml from 'yaml';
import {
  AssayError,
  canonicalJson,
  formatKeyPath,
  yamlLibrary,
  type JsonValue,
  type KeyPath,
} from '../core/index.js';
import { withoutValueAt, withValueAt, valueAt } from './json-values.js';
import { splicedRemoval, splicedValue, type YamlMapping } from './yaml-splice.js';

const SETTINGS = { version: '1.2', schema: 'core', uniqueKeys: false, logLevel: 'silent' } as const;

function parse(text: string): Yaml.Document.Parsed<YamlMapping> {
  const { parseDocument } = yamlLibrary();
  return parseDocument<YamlMapping>(text, SETTINGS);
}

/** The JSON value of a YAML text; null when it is not well formed. */
function valueOf(text: string): JsonValue | null {
  const document = parse(text);
  if (document.errors.length > 0) return null;
  try {
    const value: JsonValue = document.toJS({ maxAliasCount: 1000 });
    return value;
  } catch {
    // An alias that stands for nothing, or for too much.
    return null;
  }
}

/** The whole document as the library writes it after a change: comments stay, spacing may not. */
function rewritten(text: string, change: (document: ReturnType<typeof parse>) => void): string | null {
  const document = parse(text);
  try {
    change(document);
    return document.toString({ lineWidth: 0 });
  } catch {
    // The way to the value leads through something that is no block of its own.
    return null;
  }
}

/** True when a text holds exactly this value. */
function holds(text: string | null, wanted: JsonValue): text is string {
  if (text === null) return false;
  const value = valueOf(text);
  return value !== null && canonicalJson(value) === canonicalJson(wanted);
}

function cannotEdit(path: KeyPath): AssayError {
  return new AssayError('INPUT', `${formatKeyPath(path)} cannot be edited where it stands`, {
    fix: 'edit the file by hand',
  });
}

/** True for an index beyond the one after the last: nothing would stand between. */
function leavesGap(value: JsonValue, path: KeyPath): boolean {
  const index = path.at(-1);
  const list = valueAt(value, path.slice(0, -1));
  return Array.isArray(list) && typeof index === 'number' && index > list.length;
}

/**
 * The text with the value at `path` set. Only the lines of that value change; a new key is added at the end of its
 * block, a new entry (at the index after the last) at the end of its list. `raw` is the text of a new entry, as it was
 * written elsewhere, which is then kept with its comments.
 * @throws AssayError `INPUT` when the text is not YAML or the value cannot be put there
 */
export function setYaml(text: string, path: KeyPath, value: JsonValue, raw: string | null = null): string {
  const before = valueOf(text);
  if (before === null || leavesGap(before, path)) throw cannotEdit(path);
  const wanted = withValueAt(before, path, value);
  const library = yamlLibrary();
  for (const source of raw === null ? [null] : [raw, null]) {
    const edited = splicedValue(library, parse(text), text, path, value, source);
    if (holds(edited, wanted)) return edited;
  }
  const written = rewritten(text, (document) => document.setIn(path, document.createNode(value)));
  if (holds(written, wanted)) return written;
  throw cannotEdit(path);
}

/**
 * The text without the value at `path`, its key and the comment lines right above it.
 * @throws AssayError `INPUT` when there is no such value
 */
export function removeYaml(text: string, path: KeyPath): string {
  const before = valueOf(text);
  if (before === null || valueAt(before, path) === undefined) throw cannotEdit(path);
  const wanted = withoutValueAt(before, path);
  const edited = splicedRemoval(yamlLibrary(), parse(text), text, path);
  if (holds(edited, wanted)) return edited;
  const written = rewritten(text, (document) => document.deleteIn(path));
  if (holds(written, wanted)) return written;
  throw cannotEdit(path);
}
