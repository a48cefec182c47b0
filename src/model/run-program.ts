import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { guardGroup, signalGroup } from '../thread/index.js';

/** A program to run to its end. Never a shell line. */
export interface ProgramRun {
  /** Absolute path, or a name that the environment's PATH resolves. */
  program: string;
  arguments: readonly string[];
  /** The whole environment of the child; nothing is inherited. */
  environment: Readonly<Record<string, string>>;
  directory: string;
  /** Written to standard input, which is then closed. */
  input: string;
  /** Ends the program and everything it started. */
  signal?: AbortSignal;
  /** Milliseconds between SIGTERM and SIGKILL. Default 2000. */
  graceMs?: number;
  /** Called with the process number once the program has started. */
  onStart?: (pid: number) => void;
  /** Most bytes of standard output; above it the program is ended. Default 64 MiB. */
  maxOutputBytes?: number;
}

/** How a program ended. */
export interface ProgramOutcome {
  /**
   * `exited` by itself, `stopped` by the signal, `overflow` of its output, or `not-started` (`startError` says why).
   */
  ending: 'exited' | 'stopped' | 'overflow' | 'not-started';
  /** Exit code; null when a signal ended it or it did not start. */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Everything written so far, also when it was stopped. */
  stdout: string;
  /** The last part of standard error, at most 256 KiB. */
  stderr: string;
  startError: Error | null;
}

const DEFAULT_GRACE_MS = 2000;
const DEFAULT_MAX_OUTPUT = 64 * 1024 * 1024;
const MAX_STDERR = 256 * 1024;
/** How long output may still come after the program itself is gone: a child it left behind can hold the pipe. */
const DRAIN_MS = 250;

interface Capture {
  stdout: Buffer[];
  stdoutBytes: number;
  stderr: Buffer[];
  stderrBytes: number;
}

function capture(child: ChildProcessWithoutNullStreams, limit: number, overflow: () => void): Capture {
  const kept: Capture = { stdout: [], stdoutBytes: 0, stderr: [], stderrBytes: 0 };
  child.stdout.on('data', (chunk: Buffer) => {
    if (kept.stdoutBytes + chunk.length > limit) {
      overflow();
      return;
    }
    kept.stdoutBytes += chunk.length;
    kept.stdout.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    kept.stderr.push(chunk);
    kept.stderrBytes += chunk.length;
    while (kept.stderrBytes > MAX_STDERR && kept.stderr.length > 1) {
      kept.stderrBytes -= kept.stderr.shift()?.length ?? 0;
    }
  });
  // A broken pipe is part of how a program ends; its exit tells the story.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
  return kept;
}

function notStarted(error: unknown): ProgramOutcome {
  const startError = error instanceof Error ? error : new Error(String(error));
  return { ending: 'not-started', code: null, signal: null, stdout: '', stderr: '', startError };
}

/**
 * Runs a program in a process group of its own and waits until it and everything it started is gone. Never rejects.
 * Ending it means SIGTERM to the group, then SIGKILL after the grace time; what it wrote before is kept. What a
 * program leaves running when it exits is ended too.
 */
export function runProgram(run: ProgramRun): Promise<ProgramOutcome> {
  if (run.signal?.aborted === true) {
    return Promise.resolve({ ...notStarted(new Error('stopped before it began')), ending: 'stopped' });
  }
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(run.program, [...run.arguments], {
      cwd: run.directory,
      env: { ...run.environment },
      stdio: 'pipe',
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (error) {
    return Promise.resolve(notStarted(error));
  }
  return new Promise((resolve) => {
    const forget = guardGroup(child);
    if (child.pid !== undefined) run.onStart?.(child.pid);
    const timers: NodeJS.Timeout[] = [];
    let ending: ProgramOutcome['ending'] = 'exited';
    let settled = false;

    const settle = (code: number | null, signal: NodeJS.Signals | null): void => {
      if (settled) return;
      settled = true;
      for (const timer of timers) clearTimeout(timer);
      run.signal?.removeEventListener('abort', stop);
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
      forget();
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      resolve({
        ending,
        code,
        signal,
        stdout: Buffer.concat(kept.stdout).toString('utf8'),
        stderr: Buffer.concat(kept.stderr).toString('utf8'),
        startError: null,
      });
    };
    const end = (reason: 'stopped' | 'overflow'): void => {
      if (settled || ending !== 'exited' || child.pid === undefined) return;
      ending = reason;
      const leader = child.pid;
      const graceMs = run.graceMs ?? DEFAULT_GRACE_MS;
      signalGroup(leader, 'SIGTERM');
      timers.push(
        setTimeout(() => {
          signalGroup(leader, 'SIGKILL');
        }, graceMs),
        // A process that even SIGKILL does not end (stuck in the kernel) must not hold the run.
        setTimeout(() => {
          settle(null, 'SIGKILL');
        }, graceMs + 2000),
      );
    };
    const stop = (): void => {
      end('stopped');
    };
    const kept = capture(child, run.maxOutputBytes ?? DEFAULT_MAX_OUTPUT, () => {
      end('overflow');
    });
    run.signal?.addEventListener('abort', stop, { once: true });
    child.on('error', (error) => {
      if (child.pid !== undefined || settled) return;
      settled = true;
      run.signal?.removeEventListener('abort', stop);
      forget();
      resolve(notStarted(error));
    });
    child.on('exit', (code, signal) => {
      timers.push(
        setTimeout(() => {
          settle(code, signal);
        }, DRAIN_MS),
      );
    });
    child.on('close', settle);
    child.stdin.end(run.input);
  });
}
