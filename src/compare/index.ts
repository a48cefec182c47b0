/** Comparison: did it get better, and could these runs have told? */
export type { CaseSpending, ComparedCase, ComparedRun, DimensionCount } from './compared-run.js';
export { readSide, type SideOptions } from './read-side.js';
export {
  compareRuns,
  DEFAULT_TOLERANCE,
  gateExitCode,
  type CompareOptions,
  type Comparison,
  type PairComparisonResult,
} from './compare-runs.js';
export type { CaseComparison } from './case-comparison.js';
export type { CompareVerdict, VerdictName } from './verdict.js';
export type { Measure, SuiteDifference } from './suite-difference.js';
export { comparisonTable } from './comparison-table.js';
export { comparisonMarkdown } from './comparison-markdown.js';
export { planRun, type Expected, type Plan, type PlanInput, type PlannedCase } from './plan.js';
export { planTable } from './plan-text.js';
export { parseCompareJob, type Arm, type ChoiceWeights, type CompareJob } from './job-schema.js';
export {
  agentsWithArms,
  armBlocks,
  armedCases,
  armOf,
  ruleWatch,
  suiteWithArms,
  type ArmedCases,
  type RuleWatch,
} from './arms.js';
export { earlyStop, type ArmRates, type EarlyStop } from './early-stop.js';
export { ruledEnd, type RuledEnd, type RuledRival } from './stopped-early.js';
export { jobResult, type JobResult } from './job-result.js';
export type { JobDecision } from './job-decision.js';
export type { WeighedArm, WeighedChoice } from './weighed-choice.js';
export { tallyPairs, type PairJudgement, type PairTally, type PairwiseResult } from './pairwise-tally.js';
export { jobMarkdown, jobTable } from './job-text.js';
export {
  flakiness,
  type CaseFlakiness,
  type Flakiness,
  type GradedTrial,
  type ObservedCase,
  type VarianceSplit,
} from './flakiness.js';
export { flakinessTable } from './flakiness-text.js';
export { COMPARISON_FILE, comparisonList, decisionOf, type DecisionEntry } from './decision-list.js';
