import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { isSameProcess } from '../../src/store/index.js';
import { CLI, cleanEnvironment, project, type Ended, type Project } from '../cli/run-cli.js';

type Json = Record<string, unknown>;

/**
 * An agent that is what CLAUDE.md says: it answers with its text, notes what it has read in calls.log, and waits where
 * the text says `wait:FILE` until that file is there.
 */
const AGENT = `
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
const at = (name) => new URL(name, import.meta.url);
export default async function agent({ caseId, trial }) {
  const text = readFileSync(at('CLAUDE.md'), 'utf8').trim();
  appendFileSync(at('calls.log'), JSON.stringify({ caseId, trial, text, environment: process.env }) + '\\n');
  const wanted = /wait:(\\S+)/.exec(text)?.[1];
  while (wanted !== undefined && !existsSync(at(wanted))) await new Promise((done) => setTimeout(done, 10));
  return text;
}
`;

const SUITE = `
agent: { module: ../agent.mjs }
trials: 1
cases:
  - { id: says-yes, prompt: p, assert: [{ type: contains, value: yes }] }
  - { id: says-please, prompt: p, assert: [{ type: contains, value: please }] }
`;

/** A project whose agent is configured by CLAUDE.md, and whose suite evals/s.yaml an edit runs. */
export function configured(
  config: Json = {},
  files: Record<string, unknown> = {},
  evalBlock: Json = {},
): Project {
  const made = project({
    'assay.config.json': {
      eval: { config_change_suite: 's', ...evalBlock },
      config_change: { quiet_secs: 0, notify: { desktop: false }, ...config },
    },
    'agent.mjs': AGENT,
    'CLAUDE.md': 'yes please',
    'evals/s.yaml': SUITE,
    ...files,
  });
  onTestFinished(async () => {
    // Detached processes must not outlive their test.
    await until('nobody is at work', () => !existsSync(made.root) || working(made).length === 0, 60_000);
    made.remove();
  });
  return made;
}

function working({ root }: Project): number[] {
  return lockOwners(root)
    .filter((owner) => owner['released'] !== true && isSameProcess(Number(owner['pid']), null))
    .map((owner) => Number(owner['pid']));
}

/** What stands in the lock, newest last. */
export function lockOwners(root: string): Json[] {
  const directory = join(root, '.assay/config-change/lock');
  if (!existsSync(directory)) return [];
  return readNames(directory)
    .filter((name) => /^owner\.\d+\.json$/.test(name))
    .toSorted((left, right) => Number(left.split('.')[1]) - Number(right.split('.')[1]))
    .flatMap((name): Json[] => {
      try {
        return [JSON.parse(readFileSync(join(directory, name), 'utf8'))];
      } catch {
        return [];
      }
    });
}

function readNames(directory: string): string[] {
  return readdirSync(directory);
}

/** The log of the project. */
export function entries({ root }: Project, event?: string): Json[] {
  const path = join(root, '.assay/config-change/config-eval-fires.jsonl');
  if (!existsSync(path)) return [];
  const all = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Json => JSON.parse(line));
  return event === undefined ? all : all.filter((entry) => entry['event'] === event);
}

/** Edits that wait to be tested. */
export function waiting({ root }: Project): string[] {
  const directory = join(root, '.assay/config-change/pending');
  return existsSync(directory) ? readNames(directory) : [];
}

/** What the agent has read, call by call. */
export function readTexts({ root }: Project): string[] {
  return calls({ root }).map((call) => String(call['text']));
}

/** Every call of the agent. */
export function calls({ root }: Pick<Project, 'root'>): Json[] {
  const path = join(root, 'calls.log');
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Json => JSON.parse(line));
}

/** Waits for a condition. */
export async function until(what: string, holds: () => boolean, timeoutMs = 120_000): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`it never came to this: ${what}`);
    await new Promise((done) => {
      setTimeout(done, 20);
    });
  }
}

/** Waits until everything that was queued is tested and nobody is at work any more. */
export async function settled(made: Project): Promise<void> {
  await until(
    'nothing waits and nobody is at work',
    () => waiting(made).length === 0 && working(made).length === 0,
  );
}

/** A command line that is running. */
export interface Running {
  child: ChildProcess;
  ended: Promise<Ended>;
  stdout(): string;
}

/** Starts the command line with something on its standard input. */
export function start(
  { root }: Pick<Project, 'root'>,
  words: readonly string[],
  options: { input?: string | Buffer; environment?: Record<string, string> } = {},
): Running {
  const child = spawn(process.execPath, [CLI, ...words], {
    cwd: root,
    env: cleanEnvironment({ HOME: root, ...options.environment }),
    stdio: 'pipe',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => undefined);
  if (options.input !== undefined) child.stdin.end(options.input);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return {
    child,
    stdout: () => stdout,
    ended: new Promise((done, failed) => {
      child.on('error', failed);
      child.on('close', (code, signal) => done({ code, signal, stdout, stderr }));
    }),
  };
}

/** What Claude Code gives its hook after an edit of a file. */
export function payload({ root }: Pick<Project, 'root'>, file: string, more: Json = {}): string {
  return JSON.stringify({
    session_id: 's',
    cwd: root,
    hook_event_name: 'PostToolUse',
    tool_name: 'Write',
    tool_input: { file_path: join(root, file), content: 'x' },
    tool_response: { filePath: join(root, file), success: true },
    ...more,
  });
}

/** Runs `assay hook` on a payload. */
export function hook(
  made: Pick<Project, 'root'>,
  input: string | Buffer,
  environment: Record<string, string> = {},
  words: readonly string[] = [],
): Promise<Ended> {
  return start(made, ['hook', ...words], { input, environment }).ended;
}
