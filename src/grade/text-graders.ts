import { quote, type CheckSpecOf } from '../core/index.js';
import { foldCase } from './case-folding.js';
import { characterAt, responseWas, shapeNeedle } from './graded-text.js';
import { cannotGrade, decide, type Verdict } from './grader.js';

function listed(values: readonly string[]): string {
  return values.map(quote).join(', ');
}

/** Passes on a substring; case-sensitive. */
export function gradeContains(spec: CheckSpecOf<'contains'>, text: string): Verdict {
  const index = text.indexOf(shapeNeedle(spec, spec.value));
  if (index >= 0)
    return decide(true, `contains ${quote(spec.value)} at character ${characterAt(text, index)}`);
  return decide(false, `does not contain ${quote(spec.value)}: ${responseWas(text)}`);
}

/** Passes on a substring under full case folding of both sides. */
export function gradeContainsFolded(spec: CheckSpecOf<'icontains'>, text: string): Verdict {
  const holds = foldCase(text).includes(foldCase(shapeNeedle(spec, spec.value)));
  if (holds) return decide(true, `contains ${quote(spec.value)}, ignoring case`);
  return decide(false, `does not contain ${quote(spec.value)}, ignoring case: ${responseWas(text)}`);
}

/** Passes when every value is a substring; no partial score. */
export function gradeContainsAll(spec: CheckSpecOf<'contains-all'>, text: string): Verdict {
  if (spec.values.length === 0) return cannotGrade('there is no value to look for');
  const missing = spec.values.filter((value) => !text.includes(shapeNeedle(spec, value)));
  if (missing.length === 0) return decide(true, `contains all of ${listed(spec.values)}`);
  return decide(false, `does not contain ${listed(missing)}: ${responseWas(text)}`);
}

/** Passes when at least one value is a substring. */
export function gradeContainsAny(spec: CheckSpecOf<'contains-any'>, text: string): Verdict {
  if (spec.values.length === 0) return cannotGrade('there is no value to look for');
  for (const value of spec.values) {
    const index = text.indexOf(shapeNeedle(spec, value));
    if (index >= 0) return decide(true, `contains ${quote(value)} at character ${characterAt(text, index)}`);
  }
  return decide(false, `contains none of ${listed(spec.values)}: ${responseWas(text)}`);
}

/** Passes when the text begins with the value. */
export function gradeStartsWith(spec: CheckSpecOf<'starts-with'>, text: string): Verdict {
  if (text.startsWith(shapeNeedle(spec, spec.value))) {
    return decide(true, `starts with ${quote(spec.value)}`);
  }
  return decide(false, `does not start with ${quote(spec.value)}: ${responseWas(text)}`);
}

/** Passes when the text ends with the value. */
export function gradeEndsWith(spec: CheckSpecOf<'ends-with'>, text: string): Verdict {
  if (text.endsWith(shapeNeedle(spec, spec.value))) return decide(true, `ends with ${quote(spec.value)}`);
  return decide(false, `does not end with ${quote(spec.value)}: ${responseWas(text)}`);
}

/** Passes when the text has at most `limit` UTF-16 units. */
export function gradeMaxLength(spec: CheckSpecOf<'max-length'>, text: string): Verdict {
  return decide(text.length <= spec.limit, `length is ${text.length}, the upper limit ${spec.limit}`);
}

/** Passes when the text has at least `limit` UTF-16 units. */
export function gradeMinLength(spec: CheckSpecOf<'min-length'>, text: string): Verdict {
  return decide(text.length >= spec.limit, `length is ${text.length}, the lower limit ${spec.limit}`);
}
