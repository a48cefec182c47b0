import type { Check, CheckSpec, Recording } from '../core/index.js';
import { gradeChecks, gradeRecording } from './grade.js';
import type { GradeContext } from './grader.js';
import { verdictOf, type ScoringRule } from './verdict.js';

function satisfied(checks: Check[], scoring: ScoringRule): Check[] | null {
  if (!verdictOf(checks, scoring).passed) return null;
  return checks.filter((check) => !check.diagnostic && check.outcome === 'pass');
}

/**
 * The checks that an agent which does nothing already satisfies, when they are enough for the case to pass; null when
 * it would not pass. Empty text is graded like any text, so that `not-contains` shows what it is worth. Diagnostic
 * checks never count. A gating check that starts a program or asks a model cannot be decided here, and is taken as not
 * satisfied: such a case is not refused, and `provenIdle` decides it by running.
 */
export function idleSatisfied(
  specs: readonly CheckSpec[],
  idleRecording: Recording,
  scoring: ScoringRule = { rule: 'all' },
): Check[] | null {
  return satisfied(gradeChecks(specs, idleRecording, { emptyText: 'grade' }), scoring);
}

/** `idleSatisfied` with programs and judges really asked about the idle run. */
export async function provenIdle(
  specs: readonly CheckSpec[],
  idleRecording: Recording,
  context: Omit<GradeContext, 'emptyText'>,
  scoring: ScoringRule = { rule: 'all' },
): Promise<Check[] | null> {
  return satisfied(await gradeRecording(specs, idleRecording, { ...context, emptyText: 'grade' }), scoring);
}
