import { isJsonObject, plural, quote, type CheckSpecOf, type JsonValue } from '../core/index.js';
import { schemaDifference, withinTime } from '../match/index.js';
import { characterAt, responseWas } from './graded-text.js';
import { cannotGrade, decide, settledFail, type Verdict } from './grader.js';
import { firstDifference } from './json-difference.js';
import { jsonFragments } from './json-fragments.js';
import { parseAnswer, parseWholeText, shownJson } from './json-text.js';

function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${plural(value.length, 'item')}`;
  if (isJsonObject(value)) return `an object with ${plural(Object.keys(value).length, 'key')}`;
  return `a ${typeof value}`;
}

// What longer texts hold is validated under a time bound: `uniqueItems`, for one, is quadratic.
const DIRECT_CHARACTERS = 5000;
const VALIDATION_MS = 1000;

function boundedFor(text: string, grade: () => Verdict): Verdict {
  if (text.length <= DIRECT_CHARACTERS) return grade();
  const bounded = withinTime(VALIDATION_MS, grade);
  if (bounded.finished) return bounded.value;
  return cannotGrade(`validation exceeded ${VALIDATION_MS / 1000} s on ${text.length} characters`);
}

/** Passes when the whole text (JSON white space around it aside) is JSON, and matches the schema if there is one. */
export function gradeIsJson(spec: CheckSpecOf<'is-json'>, text: string): Verdict {
  const parsed = parseWholeText(text);
  if (!parsed.ok) return decide(false, `the response is not JSON (${parsed.message}): ${responseWas(text)}`);
  const what = `the response is JSON, ${kindOf(parsed.value)}`;
  const { schema } = spec;
  if (schema === undefined) return decide(true, what);
  return boundedFor(text, () => {
    const difference = schemaDifference(schema, parsed.value);
    if (difference === null) return decide(true, `${what}, and matches the schema`);
    return decide(false, `${what}, and breaks the schema ${difference}`);
  });
}

/** Why a fragment does not fit; null when it does. */
function misfit(spec: CheckSpecOf<'contains-json'>, value: JsonValue): string | null {
  const difference = spec.subset === undefined ? null : firstDifference(spec.subset, value, 'subset');
  if (difference !== null) return `differs ${difference}`;
  const broken = spec.schema === undefined ? null : schemaDifference(spec.schema, value);
  return broken === null ? null : `breaks the schema ${broken}`;
}

function findFragment(spec: CheckSpecOf<'contains-json'>, text: string): Verdict {
  let fragments = 0;
  let firstMiss: { start: number; why: string } | null = null;
  for (const { start, value } of jsonFragments(text)) {
    fragments += 1;
    const why = misfit(spec, value);
    if (why === null) {
      const place = `the JSON at character ${characterAt(text, start)}`;
      return decide(true, `${place} (${kindOf(value)}) fits: ${shownJson(value)}`);
    }
    firstMiss ??= { start, why };
  }
  if (firstMiss === null) return decide(false, `contains no JSON object or array: ${responseWas(text)}`);
  const place = `the JSON at character ${characterAt(text, firstMiss.start)}`;
  return decide(false, `none of ${plural(fragments, 'JSON fragment')} fits; ${place} ${firstMiss.why}`);
}

/** Passes when some JSON object or array in the text contains the subset and matches the schema, where given. */
export function gradeContainsJson(spec: CheckSpecOf<'contains-json'>, text: string): Verdict {
  // The search itself is linear and needs no bound.
  if (spec.schema === undefined) return findFragment(spec, text);
  return boundedFor(text, () => findFragment(spec, text));
}

const ARRAY_INDEX = /^(?:0|[1-9]\d*)$/;

/** The value a JSON pointer (RFC 6901) names, or undefined when there is none. */
function resolvePointer(document: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replace(/~1/g, '/').replace(/~0/g, '~');
    if (Array.isArray(value)) value = ARRAY_INDEX.test(key) ? value[Number(key)] : undefined;
    else if (value !== undefined && isJsonObject(value) && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value;
}

/**
 * Passes when the text is JSON (or its first json block is) and the pointer yields exactly the expected value. Numbers
 * compare by value: JavaScript reads 1 and 1.0 as one number.
 */
export function gradeJsonPointer(spec: CheckSpecOf<'json-pointer'>, text: string): Verdict {
  const pointer = quote(spec.pointer);
  if (spec.pointer !== '' && !spec.pointer.startsWith('/')) {
    return settledFail(`${pointer} is not a JSON pointer: it must be empty or start with /`);
  }
  const parsed = parseAnswer(text);
  if (!parsed.ok) return decide(false, `response is not JSON: ${responseWas(text)}`);
  const value = resolvePointer(parsed.value, spec.pointer);
  if (value === undefined) return decide(false, `pointer ${pointer} is absent`);
  const difference = firstDifference(spec.value, value, 'equal');
  if (difference === null) return decide(true, `${pointer} is ${shownJson(value)}`);
  return decide(false, `${pointer} is ${shownJson(value)}; differs ${difference}`);
}
