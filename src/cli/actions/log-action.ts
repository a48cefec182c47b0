import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadConfig, type LoadedConfig } from '../../config/index.js';
import { AssayError, errorMessage, plural, systemSource, terminalLine } from '../../core/index.js';
import {
  EXECUTION_LOG_NAME,
  executionsJson,
  logExecution,
  readExecutions,
  selectExecutions,
  SKILL_NAME,
  type ExecutionEntry,
} from '../../skill/index.js';
import { displayPath } from '../../suite/index.js';
import type { LogFlags } from '../commands/log.js';
import { storeRoot } from '../run-store.js';
import { note, say } from '../streams.js';

const STDIN = 0;

function logPath(flags: LogFlags, loaded: LoadedConfig, cwd: string): string {
  if (flags.log !== undefined) return resolve(cwd, flags.log);
  const configured = loaded.config.store.execution_log;
  return configured === undefined
    ? join(storeRoot(loaded), EXECUTION_LOG_NAME)
    : resolve(loaded.root, configured);
}

function summaryOf(input: string): string {
  if (input !== '-') return input;
  try {
    return readFileSync(STDIN, 'utf8');
  } catch (error) {
    throw new AssayError('USAGE', `stdin cannot be read: ${errorMessage(error)}`, {
      fix: 'give the summary with --input TEXT',
    });
  }
}

function entryLine(entry: ExecutionEntry): string {
  const { ts, skill, kind, workflow, status, duration_s, input, args, source } = entry;
  const head = `${ts}  ${skill}`;
  if (kind === 'workflow')
    return `${head}  ${workflow ?? ''}  ${status ?? ''}  ${duration_s ?? 0} s  ${input}`;
  return `${head}  called (${source ?? ''})  ${[args ?? '', input].filter((text) => text !== '').join('  ')}`;
}

function list(flags: LogFlags, path: string, cwd: string): void {
  if (flags.input !== undefined || flags.duration !== undefined) {
    throw new AssayError('USAGE', '--list only reads: --input and --duration have nothing to do', {
      fix: 'leave them out, or leave --list out',
    });
  }
  const log = readExecutions(path);
  const { workflow, status, skill, last } = flags;
  const entries = selectExecutions(log.entries, {
    ...(workflow === undefined ? {} : { workflow }),
    ...(status === undefined ? {} : { status }),
    ...(skill === undefined ? {} : { skill }),
    ...(last === undefined ? {} : { last }),
  });
  if (log.broken.length > 0) {
    note(
      `${displayPath(path, cwd)}: ${plural(log.broken.length, 'line')} cannot be read: ${log.broken.slice(0, 10).join(', ')}`,
    );
  }
  if (flags.json === true) {
    say(JSON.stringify(executionsJson(log, entries), null, 2));
    return;
  }
  say(plural(entries.length, 'execution'));
  for (const entry of entries) say(terminalLine(`  ${entryLine(entry)}`));
}

/** `assay log`. */
export async function logAction(flags: LogFlags): Promise<void> {
  const cwd = process.cwd();
  const loaded = await loadConfig(cwd, flags.config);
  const path = logPath(flags, loaded, cwd);
  if (flags.list === true) {
    list(flags, path, cwd);
    return;
  }
  const { workflow, input, status, duration } = flags;
  if (workflow === undefined || input === undefined || status === undefined || duration === undefined) {
    const missing = Object.entries({ workflow, input, status, duration })
      .filter(([, value]) => value === undefined)
      .map(([name]) => `--${name}`);
    throw new AssayError('USAGE', `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`, {
      fix: 'a line needs --workflow, --input, --status and --duration; --list reads',
    });
  }
  if (flags.last !== undefined) {
    throw new AssayError('USAGE', '--last belongs to --list', { fix: 'leave one out, or add the other' });
  }
  const line = logExecution(
    path,
    {
      skill: flags.skill ?? SKILL_NAME,
      workflow,
      input: summaryOf(input),
      status,
      duration_s: duration,
    },
    systemSource(),
  );
  if (flags.json === true) say(JSON.stringify(line));
  else say(terminalLine(`logged in ${displayPath(path, cwd)}`));
}
