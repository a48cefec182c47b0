import { StatsError } from './error.js';
import { fallbackOf, recordProblems, type Field, type FieldsOf } from './field.js';

/** One input of a group, described for people. */
export interface StatsInput {
  readonly name: string;
  /** The type in plain words. */
  readonly type: string;
  readonly meaning: string;
  readonly required: boolean;
  /** The value that holds when the input is left out; undefined when it is required. */
  readonly fallback?: unknown;
}

/** One output of a group. */
export interface StatsOutput {
  readonly name: string;
  readonly meaning: string;
}

/** One statistic, callable by name on untyped input. */
export interface StatsGroup {
  readonly name: string;
  /** What it answers, in one sentence. */
  readonly summary: string;
  readonly formula: string;
  /** Names of the inputs. */
  readonly inputs: readonly string[];
  /** Names of the outputs. */
  readonly outputs: readonly string[];
  /** The inputs with type, meaning and fallback. */
  readonly parameters: readonly StatsInput[];
  /** The outputs with their meaning. */
  readonly results: readonly StatsOutput[];
  /** An input that `run` accepts. */
  readonly example: Readonly<Record<string, unknown>>;
  /**
   * Checks the input strictly (unknown, missing and mistyped keys: INVALID_INPUT, all of them in one message), then
   * computes. Throws StatsError.
   */
  run(input: unknown): Readonly<Record<string, unknown>>;
}

/** What a group is made of. The fields must match the input type and the outputs the result type, key by key. */
export interface GroupDefinition<I, O> {
  readonly name: string;
  readonly summary: string;
  readonly formula: string;
  readonly fields: FieldsOf<I>;
  readonly outputs: { readonly [K in keyof O]-?: string };
  readonly example: I & Readonly<Record<string, unknown>>;
  readonly compute: (input: I) => O;
}

/** Builds the by-name form of a typed statistic. */
export function defineGroup<I extends object, O extends object>(
  definition: GroupDefinition<I, O>,
): StatsGroup {
  const { name, summary, formula, fields, outputs, example, compute } = definition;
  const known: [string, Field<unknown>][] = Object.entries(fields);
  const meanings: [string, string][] = Object.entries(outputs);
  return {
    name,
    summary,
    formula,
    example,
    inputs: Object.keys(fields),
    outputs: Object.keys(outputs),
    parameters: known.map(([inputName, inner]) => describe(inputName, inner)),
    results: meanings.map(([outputName, meaning]) => ({ name: outputName, meaning })),
    run(input) {
      const accepts = (value: unknown): value is I => recordProblems(fields, value, '').length === 0;
      if (!accepts(input)) {
        throw new StatsError('INVALID_INPUT', `${name}: ${recordProblems(fields, input, '').join('; ')}`);
      }
      const results: [string, unknown][] = Object.entries(compute(input));
      return Object.fromEntries(results);
    },
  };
}

function describe(name: string, inner: Field<unknown>): StatsInput {
  const fallback = fallbackOf(inner);
  const base = { name, type: inner.type, meaning: inner.meaning, required: fallback === undefined };
  return fallback === undefined ? base : { ...base, fallback: fallback.value };
}
