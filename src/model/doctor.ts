import { tmpdir } from 'node:os';
import { errorMessage, terminalLine } from '../core/index.js';
import { callModel } from './call.js';
import { programEnvironment } from './child-environment.js';
import { claudeAdapter } from './claude-cli.js';
import { codexAdapter } from './codex-cli.js';
import { geminiAdapter } from './gemini-cli.js';
import { claudeLogin, codexLogin, geminiLogin, type LoginReport } from './login.js';
import type { ProgramAdapter } from './program-model.js';
import { locateProgram, resolveModel, type ModelContext } from './resolve.js';
import { runProgram } from './run-program.js';
import { startDeadline } from './wait.js';

/** What is known of one subscription command line. */
export interface ProgramReport {
  program: ProgramAdapter['program'];
  /** The kind of model reference it serves. */
  kind: ProgramAdapter['kind'];
  /** Null when it is not installed. `version` is null when it does not say. */
  installed: { path: string; version: string | null } | null;
  login: LoginReport;
  /** Whether it answered; `not-asked` unless a probe was wanted. */
  answers: 'yes' | 'no' | 'not-asked';
  /** What is wrong, in one line; '' when nothing is. */
  problem: string;
  /** What to do about it; '' when there is nothing to do. */
  fix: string;
}

/** How to look. */
export interface DoctorSettings {
  /** Asks each program for one word on its cheapest model. This spends a little. */
  probe?: boolean;
  version: string;
}

const CHECKS: readonly {
  adapter: ProgramAdapter;
  login: typeof claudeLogin;
  probeModel: string;
}[] = [
  { adapter: claudeAdapter, login: claudeLogin, probeModel: 'claude-cli:haiku' },
  { adapter: codexAdapter, login: codexLogin, probeModel: 'codex-cli:gpt-5.4-mini' },
  { adapter: geminiAdapter, login: geminiLogin, probeModel: 'gemini-cli:gemini-2.5-flash' },
];

const VERSION_TIMEOUT_MS = 15_000;
const PROBE_TIMEOUT_MS = 60_000;

async function readVersion(path: string, context: ModelContext): Promise<string | null> {
  const deadline = startDeadline(VERSION_TIMEOUT_MS);
  try {
    const outcome = await runProgram({
      program: path,
      arguments: ['--version'],
      environment: programEnvironment(context.environment, path),
      directory: tmpdir(),
      input: '',
      signal: deadline.signal,
    });
    return /\d+\.\d+\.\d+(?:[-+.]\w+)*/.exec(outcome.stdout)?.[0] ?? null;
  } finally {
    deadline.close();
  }
}

async function probe(reference: string, context: ModelContext, version: string): Promise<string | null> {
  try {
    await callModel(
      await resolveModel(reference, context),
      {
        prompt: [{ role: 'user', content: [{ type: 'text', text: 'Reply with the word ready.' }] }],
        system: 'You answer in one word.',
        timeoutMs: PROBE_TIMEOUT_MS,
        retry: { maxTries: 1 },
        trialIndex: 1,
        purpose: 'probe',
      },
      { source: context.source, version },
    );
    return null;
  } catch (error) {
    return terminalLine(errorMessage(error));
  }
}

async function examine(
  check: (typeof CHECKS)[number],
  context: ModelContext,
  settings: DoctorSettings,
): Promise<ProgramReport> {
  const { adapter } = check;
  const base = { program: adapter.program, kind: adapter.kind };
  const path = await locateProgram(adapter, context);
  if (path === null) {
    return {
      ...base,
      installed: null,
      login: { state: 'unknown', evidence: 'not installed' },
      answers: 'not-asked',
      problem: `${adapter.program} was not found`,
      fix: adapter.install,
    };
  }
  const version = await readVersion(path, context);
  const login = await check.login({
    path,
    version,
    environment: context.environment,
    now: context.source.now(),
  });
  const found = { ...base, installed: { path, version }, login };
  if (login.state === 'no') {
    return {
      ...found,
      answers: 'not-asked',
      problem: `not logged in: ${login.evidence}`,
      fix: adapter.login,
    };
  }
  if (settings.probe !== true) return { ...found, answers: 'not-asked', problem: '', fix: '' };
  const problem = await probe(check.probeModel, context, settings.version);
  return problem === null
    ? { ...found, answers: 'yes', problem: '', fix: '' }
    : { ...found, answers: 'no', problem, fix: 'run the program by hand to see more' };
}

/**
 * Looks at the subscription command lines: is each installed, logged in as far as that can be known without spending,
 * and, when asked with `probe`, does it answer. Never rejects because of what it finds.
 */
export async function doctor(context: ModelContext, settings: DoctorSettings): Promise<ProgramReport[]> {
  return Promise.all(CHECKS.map((check) => examine(check, context, settings)));
}
