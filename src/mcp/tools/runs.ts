import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { AssayError, type JsonObject } from '../../core/index.js';
import { answer } from '../answer.js';
import * as argument from '../arguments.js';
import { modelName, storedRun, suiteName } from '../confine.js';
import { runFacts } from '../run-facts.js';
import type { Job } from '../runs.js';
import type { Surroundings } from '../surroundings.js';
import { defineTool, type CallContext } from '../tool.js';

/** Milliseconds between two notices of progress. */
const NOTICE_MS = 100;
/** Seconds that one call may wait for a run in the background. */
const MOST_WAIT = 600;
/** Milliseconds that cancelling waits for the end: longer than running trials get. */
const CANCEL_MS = 25_000;

const runArguments = {
  suite: argument.suite.optional(),
  resume: argument.run
    .optional()
    .describe('Instead of suite: the interrupted run to finish. Its finished trials are kept.'),
  trials: z.int().min(1).max(1000).optional().describe('Trials a case, overriding the suite.'),
  cases: z.array(argument.caseId).min(1).max(200).optional().describe('Only these cases.'),
  tags: z.array(argument.name).min(1).max(50).optional().describe('Only cases with one of these tags.'),
  mode: z.enum(['replay', 'live']).optional().describe('Scripted model, or a real one.'),
  model: argument.name.optional().describe('Model of the agent, such as claude-cli:sonnet.'),
  judge: argument.name.optional().describe('Model of the judge.'),
  simulator: argument.name.optional().describe('Model of the simulated users of scenarios.'),
  concurrency: z.int().min(1).max(64).optional().describe('Trials under way at once.'),
  allow_spend: z
    .boolean()
    .default(false)
    .describe(
      'Allow models and agents that may bill an account (providers, servers, code of the project). Ask the person first. Without it only scripts and subscriptions are used.',
    ),
  max_cost: z
    .number()
    .gt(0)
    .max(100_000)
    .optional()
    .describe(
      'US dollars that agents, judges and simulated users may cost together; no call is made beyond it.',
    ),
  background: z
    .boolean()
    .default(false)
    .describe('Answer at once with a job, for run_status and cancel_run, instead of waiting for the end.'),
};

type RunArguments = z.output<z.ZodObject<typeof runArguments>>;

function wordsOf(given: RunArguments, surroundings: Surroundings): string[] {
  const { suite, resume, trials, concurrency } = given;
  if ((suite === undefined) === (resume === undefined)) {
    throw new AssayError('INPUT', 'run_suite takes either a suite or a run to resume', {
      fix: 'give suite, or resume',
    });
  }
  const words = ['run', '--progress=json', ...surroundings.common];
  if (suite !== undefined) words.push(`--suite=${suiteName(suite, surroundings)}`);
  if (resume !== undefined) words.push(`--resume=${storedRun(resume, surroundings).directory}`);
  if (trials !== undefined) words.push(`--trials=${trials}`);
  for (const id of given.cases ?? []) words.push(`--case=${id}`);
  for (const tag of given.tags ?? []) words.push(`--tag=${tag}`);
  if (given.mode !== undefined) words.push(`--mode=${given.mode}`);
  if (given.model !== undefined) words.push(`--model=${modelName(given.model, surroundings)}`);
  if (given.judge !== undefined) words.push(`--judge=${modelName(given.judge, surroundings)}`);
  if (given.simulator !== undefined) words.push(`--simulator=${modelName(given.simulator, surroundings)}`);
  if (concurrency !== undefined) words.push(`--concurrency=${concurrency}`);
  if (!given.allow_spend) words.push('--no-spend');
  if (given.max_cost !== undefined) words.push(`--max-cost=${given.max_cost}`);
  return words;
}

function progressFacts(job: Job): JsonObject {
  const { progress } = job;
  if (progress === null) return {};
  const { run, done, planned, passed, failed, errors, cost } = progress;
  return { run, done_trials: done, planned_trials: planned, passed, failed, errors, cost_usd: cost };
}

