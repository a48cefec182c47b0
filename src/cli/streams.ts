import { terminalLine } from '../core/index.js';

/** A note to the person at the terminal, on stderr; never part of a result. */
export function note(text: string): void {
  process.stderr.write(`${terminalLine(text)}\n`);
}

/** Text to stdout. */
export function say(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Whether colours are wanted on a stream: flags first, then NO_COLOR and FORCE_COLOR, then the terminal itself. */
export function wantsColor(flag: boolean, stream: NodeJS.WriteStream): boolean {
  if (!flag || (process.env['NO_COLOR'] ?? '') !== '') return false;
  const forced = process.env['FORCE_COLOR'] ?? '';
  if (forced !== '') return forced !== '0';
  return stream.isTTY && process.env['TERM'] !== 'dumb';
}
