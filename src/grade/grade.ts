import {
  errorMessage,
  finalText,
  isInvisible,
  plural,
  type Check,
  type CheckSpec,
  type Recording,
} from '../core/index.js';
import { cannotGrade, settledFail, type GradeContext, type Verdict } from './grader.js';
import {
  gradeDeferred,
  gradeDirect,
  isDeferred,
  isJudged,
  type DeferredSpec,
  type DirectSpec,
} from './registry.js';
import { hasFailed } from './verdict.js';

function failedGrader(error: unknown): Verdict {
  const message = errorMessage(error);
  return cannotGrade(`grader error: ${message === '' ? 'no message' : message}`);
}

/** What is wrong with a verdict itself; null when it can be relied on. */
function faultOf(verdict: Verdict): Verdict | null {
  const { outcome, evidence, score } = verdict;
  if (evidence.trim() === '') {
    if (outcome === 'pass') return cannotGrade('grader error: passed without evidence');
    return { ...verdict, evidence: `${outcome} without evidence` };
  }
  if (outcome === 'fail' && score === 1) {
    return cannotGrade(`grader error: a failed check cannot have the full score; ${evidence}`);
  }
  if (score === undefined || (score >= 0 && score <= 1)) return null;
  return cannotGrade(`grader error: the score ${score} is not from 0 to 1; ${evidence}`);
}

/** Unknown and error score 0; a pass and a fail what the grader says, else 1 and 0. */
function scoreOf(verdict: Verdict): number {
  if (verdict.outcome !== 'pass' && verdict.outcome !== 'fail') return 0;
  return verdict.score ?? (verdict.outcome === 'pass' ? 1 : 0);
}

/** Whether `not-` acts: on pass and fail only, and not where a verdict stands in both polarities. */
function isFlipped(spec: CheckSpec, verdict: Verdict): boolean {
  if (!spec.negated || verdict.settled === true) return false;
  return verdict.outcome === 'pass' || verdict.outcome === 'fail';
}

/** The one place where a verdict becomes a check, and where `not-` acts on its outcome and score. */
function toCheck(spec: CheckSpec, found: Verdict): Check {
  const verdict = faultOf(found) ?? found;
  const flipped = isFlipped(spec, verdict);
  const score = scoreOf(verdict);
  const check: Check = {
    label: spec.label,
    type: spec.negated ? `not-${spec.type}` : spec.type,
    outcome: flipped ? (verdict.outcome === 'pass' ? 'fail' : 'pass') : verdict.outcome,
    score: flipped ? 1 - score : score,
    weight: spec.weight,
    category: spec.category,
    diagnostic: spec.diagnostic,
    required: spec.required,
    evidence: verdict.evidence,
  };
  if (spec.metric !== undefined) check.metric = spec.metric;
  if (found.judge !== undefined) check.judge = found.judge;
  return check;
}

const NOT_STORED: ReadonlySet<CheckSpec['type']> = new Set([
  'tool-used',
  'tool-not-used',
  'tool-calls',
  'tool-arguments',
  'tool-results',
  'tools-succeeded',
  'file-exists',
  'file-absent',
  'file-contains',
  'budget',
]);

/** What is said of a judged check that nobody was asked about. */
const SKIPPED: Verdict = {
  outcome: 'unknown',
  evidence: 'skipped: decided; the case has failed already, so no judge was asked (--all-checks asks)',
};

/**
 * A checkpoint of a scenario that ended before it: what it asks for did not happen, whatever it is. Null where the turn
 * was had, or the conversation broke off, which is an error of the trial.
 */
function missedCheckpoint(spec: CheckSpec, recording: Recording): Verdict | null {
  const { turns, simulation } = recording;
  if (spec.turn === undefined || spec.turn < turns.length) return null;
  if (simulation === undefined || simulation.ended === null) return null;
  const had = `the conversation ended after ${plural(turns.length, 'turn')}`;
  return settledFail(`${had}, before turn ${spec.turn + 1}: ${simulation.reason}`);
}