/** The answer about a run, under way or at its end. */
function answerOf(job: Job, surroundings: Surroundings): CallToolResult {
  const { ended, progress } = job;
  if (ended === null) {
    const facts = { job: job.id, status: job.cancelled ? 'stopping' : 'running', ...progressFacts(job) };
    return answer(
      { ...facts, next: 'run_status waits for it, cancel_run stops it' },
      [],
      surroundings.source,
    );
  }
  const run = progress?.run ?? null;
  if (run === null) throw new AssayError('INPUT', job.said);
  const stored = storedRun(run, surroundings);
  const { summary } = stored;
  // What ended without an end in its journal and was not stopped did not do what it was asked to.
  if (summary === null && !job.cancelled) throw new AssayError('INPUT', `${run} broke off: ${job.said}`);
  const facts = {
    job: job.id,
    status: job.cancelled ? 'cancelled' : 'ended',
    passed_gate: ended.code === 0,
    exit_code: ended.code,
    ...runFacts(stored),
  };
  const data = [{ name: 'reason', text: [summary?.reason ?? 'it was stopped', ended.said].join('\n') }];
  return answer(facts, data, surroundings.source);
}

/** Passes on how far a job is until `signal` fires or it ends; the last word always, the others now and then. */
async function follow(job: Job, context: CallContext, limitMs = Infinity): Promise<void> {
  let told = -1;
  let last = -Infinity;
  let later: NodeJS.Timeout | null = null;
  const tell = (always: boolean): void => {
    const { progress } = job;
    if (progress === null || progress.done <= told) return;
    const now = context.surroundings.source.monotonic();
    if (!always && now - last < NOTICE_MS) {
      // What came too soon is told when the time is up: nothing else may happen for long.
      later ??= setTimeout(() => {
        later = null;
        tell(true);
      }, NOTICE_MS);
      return;
    }
    told = progress.done;
    last = now;
    const { done, planned, passed, failed, errors } = progress;
    context.progress(
      done,
      planned,
      `${progress.run ?? 'run'}: ${done} of ${planned} trials, ${passed} passed, ${failed} failed, ${errors} errors`,
    );
  };
  tell(true);
  const stop = job.listen(() => tell(false));
  try {
    await job.end(limitMs);
  } finally {
    stop();
    if (later !== null) clearTimeout(later);
    tell(true);
  }
}

const runSuite = defineTool({
  name: 'run_suite',
  title: 'Run a suite',
  description:
    'Runs the agent of a suite against its cases, grades and stores the result. May take long: it reports progress, and cancelling it keeps what is finished; resume goes on. Give suite or resume, not both.',
  openWorld: true,
  arguments: runArguments,
  async call(given, context) {
    const { surroundings, signal } = context;
    const words = wordsOf(given, surroundings);
    if (given.resume !== undefined) {
      await context.runs.settled(storedRun(given.resume, surroundings).header.runId);
    }
    signal.throwIfAborted();
    const job = context.runs.start(words);
    if (given.background) {
      await started(job);
      return answerOf(job, surroundings);
    }
    const cancel = (): void => job.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      await follow(job, context);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
    return answerOf(job, surroundings);
  },
});

/** Waits until a job says how much it has to do, or ends without. */
function started(job: Job): Promise<void> {
  return new Promise((resolve) => {
    let stop = (): unknown => undefined;
    const look = (): void => {
      if (job.progress === null && job.ended === null) return;
      stop();
      resolve();
    };
    stop = job.listen(look);
    look();
  });
}

const jobId = argument.name.describe('Job, as run_suite answered it.');

const runStatus = defineTool({
  name: 'run_status',
  title: 'How far is a run?',
  description: 'A run that run_suite started in the background: how far it is, or how it ended.',
  readOnly: true,
  arguments: {
    job: jobId,
    wait_seconds: z.number().min(0).max(MOST_WAIT).default(0).describe('Wait up to this long for its end.'),
  },
  async call({ job: id, wait_seconds }, context) {
    const job = context.runs.find(id);
    const waiting = follow(job, context, wait_seconds * 1000);
    // Giving up the question does not stop the run.
    await Promise.race([waiting, aborted(context.signal)]);
    return answerOf(job, context.surroundings);
  },
});

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

const cancelRun = defineTool({
  name: 'cancel_run',
  title: 'Stop a run',
  description:
    'Stops a run that run_suite started in the background: no new trials, running ones get 10 seconds. Finished trials are kept; run_suite with resume goes on.',
  arguments: { job: jobId },
  async call({ job: id }, context) {
    const job = context.runs.find(id);
    job.cancel();
    await job.end(CANCEL_MS);
    return answerOf(job, context.surroundings);
  },
});

/** Tools that run suites. */
export const RUN_TOOLS = [runSuite, runStatus, cancelRun];
