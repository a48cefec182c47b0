import { readFileSync } from 'node:fs';
import {
  AssayError,
  canonicalJson,
  isJsonObject,
  parseJson,
  type Check,
  type JsonObject,
  type JsonValue,
  type TrialError,
  type TrialResult,
} from '../core/index.js';
import {
  isTooDeep,
  member,
  messagesTranscript,
  objectMember,
  objectsOf,
  redactText,
  textMember,
  transcriptRecording,
} from '../cases/index.js';
import { ExchangeTable, type TableRow, nameOf } from './import-table.js';
import { importedCheck, importedResult, type ImportedRun } from './imported-run.js';
import { isZip, openZip } from './zip-file.js';

/** Runs that an import makes, and what became of everything in the file. */
export interface RunImport {
  runs: ImportedRun[];
  rows: TableRow[];
}

const VERDICTS: ReadonlyMap<JsonValue, { outcome: Check['outcome']; score: number }> = new Map<
  JsonValue,
  { outcome: Check['outcome']; score: number }
>([
  ['C', { outcome: 'pass', score: 1 }],
  ['P', { outcome: 'fail', score: 0.5 }],
  ['I', { outcome: 'fail', score: 0 }],
  ['N', { outcome: 'fail', score: 0 }],
  [true, { outcome: 'pass', score: 1 }],
  [false, { outcome: 'fail', score: 0 }],
]);

/** A score as a verdict: 1 is a pass, less is a fail with that score; what is no share is no verdict. */
function verdictOf(value: JsonValue): { outcome: Check['outcome']; score: number } {
  const known = VERDICTS.get(value);
  if (known !== undefined) return known;
  if (typeof value === 'number' && value >= 0 && value <= 1)
    return { outcome: value === 1 ? 'pass' : 'fail', score: value };
  return { outcome: 'unknown', score: 0 };
}

function checksOf(sample: JsonObject): Check[] {
  return Object.entries<JsonValue>(objectMember(sample, 'scores')).map(([name, score]) => {
    const value = isJsonObject(score) ? (member(score, 'value') ?? null) : null;
    const { outcome, score: share } = verdictOf(value);
    const why = isJsonObject(score) ? textMember(score, 'explanation') : '';
    const evidence = `scored ${canonicalJson(value)}${why === '' ? '' : `: ${redactText(why)}`}`;
    return importedCheck(name, outcome, share, evidence, false);
  });
}

/** Large texts stand once in a sample and are named where they occur. */
function attached(value: JsonValue, attachments: JsonObject): JsonValue {
  if (typeof value === 'string') {
    const name = /^attachment:\/\/([0-9a-f]{1,64})$/.exec(value)?.[1];
    const text = name === undefined ? undefined : member(attachments, name);
    return typeof text === 'string' ? text : value;
  }
  if (Array.isArray(value)) return value.map((item) => attached(item, attachments));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries<JsonValue>(value).map(([key, item]) => [key, attached(item, attachments)]),
  );
}

/** A message of Inspect in the form that chat APIs use. */
function chatMessage(message: JsonObject): JsonObject {
  const calls = objectsOf(member(message, 'tool_calls'));
  if (calls.length === 0) return message;
  return {
    ...message,
    tool_calls: calls.map((call) => ({
      type: 'tool_call',
      id: textMember(call, 'id'),
      name: textMember(call, 'function'),
      arguments: member(call, 'arguments') ?? {},
    })),
  };
}

function messagesOf(sample: JsonObject): JsonObject[] {
  const attachments = objectMember(sample, 'attachments');
  const resolved = attached(member(sample, 'messages') ?? [], attachments);
  return objectsOf(resolved).map(chatMessage);
}

function promptOf(sample: JsonObject): string {
  const input = member(sample, 'input') ?? '';
  return typeof input === 'string' ? input : canonicalJson(input);
}

function errorOf(sample: JsonObject): TrialError | null {
  const error = member(sample, 'error');
  if (isJsonObject(error))
    return { kind: 'agent', message: redactText(textMember(error, 'message') || 'the sample failed') };
  const limit = member(sample, 'limit');
  return isJsonObject(limit)
    ? { kind: 'limit', message: `stopped at its ${textMember(limit, 'type')} limit` }
    : null;
}

function seconds(value: JsonValue | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value * 1000) : 0;
}

function tokensOf(sample: JsonObject): { inputTokens: number; outputTokens: number } {
  const sums = { inputTokens: 0, outputTokens: 0 };
  for (const usage of Object.values<JsonValue>(objectMember(sample, 'model_usage'))) {
    if (!isJsonObject(usage)) continue;
    sums.inputTokens += Number(usage['input_tokens'] ?? 0) || 0;
    sums.outputTokens += Number(usage['output_tokens'] ?? 0) || 0;
  }
  return sums;
}

