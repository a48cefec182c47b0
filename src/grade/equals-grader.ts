import { quote, type CheckSpecOf, type JsonValue } from '../core/index.js';
import { characterAt, responseWas, shapeText } from './graded-text.js';
import { decide, type Verdict } from './grader.js';
import { firstDifference } from './json-difference.js';
import { parseWholeText, shownJson, trimJson } from './json-text.js';

const WINDOW = 40;

const SURROGATE = /[\ud800-\udfff]/;

/** At most so many characters of a text, none of them cut in half. */
function firstCharacters(text: string, count: number): string {
  return SURROGATE.test(text) ? Array.from(text).slice(0, count).join('') : text.slice(0, count);
}

function windowAt(text: string, index: number): string {
  const shown = firstCharacters(text.slice(index, index + WINDOW * 2), WINDOW);
  if (shown === '') return 'the end of the text';
  return `${quote(shown)}${index + shown.length < text.length ? '…' : ''}`;
}

function textDifference(expected: string, actual: string): string {
  let index = 0;
  while (index < expected.length && expected[index] === actual[index]) index += 1;
  // A difference inside a surrogate pair is a difference of the whole character.
  const before = actual.charCodeAt(index - 1);
  if (index > 0 && before >= 0xd800 && before <= 0xdbff) index -= 1;
  const place = characterAt(actual, index);
  return `differs at character ${place}: expected ${windowAt(expected, index)}, found ${windowAt(actual, index)}`;
}

function gradeStructure(value: JsonValue, text: string): Verdict {
  const parsed = parseWholeText(text);
  if (!parsed.ok) return decide(false, `the response is not JSON (${parsed.message}): ${responseWas(text)}`);
  const difference = firstDifference(value, parsed.value, 'equal');
  if (difference !== null) return decide(false, `the JSON differs ${difference}`);
  return decide(true, `equals the JSON ${shownJson(value)}`);
}

/**
 * A text value: both sides identical (trimmed when the check trims). An object or array: the text as JSON has the same
 * value, whatever its key order and spacing. Any other value: the text is its written form, so `7.0` is not 7.
 */
export function gradeEquals(spec: CheckSpecOf<'equals'>, text: string): Verdict {
  const { value } = spec;
  if (typeof value === 'object' && value !== null) return gradeStructure(value, text);
  const expected = typeof value === 'string' ? shapeText(spec, value) : JSON.stringify(value);
  const actual = typeof value === 'string' ? text : trimJson(text);
  if (actual === expected) return decide(true, `equals ${expected === '' ? '""' : windowAt(expected, 0)}`);
  return decide(false, textDifference(expected, actual));
}