function direct(spec: DirectSpec, recording: Recording, context: GradeContext): Verdict {
  if (recording.receipt.mode === 'outputs' && NOT_STORED.has(spec.type)) {
    return cannotGrade('a stored output is text only: its tool calls, files, tokens and times are not known');
  }
  const missed = missedCheckpoint(spec, recording);
  if (missed !== null) return missed;
  try {
    return gradeDirect(spec, recording, context);
  } catch (error) {
    return failedGrader(error);
  }
}

async function deferred(spec: DeferredSpec, recording: Recording, context: GradeContext): Promise<Verdict> {
  const missed = missedCheckpoint(spec, recording);
  if (missed !== null) return missed;
  try {
    return await gradeDeferred(spec, recording, context);
  } catch (error) {
    return failedGrader(error);
  }
}

/** A failing check that no case asks for: it keeps what must not pass from passing. */
function backstop(label: string, category: Check['category'], weight: number, evidence: string): Check {
  return {
    label,
    type: label.replaceAll('_', '-'),
    outcome: 'fail',
    score: 0,
    weight,
    category,
    diagnostic: false,
    required: true,
    evidence,
  };
}

/**
 * Adds what fails a case whatever its checks say: no gating check at all, and an empty answer where the case does not
 * allow one. The latter weighs nothing, so that the score stays what the checks made it.
 */
function withBackstops(
  specs: readonly CheckSpec[],
  checks: Check[],
  recording: Recording,
  context: GradeContext,
): Check[] {
  if (specs.every((spec) => spec.diagnostic)) {
    checks.push(backstop('effective_checks', 'config', 1, 'the case has no effective check'));
  }
  if (context.emptyText === 'fail' && isInvisible(finalText(recording))) {
    checks.push(backstop('answer_not_empty', 'response', 0, 'the final answer is empty'));
  }
  return checks;
}

/**
 * Grades the checks that need neither a program nor a model; the others are errors that say so. The results stand in
 * the order of the specifications, then checks that fail what must not pass: a list without a gating check, an empty
 * answer. Never throws.
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
  return withBackstops(specs, checks, recording, context);
}

/** True when some check starts a program or asks a model, so that only `gradeRecording` can grade the list. */
export function mustWait(specs: readonly CheckSpec[]): boolean {
  for (const spec of specs) if (isDeferred(spec)) return true;
  return false;
}

/** Whether the checks that no judge has a say in have decided against the case. */
function decided(specs: readonly CheckSpec[], checks: readonly Check[], context: GradeContext): boolean {
  if (context.decide === undefined) return false;
  const open: number[] = [];
  const settled = checks.filter((_, index) => {
    const spec = specs[index];
    const judged = spec !== undefined && isJudged(spec);
    if (judged && !spec.diagnostic) open.push(spec.weight);
    return !judged;
  });
  return hasFailed(settled, open, context.decide);
}

/**
 * Grades every check, the cheapest first: what can be graded at once, then programs one after the other, then judges
 * side by side. With `decide`, no judge is asked about a case that has failed already. The results stand in the order
 * of the specifications. Never rejects: a grader that throws is a check with outcome `error`, and the others keep
 * their results.
 */
export async function gradeRecording(
  specs: readonly CheckSpec[],
  recording: Recording,
  context: GradeContext,
): Promise<Check[]> {
  const checks = gradeChecks(specs, recording, context);
  const judged: [number, DeferredSpec][] = [];
  for (const [index, spec] of specs.entries()) {
    if (!isDeferred(spec)) continue;
    if (isJudged(spec)) judged.push([index, spec]);
    else checks[index] = toCheck(spec, await deferred(spec, recording, context));
  }
  if (judged.length === 0) return checks;
  const skip = decided(specs, checks, context);
  await Promise.all(
    judged.map(async ([index, spec]) => {
      const verdict = skip ? SKIPPED : await deferred(spec, recording, context);
      checks[index] = toCheck(spec, verdict);
    }),
  );
  return checks;
}
