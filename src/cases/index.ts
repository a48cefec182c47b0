/** Failures become cases: logged failures, failed trials, transcripts and rules, always as drafts first. */
export { slug, type DraftKind, type NewDraft, type Provenance } from './draft.js';
export {
  closeDraft,
  draftPath,
  draftRecords,
  DRAFTS_NAME,
  findDraft,
  listDrafts,
  readDraft,
  writeDraft,
  type Draft,
  type DraftRecord,
  type WrittenDraft,
} from './drafts.js';
export { failureDraft } from './failure-case.js';
export {
  FAILURE_LOG_NAME,
  findFailure,
  logFailure,
  markConverted,
  readFailures,
  SEVERITIES,
  type Failure,
  type FailureLog,
  type ReportedFailure,
  type Severity,
} from './failure-log.js';
export { failureStats, type FailureStats } from './failure-stats.js';
export {
  anyMember,
  countMember,
  isTooDeep,
  member,
  objectMember,
  objectsOf,
  textMember,
} from './json-fields.js';
export { appendJsonLine, parseJsonLines, readJsonLines, type JsonLines } from './json-lines.js';
export { messagesIn } from './chat-messages.js';
export { movedPaths } from './moved-paths.js';
export { readTranscript, type TranscriptChoice } from './read-transcript.js';
export { redactJson, redactObject, redactText } from './redact-case.js';
export { proveFixture } from './replay-fixture.js';
export { ruleDraft, ruleDraftId, type AskModel, type DraftingRequest, type Rule } from './rule-case.js';
export { failureReason, runDraft, type TrialSource } from './run-case.js';
export {
  isTranscriptFormat,
  TRANSCRIPT_FORMATS,
  type Transcript,
  type TranscriptCall,
  type TranscriptFormat,
  type TranscriptStep,
  type TranscriptTurn,
} from './transcript.js';
export { transcriptDraft, type TranscriptDraft, type TurnRange } from './transcript-case.js';
export { messagesTranscript, transcriptRecording } from './transcript-recording.js';
export { yamlText } from './yaml-text.js';
