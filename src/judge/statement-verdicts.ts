import { isJsonObject, plural, quote, type JsonObject, type JsonValue } from '../core/index.js';
import type { Reading } from './conversation.js';
import { readReason } from './reason.js';
import { findVerdict } from './verdict-scanner.js';

/** What the judge said of one statement. */
export interface StatementVerdict {
  /** 1-based number of the statement. */
  id: number;
  verdict: 'TRUE' | 'FALSE' | 'UNKNOWN';
  reason: string | null;
}

function readWord(value: JsonValue | undefined): StatementVerdict['verdict'] | null {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  const word = typeof value === 'string' ? value.trim().toUpperCase() : '';
  return word === 'TRUE' || word === 'FALSE' || word === 'UNKNOWN' ? word : null;
}

type Identified = { kind: 'id'; id: number } | { kind: 'unreadable' | 'invalid'; why: string };

/** The number of the only statement that reads exactly so; 0 when there is none or several. */
function numberOf(text: JsonValue | undefined, statements: readonly string[]): number {
  const first = statements.findIndex((statement) => statement === text);
  return first !== -1 && first === statements.lastIndexOf(statements[first] ?? '') ? first + 1 : 0;
}

/** Which statement an item is about: by its number, or, without one, by the exact text of just one statement. */
function identify(item: JsonObject, statements: readonly string[]): Identified {
  const { id, assertion } = item;
  const byText = numberOf(assertion, statements);
  if (id === undefined) {
    if (byText !== 0) return { kind: 'id', id: byText };
    return {
      kind: 'unreadable',
      why: 'a result has no id, and no text that is exactly one of the statements',
    };
  }
  const written = typeof id === 'string' && /^\s*\d{1,9}\s*$/.test(id) ? Number(id) : id;
  if (typeof written !== 'number') return { kind: 'unreadable', why: 'the id of a result is not a number' };
  if (!Number.isInteger(written) || written < 1 || written > statements.length) {
    const range =
      statements.length === 1 ? 'there is only statement 1' : `statements go from 1 to ${statements.length}`;
    return { kind: 'invalid', why: `a result has the id ${written}, and ${range}` };
  }
  if (byText !== 0 && byText !== written) {
    return { kind: 'invalid', why: `the result with id ${written} quotes statement ${byText}` };
  }
  return { kind: 'id', id: written };
}

/**
 * Reads the verdicts on numbered statements, each exactly once, and puts them in the order of their numbers. Verdicts
 * are matched by number, never counted or taken by place.
 */
export function readStatements(reply: string, statements: readonly string[]): Reading<StatementVerdict[]> {
  const found = findVerdict(reply, ['results', 'verdict']);
  if (!found.ok) return { kind: 'unreadable', why: found.why };
  const items = found.value['results'];
  if (!Array.isArray(items)) return { kind: 'unreadable', why: '"results" is missing or not a list' };
  const byNumber = new Map<number, StatementVerdict>();
  for (const item of items) {
    if (!isJsonObject(item)) return { kind: 'unreadable', why: 'a result is not an object' };
    const identified = identify(item, statements);
    if (identified.kind !== 'id') return identified;
    const { id } = identified;
    const verdict = readWord(item['verdict']);
    if (verdict === null) {
      return { kind: 'unreadable', why: `the verdict of result ${id} is not TRUE, FALSE or UNKNOWN` };
    }
    if (byNumber.has(id)) return { kind: 'invalid', why: `statement ${id} is answered more than once` };
    byNumber.set(id, { id, verdict, reason: readReason(item['reason']) });
  }
  if (byNumber.size !== statements.length) {
    const missing = statements.findIndex((_, index) => !byNumber.has(index + 1));
    const count = `${plural(byNumber.size, 'verdict')} for ${plural(statements.length, 'statement')}`;
    return {
      kind: 'invalid',
      why: `${count}; number ${missing + 1} is missing: ${quote(statements[missing] ?? '')}`,
    };
  }
  return { kind: 'verdict', value: [...byNumber.values()].toSorted((left, right) => left.id - right.id) };
}
