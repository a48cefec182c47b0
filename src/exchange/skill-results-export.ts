import {
  finalText,
  type Check,
  type JsonObject,
  type JsonValue,
  type RunSummary,
  type TrialResult,
} from '../core/index.js';
import { CaseIds } from './case-ids.js';
import { ExchangeTable, type TableRow } from './import-table.js';

/** A file that an export writes: a relative path that is safe on every system, and its text. */
export interface ExportedFile {
  path: string;
  text: string;
}

/** One run as an arm of a benchmark. */
export interface BenchmarkArm {
  /** `with_skill`, `without_skill`, ... */
  configuration: string;
  header: Pick<RunSummary, 'agentModel' | 'judgeModel' | 'startedAt'>;
  trials: TrialResult[];
}

function evalId(caseId: string): JsonValue {
  const number = /^eval-(\d{1,9})$/.exec(caseId)?.[1];
  return number === undefined ? caseId : Number(number);
}

function gating(trial: TrialResult): Check[] {
  return trial.checks.filter((check) => !check.diagnostic);
}

function verdicts(trial: TrialResult): JsonObject[] {
  return gating(trial)
    .filter((check) => check.outcome === 'pass' || check.outcome === 'fail')
    .map((check) => ({ text: check.label, passed: check.outcome === 'pass', evidence: check.evidence }));
}

function summaryOf(list: readonly JsonObject[]): {
  passed: number;
  failed: number;
  total: number;
  pass_rate: number;
} {
  const passed = list.filter((one) => one['passed'] === true).length;
  const total = list.length;
  return { passed, failed: total - passed, total, pass_rate: total === 0 ? 0 : rounded(passed / total, 4) };
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function tokensOf(trial: TrialResult): number {
  const usage = trial.recording?.usage;
  return usage === undefined ? 0 : usage.inputTokens + usage.outputTokens;
}

function toolCounts(trial: TrialResult): { [tool: string]: number } {
  const counts = new Map<string, number>();
  for (const { name } of trial.recording?.toolCalls ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function failedCalls(trial: TrialResult): number {
  return (trial.recording?.toolCalls ?? []).filter((call) => !call.ok).length;
}

/** A trial is graded when every check came to a verdict; the formats have no word for anything in between. */
function isGraded(trial: TrialResult): boolean {
  const checks = gating(trial);
  return trial.status !== 'error' && checks.length > 0 && verdicts(trial).length === checks.length;
}

function noteUngraded(trial: TrialResult, name: string, table: ExchangeTable): void {
  const open = gating(trial).filter((check) => check.outcome === 'unknown' || check.outcome === 'error');
  const why = trial.error?.message ?? `${open.map((check) => check.label).join(', ')} came to no verdict`;
  table.dropped('trial', name, null, `it is not graded: ${why}`);
}

function gradingOf(trial: TrialResult): JsonObject {
  const list = verdicts(trial);
  const counts = toolCounts(trial);
  return {
    expectations: list,
    summary: summaryOf(list),
    execution_metrics: {
      tool_calls: counts,
      total_tool_calls: Object.values(counts).reduce((sum, count) => sum + count, 0),
      total_steps: trial.recording?.llmCalls ?? 0,
      errors_encountered: failedCalls(trial),
      output_chars: trial.recording === null ? 0 : finalText(trial.recording).length,
    },
    timing: { total_duration_seconds: rounded((trial.recording?.durationMs ?? 0) / 1000, 3) },
  };
}

function json(value: JsonValue): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/**
 * Writes graded trials in the layout of an iteration: a folder for every case, one for the configuration, one for every
 * run.
 */
export function exportGradings(arm: BenchmarkArm): { files: ExportedFile[]; rows: TableRow[] } {
  const table = new ExchangeTable();
  const names = new CaseIds();
  const folders = new Map<string, string>();
  const files: ExportedFile[] = [];
  for (const trial of arm.trials) {
    const name = `${trial.caseId} trial ${trial.trial}`;
    if (!isGraded(trial)) {
      noteUngraded(trial, name, table);
      continue;
    }
    let folder = folders.get(trial.caseId);
    if (folder === undefined) {
      folder = `eval-${names.next(trial.caseId.replace(/^eval-/, ''), 'case')}`;
      folders.set(trial.caseId, folder);
      const prompt = trial.recording?.turns.map((turn) => turn.user).join('\n\n') ?? '';
      const assertions = verdicts(trial).map((one) => one['text'] ?? '');
      files.push({
        path: `${folder}/eval_metadata.json`,
        text: json({ eval_id: evalId(trial.caseId), eval_name: trial.caseId, prompt, assertions }),
      });
    }
    const run = `${folder}/${arm.configuration}/run-${trial.trial}`;
    files.push({ path: `${run}/grading.json`, text: json(gradingOf(trial)) });
    const durationMs = Math.round(trial.recording?.durationMs ?? 0);
    files.push({
      path: `${run}/timing.json`,
      text: json({
        total_tokens: tokensOf(trial),
        duration_ms: durationMs,
        total_duration_seconds: rounded(durationMs / 1000, 3),
      }),
    });
    if (trial.recording !== null)
      files.push({ path: `${run}/outputs/transcript.md`, text: `${finalText(trial.recording)}\n` });
    table.kept('trial', name);
  }
  return { files, rows: table.rows };
}

interface Spread {
  mean: number;
  stddev: number;
  min: number;
  max: number;
}

/** Mean, sample deviation (n - 1; 0 for one), least and most. */
function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) return { mean: 0, stddev: 0, min: 0, max: 0 };
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const stddev = values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1));
  return {
    mean: rounded(mean, 4),
    stddev: rounded(stddev, 4),
    min: rounded(Math.min(...values), 4),
    max: rounded(Math.max(...values), 4),
  };
}

