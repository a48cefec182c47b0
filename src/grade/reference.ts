import type { CheckType } from '../core/index.js';
import {
  required,
  sharedParameters,
  yamlItem,
  type CheckReference,
  type ReferenceRow,
} from './reference-entry.js';
import { budgetRows } from './reference-budget.js';
import { familyRows, type FamilyRow } from './reference-fixture.js';
import { judgedRows } from './reference-judged.js';
import { runRows } from './reference-run.js';
import { textRows } from './reference-text.js';

const CHECK_TYPES = {
  equals: true,
  contains: true,
  icontains: true,
  'contains-all': true,
  'contains-any': true,
  regex: true,
  'starts-with': true,
  'ends-with': true,
  'is-json': true,
  'contains-json': true,
  'max-length': true,
  'min-length': true,
  'word-count': true,
  levenshtein: true,
  'matches-file': true,
  'json-pointer': true,
  'tool-used': true,
  'tool-not-used': true,
  'tool-calls': true,
  'tool-arguments': true,
  'tool-results': true,
  'tools-succeeded': true,
  'file-exists': true,
  'file-absent': true,
  'file-contains': true,
  budget: true,
  command: true,
  program: true,
  'llm-rubric': true,
  'llm-assert': true,
  pairwise: true,
  'trace-judge': true,
} as const satisfies { [Type in CheckType]: true };

function isCheckType(name: string): name is CheckType {
  return Object.hasOwn(CHECK_TYPES, name);
}

function assertionEntry(row: ReferenceRow, check: CheckType): CheckReference {
  return {
    name: row.name,
    writtenIn: 'assertion',
    check,
    passes: row.passes,
    notes: row.notes ?? [],
    parameters: [...row.parameters, ...sharedParameters],
    yaml: yamlItem(row.example),
    json: JSON.stringify(row.example, null, 2),
  };
}

function familyEntry(row: FamilyRow): CheckReference {
  const [key = row.name] = Object.keys(row.expects);
  const compiled = row.assertion?.type.startsWith('not-') === true ? `not-${row.check}` : row.check;
  return {
    name: row.name,
    writtenIn: 'fixture',
    check: row.check,
    passes: row.passes,
    notes: [...(row.notes ?? []), `Compiles to ${compiled}.`],
    parameters: [
      required(
        `expects.${key}${key === row.name ? '' : `.${row.name}`}`,
        'see the example',
        'key in the fixture',
      ),
    ],
    yaml: row.assertion === null ? null : yamlItem(row.assertion),
    json: JSON.stringify({ expects: row.expects }, null, 2),
  };
}

function allEntries(): CheckReference[] {
  const rows = [...textRows, ...runRows, ...judgedRows];
  return [
    ...rows.flatMap((row) => (isCheckType(row.name) ? [assertionEntry(row, row.name)] : [])),
    ...budgetRows.map((row) => assertionEntry(row, 'budget')),
    ...familyRows.map(familyEntry),
  ];
}

/** Every check that can be written, assertion types first, then the keys of `expects` in fixtures. */
export const checkReference: readonly CheckReference[] = allEntries();

/** The names of all check types, without `not-`. */
export const checkTypes: readonly CheckType[] = Object.keys(CHECK_TYPES).filter(isCheckType);

/** The reference of one check by its name, also with `not-` in front; null when there is none. */
export function describeCheck(name: string): CheckReference | null {
  const exact = checkReference.find((entry) => entry.name === name);
  if (exact !== undefined) return exact;
  if (!name.startsWith('not-')) return null;
  const base = name.slice('not-'.length);
  return checkReference.find((entry) => entry.name === base && entry.writtenIn === 'assertion') ?? null;
}
