import { errorMessage, type Check, type Recording } from '../core/index.js';
import { gradeRecording, verdictOf, type GradeContext } from '../grade/index.js';
import type { Case, Suite, WrittenAnswer } from '../suite/index.js';
import { answerRecording } from './answer-recording.js';
import { isJudged } from './grade-mutant.js';
import { idlePasses } from './idle-run.js';
import { inWorkspaceCopy } from './in-workspace-copy.js';
import { proofRecording } from './proof-recording.js';

/** What the checks make of an answer. `undecided`: a judge that was not asked would decide. */
export type AnswerOutcome = 'pass' | 'fail' | 'undecided' | 'error';

/** One answer that was held against a case. */
export interface AnswerVerification {
  /** `reference`, `script` (of a fixture), `nothing done`, `known_bad[0]`. */
  answer: string;
  expected: 'pass' | 'fail';
  outcome: AnswerOutcome;
  /** Why: the checks that did not pass, or what went wrong. */
  evidence: string[];
  /** Why the answer is good or bad, where the case says so. */
  reason: string | null;
}

/** All answers of one case. */
export interface CaseVerification {
  caseId: string;
  file: string;
  line: number;
  /** The case has neither a script nor a reference. */
  withoutReference: boolean;
  answers: AnswerVerification[];
}

/** True when an answer came out as it must. */
export function isAsExpected({ expected, outcome }: AnswerVerification): boolean {
  return expected === outcome;
}

function withJudged(checks: readonly Check[], tested: Case, outcome: 'pass' | 'fail'): Check[] {
  return checks.map((check, index) => {
    const spec = tested.checks[index];
    if (spec === undefined || !isJudged(spec)) return check;
    return { ...check, outcome, score: outcome === 'pass' ? 1 : 0 };
  });
}

/** Grades an answer; without a judge the verdict stands only if no judge could turn it. */
async function gradeAnswer(
  tested: Case,
  recording: Recording,
  judge: GradeContext['judge'] | null,
): Promise<Pick<AnswerVerification, 'outcome' | 'evidence'>> {
  const context: GradeContext = { emptyText: tested.allowEmpty ? 'grade' : 'fail' };
  if (judge !== null && judge !== undefined) context.judge = judge;
  const checks = await inWorkspaceCopy(recording, null, (copied) =>
    gradeRecording(tested.checks, copied, context),
  );
  const best = context.judge === undefined ? withJudged(checks, tested, 'pass') : checks;
  const worst = context.judge === undefined ? withJudged(checks, tested, 'fail') : checks;
  const evidence = best
    .filter((check) => !check.diagnostic && check.outcome !== 'pass')
    .map((check) => `${check.label}: ${check.evidence}`);
  const verdict = verdictOf(best, tested.scoring);
  if (verdict.error !== null) return { outcome: 'error', evidence };
  if (!verdict.passed) return { outcome: 'fail', evidence };
  if (verdictOf(worst, tested.scoring).passed) return { outcome: 'pass', evidence };
  const open = tested.checks.filter(isJudged).map((check) => `${check.label}: not asked`);
  return { outcome: 'undecided', evidence: open };
}

async function verifyAnswer(
  tested: Case,
  name: string,
  answer: WrittenAnswer,
  expected: 'pass' | 'fail',
  judge: GradeContext['judge'] | null,
): Promise<AnswerVerification> {
  const { reason } = answer;
  try {
    const held = answerRecording(tested, answer);
    try {
      return { answer: name, expected, reason, ...(await gradeAnswer(tested, held.recording, judge)) };
    } finally {
      held.dispose();
    }
  } catch (error) {
    return { answer: name, expected, reason, outcome: 'error', evidence: [errorMessage(error)] };
  }
}

async function verifyScript(tested: Case): Promise<AnswerVerification> {
  const base = { answer: 'script', expected: 'pass' as const, reason: null };
  const found = await proofRecording(tested, null);
  if (!found.ok) return { ...base, outcome: 'error', evidence: [found.reason] };
  try {
    return { ...base, ...(await gradeAnswer(tested, found.held.recording, null)) };
  } finally {
    found.held.dispose();
  }
}

/** Holds every answer of a case against it: the reference must pass, doing nothing and each known-bad one must fail. */
export async function verifyCase(
  tested: Case,
  judge: GradeContext['judge'] | null,
): Promise<CaseVerification> {
  const answers: AnswerVerification[] = [];
  const reference = tested.curation?.reference ?? null;
  const scripted = tested.turns.every((turn) => turn.steps !== null);
  if (scripted) answers.push(await verifyScript(tested));
  if (reference !== null) answers.push(await verifyAnswer(tested, 'reference', reference, 'pass', judge));
  const idle = idlePasses(tested);
  answers.push({
    answer: 'nothing done',
    expected: 'fail',
    outcome: idle === null ? 'fail' : 'pass',
    evidence: idle === null ? [] : idle.map((label) => `${label} holds`),
    reason: null,
  });
  for (const [index, answer] of (tested.curation?.knownBad ?? []).entries()) {
    answers.push(await verifyAnswer(tested, `known_bad[${index}]`, answer, 'fail', judge));
  }
  return {
    caseId: tested.id,
    file: tested.source.file,
    line: tested.source.line,
    withoutReference: !scripted && reference === null,
    answers,
  };
}

/** Verifies cases of a suite one after the other. */
export async function verifySuite(
  suite: Suite,
  judge: GradeContext['judge'] | null,
  select: ((tested: Case) => boolean) | null = null,
): Promise<CaseVerification[]> {
  const verified: CaseVerification[] = [];
  for (const tested of suite.cases) {
    if (select === null || select(tested)) verified.push(await verifyCase(tested, judge));
  }
  return verified;
}
