import { dirname } from 'node:path';
import { mkdirSync } from 'node:fs';
import { AssayError, didYouMean, type JsonValue, type Source } from '../core/index.js';
import { anyMember, member, textMember } from './json-fields.js';
import { appendJsonLine, readJsonLines } from './json-lines.js';
import { redactText } from './redact-case.js';

/** How bad a failure is. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;

/** How bad a failure is. */
export type Severity = (typeof SEVERITIES)[number];

/** Name of the log of failures, inside the directory of suites. */
export const FAILURE_LOG_NAME = '_failures.jsonl';

/** One logged failure, under the keys of the log. */
export interface Failure {
  id: string;
  /** ISO time. */
  timestamp: string;
  description: string;
  category: string;
  severity: Severity;
  expected_behavior: string | null;
  actual_behavior: string | null;
  /** What the agent was asked. */
  task_context: string | null;
  /** A transcript file. */
  transcript: string | null;
  /** The draft that was made of it. */
  converted_to_task: string | null;
}

/** A failure as it is reported. */
export type ReportedFailure = Omit<Failure, 'id' | 'timestamp' | 'converted_to_task'>;

/** The failures of a log, and how many of its lines could not be read. */
export interface FailureLog {
  failures: Failure[];
  broken: number[];
}

const DOMAINS: readonly (readonly [string, readonly string[]])[] = [
  [
    'coding',
    [
      'file_targeting',
      'wrong_file',
      'partial_edit',
      'missing_test',
      'code_quality',
      'over_engineering',
      'tool_sequence',
    ],
  ],
  ['conversational', ['conversation_flow', 'tone', 'empathy']],
  ['research', ['research_accuracy', 'source_quality', 'hallucination']],
  ['computer_use', ['gui_interaction', 'screenshot']],
];

/** The domain of a category of failures. */
export function domainOf(category: string): string {
  return DOMAINS.find(([, categories]) => categories.includes(category))?.[0] ?? 'general';
}

function textOrNull(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Reads a log of failures. A later line of the same id replaces the earlier one; a bad line is noted and left out. */
export function readFailures(path: string): FailureLog {
  const { lines, broken } = readJsonLines(path);
  const failures = new Map<string, Failure>();
  for (const { line, value } of lines) {
    const id = textMember(value, 'id');
    const description = textMember(value, 'description');
    if (id === '' || description === '') {
      broken.push(line);
      continue;
    }
    const converted = anyMember(value, ['converted_to_task']);
    failures.set(id, {
      id,
      timestamp: textMember(value, 'timestamp'),
      description,
      category: textMember(value, 'category') || 'unknown',
      severity: SEVERITIES.find((severity) => severity === value['severity']) ?? 'medium',
      expected_behavior: textOrNull(member(value, 'expected_behavior')),
      actual_behavior: textOrNull(member(value, 'actual_behavior')),
      task_context: textOrNull(member(value, 'task_context')),
      transcript: textOrNull(member(value, 'transcript')),
      // Earlier logs write true without saying which.
      converted_to_task: converted === true ? 'unknown' : typeof converted === 'string' ? converted : null,
    });
  }
  return { failures: [...failures.values()], broken: broken.toSorted((left, right) => left - right) };
}

function hide(text: string | null): string | null {
  return text === null ? null : redactText(text);
}

/** Logs a failure, with secrets hidden. Throws AssayError `STORE`. */
export function logFailure(path: string, reported: ReportedFailure, source: Source): Failure {
  const failure: Failure = {
    id: source.id('failure'),
    timestamp: new Date(source.now()).toISOString(),
    description: redactText(reported.description),
    category: reported.category,
    severity: reported.severity,
    expected_behavior: hide(reported.expected_behavior),
    actual_behavior: hide(reported.actual_behavior),
    task_context: hide(reported.task_context),
    transcript: reported.transcript,
    converted_to_task: null,
  };
  mkdirSync(dirname(path), { recursive: true });
  appendJsonLine(path, failure);
  return failure;
}

/** Notes which draft was made of a failure. The log only ever grows. Throws AssayError `STORE`. */
export function markConverted(path: string, failure: Failure, draft: string): void {
  if (failure.converted_to_task === draft) return;
  appendJsonLine(path, { ...failure, converted_to_task: draft });
}

/**
 * The failure of an id, or of the beginning of one.
 * @throws AssayError `INPUT`
 */
export function findFailure(log: FailureLog, id: string): Failure {
  const exact = log.failures.find((failure) => failure.id === id);
  if (exact !== undefined) return exact;
  const matching = id === '' ? [] : log.failures.filter((failure) => failure.id.startsWith(id));
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return only;
  const meant = didYouMean(
    id,
    log.failures.map((failure) => failure.id),
  );
  throw new AssayError(
    'INPUT',
    matching.length > 1
      ? `${JSON.stringify(id)} fits ${matching.length} failures`
      : `there is no failure ${JSON.stringify(id)}`,
    { fix: meant === null ? 'assay case list shows them' : `did you mean ${meant}?` },
  );
}