function trialOf(sample: JsonObject, header: Header, table: ExchangeTable): TrialResult | null {
  const id = member(sample, 'id');
  const epoch = member(sample, 'epoch');
  const name = `${nameOf(id)} epoch ${nameOf(epoch)}`;
  if (
    (typeof id !== 'string' && typeof id !== 'number') ||
    typeof epoch !== 'number' ||
    !Number.isInteger(epoch) ||
    epoch < 1
  ) {
    table.dropped('sample', name, null, 'it has no id or no epoch');
    return null;
  }
  const messages = messagesOf(sample);
  const transcript = messagesTranscript(messages);
  const error = errorOf(sample);
  const checks = checksOf(sample);
  if (transcript.turns.length === 0 && error === null) {
    table.dropped('sample', name, null, 'nobody says anything in it');
    return null;
  }
  for (const note of transcript.notes) table.changed('sample', name, null, note);
  for (const check of checks.filter((one) => one.outcome === 'unknown')) {
    table.changed(
      'score',
      `${check.label} of ${name}`,
      null,
      'no share from 0 to 1: it is unknown, never a pass',
    );
  }
  table.kept('sample', name);
  return importedResult({
    caseId: `${id}`,
    prompt: promptOf(sample),
    trial: epoch,
    agentModel: header.model,
    judgeModel: null,
    startedAt: header.created,
    checks,
    error,
    recording:
      transcript.turns.length === 0
        ? null
        : (receipt) => ({
            ...transcriptRecording(transcript, receipt),
            usage: { ...tokensOf(sample), cost: null },
            durationMs: seconds(member(sample, 'total_time')),
          }),
  });
}

interface Header {
  task: string;
  model: string;
  created: string;
}

function headerOf(log: JsonObject): Header {
  const written = objectMember(log, 'eval');
  const created = Date.parse(textMember(written, 'created'));
  return {
    task: textMember(written, 'task', 'task_id') || 'inspect',
    model: textMember(written, 'model') || 'unknown',
    created: new Date(Number.isNaN(created) ? 0 : created).toISOString(),
  };
}

function parsed(text: string, shown: string): JsonObject {
  const result = parseJson(text);
  if (result.ok && isJsonObject(result.value) && !isTooDeep(result.value)) return result.value;
  throw new AssayError('INPUT', `${shown} is no log of Inspect${result.ok ? '' : `: ${result.message}`}`);
}

/** Reads the samples of a log in either form: an archive with one file a sample, or one JSON document. */
function* samplesIn(path: string, shown: string, seen: (header: Header) => void): Generator<JsonObject> {
  if (!isZip(path)) {
    const log = parsed(readFileSync(path, 'utf8'), shown);
    if (!('eval' in log)) throw new AssayError('INPUT', `${shown} is no log of Inspect: it has no eval`);
    seen(headerOf(log));
    const samples = member(log, 'samples');
    for (const sample of Array.isArray(samples) ? samples : []) yield isJsonObject(sample) ? sample : {};
    return;
  }
  const archive = openZip(path, shown);
  try {
    // A log that was cut off has no header, only what it began with.
    const head =
      archive.entries.find(({ name }) => name === 'header.json') ??
      archive.entries.find(({ name }) => name === '_journal/start.json');
    if (head === undefined) throw new AssayError('INPUT', `${shown} is no log of Inspect: it has no header`);
    seen(headerOf(parsed(archive.text(head), shown)));
    for (const entry of archive.entries) {
      if (/^samples\/.+\.json$/.test(entry.name))
        yield parsed(archive.text(entry), `${shown} (${entry.name})`);
    }
  } finally {
    archive.close();
  }
}

/**
 * Reads an `.eval` or `.json` log of Inspect: every sample and epoch as a trial with its conversation and its scores.
 * @throws AssayError `INPUT` when it is none
 */
export function importInspect(path: string, shown: string, name: string | null): RunImport {
  const table = new ExchangeTable();
  let header: Header = { task: 'inspect', model: 'unknown', created: new Date(0).toISOString() };
  const seen = new Set<string>();
  const trials: TrialResult[] = [];
  for (const sample of samplesIn(path, shown, (found) => (header = found))) {
    const trial = trialOf(sample, header, table);
    if (trial === null) continue;
    const key = JSON.stringify([trial.caseId, trial.trial]);
    if (seen.has(key)) table.dropped('sample', key, null, 'it is in the log twice: the first one counts');
    else trials.push(trial);
    seen.add(key);
  }
  const run = {
    suite: name ?? header.task,
    agentModel: header.model,
    judgeModel: null,
    startedAt: header.created,
    trials,
  };
  return { runs: trials.length === 0 ? [] : [run], rows: table.rows };
}
