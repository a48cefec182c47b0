import { terminalLine } from '../core/index.js';

/** A note to the person at the terminal, on stderr; never part of a result. */
export function note(text: string): void {
  process.stderr.write(`${terminalLine(text)}\n`);
}

const toStdout = process.stdout.write.bind(process.stdout);

let failure: NodeJS.ErrnoException | null = null;
let printed = false;

function remember(error: Error | null | undefined): void {
  failure ??= error ?? null;
}

/** Text to stdout, as it is. */
export function writeOut(text: string): void {
  printed ||= text !== '';
  toStdout(text, remember);
}

/** True once something was printed to stdout. */
export function hasPrinted(): boolean {
  return printed;
}

/** Waits until everything that was printed is written, and says what kept it from being written to stdout. */
export function flushStreams(done: (failure: NodeJS.ErrnoException | null) => void): void {
  toStdout('', (error) => {
    remember(error);
    process.stderr.write('', () => done(failure));
  });
}

/** Text to stdout. */
export function say(text: string): void {
  writeOut(text.endsWith('\n') ? text : `${text}\n`);
}

/**
 * From here on stdout is for `say` and `writeOut` alone: what code of the user's prints that runs in this process (a
 * suite that is a program) is a note on stderr.
 */
export function claimStdout(): void {
  process.stdout.write = process.stderr.write.bind(process.stderr);
}

/** Whether colours are wanted on a stream: flags first, then NO_COLOR and FORCE_COLOR, then the terminal itself. */
export function wantsColor(flag: boolean, stream: NodeJS.WriteStream): boolean {
  if (!flag || (process.env['NO_COLOR'] ?? '') !== '') return false;
  const forced = process.env['FORCE_COLOR'] ?? '';
  if (forced !== '') return forced !== '0';
  return stream.isTTY && process.env['TERM'] !== 'dumb';
}
