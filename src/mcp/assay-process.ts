import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { AssayError, errorMessage, parseJson, type JsonValue } from '../core/index.js';
import { guardGroup, signalGroup } from '../thread/index.js';
import type { Surroundings } from './surroundings.js';

/** Most characters of standard output that are kept: documents beyond that are refused. */
const MOST_OUTPUT = 16_000_000;
/** Lines of standard error that are kept. */
const MOST_LINES = 40;
/** Milliseconds a command line gets to end after it was interrupted; a run gives its trials 10 s of it. */
const GRACE_MS = 20_000;
const MISSING = 'the command line of Assay could not be started';

/** How a command line ended. */
export interface Ended {
  /** Null when a signal ended it. */
  code: number | null;
  stdout: string;
  /** The end of what it said on standard error, without the lines that were taken. */
  said: string;
}

/** A command line under way. */
export interface Running {
  ended: Promise<Ended>;
  /** Ctrl-C: no new trials, running ones get a grace time. Twice: at once. What is finished is kept. */
  interrupt: () => void;
  /** Ends it and everything it started, by force. */
  kill: () => void;
}

/** What to do with the output of a command line. */
export interface Listening {
  /** Sees every line of standard error; true takes it out of what is kept. */
  onLine?: (line: string) => boolean;
  /** Standard output is not wanted. */
  mute?: boolean;
}

function childEnvironment(surroundings: Surroundings): NodeJS.ProcessEnv {
  const { FORCE_COLOR: _, ...environment } = surroundings.environment;
  return { ...environment, NO_COLOR: '1' };
}

function watch(child: ChildProcess, listening: Listening): Promise<Ended> {
  let stdout = '';
  let overflown = false;
  const lines: string[] = [];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    if (stdout.length + text.length > MOST_OUTPUT) overflown = true;
    else stdout += text;
  });
  if (child.stderr !== null) {
    createInterface({ input: child.stderr, crlfDelay: Infinity }).on('line', (line) => {
      if (listening.onLine?.(line) === true) return;
      lines.push(line);
      if (lines.length > MOST_LINES) lines.shift();
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      if (child.pid === undefined)
        reject(new AssayError('INPUT', `${MISSING}: ${errorMessage(error)}`, { cause: error }));
    });
    child.once('close', (code) => {
      if (overflown) reject(new AssayError('LIMIT', 'the answer is too long to be passed on'));
      else resolve({ code, stdout, said: lines.join('\n').trim() });
    });
  });
}

/** Starts a command line of Assay. It cannot outlive this process. Throws nothing; `ended` rejects. */
export function startAssay(
  words: readonly string[],
  surroundings: Surroundings,
  listening: Listening = {},
): Running {
  const [program, ...first] = surroundings.program;
  const child = spawn(program, [...first, ...words], {
    cwd: surroundings.directory,
    env: childEnvironment(surroundings),
    stdio: ['ignore', listening.mute === true ? 'ignore' : 'pipe', 'pipe'],
    // A group of its own: the terminal's Ctrl-C reaches it through us, once.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const forget = guardGroup(child);
  let timer: NodeJS.Timeout | null = null;
  const kill = (): void => {
    if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
  };
  const ended = watch(child, listening).finally(() => {
    if (timer !== null) clearTimeout(timer);
    forget();
    // What it left running in the background goes as well.
    kill();
  });
  return {
    ended,
    kill,
    interrupt: () => {
      child.kill('SIGINT');
      timer ??= setTimeout(kill, GRACE_MS);
      timer.unref();
    },
  };
}

/** The JSON document that a command line prints. Throws AssayError with what it said when there is none. */
export async function assayJson(
  words: readonly string[],
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<JsonValue> {
  const running = startAssay(words, surroundings);
  signal.addEventListener('abort', running.kill, { once: true });
  try {
    if (signal.aborted) running.kill();
    const { code, stdout, said } = await running.ended;
    const parsed = parseJson(stdout);
    if (parsed.ok && code === 0) return parsed.value;
    throw new AssayError('INPUT', saidOrNothing(said));
  } finally {
    signal.removeEventListener('abort', running.kill);
  }
}

/** What a command line said of itself, without the name it says it under. */
export function saidOrNothing(said: string): string {
  return said === '' ? 'the command line of Assay ended without saying why' : said.replace(/^assay: /, '');
}
