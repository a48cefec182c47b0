import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, statSync } from 'node:fs';
import { errorMessage, systemSource } from '../../core/index.js';
import { lockOwner, readInput, runEnvironment, takeHook, tryLog } from '../../watch/index.js';
import type { HookFlags } from '../commands/hook.js';
import { note } from '../streams.js';
import { assayCommand } from '../this-program.js';
import { hookDirectory, watchContextAnyway, type WatchContext } from '../watch-context.js';

/** Payloads hold the edited file, and its old content too. */
const MOST_INPUT = 16 * 1024 * 1024;
const INPUT_TIMEOUT_MS = 10_000;
const MOST_OUTPUT = 1024 * 1024;
const PRIVATE_FILE = 0o600;

/** Opens the file for what a detached process says; it starts anew when it has grown long. */
function outputFile(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return openSync(path, size > MOST_OUTPUT ? 'w' : 'a', PRIVATE_FILE);
}

/** Starts the process that waits for the end of the burst; it outlives this one and holds none of its streams. */
function startWorker({ place, configFile, loaded }: WatchContext): Promise<void> {
  const [program, script] = assayCommand();
  const output = outputFile(place.output);
  const config = configFile === null ? [] : ['--config', configFile];
  const child = spawn(program, [script, 'hook', 'work', ...config], {
    cwd: loaded.root,
    env: runEnvironment(process.env, randomUUID(), loaded.config.config_change.keep_environment),
    stdio: ['ignore', output, output],
    detached: true,
    windowsHide: true,
  });
  closeSync(output);
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('spawn', () => {
      child.unref();
      done();
    });
  });
}

/** `assay hook`. Prints nothing on stdout; whatever happens, the command line ends with exit code 0. */
export async function hookAction(flags: HookFlags): Promise<void> {
  if (process.stdin.isTTY) {
    note('assay hook is run by an agent, with a payload on standard input');
    note('assay hook install puts it into the settings of one; assay hook --help says more');
    return;
  }
  const input = await readInput(process.stdin, { most: MOST_INPUT, timeoutMs: INPUT_TIMEOUT_MS });
  const cwd = hookDirectory(flags.config);
  const context = await watchContextAnyway(cwd, flags.config);
  if (context.problem !== null) note(`assay: ${context.problem.describe()}`);
  const { place, sentinels, loaded } = context;
  const source = systemSource();
  const queued = await takeHook(input, {
    place,
    sentinels,
    subagents: loaded.config.config_change.subagents,
    environment: process.env,
    source,
    cwd,
    onUnlogged: note,
  });
  if (queued === 0 || lockOwner(place.lock) !== null) return;
  try {
    await startWorker(context);
  } catch (error) {
    const reason = `the process that tests the edit could not be started: ${errorMessage(error)}`;
    const unlogged = tryLog(place.log, source.now(), { event: 'error', trigger: null, error: reason });
    if (unlogged !== null) note(unlogged);
    throw error;
  }
}
