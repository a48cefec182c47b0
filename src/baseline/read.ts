import { readFileSync, statSync } from 'node:fs';
import type { z } from 'zod';
import {
  AssayError,
  errorMessage,
  isJsonObject,
  plural,
  sortProblems,
  type JsonValue,
  type Problem,
} from '../core/index.js';
import { parseJsonDocument, placeProblem, schemaProblems, type PositionedDocument } from '../suite/index.js';
import {
  BASELINE_SCHEMA,
  baselineSchema,
  REFERENCE_BASELINE_SCHEMA,
  referenceBaselineSchema,
  type Baseline,
  type BaselineEntry,
} from './schema.js';

const LARGEST = 512 * 1024 * 1024;
const REGENERATE = 'write a new one with `assay run SUITE --write-baseline FILE`';

type ReferenceEntry = z.output<typeof referenceBaselineSchema>['entries'][number];

function invalid(file: string, problems: readonly Problem[]): AssayError {
  return new AssayError('INPUT', `${file} is not a valid baseline: ${plural(problems.length, 'problem')}`, {
    fix: `Correct it, or ${REGENERATE}.`,
    problems: sortProblems([...problems]),
  });
}

/**
 * An entry of the reference harness. It says nothing of categories and of repeats, and equal labels have become one.
 */
function fromReference(entry: ReferenceEntry): BaselineEntry {
  return {
    ...entry,
    checks: Object.entries(entry.checks).map(([check, passed]) => ({
      check,
      passed,
      category: 'response',
      diagnostic: false,
    })),
    total_tokens: entry.total_tokens ?? null,
    score: entry.score ?? null,
    judge_ref: entry.judge_ref ?? null,
    repeat: { k: 1, passes: entry.verdict === 'pass' ? 1 : 0 },
  };
}

function readText(path: string, file: string): string {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) throw new Error('it is not a file');
    if (stats.size > LARGEST) throw new Error('it is too large for a baseline');
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new AssayError('INPUT', `cannot read the baseline ${file}: ${errorMessage(error)}`, {
      fix: `Check the path, or ${REGENERATE}.`,
      cause: error,
    });
  }
}

function entriesOf(document: PositionedDocument, name: JsonValue | undefined): BaselineEntry[] {
  const { file, value } = document;
  const schema = name === REFERENCE_BASELINE_SCHEMA ? referenceBaselineSchema : baselineSchema;
  const checked = schema.safeParse(value);
  if (!checked.success) {
    const broken = schemaProblems(checked.error, schema, value);
    throw invalid(
      file,
      broken.map((problem) => placeProblem(document, problem)),
    );
  }
  return checked.data.schema === BASELINE_SCHEMA
    ? checked.data.entries
    : checked.data.entries.map(fromReference);
}

/** What no schema can say: ids are unique, and a case has not passed more often than it was tried. */
function broken(document: PositionedDocument, entries: readonly BaselineEntry[]): Problem[] {
  const problems: Problem[] = [];
  const first = new Map<string, number>();
  for (const [index, entry] of entries.entries()) {
    const place = (path: (string | number)[], message: string, fix: string): void => {
      problems.push(placeProblem(document, { path: ['entries', index, ...path], message, fix }));
    };
    const earlier = first.get(entry.case_id);
    if (earlier === undefined) first.set(entry.case_id, index);
    else {
      const message = `the case ${JSON.stringify(entry.case_id)} stands here twice (first as entry ${earlier + 1})`;
      place(['case_id'], message, 'keep one of the two');
    }
    if (entry.case_id.trim() === '') place(['case_id'], 'must not be blank', 'write the id of the case');
    const { k, passes } = entry.repeat;
    if (passes > k) place(['repeat', 'passes'], `${passes} of ${k} cannot have passed`, REGENERATE);
    else if (entry.verdict === 'pass' && passes < k) {
      place(['verdict'], `a case passes when all ${k} trials do; here ${passes} did`, REGENERATE);
    } else if (entry.verdict === 'fail' && passes === k) {
      place(['verdict'], `the case fails although all ${k} trials passed`, REGENERATE);
    }
  }
  return problems;
}

/**
 * Reads a baseline: Assay's own, or one of the reference harness. Strict at every level.
 * @param path the file
 * @param file how messages name it
 * @throws AssayError `INPUT` with every problem, each at its place
 */
export function readBaseline(path: string, file: string = path): Baseline {
  const parsed = parseJsonDocument(file, readText(path, file));
  if (!parsed.ok) throw invalid(file, parsed.problems);
  const { document } = parsed;
  const { value } = document;
  const name = isJsonObject(value) && Object.hasOwn(value, 'schema') ? value['schema'] : undefined;
  if (isJsonObject(value) && name !== BASELINE_SCHEMA && name !== REFERENCE_BASELINE_SCHEMA) {
    const shown = name === undefined ? 'missing' : `${JSON.stringify(name)} is not known to this version`;
    throw invalid(file, [
      placeProblem(document, {
        path: ['schema'],
        message: `${shown}; must be "${BASELINE_SCHEMA}"`,
        fix: `regenerate the baseline: ${REGENERATE}`,
      }),
    ]);
  }
  const entries = entriesOf(document, name);
  const problems = broken(document, entries);
  if (problems.length > 0) throw invalid(file, problems);
  const suite = isJsonObject(value) && typeof value['suite'] === 'string' ? value['suite'] : null;
  return { file, suite, entries: new Map(entries.map((entry) => [entry.case_id, entry])) };
}
