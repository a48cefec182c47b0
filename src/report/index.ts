/** A run turned into text, JSON, JUnit, Markdown and live progress. */
export { createReporter } from './create-reporter.js';
export { reportFormats, type ReportFormat, type Reporter, type ReporterOptions } from './reporter.js';
export { stringOutput, type Output, type StringOutput } from './output.js';
export { defaultLimits, type ReportLimits } from './limits.js';
export { suiteSummary } from './suite-summary.js';
export { createProgress, type Progress, type ProgressOptions, type ProgressStream } from './progress.js';
export { createJsonProgress, PROGRESS_SCHEMA } from './progress-json.js';
export { formatTranscript, type TranscriptOptions } from './transcript.js';
export { formatRunList, formatSuiteList, type RunListEntry, type SuiteListEntry } from './lists.js';
export { caseRecord, RECORD_SCHEMA } from './record-json.js';
export { inOrder, representative } from './case-facts.js';
export { RepeatedRate, type RepeatedRateReport } from './repeated-rate.js';
export { formatBaseline, formatBaselineDiff, type BaselineListEntry } from './baseline-list.js';
export { formatTrend, sparkline, type TrendPoint } from './trend.js';
export { repeatFacts, type RepeatFacts, type Spread } from './repeat-facts.js';
export { TRACE_REPORT_SCHEMA } from './trace-json.js';
export { ASSERTION_REPORT_SCHEMA } from './assertion-json.js';
export { RUN_REPORT_SCHEMA } from './json-reporter.js';
