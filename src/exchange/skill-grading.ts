import { isJsonObject, type Check, type JsonObject, type JsonValue } from '../core/index.js';
import { anyMember, member, objectMember, redactText, textMember } from '../cases/index.js';
import type { ExchangeTable } from './import-table.js';
import { importedCheck } from './imported-run.js';
import { nameOf } from './import-table.js';

/** What the files of one graded run of a skill say. */
export interface SkillGrading {
  checks: Check[];
  /** 0 when the timing does not say. */
  totalTokens: number;
  durationMs: number;
}

interface Graded {
  text: string;
  check: Check;
}

function gradedOne(item: JsonValue): Graded | null {
  if (!isJsonObject(item)) return null;
  const text = textMember(item, 'text').trim();
  if (text === '') return null;
  const passed = member(item, 'passed');
  const evidence = redactText(textMember(item, 'evidence'));
  if (typeof passed !== 'boolean') {
    return {
      text,
      check: importedCheck(text, 'error', 0, 'the grading does not say whether it passed', true),
    };
  }
  // A fail that gives no reason is a fail; a pass that gives none proves nothing.
  if (!passed) return { text, check: importedCheck(text, 'fail', 0, evidence || 'it did not pass', true) };
  return { text, check: importedCheck(text, 'pass', 1, evidence, true) };
}

/** The list of verdicts: dialect A calls it `expectations`, B `assertion_results`. */
function verdictsIn(grading: JsonObject): JsonValue[] | null {
  const list = anyMember(grading, ['expectations', 'assertion_results']);
  return Array.isArray(list) ? list : null;
}

function summaryFault(grading: JsonObject, checks: readonly Check[]): string | null {
  const summary = member(grading, 'summary');
  if (!isJsonObject(summary)) return null;
  const passed = checks.filter((check) => check.outcome === 'pass').length;
  const total = checks.length;
  if (summary['passed'] === passed && summary['total'] === total) return null;
  const said = `${nameOf(summary['passed'])} of ${nameOf(summary['total'])}`;
  return `its summary says ${said}, its list ${passed} of ${total}: the list counts`;
}

/**
 * Verdicts of a grading.json in either dialect. The summary is counted anew; what the eval declares and the grading
 * leaves out is an error of the grader.
 * @param declared expectations of the eval; null when they are not known
 */
export function readGrading(
  grading: JsonValue | null,
  declared: readonly string[] | null,
  name: string,
  table: ExchangeTable,
): Check[] {
  const verdicts = isJsonObject(grading) ? verdictsIn(grading) : null;
  if (!isJsonObject(grading) || verdicts === null) {
    table.dropped('grading', name, null, grading === null ? 'there is none' : 'it has no list of verdicts');
    return [];
  }
  const graded: Graded[] = [];
  for (const [index, item] of verdicts.entries()) {
    const one = gradedOne(item);
    if (one === null)
      table.dropped('verdict', `${index + 1} of ${name}`, null, 'it says not what it is about');
    else graded.push(one);
  }
  const checks = graded.map(({ check }) => check);
  const fault = summaryFault(grading, checks);
  if (fault !== null) table.changed('summary', name, null, fault);
  for (const { text, check } of graded) {
    if (check.outcome === 'error')
      table.changed('verdict', `${text} of ${name}`, null, `an error: ${check.evidence}`);
    else table.kept('verdict', text);
  }
  const known = new Set(graded.map(({ text }) => text));
  for (const text of declared ?? []) {
    if (known.has(text.trim())) continue;
    table.changed('verdict', `${text} of ${name}`, null, 'an error: the grading leaves it out');
    checks.push(importedCheck(text, 'error', 0, 'the eval expects this and the grading leaves it out', true));
  }
  for (const key of ['claims', 'user_notes_summary', 'eval_feedback']) {
    if (key in grading) table.dropped('key', `${key} of ${name}`, null, 'a note for people, not a verdict');
  }
  return checks;
}

function positive(value: JsonValue | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

/**
 * Tokens and time of a run. Tokens come from the timing alone, never from a count of characters.
 * @param timing timing.json, or null
 */
export function readTiming(
  timing: JsonValue | null,
  grading: JsonValue | null,
): Omit<SkillGrading, 'checks'> {
  const own = isJsonObject(timing) ? timing : {};
  const copied = isJsonObject(grading) ? objectMember(grading, 'timing') : {};
  const seconds =
    positive(anyMember(own, ['total_duration_seconds'])) ||
    positive(anyMember(copied, ['total_duration_seconds']));
  return {
    totalTokens: Math.round(
      positive(anyMember(own, ['total_tokens'])) || positive(anyMember(copied, ['total_tokens'])),
    ),
    durationMs: Math.round(positive(anyMember(own, ['duration_ms'])) || seconds * 1000),
  };
}
