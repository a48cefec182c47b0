import type { CheckType, JsonValue } from '../core/index.js';

/** One key of a check as people write it. */
export interface CheckParameter {
  name: string;
  /** The values it takes, in words. */
  type: string;
  required: boolean;
  meaning: string;
}

/** Everything there is to say about one check, for `assay explain` and the generated reference. */
export interface CheckReference {
  /** As written in a file: an assertion type or the name of a fixture family. */
  name: string;
  /** `assertion`: an item of `assert`, also with `not-` in front. `fixture`: a key of `expects`. */
  writtenIn: 'assertion' | 'fixture';
  /** The check that does the work; differs from `name` for fixture families and short names. */
  check: CheckType;
  /** When it passes, in one sentence. */
  passes: string;
  /** Exact rules that are easy to get wrong. */
  notes: string[];
  parameters: CheckParameter[];
  /** An example as an item of `assert`; null where a suite cannot say the same. */
  yaml: string | null;
  /** The same example in JSON; for a key of `expects`, as a fixture has it. */
  json: string;
}

/** What the tables hold: the reference without what is derived. */
export interface ReferenceRow {
  name: string;
  passes: string;
  notes?: string[];
  parameters: CheckParameter[];
  /** The example as an item of `assert`. */
  example: { type: string; [key: string]: JsonValue };
}

/** A key that must be there. */
export function required(name: string, type: string, meaning: string): CheckParameter {
  return { name, type, required: true, meaning };
}

/** A key that may be left out. */
export function optional(name: string, type: string, meaning: string): CheckParameter {
  return { name, type, required: false, meaning };
}

/** Keys of checks that look at the text of a turn. */
export const turnParameter = optional(
  'turn',
  'whole number',
  '0-based turn whose text is graded; default the last',
);

/** Keys of checks that compare text. */
export const textParameters: CheckParameter[] = [
  turnParameter,
  optional('normalize', 'NFC, NFD, NFKC or NFKD', 'Unicode normalisation of both sides; default none'),
];

/** Keys of checks that bound a count. */
export const countParameters: CheckParameter[] = [
  optional('value', 'whole number', 'the wanted number'),
  optional('exact', 'whole number', 'the same as value'),
  optional('min', 'whole number', 'the lower limit'),
  optional('max', 'whole number', 'the upper limit'),
];

/** Keys that every assertion takes. */
export const sharedParameters: CheckParameter[] = [
  optional('weight', 'number above 0', 'weight in the score of the case; default 1'),
  optional('required', 'true or false', 'a miss fails the case whatever its score; default false'),
  optional('metric', 'text', 'label under which scores are grouped'),
];

/** An item of `assert` in YAML; JSON values are YAML as they stand. */
export function yamlItem(example: ReferenceRow['example']): string {
  const { type, ...rest } = example;
  return [
    `- type: ${type}`,
    ...Object.entries(rest).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`),
  ].join('\n');
}
