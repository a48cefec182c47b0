import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { Worker } from 'node:worker_threads';
import { errorMessage } from '../core/index.js';
import { graderEnvironment } from './child-environment.js';
import { PROGRAM_WORKER, type ProgramAnswer, type ProgramQuestion } from './program-worker.js';

const load = createRequire(import.meta.url);

const MEMORY_MIB = 512;
// Threads that wait for the next question to the same module: starting one costs more than most checks.
const IDLE_LIMIT = 4;
const IDLE_MS = 2000;

/** How a question to a module ended. */
export type ProgramEnd = ProgramAnswer | { kind: 'timeout' } | { kind: 'died'; message: string };

interface Thread {
  worker: Worker;
  /** The module and its time of change; a changed module needs a new thread. */
  module: string;
  online: boolean;
  /** Ends the thread when it has waited too long. */
  timer: NodeJS.Timeout | undefined;
}

const idle: Thread[] = [];

async function end(thread: Thread): Promise<void> {
  clearTimeout(thread.timer);
  const place = idle.indexOf(thread);
  if (place >= 0) idle.splice(place, 1);
  try {
    await thread.worker.terminate();
  } catch {
    // It has ended already.
  }
}

function start(module: string): Thread {
  const worker = new Worker(PROGRAM_WORKER, {
    eval: true,
    // What the module prints is not this program's output.
    stdout: true,
    stderr: true,
    env: graderEnvironment(homedir()),
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
  });
  const thread: Thread = { worker, module, online: false, timer: undefined };
  worker.once('online', () => {
    thread.online = true;
  });
  worker.stdout.resume();
  worker.stderr.resume();
  // Also listened to while it waits: an error that nobody listens to would end this process.
  worker.on('error', () => void end(thread));
  worker.on('exit', () => void end(thread));
  return thread;
}

function takeIdle(module: string): Thread | null {
  const thread = idle.find((waiting) => waiting.module === module);
  if (thread === undefined) return null;
  idle.splice(idle.indexOf(thread), 1);
  clearTimeout(thread.timer);
  thread.worker.ref();
  return thread;
}

async function putBack(thread: Thread): Promise<void> {
  const oldest = idle.length >= IDLE_LIMIT ? idle[0] : undefined;
  thread.worker.unref();
  thread.timer = setTimeout(() => void end(thread), IDLE_MS);
  thread.timer.unref();
  idle.push(thread);
  if (oldest !== undefined) await end(oldest);
}

async function ask(thread: Thread, question: ProgramQuestion, timeoutMs: number): Promise<ProgramEnd> {
  const { worker } = thread;
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const finish = (result: ProgramEnd): void => {
      clearTimeout(timer);
      worker.off('message', onMessage);
      worker.off('error', onError);
      worker.off('exit', onExit);
      resolve(result);
    };
    const onMessage = (answer: ProgramAnswer): void => finish(answer);
    const onError = (error: unknown): void => finish({ kind: 'died', message: errorMessage(error) });
    const onExit = (code: number): void => {
      finish({ kind: 'died', message: `its thread ended with code ${code} before it answered` });
    };
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.on('exit', onExit);
    // The time runs from when the thread does, so that a busy machine's slow start is not held against the module.
    const watch = (): void => {
      timer = setTimeout(() => finish({ kind: 'timeout' }), timeoutMs);
    };
    if (thread.online) watch();
    else worker.once('online', watch);
    // A thread has no origin to name.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage(question);
  });
}

async function askAndRelease(
  thread: Thread,
  question: ProgramQuestion,
  timeoutMs: number,
): Promise<ProgramEnd> {
  const result = await ask(thread, question, timeoutMs);
  if (result.kind === 'value' || result.kind === 'thrown') await putBack(thread);
  else await end(thread);
  return result;
}

/**
 * Calls a function of a local module in a thread of its own and stops it when time runs out, also in an endless loop.
 * A module is loaded once a thread, and threads are used again, so a module must not keep state. Never rejects.
 */
export async function askProgram(
  path: string,
  exportName: string,
  input: unknown,
  timeoutMs: number,
): Promise<ProgramEnd> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { kind: 'died', message: 'the module does not exist' };
  const module = `${path}\0${stats.mtimeMs}`;
  const question = { path, exportName, loader: load.resolve('jiti'), input };
  const waiting = takeIdle(module);
  if (waiting !== null) {
    const result = await askAndRelease(waiting, question, timeoutMs);
    // A used thread may die of what an earlier question left behind; only a fresh one is held against this question.
    if (result.kind !== 'died') return result;
  }
  return askAndRelease(start(module), question, timeoutMs);
}
