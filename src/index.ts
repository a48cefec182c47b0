/**
 * Assay as a library: load a suite, run it, grade recordings.
 *
 * @example
 * import { loadSuite, replayAgents, runSuite } from 'assay';
 * const suite = await loadSuite('evals/regression');
 * const report = await runSuite({ suite, agents: replayAgents() });
 * process.exitCode = report.exitCode();
 */
export {
  AssayError,
  canonicalJson,
  finalText,
  fixedSource,
  formatProblem,
  idleRecording,
  systemSource,
  type AssayErrorCode,
  type CaseResult,
  type Check,
  type CheckOutcome,
  type CheckSpec,
  type ErrorKind,
  type JsonValue,
  type Message,
  type Problem,
  type Receipt,
  type Recording,
  type RunEvent,
  type RunOutcome,
  type RunSummary,
  type ScriptedStep,
  type Source,
  type ToolCall,
  type TrialResult,
  type TrialStatus,
} from './core/index.js';
export { gradeRecording, type GradeContext, type Verdict } from './grade/index.js';
export { readOutputs, ScriptedModel, type StoredOutputs } from './model/index.js';
export { createReporter, stringOutput, type Reporter, type ReporterOptions } from './report/index.js';
export {
  loadSuite,
  modelAgents,
  outputAgents,
  recordedAgents,
  replayAgents,
  runSuite,
  vacuousChecks,
  type AgentSource,
  type OpenSuiteOptions,
  type RunOptions,
  type RunReport,
} from './run/index.js';
export { scenarioUser, type ScenarioUserOptions } from './scenario/index.js';
export { defineScenario, defineSuite, type Case, type Suite, type SuiteKind } from './suite/index.js';
export type { AgentAnswer, AgentFunction, AgentRequest } from './agent/index.js';
