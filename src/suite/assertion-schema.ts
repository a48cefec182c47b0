import { z } from 'zod';
import { didYouMean, isJsonObject, type JsonValue, type KeyPath } from '../core/index.js';
import {
  costKind,
  latencyKind,
  maxLengthKind,
  minLengthKind,
  tokensKind,
  wordCountKind,
} from './assertion-bound-kinds.js';
import { containsJsonKind, isJsonKind, programKind } from './assertion-json-kinds.js';
import { assertKind, pairwiseKind, rubricKind } from './assertion-judge-kinds.js';
import type { AssertionKind, ShapedAssertion } from './assertion-kind.js';
import { asWritten, type SourceAt } from './assertion-text.js';
import {
  containsAllKind,
  containsAnyKind,
  containsKind,
  endsWithKind,
  equalsKind,
  icontainsKind,
  levenshteinKind,
  matchesFileKind,
  regexKind,
  startsWithKind,
} from './assertion-text-kinds.js';
import {
  toolArgumentsKind,
  toolCallsKind,
  toolNotUsedKind,
  toolResultsKind,
  toolsSucceededKind,
  toolUsedKind,
} from './assertion-tool-kinds.js';
import {
  commandKind,
  fileAbsentKind,
  fileContainsKind,
  fileExistsKind,
} from './assertion-workspace-kinds.js';
import type { RuleProblem } from './document.js';
import { describeValue, schemaProblems } from './schema-problems.js';

const OTHER_KINDS = [
  containsKind,
  icontainsKind,
  containsAllKind,
  containsAnyKind,
  regexKind,
  startsWithKind,
  endsWithKind,
  isJsonKind,
  containsJsonKind,
  maxLengthKind,
  minLengthKind,
  wordCountKind,
  levenshteinKind,
  matchesFileKind,
  programKind,
  toolUsedKind,
  toolNotUsedKind,
  toolCallsKind,
  toolArgumentsKind,
  toolResultsKind,
  toolsSucceededKind,
  fileExistsKind,
  fileAbsentKind,
  fileContainsKind,
  commandKind,
  latencyKind,
  costKind,
  tokensKind,
  rubricKind,
  assertKind,
  pairwiseKind,
] as const;

const KINDS: readonly AssertionKind[] = [equalsKind, ...OTHER_KINDS];

const kindOf: ReadonlyMap<string, AssertionKind> = new Map(
  KINDS.flatMap((kind) => [
    [kind.type, kind],
    [`not-${kind.type}`, kind],
  ]),
);

/** Every assertion type, without its `not-` prefix, in the order of the reference. */
export const ASSERTION_TYPES: readonly string[] = KINDS.map((kind) => kind.type);

/** One assertion as a human writes it: the single source of its types, validation and JSON Schema. */
export const assertionSchema = z.discriminatedUnion('type', [
  equalsKind.schema,
  ...OTHER_KINDS.map(({ schema }) => schema),
]);

/** An assertion as it may be written. */
export type AssertionInput = z.input<typeof assertionSchema>;

function unknownType(written: JsonValue | undefined, path: KeyPath): RuleProblem {
  if (typeof written !== 'string') {
    return {
      path: [...path, 'type'],
      message:
        written === undefined
          ? 'missing; the type of the assertion is required'
          : `must be text, not ${describeValue(written)}`,
      fix: `write one of ${ASSERTION_TYPES.join(', ')}`,
    };
  }
  if (/^not-(?:not-)+/.test(written)) {
    return {
      path: [...path, 'type'],
      message: `${JSON.stringify(written)} is not known: not- may stand only once`,
      fix: `write ${written.replace(/^(?:not-not-)+/, '')}`,
    };
  }
  const meant = didYouMean(written, kindOf.keys());
  return {
    path: [...path, 'type'],
    message: `${JSON.stringify(written)} is not a known assertion type`,
    fix: meant === null ? `write one of ${ASSERTION_TYPES.join(', ')}` : `did you mean ${meant}?`,
  };
}

/** The kind of assertion that a value is; notes a problem when it is none. */
export function findAssertionKind(
  value: JsonValue,
  path: KeyPath,
  problems: RuleProblem[],
): AssertionKind | null {
  if (!isJsonObject(value)) {
    problems.push({
      path,
      message: `must be an object, not ${describeValue(value)}`,
      fix: 'write type and what goes with it, such as { type: contains, value: ok }',
    });
    return null;
  }
  const type = value['type'];
  const kind = typeof type === 'string' ? kindOf.get(type) : undefined;
  if (kind !== undefined) return kind;
  problems.push(unknownType(type, path));
  return null;
}

/** Checks the shape of an assertion: keys and types. Its values are checked when it is built. */
export function shapeAssertion(
  kind: AssertionKind,
  value: JsonValue,
  path: KeyPath,
  sourceAt: SourceAt,
  problems: RuleProblem[],
): ShapedAssertion | null {
  const written = asWritten(kind.schema, value, path, sourceAt);
  const shaped = kind.shape(written);
  if (shaped.ok) return shaped.assertion;
  problems.push(...schemaProblems(shaped.error, kind.schema, written, path));
  return null;
}
