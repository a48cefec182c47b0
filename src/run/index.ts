/** Runs: plan, schedule, count and gate. */
export type { AgentSource, RunOptions, TrialSink } from './options.js';
export { plannedTrials } from './progress.js';
export { runSuite } from './run-suite.js';
export { canCurtail } from './criteria.js';
export { createRunReport, type RunReport } from './run-report.js';
export { replayAgents, type ReplayAgents, type ReplayOptions } from './replay-source.js';
export { outsideAgents, type OnCapture, type OutsideAgents } from './outside-agents.js';
export { inspectVacuity, vacuousChecks } from './vacuity.js';
export { outputAgents } from './output-source.js';
export { modelAgents, type ModelAgentsOptions } from './model-source.js';
export { recordedAgents } from './recorded-source.js';
export { loadSuite, type OpenSuiteOptions } from './load.js';
export {
  decide,
  verdictAt,
  type CaseProgress,
  type CaseVerdict,
  type StoppingRule,
} from './stopping-rule.js';
export { stoppingRule, type RuleSettings } from './stopping-rules.js';
export { ruleCharacteristic, ruleLines, unbiasedRate, type RuleCharacteristic } from './stopping-exact.js';
export type { RunBudget } from './budget.js';
export { serveCase, type ServeOptions } from './serve-case.js';
export {
  blankCase,
  recordCase,
  recordFromLog,
  recordTurn,
  type RecordedCase,
  type RecordOptions,
} from './record-case.js';
export type { RecordedFixture } from './recorded-fixture.js';
export { blocksOf, shuffled } from './schedule.js';
