/** Models: who answers. */
export { ScriptError, ScriptedModel } from './scripted-model.js';
export { asLanguageModel, type CallDefaults } from './as-language-model.js';
export { clearCache } from './cache.js';
export { callModel } from './call.js';
export type { ModelCall, ModelRequest, ModelServices } from './model-call.js';
export { readCallContext, type CallContext } from './call-context.js';
export {
  modelsConfigSchema,
  type EndpointConfig,
  type ModelsConfig,
  type ProviderConfig,
  type SecretSource,
} from './config.js';
export { doctor, type DoctorSettings, type ProgramReport } from './doctor.js';
export { isForbidden } from './child-environment.js';
export { findProgram, type Environment } from './find-program.js';
export { isFloatingName, modelFamily, modelIdentity, type ModelIdentity } from './identity.js';
export { DEFAULT_LEVEL, isLevelName, resolveLevel, type Level } from './level.js';
export { EFFORTS, LEVELS, THINKING, type Effort, type LevelName, type Thinking } from './level-names.js';
export { createLimits, type CallOutcome, type Limiter, type ModelLimits, type Permit } from './limiter.js';
export type { LoginReport } from './login.js';
export {
  isModelError,
  ModelError,
  trialErrorKind,
  type ModelErrorDetails,
  type ModelErrorKind,
  type ModelTry,
} from './model-error.js';
export type { ModuleAnswer, ModuleFunction, ModuleRequest } from './function-model.js';
export { readOutputs, type StoredOutputs } from './outputs.js';
export type { PlainMessage } from './conversation.js';
export { costFromPrices, type Price, type PriceTable } from './price.js';
export { BEGINNING as KEY_BEGINNING, redactKeys } from './redact.js';
export {
  checkModelRef,
  MODEL_KINDS,
  parseModelRef,
  runsOwnTools,
  type ModelKind,
  type ModelRef,
  type ModelRefCheck,
} from './ref.js';
export { resolveModel, type ModelContext } from './resolve.js';
export { hasUpstreams, modelUpstreams, type ModelUpstreams } from './upstreams.js';
export type { ResolvedModel } from './resolved-model.js';
export {
  DEFAULT_RETRY,
  isTransient,
  nextWait,
  readRetryAfter,
  retryPolicy,
  type RetryPolicy,
} from './retry.js';
export { SpendCeiling, type SpendPass } from './spend.js';
export { runProgram, type ProgramOutcome, type ProgramRun } from './run-program.js';
export type { ModelUsage } from './usage.js';
