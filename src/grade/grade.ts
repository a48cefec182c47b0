import { errorMessage, type Check, type CheckSpec, type Recording } from '../core/index.js';
import { cannotGrade, type GradeContext, type Verdict } from './grader.js';
import { gradeDeferred, gradeDirect, isDeferred, type DeferredSpec, type DirectSpec } from './registry.js';

function failedGrader(error: unknown): Verdict {
  const message = errorMessage(error);
  return cannotGrade(`grader error: ${message === '' ? 'no message' : message}`);
}

/** A verdict that can be relied on: evidence in every case, a score from 0 to 1 that belongs to the outcome. */
function sound(verdict: Verdict): Verdict & { score: number } {
  const { outcome, evidence } = verdict;
  if (evidence.trim() === '') {
    if (outcome === 'pass') return { ...cannotGrade('grader error: passed without evidence'), score: 0 };
    return sound({ ...verdict, evidence: `${outcome} without evidence` });
  }
  if (outcome === 'error' || outcome === 'unknown') return { ...verdict, score: 0 };
  const score = verdict.score ?? (outcome === 'pass' ? 1 : 0);
  if (score >= 0 && score <= 1) return { ...verdict, score };
  return { ...cannotGrade(`grader error: the score ${score} is not from 0 to 1; ${evidence}`), score: 0 };
}

/** The one place where `not-` acts: on pass and fail only, and the score with them. */
function negate(verdict: Verdict & { score: number }): Verdict & { score: number } {
  if (verdict.outcome !== 'pass' && verdict.outcome !== 'fail') return verdict;
  if (verdict.settled === true) return verdict;
  return { ...verdict, outcome: verdict.outcome === 'pass' ? 'fail' : 'pass', score: 1 - verdict.score };
}

function toCheck(spec: CheckSpec, verdict: Verdict): Check {
  const settled = sound(verdict);
  const final = spec.negated ? negate(settled) : settled;
  const check: Check = {
    label: spec.label,
    type: spec.negated ? `not-${spec.type}` : spec.type,
    outcome: final.outcome,
    score: final.score,
    weight: spec.weight,
    category: spec.category,
    diagnostic: spec.diagnostic,
    required: spec.required,
    evidence: final.evidence,
  };
  if (spec.metric !== undefined) check.metric = spec.metric;
  const judge = final.judge ?? verdict.judge;
  if (judge !== undefined) check.judge = judge;
  return check;
}

function direct(spec: DirectSpec, recording: Recording, context: GradeContext): Verdict {
  try {
    return gradeDirect(spec, recording, context);
  } catch (error) {
    return failedGrader(error);
  }
}

async function deferred(spec: DeferredSpec, recording: Recording, context: GradeContext): Promise<Verdict> {
  try {
    return await gradeDeferred(spec, recording, context);
  } catch (error) {
    return failedGrader(error);
  }
}

/** A case that cannot fail must not pass: without a gating check there is one that always fails. */
function withBackstop(specs: readonly CheckSpec[], checks: Check[]): Check[] {
  if (specs.some((spec) => !spec.diagnostic)) return checks;
  checks.push({
    label: 'effective_checks',
    type: 'effective-checks',
    outcome: 'fail',
    score: 0,
    weight: 1,
    category: 'config',
    diagnostic: false,
    required: true,
    evidence: 'the case has no effective check',
  });
  return checks;
}

/**
 * Grades the checks that need neither a program nor a model; the others are errors that say so. The results stand in
 * the order of the specifications; a list without a gating check gets one that fails. Never throws.
 */
export function gradeChecks(
  specs: readonly CheckSpec[],
  recording: Recording,
  context: GradeContext,
): Check[] {
  const checks = specs.map((spec) => {
    if (!isDeferred(spec)) return toCheck(spec, direct(spec, recording, context));
    return toCheck(
      spec,
      cannotGrade(`${spec.type} starts a program or asks a model; it needs gradeRecording`),
    );
  });
  return withBackstop(specs, checks);
}

/**
 * Grades every check. What can be graded at once is, before any program may change the workspace; then programs run one
 * after the other while judges answer side by side. The results stand in the order of the specifications. Never
 * rejects: a grader that throws is a check with outcome `error`, and the others keep their results.
 */
export async function gradeRecording(
  specs: readonly CheckSpec[],
  recording: Recording,
  context: GradeContext,
): Promise<Check[]> {
  const checks = gradeChecks(specs, recording, context);
  const asked: Promise<void>[] = [];
  const started: [number, DeferredSpec][] = [];
  for (const [index, spec] of specs.entries()) {
    if (!isDeferred(spec)) continue;
    if (spec.type === 'command' || spec.type === 'program') started.push([index, spec]);
    else asked.push(answer(index, spec));
  }
  async function answer(index: number, spec: DeferredSpec): Promise<void> {
    checks[index] = toCheck(spec, await deferred(spec, recording, context));
  }
  for (const [index, spec] of started) await answer(index, spec);
  if (asked.length > 0) await Promise.all(asked);
  return checks;
}
