import { idleRecording, type Check, type CheckSpec } from '../core/index.js';
import { gradeChecks, verdictOf } from '../grade/index.js';
import type { Case } from '../suite/index.js';
import { answerReceipt } from './answer-recording.js';
import { isJudged } from './grade-mutant.js';
import { caseFinding, type LintFinding } from './lint-finding.js';
import { UNRELATED_ANSWERS } from './text-edits.js';

const STARTED: ReadonlySet<string> = new Set(['command', 'program']);

/** Checks of an answer about something else, with every check that cannot be decided here taken as failed. */
function checksOfUnrelated(tested: Case, answer: string): Check[] {
  const idle = idleRecording(
    answerReceipt(tested, 'unrelated'),
    tested.turns.map((turn) => turn.user),
  );
  const recording = { ...idle, turns: idle.turns.map((turn) => ({ ...turn, text: answer })) };
  const checks = gradeChecks(tested.checks, recording, { emptyText: 'grade' });
  return checks.map((check, index) => {
    const spec = tested.checks[index];
    const open = spec !== undefined && (isJudged(spec) || STARTED.has(spec.type));
    return open ? { ...check, outcome: 'fail', score: 0 } : check;
  });
}

/** True when the case still passes with any one of its assertions failed and all others passed. */
function everyOneIsSpare(tested: Case): boolean {
  if (tested.scoring.rule === 'all') return false;
  const gating = tested.checks.filter((spec) => !spec.diagnostic && spec.weight > 0);
  if (gating.length < 2 || gating.some((spec) => spec.required)) return false;
  const total = gating.reduce((sum, spec) => sum + spec.weight, 0);
  const { threshold } = tested.scoring;
  return gating.every((spec) => (total - spec.weight) / total >= threshold);
}

function boundFault(spec: CheckSpec): string | null {
  if ((spec.type === 'llm-rubric' || spec.type === 'trace-judge') && spec.threshold === 0) {
    return `every score of ${spec.label} reaches a threshold of 0`;
  }
  if (spec.type === 'levenshtein' && !spec.negated && spec.maxDistance >= spec.value.length) {
    return `${spec.label} allows as many edits as the text is long, so any short answer passes`;
  }
  return null;
}

/** Thresholds that a wrong answer reaches. */
export function lenientThresholds(tested: Case): LintFinding[] {
  const findings: LintFinding[] = [];
  const add = (message: string, fix: string): void => {
    findings.push(caseFinding(tested, 'lenient-threshold', message, fix));
  };
  for (const spec of tested.checks) {
    const fault = boundFault(spec);
    if (fault !== null) add(fault, 'write a bound that a wrong answer misses');
  }
  const passes = (answer: string): boolean =>
    verdictOf(checksOfUnrelated(tested, answer), tested.scoring).passed;
  if (UNRELATED_ANSWERS.every(passes)) {
    add('an answer about something else passes the case', 'add a check that only a right answer passes');
  } else if (everyOneIsSpare(tested)) {
    add(
      'the case passes whichever one of its assertions fails, so none of them alone can fail it',
      'raise the threshold, or write required: true at what must hold',
    );
  }
  return findings;
}
