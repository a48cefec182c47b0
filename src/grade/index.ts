/** From a recording to checks: the graders, the verdict, the idle-run check, and the reference of all checks. */
export type { GradeContext, JudgeGrader, Verdict } from './grader.js';
export { gradeChecks, gradeRecording, mustWait } from './grade.js';
export { verdictOf, type ScoringRule, type TrialVerdict } from './verdict.js';
export { idleSatisfied, provenIdle } from './vacuity.js';
export { updateGoldenFile } from './golden-file.js';
export { checkReference, checkTypes, describeCheck } from './reference.js';
export type { CheckParameter, CheckReference } from './reference-entry.js';
