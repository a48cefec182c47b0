import type { JsonValue, KeyPath } from '../core/index.js';
import type { RuleProblem } from './document.js';

/** Deeper nesting is no suite; it also ends a walk that would never end. */
const DEEPEST = 200;

function refuse(problems: RuleProblem[], path: KeyPath, what: string, fix: string): null {
  problems.push({ path, message: `${what} cannot stand in a suite`, fix });
  return null;
}

function plainMember(value: unknown, path: KeyPath, problems: RuleProblem[]): JsonValue | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'undefined':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? value : refuse(problems, path, `${value}`, 'write a finite number');
    case 'bigint':
      return refuse(problems, path, 'a bigint', 'write it as text');
    case 'function':
      return refuse(
        problems,
        path,
        'a function',
        'put it in a module of its own and write { type: "program", value: "./module.ts" }',
      );
    case 'symbol':
      return refuse(problems, path, 'a symbol', 'write text');
    case 'object':
      return value === null ? null : plainObject(value, path, problems);
  }
}

function plainObject(value: object, path: KeyPath, problems: RuleProblem[]): JsonValue {
  if (path.length > DEEPEST)
    return refuse(problems, path, 'a value that contains itself', 'write the value out');
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => plainMember(item, [...path, index], problems) ?? null);
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of another realm are plain too: their prototype has no prototype of its own.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    const name = value.constructor.name;
    return refuse(problems, path, name === '' ? 'an instance of a class' : `a ${name}`, 'write plain data');
  }
  const plain: { [key: string]: JsonValue } = {};
  for (const [key, member] of Object.entries(value)) {
    if (key === '__proto__') {
      refuse(problems, [...path, key], 'this key', 'choose another name');
      continue;
    }
    const kept = plainMember(member, [...path, key], problems);
    if (kept !== undefined) plain[key] = kept;
  }
  return plain;
}

/**
 * What a program exported, as JSON. Functions, dates, class instances and the like are refused, each by its key path;
 * members that are `undefined` are left out.
 */
export function exportedValue(value: unknown): { value: JsonValue; problems: RuleProblem[] } {
  const problems: RuleProblem[] = [];
  return { value: plainMember(value, [], problems) ?? null, problems };
}
