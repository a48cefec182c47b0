/** Baselines, record dumps and history: what a run is held against, and what is kept of it for later. */
export {
  afterRetry,
  compareCase,
  compareEntries,
  differingParts,
  removedCase,
  STRICT_POLICY,
  type BaselinePolicy,
} from './compare.js';
export { diffOf } from './diff.js';
export { BaselineDraft, checkBaselineTarget } from './draft.js';
export { makePrivateDirectory, RecordDump, recordStem } from './dump.js';
export { entryOf } from './entry.js';
export { compareRun, withBaseline, type ComparedRun } from './gate.js';
export { publishNew } from './publish.js';
export { readBaseline } from './read.js';
export {
  BASELINE_SCHEMA,
  REFERENCE_BASELINE_SCHEMA,
  type Baseline,
  type BaselineCheck,
  type BaselineEntry,
} from './schema.js';
export { checkKind, namedChecks } from './check-kind.js';
export {
  historyDirectory,
  isShortLived,
  readHistory,
  writeHistory,
  type HistoryProblem,
} from './history-file.js';
export { portableDirectory, portableReference } from './history-names.js';
export { HistoryDraft } from './history-record.js';
export { HISTORY_SCHEMA, type HistoryCase, type HistoryRecord } from './history-schema.js';
export { trends } from './trend.js';
