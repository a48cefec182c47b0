/** The wire: a scripted model server and a recording proxy that speak the protocols of the providers. */
export {
  FINISH_REASONS,
  PROTOCOLS,
  type FinishReason,
  type NeutralReply,
  type NeutralRequest,
  type NeutralTool,
  type Protocol,
  type ReplyCall,
  type ReplyUsage,
  type RequestIds,
  type StreamMode,
} from './neutral.js';
export {
  MAIN_LANE,
  scriptFromTurns,
  stepsOf,
  type LaneMatch,
  type LaneScript,
  type SideAnswer,
  type StepExtras,
  type TurnMark,
  type WireFault,
  type WireItem,
  type WireScript,
  type WireStep,
} from './script.js';
export { admitScript, scriptProblems } from './script-rules.js';
export { startScriptedServer, type ScriptedServer, type ScriptedServerOptions } from './scripted-server.js';
export type { WireTrial } from './scripted-trial.js';
export type { Exchange, ExchangeOutcome } from './exchange.js';
export type { WireError } from './error-reply.js';
export type { Leftover } from './lane-state.js';
export type {
  MissingTool,
  RequestNote,
  RetryNote,
  TrialWireReport,
  WireProblem,
  WireProblemKind,
} from './report.js';
export {
  laneRequests,
  wireEvidence,
  type Traffic,
  type WireEvidence,
  type WireToolCall,
} from './evidence.js';
export type { LoopbackHost } from './listener.js';
export { startRecordingProxy, type RecordingProxy, type RecordingProxyOptions } from './recording-proxy.js';
export type { CaptureHandle, PassedExchange } from './proxy-capture.js';
export type { UpstreamTarget } from './forward.js';
export type { Capture, CapturedExchange, Outcome } from './capture.js';
export { captureLanes, type CapturedLane, type CapturedLanes } from './capture-lanes.js';
export { captureTraffic } from './capture-evidence.js';
export { captureTurns, scriptFromCapture, stepFromReply, type CapturedTurn } from './capture-script.js';
export { fixtureFromCapture, type CapturedFixture } from './capture-fixture.js';
export { redactSecrets, type Redact } from './redact.js';
export {
  expandRequests,
  recordRequests,
  type FullRequest,
  type Recordable,
  type RecordedRequest,
  type RecordedTool,
} from './recorded-request.js';
export {
  compareRequests,
  firstDivergence,
  type Divergence,
  type DivergenceKind,
  type FirstDivergence,
} from './compare.js';
export type { CompareRules } from './normalise.js';
export {
  startDistributionServer,
  type DistributionOptions,
  type DistributionServer,
  type WeightedStep,
} from './distribution-server.js';
export { describeExchange } from './describe-exchange.js';
export { captureFromLog } from './log-capture.js';
