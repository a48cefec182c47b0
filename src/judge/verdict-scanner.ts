import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '../core/index.js';
import { bracketSpans, type Span } from './bracket-spans.js';
import { repeatsKey } from './repeated-key.js';
import { outside, thinkBlocks } from './think-blocks.js';

/** The last verdict of a reply, or why there is none. */
export type FoundVerdict = { ok: true; value: JsonObject } | { ok: false; why: string };

// No verdict nests deeper. The bound keeps the work linear: each character is parsed at most this many times.
const MAX_HEIGHT = 8;
// How something begins that is meant as JSON: a brace and a key, in any kind of quotes or in none.
const MEANT_AS_JSON = /^[{[][\s[{]*(?:\\?["'\u201c]|(?:score|pass|results|verdict)\b)/;
const MEANT_AS_JSON_REACH = 64;
// Models write line feeds and tabs into strings as they are.
const RAW_CONTROL = /[\u0000-\u001f]/;

interface JsonPiece {
  start: number;
  end: number;
  text: string;
  value: JsonValue;
}

/** Escapes control characters inside strings. */
function escapeControls(json: string): string {
  let escaped = '';
  let inString = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json.charAt(index);
    if (inString && character === '\\') {
      escaped += character + json.charAt(index + 1);
      index += 1;
      continue;
    }
    if (character === '"') inString = !inString;
    escaped += inString && RAW_CONTROL.test(character) ? JSON.stringify(character).slice(1, -1) : character;
  }
  return escaped;
}

function parsePiece(reply: string, span: Span): JsonPiece | null {
  if (span.height > MAX_HEIGHT) return null;
  let text = reply.slice(span.start, span.end);
  let parsed = parseJson(text);
  if (!parsed.ok && RAW_CONTROL.test(text)) {
    text = escapeControls(text);
    parsed = parseJson(text);
  }
  return parsed.ok ? { start: span.start, end: span.end, text, value: parsed.value } : null;
}

function meantAsJson(reply: string, start: number): boolean {
  return MEANT_AS_JSON.test(reply.slice(start, start + MEANT_AS_JSON_REACH));
}

/** The outermost JSON values of a reply, and the places where something is meant as JSON and is none; by start. */
function jsonPieces(reply: string): { pieces: JsonPiece[]; broken: { start: number }[] } {
  const { roots, unclosed } = bracketSpans(reply);
  const pieces: JsonPiece[] = [];
  const broken = unclosed.filter((start) => meantAsJson(reply, start)).map((start) => ({ start }));
  const waiting = roots.toReversed();
  let reached = 0;
  for (let span = waiting.pop(); span !== undefined; span = waiting.pop()) {
    if (span.start < reached) continue;
    const piece = parsePiece(reply, span);
    if (piece !== null) {
      pieces.push(piece);
      reached = piece.end;
    } else if (meantAsJson(reply, span.start)) broken.push({ start: span.start });
    else for (const child of span.children.toReversed()) waiting.push(child);
  }
  broken.sort((left, right) => left.start - right.start);
  return { pieces, broken };
}

function isVerdict(value: JsonValue | undefined, marks: readonly string[]): value is JsonObject {
  return isJsonObject(value) && marks.some((mark) => Object.hasOwn(value, mark));
}

/** True when a verdict-shaped object stands at any depth of a value. */
function holdsVerdict(value: JsonValue, marks: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((item) => holdsVerdict(item, marks));
  if (!isJsonObject(value)) return false;
  return (
    isVerdict(value, marks) || Object.values<JsonValue>(value).some((member) => holdsVerdict(member, marks))
  );
}

/**
 * The last complete verdict of a judge's reply: the last JSON object, outside think blocks and not part of another
 * JSON value, that has one of the `marks` as a key; a list that holds just one such object counts as it. Fences, prose,
 * braces in strings and raw line feeds in strings do not matter. Fails closed: when a later piece tries to be a verdict
 * and is not one (broken off, not JSON, wrapped, several in a list, a key twice), there is no verdict, rather than
 * an earlier one. Takes time linear in the reply.
 */
export function findVerdict(reply: string, marks: readonly string[]): FoundVerdict {
  const { pieces, broken } = jsonPieces(reply);
  const blocks = thinkBlocks(reply, pieces);
  const last = outside(pieces, blocks).findLast((piece) => holdsVerdict(piece.value, marks));
  const failed = outside(broken, blocks).find((piece) => piece.start >= (last?.end ?? 0));
  if (failed !== undefined) {
    const rest = reply.slice(failed.start);
    if (marks.some((mark) => rest.includes(mark))) {
      return { ok: false, why: 'its last JSON object is broken off or not valid JSON' };
    }
  }
  if (last === undefined) return { ok: false, why: 'it holds no JSON object with a verdict' };
  if (repeatsKey(last.text)) return { ok: false, why: 'its JSON object has the same key twice' };
  const candidates = Array.isArray(last.value) ? last.value : [last.value];
  const [only] = candidates;
  if (candidates.length === 1 && isVerdict(only, marks)) return { ok: true, value: only };
  return { ok: false, why: 'its last JSON value wraps the verdict or holds several' };
}
