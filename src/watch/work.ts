import { randomUUID } from 'node:crypto';
import type { ConfigChange } from '../config/index.js';
import { errorAdvice, type JsonObject, type RunSummary, type Source } from '../core/index.js';
import type { Environment } from '../model/index.js';
import { decide, type Decision } from './decide.js';
import { runEnvironment } from './environment.js';
import { goodRuns, rememberRun } from './good-runs.js';
import { takeLock, type HeldLock } from './lock.js';
import { tryLog, type LogEntry } from './log.js';
import { alertMessage, type Alert } from './message.js';
import { deliver } from './notify.js';
import { endOrphan } from './orphan.js';
import type { WatchPlace } from './place.js';
import { editTimes, pendingEdits, removeEdits, waitFor, type PendingEdit } from './queue.js';
import { runFactsOf, weakestCase, type RunFacts } from './run-facts.js';
import { runSuiteProcess } from './run-process.js';

/** What the edits of a project are tested with. */
export interface WorkContext {
  place: WatchPlace;
  config: ConfigChange;
  /** Name of the suite. */
  suite: string;
  storeRoot: string;
  /** Where the run and the notifying command are started. */
  directory: string;
  /** The configuration file, absolute; null when there is none. */
  configFile: string | null;
  /** Program and leading arguments that start Assay. */
  assay: readonly [string, ...string[]];
  environment: Environment;
  source: Source;
  /** Stops waiting and running; edits that are not tested stay in the queue. */
  signal: AbortSignal;
  /** A run in one line. */
  describe(summary: RunSummary): string;
  /** A file as it is named to people. */
  shown(path: string): string;
  /** Hears of every line that is logged. */
  onEntry?(entry: LogEntry): void;
  /** Hears why a line could not be logged; edits are tested and told all the same. */
  onUnlogged?(why: string): void;
}

