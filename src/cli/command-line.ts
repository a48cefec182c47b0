import { Command, CommanderError } from 'commander';
import { assayVersion, AssayError, errorMessage, terminalLine, terminalSafe } from '../core/index.js';
import { COMMANDS } from './commands.js';
import { ExitCode } from './exit-code.js';
import { isHookCall } from './hook-call.js';
import { claimStdout, flushStreams, hasPrinted, say, writeOut } from './streams.js';

/** What a shell reports of a program whose reader went away. */
const BROKEN_PIPE = 141;

/** Ends the process because stdout cannot be written. */
function leave(error: NodeJS.ErrnoException, words: readonly string[]): never {
  if (error.code !== 'EPIPE') {
    process.stderr.write(`assay: the result cannot be written: ${terminalLine(error.message)}\n`);
  }
  process.exit(isHookCall(words) ? 0 : error.code === 'EPIPE' ? BROKEN_PIPE : 1);
}

/** Ends the process once everything that was printed is written; what could not be printed is no success. */
export function endProcess(code: number, words: readonly string[]): void {
  flushStreams((failure) => (failure === null ? process.exit(code) : leave(failure, words)));
}

/** The whole command line: every command with its options and help. */
export function createProgram(): Command {
  const program = new Command('assay')
    .description(
      'Evaluation harness for AI agents: replay, grade and gate.\n\nassay run            replay the default suite and gate on the result\nassay init           write a first suite, a configuration and a CI snippet\nassay explain CHECK  what a check does, with an example',
    )
    .version(assayVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .showHelpAfterError('(assay --help shows what there is)')
    .enablePositionalOptions();
  for (const add of COMMANDS) add(program);
  return program;
}

function prepare(command: Command): void {
  command.exitOverride();
  command.configureOutput({
    writeOut: (text) => writeOut(text),
    writeErr: (text) => process.stderr.write(terminalSafe(text)),
    outputError: (text, write) => write(text),
  });
  command.commands.forEach(prepare);
}

/** True for a command line whose reader wants JSON on stdout. */
function jsonAsked(words: readonly string[]): boolean {
  if (words.some((word) => word === '--out' || word.startsWith('--out='))) return false;
  const at = words.indexOf('--format');
  return words.includes('--json') || words.includes('--format=json') || (words[at + 1] === 'json' && at >= 0);
}

/** One document instead of the result, for a reader of JSON that would get nothing. */
function printRefusal(error: unknown, words: readonly string[]): void {
  if (hasPrinted() || !jsonAsked(words) || isHookCall(words)) return;
  const known = AssayError.isInstance(error)
    ? { code: error.code, message: error.message, fix: error.fix, problems: error.problems }
    : { code: 'INTERNAL', message: errorMessage(error), fix: '', problems: [] };
  say(JSON.stringify({ schema: 'assay/error/v1', outcome: 'error', exit_code: 1, error: known }, null, 2));
}

/** Every command understands --debug, wherever it stands. */
function debugAsked(words: readonly string[]): boolean {
  return words.includes('--debug') || (process.env['ASSAY_DEBUG'] ?? '') !== '';
}

/**
 * Runs one command line.
 * @returns the exit code: 0 passed, 1 the evaluation did not pass, 2 the command line is wrong, 130 or 143 interrupted
 */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  const code = await exitCodeFor(words);
  return isHookCall(words) ? 0 : code;
}

async function exitCodeFor(words: readonly string[]): Promise<number> {
  const program = createProgram();
  prepare(program);
  claimStdout();
  // A reader that goes away (assay list | head) is no failure of ours.
  process.stdout.on('error', (error) => leave(error, words));
  try {
    await program.parseAsync(
      words.filter((word) => word !== '--debug'),
      { from: 'user' },
    );
    return typeof process.exitCode === 'number' ? process.exitCode : 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof ExitCode) return error.code;
    if (AssayError.isInstance(error)) {
      process.stderr.write(`assay: ${terminalSafe(error.describe())}\n`);
    } else {
      process.stderr.write(
        `assay: unexpected error: ${terminalSafe(errorMessage(error))}\n(run again with --debug for the stack)\n`,
      );
    }
    if (debugAsked(words) && error instanceof Error)
      process.stderr.write(`${terminalSafe(error.stack ?? '')}\n`);
    if (AssayError.isInstance(error) && error.code === 'USAGE') return 2;
    printRefusal(error, words);
    return 1;
  }
}
