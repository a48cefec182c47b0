import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  AssayError,
  isJsonObject,
  parseJson,
  type JsonObject,
  type JsonValue,
  type Receipt,
  type Recording,
  type TrialResult,
} from '../core/index.js';
import { isTooDeep, member, objectMember, objectsOf, redactText, textMember } from '../cases/index.js';
import { ExchangeTable, nameOf } from './import-table.js';
import { importedCheck, importedResult, type ImportedRun } from './imported-run.js';
import type { RunImport } from './inspect-log.js';
import { evalCaseId } from './skill-evals.js';
import { readGrading, readTiming, type SkillGrading } from './skill-grading.js';

const LARGEST = 64 * 1024 * 1024;
const EPOCH = new Date(0).toISOString();

function naturalOrder(left: string, right: string): number {
  return left.localeCompare(right, 'en', { numeric: true });
}

/** A JSON file; null when it is not there or cannot be read, which the table says. */
function jsonFile(path: string, table: ExchangeTable): JsonValue | null {
  if (!existsSync(path)) return null;
  if (statSync(path).size > LARGEST) {
    table.dropped('file', path, null, 'it is larger than 64 MB');
    return null;
  }
  const parsed = parseJson(readFileSync(path, 'utf8'));
  if (parsed.ok && !isTooDeep(parsed.value)) return parsed.value;
  table.dropped(
    'file',
    path,
    null,
    parsed.ok ? 'it is nested too deeply' : `it is not JSON: ${parsed.message}`,
  );
  return null;
}

function textFile(path: string): string | null {
  return existsSync(path) && statSync(path).isFile() && statSync(path).size <= LARGEST
    ? readFileSync(path, 'utf8')
    : null;
}

function folders(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted(naturalOrder);
}

/** A recording of what is known: the prompt, the transcript as the answer, tokens and time. */
function recordingOf(
  prompt: string,
  answer: string,
  timing: Omit<SkillGrading, 'checks'>,
  metrics: JsonObject,
) {
  return (receipt: Receipt): Recording => ({
    receipt,
    turns: [{ user: redactText(prompt), text: redactText(answer) }],
    messages: [],
    toolCalls: [],
    // Only the sum is known; it stands as input, and the note says so.
    usage: { inputTokens: timing.totalTokens, outputTokens: 0, cost: null },
    llmCalls: 0,
    durationMs: timing.durationMs,
    notes: ['Tokens are known as a sum only; they count as input.'],
    ...(Object.keys(metrics).length === 0 ? {} : { extra: { metrics } }),
  });
}

interface CaseFolder {
  id: string;
  prompt: string;
  declared: string[] | null;
}

function caseFolder(path: string, table: ExchangeTable): CaseFolder {
  const metadata = jsonFile(join(path, 'eval_metadata.json'), table);
  const name = basename(path);
  if (!isJsonObject(metadata)) {
    table.changed('eval', name, null, 'it has no eval_metadata.json: the name of its folder is its id');
    return { id: name, prompt: '', declared: null };
  }
  const id = evalCaseId(member(metadata, 'eval_id'));
  if (id === null)
    table.changed('eval', name, null, 'its metadata has no id: the name of its folder is its id');
  const assertions = member(metadata, 'assertions');
  const declared = Array.isArray(assertions) ? assertions.filter((one) => typeof one === 'string') : null;
  return { id: id ?? name, prompt: textMember(metadata, 'prompt'), declared };
}

function runFolder(
  path: string,
  number: number,
  arm: string,
  found: CaseFolder,
  table: ExchangeTable,
): TrialResult {
  const name = `${found.id} ${arm} run ${number}`;
  const grading = jsonFile(join(path, 'grading.json'), table);
  const timing = readTiming(jsonFile(join(path, 'timing.json'), table), grading);
  const metrics = jsonFile(join(path, 'outputs', 'metrics.json'), table);
  const answer =
    textFile(join(path, 'outputs', 'transcript.md')) ?? textFile(join(path, 'transcript.md')) ?? '';
  const checks = readGrading(grading, found.declared, name, table);
  table.kept('run', name);
  return importedResult({
    caseId: found.id,
    prompt: found.prompt,
    trial: number,
    agentModel: arm,
    judgeModel: 'imported',
    startedAt: EPOCH,
    checks,
    error: null,
    recording: recordingOf(found.prompt, answer, timing, isJsonObject(metrics) ? metrics : {}),
  });
}

/** The runs of a configuration: folders `run-1`, `run-2`, or the files right in it. */
function runsIn(path: string): { path: string; number: number }[] {
  const numbered = folders(path).flatMap((name) => {
    const number = /^run-(\d{1,6})$/.exec(name)?.[1];
    return number === undefined ? [] : [{ path: join(path, name), number: Number(number) }];
  });
  if (numbered.length > 0) return numbered;
  const direct = existsSync(join(path, 'grading.json')) || existsSync(join(path, 'outputs'));
  return direct ? [{ path, number: 1 }] : [];
}

