import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { appendJsonLine, readJsonLines, redactText } from '../cases/index.js';
import { AssayError, didYouMean, type JsonObject, type JsonValue, type Source } from '../core/index.js';
import { SKILL_NAME, WORKFLOWS } from './workflows.js';

/** Name of the execution log, inside the store. */
export const EXECUTION_LOG_NAME = 'execution.jsonl';

/** Most characters of a summary. */
export const MOST_SUMMARY = 200;

/** How a workflow ended. */
export const EXECUTION_STATUSES = ['ok', 'error'] as const;

/** How a workflow ended. */
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

/** One line as a workflow writes it. `ts` is UTC in whole seconds; `duration_s` seconds. */
export interface ExecutionLine {
  ts: string;
  skill: string;
  workflow: string;
  input: string;
  status: ExecutionStatus;
  duration_s: number;
}

/**
 * One line as it is read, of either shape: `workflow` lines say how a workflow ended, `call` lines are written by a
 * hook at the moment a skill is called, and know neither workflow nor end.
 */
export interface ExecutionEntry {
  kind: 'workflow' | 'call';
  ts: string;
  skill: string;
  /** Null in a `call` line. */
  workflow: string | null;
  input: string;
  /** Null in a `call` line. */
  status: ExecutionStatus | null;
  /** Seconds; null in a `call` line. */
  duration_s: number | null;
  /** What the skill was called with; null in a `workflow` line. */
  args: string | null;
  /** Who wrote a `call` line, such as `hook`; null in a `workflow` line. */
  source: string | null;
}

/** The entries of a log, oldest first, and the 1-based numbers of the lines that are none. */
export interface ExecutionLog {
  entries: ExecutionEntry[];
  broken: number[];
}

const NAME = /^[A-Za-z][A-Za-z0-9._-]{0,63}$/;

/** What a workflow reports of itself. */
export type ReportedExecution = Omit<ExecutionLine, 'ts'>;

const words = z.union([z.string(), z.array(z.unknown()), z.record(z.string(), z.unknown())]);
const time = z.iso.datetime({ offset: true });
// Machine-written, and by other programs too: keys that are not known are let be.
const workflowLine = z.looseObject({
  ts: time,
  skill: z.string().min(1),
  workflow: z.string().min(1),
  input: words,
  status: z.enum(EXECUTION_STATUSES),
  duration_s: z.number().min(0),
});
const callLine = z.looseObject({
  ts: time,
  skill: z.string().min(1),
  args: words.nullish(),
  input: words.nullish(),
  source: z.string().min(1),
});

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function entryOf(value: JsonObject): ExecutionEntry | null {
  const ran = workflowLine.safeParse(value);
  if (ran.success) {
    const { ts, skill, workflow, input, status, duration_s } = ran.data;
    return {
      kind: 'workflow',
      ts,
      skill,
      workflow,
      input: textOf(input),
      status,
      duration_s,
      args: null,
      source: null,
    };
  }
  const called = callLine.safeParse(value);
  if (!called.success) return null;
  const { ts, skill, args, input, source } = called.data;
  return {
    kind: 'call',
    ts,
    skill,
    workflow: null,
    input: input === undefined || input === null ? '' : textOf(input),
    status: null,
    duration_s: null,
    args: args === undefined || args === null ? null : textOf(args),
    source,
  };
}

/** Reads an execution log, none when there is no such file; lines of both shapes count. Throws AssayError `STORE`. */
export function readExecutions(path: string): ExecutionLog {
  const { lines, broken } = readJsonLines(path);
  const entries: ExecutionEntry[] = [];
  for (const { line, value } of lines) {
    const entry = entryOf(value);
    if (entry === null) broken.push(line);
    else entries.push(entry);
  }
  return { entries, broken: broken.toSorted((left, right) => left - right) };
}

function refuse(message: string, fix: string): never {
  throw new AssayError('USAGE', message, { fix });
}

function checkNames({ skill, workflow }: ReportedExecution): void {
  for (const [what, name] of [
    ['skill', skill],
    ['workflow', workflow],
  ] as const) {
    if (!NAME.test(name)) {
      refuse(`${JSON.stringify(name)} is not the name of a ${what}`, 'use letters, digits, dots and dashes');
    }
  }
  const known: readonly string[] = WORKFLOWS;
  if (skill !== SKILL_NAME || known.includes(workflow)) return;
  const meant = didYouMean(workflow, WORKFLOWS);
  refuse(
    `the skill ${SKILL_NAME} has no workflow ${JSON.stringify(workflow)}`,
    meant === null ? `it has ${WORKFLOWS.join(', ')}` : `did you mean ${meant}?`,
  );
}

/**
 * Appends one line to an execution log, with secrets hidden. Quotes, line feeds and everything else a summary may hold
 * stay inside its string: a line is always one JSON object. The log only ever grows.
 * @throws AssayError `USAGE` for what cannot be logged, `STORE` when it cannot be written
 */
export function logExecution(path: string, reported: ReportedExecution, source: Source): ExecutionLine {
  checkNames(reported);
  const input = reported.input.trim();
  if (input === '') refuse('the summary is blank', 'say in about eight words what was asked');
  if (input.length > MOST_SUMMARY) {
    refuse(
      `the summary has ${input.length} characters, and at most ${MOST_SUMMARY} are kept`,
      'say in about eight words what was asked',
    );
  }
  const line: ExecutionLine = {
    ts: `${new Date(source.now()).toISOString().slice(0, 19)}Z`,
    skill: reported.skill,
    workflow: reported.workflow,
    input: redactText(input),
    status: reported.status,
    duration_s: reported.duration_s,
  };
  mkdirSync(dirname(path), { recursive: true });
  appendJsonLine(path, line);
  return line;
}

/** What a list of entries is narrowed to. */
export interface ExecutionFilter {
  skill?: string;
  workflow?: string;
  status?: ExecutionStatus;
  /** Only the newest of what is left. */
  last?: number;
}

/** The entries that a filter lets through, oldest first. */
export function selectExecutions(
  entries: readonly ExecutionEntry[],
  filter: ExecutionFilter,
): ExecutionEntry[] {
  const kept = entries.filter(
    (entry) =>
      (filter.skill === undefined || entry.skill === filter.skill) &&
      (filter.workflow === undefined || entry.workflow === filter.workflow) &&
      (filter.status === undefined || entry.status === filter.status),
  );
  return filter.last === undefined ? kept : kept.slice(-filter.last);
}

/** The keys of a JSON document that lists entries. */
export function executionsJson(log: ExecutionLog, entries: readonly ExecutionEntry[]): JsonValue {
  return {
    schema: 'assay/executions/v1',
    entries: entries.map((entry) => ({ ...entry })),
    broken_lines: log.broken,
  };
}
