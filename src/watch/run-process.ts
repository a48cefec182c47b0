import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '../core/index.js';
import { runProgram } from '../model/index.js';
import { listRuns } from '../store/index.js';

/** How the suite is run: the command line of a process of its own. */
export interface SuiteRun {
  /** Program and leading arguments that start Assay. */
  assay: readonly [string, ...string[]];
  /** Arguments after `run`, without the form of the result. */
  arguments: readonly string[];
  directory: string;
  environment: Readonly<Record<string, string>>;
  storeRoot: string;
  timeoutMs: number;
  /** Ends the run. */
  signal?: AbortSignal;
  onStart?: (pid: number) => void;
}

/** What came of it: the directory of the stored run, or why there is none. */
export type SuiteRunEnd = { directory: string; reason: null } | { directory: null; reason: string };

const MOST_OUTPUT = 256 * 1024 * 1024;
const SHOWN = 2000;

function text(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function problemLines(error: JsonObject): string[] {
  const { problems } = error;
  if (!Array.isArray(problems)) return [];
  return problems
    .filter(isJsonObject)
    .slice(0, 3)
    .map((problem) =>
      [text(problem['file']), text(problem['key']), text(problem['message'])]
        .filter((part) => part !== null)
        .join(' '),
    );
}

/** Why Assay refused to run, from its report. */
function refusal(report: JsonObject): string | null {
  const { error } = report;
  if (error === undefined || !isJsonObject(error)) return null;
  const message = text(error['message']);
  return message === null ? null : [message, ...problemLines(error)].join('; ');
}

function directoryOf(report: JsonObject): string | null {
  const { run } = report;
  return run !== undefined && isJsonObject(run) ? text(run['directory']) : null;
}

function lastLines(stderr: string): string {
  return stderr.trim().slice(-SHOWN).trim();
}

/** Runs the suite and waits for its end. Never rejects for what the run does. */
export async function runSuiteProcess(run: SuiteRun): Promise<SuiteRunEnd> {
  const before = new Set(listRuns(run.storeRoot).runs.map((one) => one.directory));
  const timeout = AbortSignal.timeout(run.timeoutMs);
  const signal = run.signal === undefined ? timeout : AbortSignal.any([timeout, run.signal]);
  const [program, ...leading] = run.assay;
  const outcome = await runProgram({
    program,
    arguments: [...leading, 'run', ...run.arguments, '--format', 'json', '--quiet', '--no-color'],
    environment: run.environment,
    directory: run.directory,
    input: '',
    signal,
    maxOutputBytes: MOST_OUTPUT,
    ...(run.onStart === undefined ? {} : { onStart: run.onStart }),
  });
  const failed = (reason: string): SuiteRunEnd => ({ directory: null, reason });
  switch (outcome.ending) {
    case 'not-started':
      return failed(`Assay could not be started: ${outcome.startError?.message ?? 'unknown reason'}`);
    case 'stopped':
      return failed(
        timeout.aborted ? `the run was not done after ${run.timeoutMs / 1000} s` : 'the run was stopped',
      );
    case 'overflow':
      return failed('the run wrote a report that is too long to be read');
    case 'exited':
      break;
  }
  const parsed = parseJson(outcome.stdout);
  const report = parsed.ok && isJsonObject(parsed.value) ? parsed.value : null;
  if (report === null) {
    const how = outcome.signal === null ? `exit code ${outcome.code}` : `signal ${outcome.signal}`;
    const said = lastLines(outcome.stderr);
    return failed(`the run ended with ${how} and no report${said === '' ? '' : `: ${said}`}`);
  }
  const refused = refusal(report);
  if (refused !== null) return failed(refused);
  // The report of a replay names no run, since it must not vary: it is the one that was not there before.
  const suite = text(report['suite']);
  const directory =
    directoryOf(report) ??
    listRuns(run.storeRoot, suite ?? undefined).runs.find((one) => !before.has(one.directory))?.directory ??
    null;
  return directory === null ? failed('the run left nothing in the store') : { directory, reason: null };
}