/** Means of the trials of each case: a case with more trials weighs no more. */
function caseMeans(trials: readonly TrialResult[], of: (trial: TrialResult) => number): number[] {
  const byCase = new Map<string, number[]>();
  for (const trial of trials) byCase.set(trial.caseId, [...(byCase.get(trial.caseId) ?? []), of(trial)]);
  return [...byCase.values()].map((values) => values.reduce((sum, value) => sum + value, 0) / values.length);
}

function passRate(trial: TrialResult): number {
  return summaryOf(verdicts(trial)).pass_rate;
}

function summariesOf(arm: BenchmarkArm): { pass_rate: Spread; time_seconds: Spread; tokens: Spread } {
  return {
    pass_rate: spreadOf(caseMeans(arm.trials, passRate)),
    time_seconds: spreadOf(caseMeans(arm.trials, (trial) => (trial.recording?.durationMs ?? 0) / 1000)),
    tokens: spreadOf(caseMeans(arm.trials, tokensOf)),
  };
}

function signed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return value >= 0 && !text.startsWith('-') ? `+${text}` : text;
}

function deltaOf(arms: readonly BenchmarkArm[], dialect: 'A' | 'B'): JsonObject {
  const [first, second] = arms.map(summariesOf);
  if (first === undefined || second === undefined) return {};
  const rate = first.pass_rate.mean - second.pass_rate.mean;
  const time = first.time_seconds.mean - second.time_seconds.mean;
  const tokens = first.tokens.mean - second.tokens.mean;
  if (dialect === 'B') {
    return {
      delta: { pass_rate: rounded(rate, 4), time_seconds: rounded(time, 4), tokens: rounded(tokens, 4) },
    };
  }
  return { delta: { pass_rate: signed(rate, 2), time_seconds: signed(time, 1), tokens: signed(tokens, 0) } };
}

function benchmarkRun(trial: TrialResult, configuration: string): JsonObject {
  const list = verdicts(trial);
  const { pass_rate: rate, passed, failed, total } = summaryOf(list);
  return {
    eval_id: evalId(trial.caseId),
    eval_name: trial.caseId,
    configuration,
    run_number: trial.trial,
    result: {
      pass_rate: rate,
      passed,
      failed,
      total,
      time_seconds: rounded((trial.recording?.durationMs ?? 0) / 1000, 3),
      tokens: tokensOf(trial),
      tool_calls: (trial.recording?.toolCalls ?? []).length,
      errors: failedCalls(trial),
    },
    expectations: list,
    notes: [],
  };
}

/**
 * Writes runs as a benchmark.json; the first arm is compared with the second. Trials that are not graded are no part of
 * it.
 * @param skill name of the skill
 */
export function exportBenchmark(
  arms: readonly BenchmarkArm[],
  skill: string,
  dialect: 'A' | 'B',
): { document: JsonObject; rows: TableRow[] } {
  const table = new ExchangeTable();
  const graded = arms.map((arm): BenchmarkArm => {
    const trials = arm.trials.filter((trial) => {
      const name = `${trial.caseId} trial ${trial.trial} of ${arm.configuration}`;
      if (isGraded(trial)) table.kept('trial', name);
      else noteUngraded(trial, name, table);
      return isGraded(trial);
    });
    return { ...arm, trials };
  });
  const [first] = arms;
  const ids = [...new Set(graded.flatMap((arm) => arm.trials.map((trial) => trial.caseId)))];
  const most = Math.max(0, ...graded.flatMap((arm) => arm.trials.map((trial) => trial.trial)));
  return {
    document: {
      metadata: {
        skill_name: skill,
        skill_path: '',
        executor_model: first?.header.agentModel ?? '',
        analyzer_model: first?.header.judgeModel ?? '',
        timestamp: (first?.header.startedAt ?? '').replace(/\.\d+Z$/, 'Z'),
        evals_run: ids.map(evalId),
        runs_per_configuration: most,
      },
      runs: graded.flatMap((arm) => arm.trials.map((trial) => benchmarkRun(trial, arm.configuration))),
      run_summary: {
        ...Object.fromEntries(
          graded.map((arm): [string, JsonValue] => {
            const { pass_rate, time_seconds, tokens } = summariesOf(arm);
            return [
              arm.configuration,
              { pass_rate: { ...pass_rate }, time_seconds: { ...time_seconds }, tokens: { ...tokens } },
            ];
          }),
        ),
        ...deltaOf(graded, dialect),
      },
      notes: [],
    },
    rows: table.rows,
  };
}
