/** Trials: one isolated attempt at one case. */
export {
  recordTrial,
  type PreparedAgent,
  type RecordedTrial,
  type SessionContext,
  type TrialPlan,
} from './record.js';
export { recordAnswer } from './record-answer.js';
export { meteredModel, TrialMeter } from './meter.js';
export type { UserSide, UserWords } from './user-side.js';
export { Workspace } from './workspace.js';
