import { spawn, type ChildProcess } from 'node:child_process';

/** A program to run, without a shell. */
export interface ChildRequest {
  /** The program and its arguments. */
  command: readonly string[];
  /** Working directory, absolute. */
  directory: string;
  environment: { [name: string]: string };
  timeoutMs: number;
  /** Text to look for in standard output, however long that gets. */
  needle?: string;
}

/** How a program ended. */
export type ChildEnd =
  | { kind: 'not-started'; message: string }
  | { kind: 'timeout'; tail: string }
  | { kind: 'ended'; exitCode: number | null; signal: string | null; tail: string; found: boolean };

const TAIL_BYTES = 4096;
// How long a program that has ended may keep its output open through a process that it left behind.
const DRAIN_MS = 250;

const running = new Set<number>();

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is gone already, or the platform has no groups.
    child.kill('SIGKILL');
  }
}

function killAll(): void {
  for (const pid of running) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // Gone already.
    }
  }
}

/** Keeps the last bytes of both streams, and watches standard output for a text. */
class OutputWatch {
  #tail: Buffer = Buffer.alloc(0);
  #carry: Buffer = Buffer.alloc(0);
  readonly #needle: Buffer;
  found: boolean;

  constructor(needle: string | undefined) {
    this.#needle = Buffer.from(needle ?? '');
    this.found = this.#needle.length === 0;
  }

  add(chunk: Buffer, isStandardOutput: boolean): void {
    const joined = Buffer.concat([this.#tail, chunk]);
    this.#tail = joined.length > TAIL_BYTES ? Buffer.from(joined.subarray(-TAIL_BYTES)) : joined;
    if (!isStandardOutput || this.found) return;
    const seen = Buffer.concat([this.#carry, chunk]);
    this.found = seen.includes(this.#needle);
    // Enough of the end to find a text that is cut in two by the next chunk.
    this.#carry = Buffer.from(seen.subarray(Math.max(0, seen.length - this.#needle.length + 1)));
  }

  tail(): string {
    return this.#tail.toString('utf8');
  }
}

/**
 * Runs a program to its end with standard input closed. When time runs out the whole process group is killed; what it
 * left running in the background is killed when it ends. Never rejects.
 */
export async function runChild(request: ChildRequest): Promise<ChildEnd> {
  const [program = '', ...commandArguments] = request.command;
  const output = new OutputWatch(request.needle);
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      child = spawn(program, commandArguments, {
        cwd: request.directory,
        env: request.environment,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
    } catch (error) {
      resolve({ kind: 'not-started', message: error instanceof Error ? error.message : String(error) });
      return;
    }
    const { pid } = child;
    if (pid !== undefined) {
      if (running.size === 0) process.once('exit', killAll);
      running.add(pid);
    }
    child.stdout?.on('data', (chunk: Buffer) => output.add(chunk, true));
    child.stderr?.on('data', (chunk: Buffer) => output.add(chunk, false));

    let timedOut = false;
    let drain: NodeJS.Timeout | undefined;
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup(child);
    }, request.timeoutMs);
    const finish = (end: ChildEnd): void => {
      clearTimeout(timer);
      clearTimeout(drain);
      if (pid !== undefined) running.delete(pid);
      if (running.size === 0) process.off('exit', killAll);
      resolve(end);
    };
    child.once('error', (error) => {
      // Only a failed start ends here; a failed kill is followed by an exit.
      if (pid === undefined) finish({ kind: 'not-started', message: error.message });
    });
    child.once('exit', (exitCode, signal) => {
      clearTimeout(timer);
      killGroup(child);
      drain = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, DRAIN_MS);
      child.once('close', () =>
        finish(
          timedOut
            ? { kind: 'timeout', tail: output.tail() }
            : { kind: 'ended', exitCode, signal, tail: output.tail(), found: output.found },
        ),
      );
    });
  });
}
