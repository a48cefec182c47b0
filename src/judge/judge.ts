import { errorMessage, type CheckSpec, type Recording } from '../core/index.js';
import { gradedText } from './material.js';
import { comparePair, gradePairwise } from './pairwise.js';
import { gradeRubric } from './rubric.js';
import { gradeStatements } from './statements.js';
import { gradeTraceJudge } from './trace-judge.js';
import type { CaseContext, Judge, JudgeSetup, Verdict } from './types.js';

async function gradeSpec(
  setup: JudgeSetup,
  spec: CheckSpec,
  recording: Recording,
  context: CaseContext,
  signal: AbortSignal | undefined,
): Promise<Verdict> {
  const answer = gradedText(spec, recording);
  if (answer === null) {
    const evidence = `there is no turn ${(spec.turn ?? 0) + 1} to judge; the run had ${recording.turns.length}`;
    return { outcome: 'error', evidence };
  }
  if (spec.type === 'llm-rubric') return gradeRubric(setup, spec, answer, recording, context, signal);
  if (spec.type === 'llm-assert') return gradeStatements(setup, spec, answer, recording, context, signal);
  if (spec.type === 'pairwise') return gradePairwise(setup, spec, answer, recording, context, signal);
  if (spec.type === 'trace-judge') return gradeTraceJudge(setup, spec, answer, recording, context, signal);
  return { outcome: 'error', evidence: `${spec.type} is not a judged check` };
}

/** Makes a judge of a way to ask a model. Every question has a fresh boundary; nothing is kept between questions. */
export function createJudge(setup: JudgeSetup): Judge {
  return {
    modelRef: setup.modelRef,
    comparePair: (pair, signal) => comparePair(setup, pair, signal),
    grade: async (spec, recording, context, signal) => {
      try {
        return await gradeSpec(setup, spec, recording, context, signal);
      } catch (error) {
        return { outcome: 'error', evidence: `the judge failed: ${errorMessage(error)}` };
      }
    },
  };
}
