/** Words that every room shares: JSON, problems and errors, checks, recordings, trials, the source of time and ids. */
export {
  canonicalJson,
  compareUtf8,
  isJsonObject,
  jsonEqual,
  parseJson,
  sha256,
  type JsonObject,
  type JsonValue,
  type ParsedJson,
} from './json.js';
export { readRegularFile, requireRegularFile } from './regular-file.js';
export { moduleContent } from './module-content.js';
export { clip, didYouMean, isInvisible, plural, quote, terminalLine, terminalSafe } from './text.js';
export { formatKeyPath, formatProblem, sortProblems, type KeyPath, type Problem } from './problem.js';
export { AssayError, errorAdvice, errorMessage, type AssayErrorCode } from './errors.js';
export type {
  BudgetMetric,
  Check,
  CheckBase,
  CheckCategory,
  CheckOutcome,
  CheckParameters,
  CheckSpec,
  CheckSpecOf,
  CheckType,
  JudgeTrace,
  NormalizationForm,
  PayloadMatch,
  TextOptions,
} from './check.js';
export {
  finalText,
  idleRecording,
  type GraderFileState,
  type Message,
  type Receipt,
  type Recording,
  type ToolCall,
  type ToolSurface,
  type ScenarioEnd,
  type Simulation,
  type TurnRecord,
  type Usage,
  type WorkspaceSnapshot,
} from './recording.js';
export type { ErrorKind, TrialError, TrialResult, TrialStatus } from './trial.js';
export { fixedSource, systemSource, type Source } from './source.js';
export {
  BUILT_IN_TOOLS,
  isBuiltInTool,
  isDeniedTool,
  type BuiltInTool,
  type McpServer,
  type ToolSource,
} from './tools.js';
export type { LimitedMetric, TrialLimits } from './limits.js';
export {
  FINISH_REASONS,
  PROTOCOLS,
  type FinishReason,
  type LaneMatch,
  type Protocol,
  type ScriptedFault,
  type ScriptedStep,
  type ScriptedToolCall,
  type StepExtras,
} from './script.js';
export {
  AGENT_PLACEHOLDERS,
  AGENT_PRESETS,
  isAgentPreset,
  presetFacts,
  TOOL_ROLES,
  type AgentPlaceholder,
  type AgentPreset,
  type PresetFacts,
  type RoleTool,
  type ToolRole,
} from './presets.js';
export type {
  BaselineComparison,
  CaseComparison,
  ChangedCheck,
  Classification,
  ComparablePart,
  PassShare,
} from './comparison.js';
export type {
  CaseResult,
  CriterionResult,
  Interval,
  JudgeUsage,
  SimulatorUsage,
  MetricResult,
  RunEvent,
  RunOutcome,
  RunSummary,
} from './run.js';
export { assayVersion } from './version.js';
export { acceptable, exitCodeOf } from './acceptable.js';
export { isSafeRelativePath } from './safe-path.js';
export { CONFIG_CHANGE_MARKER } from './recursion.js';
export { isMissingPackage, MCP_INSTALL } from './mcp-package.js';
export { yamlLibrary, type YamlLibrary } from './yaml-library.js';
