import { isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import { anyMember, member } from '../cases/index.js';

/** What an eval expects, as assertions of a suite. */
export interface ConvertedExpectations {
  assertions: JsonObject[];
  /** What has no twin: as it is named, and why. */
  dropped: { name: string; why: string }[];
}

/** The id of the case of an eval. Numbers and texts never meet: `eval-3` is the number, `eval-"3"` would be the text. */
export function evalCaseId(id: JsonValue | undefined): string | null {
  if (typeof id === 'number' && Number.isInteger(id)) return `eval-${id}`;
  if (typeof id === 'string' && id.trim() !== '')
    return /^eval-\d+$|^-?\d+$/.test(id) ? `eval-text-${id}` : id;
  return null;
}

function listMember(written: JsonObject, key: string): JsonValue[] {
  const value = member(written, key);
  return Array.isArray(value) ? value : [];
}

/** What an eval expects: the union of its `expectations` and `assertions`, in this order. */
export function evalExpectations(written: JsonObject): JsonValue[] {
  const expectations = listMember(written, 'expectations');
  const known = new Set(expectations.map((item) => JSON.stringify(item)));
  return [
    ...expectations,
    ...listMember(written, 'assertions').filter((item) => !known.has(JSON.stringify(item))),
  ];
}

function convertedOne(item: JsonValue): JsonObject | string {
  if (typeof item === 'string') {
    return item.trim() === '' ? 'it is blank' : { type: 'llm-assert', value: [item], required: true };
  }
  if (!isJsonObject(item)) return 'it is neither a text nor an object';
  const value = anyMember(item, ['value']);
  const type = item['type'];
  if (typeof value !== 'string' || value === '') return 'its value is no text';
  const metric =
    typeof item['name'] === 'string' && item['name'].trim() !== '' ? { metric: item['name'] } : {};
  if (type === 'contains') return { type: 'contains', value, required: true, ...metric };
  if (type === 'not_contains') return { type: 'not-contains', value, required: true, ...metric };
  return `the type ${JSON.stringify(type ?? null)} has no twin`;
}

/** Texts become statements for a judge, objects become checks of text. */
export function convertExpectations(written: JsonObject): ConvertedExpectations {
  const converted: ConvertedExpectations = { assertions: [], dropped: [] };
  for (const [index, item] of evalExpectations(written).entries()) {
    const one = convertedOne(item);
    if (typeof one === 'string') converted.dropped.push({ name: `expectation ${index + 1}`, why: one });
    else converted.assertions.push(one);
  }
  return converted;
}

/** An assertion of a suite as an expectation; null when there is no word for it. */
export function expectationOf(assertion: JsonValue): JsonValue[] | null {
  if (!isJsonObject(assertion)) return null;
  const { type, value, metric } = assertion;
  if (type === 'llm-assert') {
    const statements = Array.isArray(value) ? value : [value ?? null];
    return statements.every((statement) => typeof statement === 'string') ? statements : null;
  }
  if (typeof value !== 'string') return null;
  const name =
    typeof metric === 'string' ? metric : `${type === 'contains' ? 'contains' : 'does not contain'} ${value}`;
  if (type === 'contains') return [{ name, type: 'contains', value }];
  if (type === 'not-contains') return [{ name, type: 'not_contains', value }];
  return null;
}
