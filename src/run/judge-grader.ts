import type { Judge } from '../judge/index.js';
import type { GradeContext } from '../grade/index.js';

/** A judge as the grader of judged checks: it sees the conversation's user turns, never the expectations. */
export function judgeGrader(judge: Judge, signal?: AbortSignal): NonNullable<GradeContext['judge']> {
  return (spec, recording) =>
    judge.grade(spec, recording, { prompts: recording.turns.map((turn) => turn.user) }, signal);
}
