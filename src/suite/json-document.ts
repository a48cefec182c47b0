import { createRequire } from 'node:module';
import type * as MomoaModule from '@humanwhocodes/momoa';
import type { MemberNode, ValueNode } from '@humanwhocodes/momoa';
import type { JsonValue, KeyPath, Problem } from '../core/index.js';
import { formatKeyPath, parseJson } from '../core/index.js';
import type { Position, WrittenDocument } from './document.js';

type Momoa = typeof MomoaModule;

const require = createRequire(import.meta.url);
let momoa: Momoa | null = null;

/** The positioned parser is slow to load and to run, so it is asked only once something is wrong. */
function positionedParser(): Momoa {
  momoa ??= require('@humanwhocodes/momoa') as Momoa;
  return momoa;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const LONGEST_EXACT_DIGITS = 15;

/**
 * Walks JSON text that is known to be well formed. Counts its members (a repeated key makes this larger than the
 * number of keys of the parsed value) and says whether some number may be more than a double can hold.
 */
function surveyText(text: string): { members: number; longNumber: boolean } {
  let members = 0;
  let digits = 0;
  let longNumber = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index += 1;
      while (index < text.length) {
        const inside = text.charCodeAt(index);
        if (inside === BACKSLASH) index += 1;
        else if (inside === QUOTE) break;
        index += 1;
      }
      digits = 0;
    } else if (code === COLON) {
      members += 1;
      digits = 0;
    } else if (code >= 0x30 && code <= 0x39) {
      digits += 1;
      if (digits > LONGEST_EXACT_DIGITS) longNumber = true;
    } else {
      // An exponent: the letter stands right after a digit, which no letter of true, false or null does.
      if (digits > 0 && (code === 0x45 || code === 0x65)) longNumber = true;
      if (code !== 0x2e) digits = 0;
    }
  }
  return { members, longNumber };
}

function countMembers(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countMembers(item);
    return count;
  }
  for (const key of Object.keys(value)) {
    const member = value[key];
    count += 1;
    if (typeof member === 'object' && member !== null) count += countMembers(member);
  }
  return count;
}

function memberName(member: MemberNode): string {
  return member.name.type === 'String' ? member.name.value : member.name.name;
}

/** Where the value (or key) at `path` stands in a positioned tree; the nearest ancestor when it is absent. */
function locateIn(root: ValueNode, path: KeyPath, target: 'key' | 'value'): Position {
  let node: ValueNode = root;
  let keyStart: Position = node.loc.start;
  for (const part of path) {
    if (node.type === 'Array' && typeof part === 'number') {
      const element = node.elements[part];
      if (element === undefined) return node.loc.start;
      node = element.value;
      keyStart = element.loc.start;
    } else if (node.type === 'Object') {
      // The last of several equal keys is the one whose value was parsed.
      const member = node.members.findLast((candidate) => memberName(candidate) === String(part));
      if (member === undefined) return node.loc.start;
      node = member.value;
      keyStart = member.name.loc.start;
    } else {
      return node.loc.start;
    }
  }
  return target === 'key' ? keyStart : node.loc.start;
}

/** The text of the scalar at `path` as it was written; null where there is none. */
function sourceIn(root: ValueNode, path: KeyPath, text: string): string | null {
  let node: ValueNode | undefined = root;
  for (const part of path) {
    if (node?.type === 'Array' && typeof part === 'number') node = node.elements[part]?.value;
    else if (node?.type === 'Object') {
      node = node.members.findLast((member) => memberName(member) === String(part))?.value;
    } else return null;
  }
  if (node === undefined || node.type === 'Array' || node.type === 'Object') return null;
  return node.type === 'String' ? node.value : text.slice(node.loc.start.offset, node.loc.end.offset);
}