function importIteration(path: string, name: string | null, table: ExchangeTable): ImportedRun[] {
  const roots = [path, join(path, 'runs')].filter((root) => existsSync(root));
  const arms = new Map<string, TrialResult[]>();
  for (const root of roots) {
    for (const folder of folders(root)) {
      const at = join(root, folder);
      const configurations = folders(at).filter((arm) => runsIn(join(at, arm)).length > 0);
      if (configurations.length === 0) continue;
      const found = caseFolder(at, table);
      for (const arm of configurations) {
        const trials = arms.get(arm) ?? [];
        const taken = new Set(trials.filter((one) => one.caseId === found.id).map((one) => one.trial));
        for (const run of runsIn(join(at, arm))) {
          if (taken.has(run.number))
            table.dropped(
              'run',
              `${found.id} ${arm} run ${run.number}`,
              null,
              'another folder has the same id',
            );
          else trials.push(runFolder(run.path, run.number, arm, found, table));
        }
        arms.set(arm, trials);
      }
    }
  }
  const suite = name ?? basename(path);
  return [...arms].map(([arm, trials]) => ({
    suite,
    agentModel: arm,
    judgeModel: 'imported',
    startedAt: null,
    trials,
  }));
}

function benchmarkRun(run: JsonObject, prompt: string, table: ExchangeTable): TrialResult | null {
  const id = evalCaseId(member(run, 'eval_id'));
  const number = member(run, 'run_number');
  const arm = textMember(run, 'configuration');
  const name = `${id ?? '?'} ${arm} run ${nameOf(number)}`;
  if (id === null || arm === '' || typeof number !== 'number' || !Number.isInteger(number) || number < 1) {
    table.dropped('run', name, null, 'it has no id, configuration or number');
    return null;
  }
  const result = objectMember(run, 'result');
  const checks = readGrading({ expectations: member(run, 'expectations') ?? [] }, null, name, table);
  const said = member(result, 'passed');
  const passed = checks.filter((check) => check.outcome === 'pass').length;
  if (checks.length > 0 && typeof said === 'number' && said !== passed)
    table.changed(
      'summary',
      name,
      null,
      `its result says ${said} passed, its list ${passed}: the list counts`,
    );
  if (checks.length === 0 && typeof said === 'number') {
    const evidence = `the benchmark gives no expectations, only ${said} of ${nameOf(result['total'])} passed`;
    checks.push(importedCheck('expectations', 'error', 0, evidence, true));
  }
  table.kept('run', name);
  const seconds = member(result, 'time_seconds');
  const tokens = member(result, 'tokens');
  return importedResult({
    caseId: id,
    prompt,
    trial: number,
    agentModel: arm,
    judgeModel: 'imported',
    startedAt: EPOCH,
    checks,
    error: null,
    recording: recordingOf(
      prompt,
      '',
      {
        totalTokens: typeof tokens === 'number' && tokens > 0 ? Math.round(tokens) : 0,
        durationMs: typeof seconds === 'number' && seconds > 0 ? Math.round(seconds * 1000) : 0,
      },
      {},
    ),
  });
}

function importBenchmark(document: JsonObject, name: string | null, table: ExchangeTable): ImportedRun[] {
  const metadata = objectMember(document, 'metadata');
  const timestamp = Date.parse(textMember(metadata, 'timestamp'));
  const arms = new Map<string, TrialResult[]>();
  const seen = new Set<string>();
  const written = member(document, 'runs');
  const runs = objectsOf(written);
  const lost = Array.isArray(written) ? written.length - runs.length : 0;
  if (lost > 0) table.dropped('run', `${lost} in all`, null, 'they are no objects');
  for (const run of runs) {
    const trial = benchmarkRun(run, textMember(run, 'eval_name'), table);
    if (trial === null) continue;
    const arm = trial.receipt.modelRef;
    const key = JSON.stringify([arm, trial.caseId, trial.trial]);
    if (seen.has(key)) table.dropped('run', key, null, 'it is there twice: the first one counts');
    else arms.set(arm, [...(arms.get(arm) ?? []), trial]);
    seen.add(key);
  }
  if (Array.isArray(document['notes']) && document['notes'].length > 0)
    table.dropped('key', 'notes', null, 'observations for people; they stay in the file');
  if ('run_summary' in document) table.dropped('key', 'run_summary', null, 'it is computed from the runs');
  const suite = name ?? (textMember(metadata, 'skill_name') || 'benchmark');
  const startedAt = Number.isNaN(timestamp) ? null : new Date(timestamp).toISOString();
  return [...arms].map(([arm, trials]) => ({
    suite,
    agentModel: arm,
    judgeModel: 'imported',
    startedAt,
    trials,
  }));
}

/**
 * Reads graded runs of a skill: the folder of an iteration, a benchmark.json, or one grading.json. Every configuration
 * becomes a run.
 * @throws AssayError `INPUT` when it is none of these
 */
export function importSkillResults(path: string, shown: string, name: string | null): RunImport {
  const table = new ExchangeTable();
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new AssayError('INPUT', `${shown} does not exist`);
  let runs: ImportedRun[] = [];
  if (stats.isDirectory()) runs = importIteration(path, name, table);
  else {
    const document = jsonFile(path, table);
    if (!isJsonObject(document))
      throw new AssayError('INPUT', `${shown} is neither a benchmark.json nor a grading.json`);
    if (Array.isArray(document['runs'])) runs = importBenchmark(document, name, table);
    else {
      const checks = readGrading(document, null, shown, table);
      const timing = readTiming(null, document);
      const trial = importedResult({
        caseId: 'graded',
        prompt: '',
        trial: 1,
        agentModel: 'unknown',
        judgeModel: 'imported',
        startedAt: EPOCH,
        checks,
        error: null,
        recording: recordingOf('', '', timing, objectMember(document, 'execution_metrics')),
      });
      if (checks.length > 0)
        runs = [
          {
            suite: name ?? 'grading',
            agentModel: 'unknown',
            judgeModel: 'imported',
            startedAt: null,
            trials: [trial],
          },
        ];
    }
  }
  return { runs, rows: table.rows };
}