function log(context: WorkContext, entry: LogEntry): void {
  const unlogged = tryLog(context.place.log, context.source.now(), entry);
  if (unlogged !== null) context.onUnlogged?.(unlogged);
  context.onEntry?.(entry);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((done) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}

/** Waits until nobody has edited anything for a while, and returns all edits until then. */
async function burst(context: WorkContext): Promise<PendingEdit[]> {
  const seen = new Map<string, number>();
  const times = {
    quietMs: context.config.quiet_secs * 1000,
    mostMs: context.config.max_wait_secs * 1000,
  };
  for (;;) {
    const edits = pendingEdits(context.place.pending);
    if (edits.length === 0 || context.signal.aborted) return [];
    const now = context.source.now();
    const wait = waitFor(editTimes(edits, seen, now), now, times);
    if (wait === 0) return edits;
    await pause(wait, context.signal);
  }
}

function triggersOf(edits: readonly PendingEdit[]): string[] {
  return [...new Set(edits.toReversed().map((edit) => edit.trigger))];
}

async function notifyOf(context: WorkContext, alert: Alert, facts: JsonObject): Promise<void> {
  const message = alertMessage({ ...alert, triggers: alert.triggers.map((path) => context.shown(path)) });
  const delivery = await deliver(
    { message, event: facts },
    {
      notify: context.config.notify,
      environment: runEnvironment(context.environment, randomUUID(), context.config.keep_environment),
      directory: context.directory,
    },
  );
  log(context, {
    event: 'notify',
    trigger: alert.triggers[0] ?? null,
    message,
    delivery: { ...delivery },
  });
}

function runArguments({ config, configFile, suite }: WorkContext): string[] {
  return [
    `--suite=${suite}`,
    ...(configFile === null ? [] : [`--config=${configFile}`]),
    ...(config.trials === undefined ? [] : [`--trials=${config.trials}`]),
    ...(config.max_cost === undefined ? [] : [`--max-cost=${config.max_cost}`]),
  ];
}

/** Runs the suite. The run is noted in the lock, so that it is ended when its owner dies and another follows. */
async function runOnce(context: WorkContext, lock: HeldLock): Promise<RunFacts | string> {
  const { config } = context;
  const end = await runSuiteProcess({
    assay: context.assay,
    arguments: runArguments(context),
    directory: context.directory,
    environment: runEnvironment(context.environment, randomUUID(), config.keep_environment),
    storeRoot: context.storeRoot,
    timeoutMs: config.timeout_secs * 1000,
    signal: context.signal,
    onStart: (pid) => lock.setChild(pid),
  });
  lock.setChild(null);
  if (end.directory === null) return end.reason;
  return runFactsOf(end.directory) ?? 'the run never ended';
}

function runEntry(
  context: WorkContext,
  facts: RunFacts,
  decision: Decision,
  edits: readonly PendingEdit[],
): LogEntry {
  const { summary } = facts;
  const triggers = triggersOf(edits);
  return {
    event: 'run',
    trigger: triggers[0] ?? null,
    passed: summary.outcome === 'passed',
    score: summary.score,
    pass_to_k: summary.passHatK,
    summary: context.describe(summary),
    suite: summary.suite,
    run_id: facts.runId,
    verdict: decision.verdict,
    reason: decision.reason,
    drop: decision.drop,
    p: decision.p,
    against: decision.against,
    weakest: weakestCase(facts),
    triggers,
    edits: edits.length,
  };
}

async function failed(context: WorkContext, edits: readonly PendingEdit[], reason: string): Promise<void> {
  const triggers = triggersOf(edits);
  const entry: LogEntry = {
    event: 'error',
    trigger: triggers[0] ?? null,
    error: reason,
    suite: context.suite,
    triggers,
    edits: edits.length,
  };
  log(context, entry);
  await notifyOf(
    context,
    { verdict: 'error', triggers, suite: context.suite, reason, run: null },
    { ...entry },
  );
  removeEdits(context.place.pending, edits);
}

async function finished(context: WorkContext, edits: readonly PendingEdit[], facts: RunFacts): Promise<void> {
  const { summary } = facts;
  const { place, storeRoot, config, source } = context;
  const earlier = goodRuns(place.state, storeRoot, summary.suite, facts.runId);
  const decision = decide(facts, earlier, { alpha: config.alpha, maxDrop: config.max_drop });
  const entry = runEntry(context, facts, decision, edits);
  const { verdict } = decision;
  await rememberRun(place.state, source.now(), {
    suite: summary.suite,
    directory: facts.directory,
    good: verdict === 'good',
  });
  log(context, entry);
  if (verdict === 'good') {
    removeEdits(place.pending, edits);
    return;
  }
  const alert: Alert = {
    verdict,
    triggers: triggersOf(edits),
    suite: summary.suite,
    reason: decision.reason,
    run: {
      runId: facts.runId,
      passHatK: summary.passHatK,
      score: summary.score,
      summary: context.describe(summary),
      weakest: weakestCase(facts),
    },
  };
  await notifyOf(context, alert, { ...entry });
  removeEdits(place.pending, edits);
}

/** Tests one burst. Its edits leave the queue only when what came of it is in the log, and somebody was told. */
async function test(context: WorkContext, edits: readonly PendingEdit[], lock: HeldLock): Promise<void> {
  let result: RunFacts | string;
  try {
    result = await runOnce(context, lock);
    // Stopped from outside: the edits are tested when somebody works again.
    if (context.signal.aborted) return;
    if (typeof result !== 'string') {
      const { outcome, reason, interrupted } = result.summary;
      if (outcome === 'passed' || outcome === 'failed') return await finished(context, edits, result);
      result = interrupted ? 'the run was interrupted' : `${reason} (assay show ${result.runId})`;
    }
  } catch (error) {
    result = errorAdvice(error);
  }
  await failed(context, edits, result);
}

/** Tests until the queue is empty. */
async function workOff(context: WorkContext, lock: HeldLock): Promise<void> {
  for (;;) {
    const edits = await burst(context);
    if (edits.length === 0) return;
    await test(context, edits, lock);
    if (context.signal.aborted) return;
  }
}

/**
 * Tests the edits in the queue, one burst after the other, unless somebody does so already. An edit that comes during a
 * run is tested by one more run. Whoever finds the queue empty gives the lock up and then looks once more: an edit is
 * put into the queue before its hook asks who has the lock, so that it is seen by one of the two.
 * @throws AssayError `STORE` when the lock or the log cannot be written
 */
export async function work(context: WorkContext): Promise<void> {
  while (!context.signal.aborted) {
    const edits = pendingEdits(context.place.pending);
    if (edits.length === 0) return;
    const answer = takeLock(context.place.lock, context.source.now());
    if (answer.held === null) {
      const { pid, since } = answer.owner;
      log(context, {
        event: 'skip-locked',
        trigger: edits.at(-1)?.trigger ?? null,
        reason: `process ${pid} is at work since ${since} and tests this edit too`,
      });
      return;
    }
    try {
      if (await endOrphan(answer.dead)) {
        log(context, {
          event: 'error',
          trigger: null,
          error: `the run of process ${answer.dead?.pid ?? 0}, which is gone, was ended; its edits are tested again`,
        });
      }
      await workOff(context, answer.held);
    } finally {
      answer.held.release();
    }
  }
}