function collectFaults(
  file: string,
  source: string,
  node: ValueNode,
  path: KeyPath,
  problems: Problem[],
): void {
  if (node.type === 'Array') {
    node.elements.forEach((element, index) =>
      collectFaults(file, source, element.value, [...path, index], problems),
    );
  } else if (node.type === 'Object') {
    const seen = new Map<string, number>();
    for (const member of node.members) {
      const name = memberName(member);
      const first = seen.get(name);
      if (first === undefined) seen.set(name, member.loc.start.line);
      else {
        problems.push({
          file,
          line: member.loc.start.line,
          column: member.loc.start.column,
          key: formatKeyPath([...path, name]),
          message: `the key is written twice ${first === member.loc.start.line ? 'on this line' : `(first on line ${first})`}`,
          fix: 'keep one of the two',
        });
      }
      collectFaults(file, source, member.value, [...path, name], problems);
    }
  } else if (node.type === 'Number') {
    const written = source.slice(node.loc.start.offset, node.loc.end.offset);
    if (!survivesAsDouble(written)) {
      problems.push({
        file,
        line: node.loc.start.line,
        column: node.loc.start.column,
        key: formatKeyPath(path),
        message: `the number ${written} cannot be held exactly and would silently become ${Number(written)}`,
        fix: 'write it as a string, or with fewer digits',
      });
    }
  }
}

/** The significant digits of a written number, without sign, point, exponent and outer zeros. */
function significantDigits(written: string): string {
  const [mantissa = ''] = written.toLowerCase().split('e');
  return mantissa.replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
}

/** True when a written number comes back from a double: neither overflown, nor vanished, nor with other digits. */
function survivesAsDouble(written: string): boolean {
  const number = Number(written);
  const digits = significantDigits(written);
  if (!Number.isFinite(number)) return false;
  if (number === 0) return digits === '';
  return digits.length <= LONGEST_EXACT_DIGITS || significantDigits(number.toString()) === digits;
}

function syntaxProblem(file: string, text: string, fallback: string): Problem {
  try {
    positionedParser().parse(text, { mode: 'json' });
  } catch (error) {
    const line = numberMember(error, 'line');
    const column = numberMember(error, 'column');
    const message = error instanceof Error ? error.message.replace(/\s*\(\d+:\d+\)\s*$/, '') : fallback;
    return { file, line, column, key: '', message: `not valid JSON: ${message}`, fix: syntaxFix(text) };
  }
  return {
    file,
    line: null,
    column: null,
    key: '',
    message: `not valid JSON: ${fallback}`,
    fix: syntaxFix(text),
  };
}

function syntaxFix(text: string): string {
  return text.trim() === ''
    ? 'the file is empty: write one case as a JSON object'
    : 'correct the syntax (JSON has no comments and no trailing commas)';
}

function numberMember(value: unknown, name: string): number | null {
  if (typeof value !== 'object' || value === null || !(name in value)) return null;
  const member: unknown = Reflect.get(value, name);
  return typeof member === 'number' ? member : null;
}

/** What parsing JSON gives: a document, or the problems that kept it from being one. */
export type ParsedJsonDocument = { ok: true; document: WrittenDocument } | { ok: false; problems: Problem[] };

/**
 * Parses JSON that a human wrote. Repeated keys and numbers too long for a double are problems, not silent changes.
 * A byte-order mark at the start is ignored.
 */
export function parseJsonDocument(file: string, source: string): ParsedJsonDocument {
  const text = source.charCodeAt(0) === 0xfeff ? source.slice(1) : source;
  const parsed = parseJson(text);
  if (!parsed.ok) return { ok: false, problems: [syntaxProblem(file, text, parsed.message)] };
  const survey = surveyText(text);
  if (survey.longNumber || survey.members !== countMembers(parsed.value)) {
    const problems: Problem[] = [];
    collectFaults(file, text, positionedParser().parse(text, { mode: 'json' }).body, [], problems);
    if (problems.length > 0) return { ok: false, problems };
  }
  let tree: ValueNode | null = null;
  const positioned = (): ValueNode => (tree ??= positionedParser().parse(text, { mode: 'json' }).body);
  return {
    ok: true,
    document: {
      file,
      value: parsed.value,
      locate: (path, target = 'value') => locateIn(positioned(), path, target),
      sourceAt: (path) => sourceIn(positioned(), path, text),
    },
  };
}
