/** How one input of a statistics group is checked and described. */
export interface Field<T> {
  /** The type in plain words, such as "whole number". */
  readonly type: string;
  /** What the input means. */
  readonly meaning: string;
  /** What is wrong with a value found at a path; empty when nothing is. */
  problems(value: unknown, path: string): string[];
  /** True when the value has this type. */
  accepts(value: unknown): value is T;
}

/** A field that may be left out, with the value that then holds. */
export interface OptionalField<T> extends Field<T> {
  readonly optional: true;
  readonly fallback: T;
}

/** One field for each property of an input; properties that may be absent need an optional field. */
export type FieldsOf<I> = {
  readonly [K in keyof I]-?: Pick<I, K> extends Required<Pick<I, K>>
    ? Field<I[K]>
    : OptionalField<Exclude<I[K], undefined>>;
};

const SHOWN_LENGTH = 60;

/** A value as a short, printable piece of a message. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  const text =
    typeof value === 'bigint' || typeof value === 'function' ? typeof value : JSON.stringify(value);
  if (text === undefined) return typeof value;
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}...` : text;
}

function field<T>(type: string, meaning: string, find: (value: unknown, path: string) => string[]): Field<T> {
  return {
    type,
    meaning,
    problems: find,
    accepts: (value): value is T => find(value, '').length === 0,
  };
}

function simple<T>(type: string, meaning: string, holds: (value: unknown) => boolean): Field<T> {
  return field(type, meaning, (value, path) =>
    holds(value) ? [] : [`${path} must be a ${type}, got ${shown(value)}`],
  );
}

const isFiniteNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);

/** A finite number. */
export function real(meaning: string): Field<number> {
  return simple('number', meaning, isFiniteNumber);
}

/** A finite number meant to be whole; the statistic itself refuses a fraction, with its own code. */
export function whole(meaning: string): Field<number> {
  return simple('whole number', meaning, isFiniteNumber);
}

/** A text. */
export function text(meaning: string): Field<string> {
  return simple('text', meaning, (value) => typeof value === 'string');
}

/** A text or a number, used as a name. */
export function label(meaning: string): Field<string | number> {
  return simple('text or number', meaning, (value) => typeof value === 'string' || isFiniteNumber(value));
}

/** One of a few fixed words or numbers. */
export function choice<const T extends string | number>(meaning: string, allowed: readonly T[]): Field<T> {
  const type = allowed.map((word) => JSON.stringify(word)).join(' or ');
  return field(type, meaning, (value, path) =>
    allowed.some((word) => word === value) ? [] : [`${path} must be ${type}, got ${shown(value)}`],
  );
}

/** A value or null. */
export function nullable<T>(inner: Field<T>): Field<T | null> {
  return field(`${inner.type} or null`, inner.meaning, (value, path) =>
    value === null ? [] : inner.problems(value, path).map((problem) => `${problem} (null is allowed)`),
  );
}

/** A list of values. */
export function list<T>(meaning: string, inner: Field<T>): Field<readonly T[]> {
  const type = `list of (${inner.type})`;
  return field(type, meaning, (value, path) =>
    Array.isArray(value)
      ? Array.from(value, (item: unknown, index) => inner.problems(item, `${path}[${index}]`)).flat()
      : [`${path} must be a ${type}, got ${shown(value)}`],
  );
}

/** A list of exactly two values. */
export function pair<A, B>(meaning: string, first: Field<A>, second: Field<B>): Field<readonly [A, B]> {
  return fixedList(meaning, [first, second]);
}

/** A list of exactly three values. */
export function triple<A, B, C>(
  meaning: string,
  first: Field<A>,
  second: Field<B>,
  third: Field<C>,
): Field<readonly [A, B, C]> {
  return fixedList(meaning, [first, second, third]);
}

function fixedList<T>(meaning: string, inner: readonly Field<unknown>[]): Field<T> {
  const type = `[${inner.map((item) => item.type).join(', ')}]`;
  return field(type, meaning, (value, path) =>
    Array.isArray(value) && value.length === inner.length
      ? inner.flatMap((item, index) => item.problems(value[index], `${path}[${index}]`))
      : [`${path} must be ${type}, got ${shown(value)}`],
  );
}

/** An object with exactly the given properties. */
export function record<I>(meaning: string, fields: FieldsOf<I>): Field<I> {
  const known: [string, Field<unknown>][] = Object.entries(fields);
  const type = `{${known.map(([name, inner]) => `${name}: ${inner.type}`).join(', ')}}`;
  return field(type, meaning, (value, path) => recordProblems(fields, value, path));
}

/** A field that may be left out; the fallback is the value that then holds. */
export function optional<T>(inner: Field<T>, fallback: T): OptionalField<T> {
  return { ...inner, optional: true, fallback };
}

/** The fallback of an optional field; undefined for a required one. */
export function fallbackOf(inner: Field<unknown>): { value: unknown } | undefined {
  return 'optional' in inner && 'fallback' in inner ? { value: inner.fallback } : undefined;
}

/** Everything wrong with an object: not an object, unknown keys, missing keys, mistyped values. */
export function recordProblems<I>(fields: FieldsOf<I>, value: unknown, path: string): string[] {
  const known: [string, Field<unknown>][] = Object.entries(fields);
  const names = known.map(([name]) => name);
  const where = (name: string): string => (path === '' ? name : `${path}.${name}`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [
      `${path === '' ? 'the input' : path} must be an object with ${names.join(', ')}, got ${shown(value)}`,
    ];
  }
  const given = new Map<string, unknown>(Object.entries(value));
  const unknown = [...given.keys()]
    .filter((name) => !names.includes(name))
    .map((name) => `${shown(where(name))} is not an input (${names.join(', ')} are)`);
  const wrong = known.flatMap(([name, inner]) => {
    if (given.has(name)) return inner.problems(given.get(name), where(name));
    return fallbackOf(inner) === undefined
      ? [`${where(name)} is missing (${inner.type}: ${inner.meaning})`]
      : [];
  });
  return [...unknown, ...wrong];
}
