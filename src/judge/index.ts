/** Model-graded checks: rubrics, statements, comparisons, and the rubrics of trace fixtures. */
export { createJudge } from './judge.js';
export { assertDistinct, type Distinctness, type JudgePairing } from './distinct.js';
export { selfTestJudge, type JudgeSelfTest, type JudgeSelfTestRow } from './self-test.js';
export { converse, type Exchange, type Question, type Reading } from './conversation.js';
export { countPoints, drawBoundary, fence, type Part } from './fence.js';
export { composePrompt } from './prompt.js';
export { findVerdict } from './verdict-scanner.js';
export type {
  Ask,
  CaseContext,
  Judge,
  JudgeAnswer,
  JudgeRequest,
  JudgeSetup,
  JsonSchema,
  Pair,
  PairComparison,
  PairWinner,
  Verdict,
} from './types.js';
