/** The store: files that lose nothing. Journals, results, finding and resuming runs, atomic writing. */
export { ensurePrivateDirectory } from './directories.js';
export { findRun } from './find-run.js';
export type { RunHeader, StoredHeader } from './header.js';
export { JOURNAL_NAME, readJournal, type JournalEntry, type TrialKey } from './journal.js';
export type { FsyncMode } from './journal-writer.js';
export { latestResults, type LatestCase, type LatestResult } from './latest-results.js';
export { listRuns, type FoundRun, type ListingProblem, type RunListing, type RunState } from './list-runs.js';
export { bootId, isSameProcess, processStart } from './process-identity.js';
export { readRun, type StoredCase, type StoredRun } from './read-run.js';
export { redactSecrets } from './redact.js';
export {
  explainResume,
  resumeIndex,
  type CaseResumption,
  type IndexedTrial,
  type JournalProblem,
  type PlannedCase,
  type ResumeIndex,
  type ResumeReason,
} from './resume-index.js';
export { LATEST_NAME, RUN_FILE_NAME, RunFile, type RunFileTarget } from './run-file.js';
export { RunStore, type CreateRun, type ResumedRun, type ResumeRun } from './run-store.js';
export { safeDirectoryName } from './safe-name.js';
export { writeFileAtomic } from './temporary-file.js';
export { parseTrial } from './trial-parse.js';
export { trialText, type StoredTrial } from './trial-text.js';
export { storedSpend, type StoredSpend } from './spend.js';
