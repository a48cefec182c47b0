import { isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import { textMember } from '../cases/index.js';
import { fillTemplate, plainText } from './promptfoo-template.js';
import { nameOf } from './import-table.js';

/** The twin of a grader for one item, or why it has none. */
export type GraderTwin = { ok: true; assertion: JsonObject } | { ok: false; why: string };

const OUTPUT = /^\s*\{\{\s*sample\.output_text\s*\}\}\s*$/;

const TYPES: ReadonlyMap<string, string> = new Map([
  ['eq', 'equals'],
  ['ne', 'not-equals'],
  ['neq', 'not-equals'],
  ['like', 'contains'],
  ['ilike', 'icontains'],
]);

/** Operations by assertion type, for export. */
export const OPERATIONS: ReadonlyMap<string, string> = new Map([
  ['equals', 'eq'],
  ['not-equals', 'ne'],
  ['contains', 'like'],
  ['icontains', 'ilike'],
]);

/** The reference of a grader filled with an item: only the item may stand in it. */
export function filledWithItem(
  text: string,
  item: JsonObject,
): { ok: true; text: string } | { ok: false; why: string } {
  const filled = fillTemplate(text, { values: { item }, textOf: (_, value) => plainText(value) });
  if (!filled.ok) return filled;
  if (filled.unknown.length > 0)
    return { ok: false, why: `{{${filled.unknown[0] ?? ''}}} is not in the item` };
  return { ok: true, text: filled.text };
}

/** The assertion that a hosted grader is for an item. */
export function graderTwin(grader: JsonObject, item: JsonObject): GraderTwin {
  const type = textMember(grader, 'type');
  if (type !== 'string_check') return { ok: false, why: `graders of type ${type || 'none'} have no twin` };
  const operation = textMember(grader, 'operation');
  const twin = TYPES.get(operation);
  if (twin === undefined) return { ok: false, why: `the operation ${JSON.stringify(operation)} has no twin` };
  const input = textMember(grader, 'input');
  const reference = textMember(grader, 'reference');
  // Equality does not care which side the answer is on.
  const swapped = OUTPUT.test(reference) && (operation === 'eq' || operation === 'ne' || operation === 'neq');
  if (!OUTPUT.test(input) && !swapped)
    return { ok: false, why: 'it does not look at {{sample.output_text}} as a whole' };
  const filled = filledWithItem(swapped ? input : reference, item);
  if (!filled.ok) return filled;
  if (filled.text === '') return { ok: false, why: 'its reference is empty for this item' };
  const name = textMember(grader, 'name');
  return {
    ok: true,
    assertion: {
      type: twin,
      value: filled.text,
      required: true,
      ...(name.trim() === '' ? {} : { metric: name }),
    },
  };
}

/** An assertion as a hosted grader whose reference is a field of the item; null when there is none. */
export function graderOf(
  assertion: JsonValue,
  field: string,
): { grader: JsonObject; value: JsonValue } | null {
  if (!isJsonObject(assertion)) return null;
  const { type, value, metric } = assertion;
  const operation = typeof type === 'string' ? OPERATIONS.get(type) : undefined;
  if (operation === undefined || typeof value !== 'string') return null;
  return {
    grader: {
      type: 'string_check',
      name: typeof metric === 'string' ? metric : `${nameOf(type)} ${field}`,
      input: '{{sample.output_text}}',
      operation,
      reference: `{{item.${field}}}`,
    },
    value,
  };
}
