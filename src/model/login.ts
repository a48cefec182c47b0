import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJsonObject, parseJson, type JsonObject } from '../core/index.js';
import { programEnvironment } from './child-environment.js';
import type { Environment } from './find-program.js';
import { runProgram, type ProgramOutcome } from './run-program.js';
import { startDeadline } from './wait.js';

/** Whether somebody is logged in, and what says so. */
export interface LoginReport {
  state: 'yes' | 'no' | 'unknown';
  evidence: string;
}

/** What a login check may look at. */
export interface LoginQuestion {
  /** The program. */
  path: string;
  version: string | null;
  environment: Environment;
  /** Milliseconds since the epoch. */
  now: number;
}

const STATUS_TIMEOUT_MS = 15_000;

/** The first version of `claude` known to have `auth status`; an older one would take the words as a prompt. */
const CLAUDE_AUTH_STATUS: readonly [number, number, number] = [2, 1, 50];

async function readObject(path: string): Promise<JsonObject | null> {
  try {
    const parsed = parseJson(await readFile(path, 'utf8'));
    return parsed.ok && isJsonObject(parsed.value) ? parsed.value : null;
  } catch {
    return null;
  }
}

function homeFolder(environment: Environment, variable: string, folder: string): string | null {
  const named = environment[variable];
  if (named !== undefined && named !== '') return named;
  const home = environment['HOME'] ?? environment['USERPROFILE'];
  return home === undefined ? null : join(home, folder);
}

async function status(question: LoginQuestion, words: readonly string[]): Promise<ProgramOutcome> {
  const deadline = startDeadline(STATUS_TIMEOUT_MS);
  try {
    return await runProgram({
      program: question.path,
      arguments: words,
      environment: programEnvironment(question.environment, question.path),
      directory: tmpdir(),
      input: '',
      signal: deadline.signal,
    });
  } finally {
    deadline.close();
  }
}

function isAtLeast(version: string | null, least: readonly [number, number, number]): boolean {
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(version ?? '');
  if (parts === null) return false;
  for (const [index, bound] of least.entries()) {
    const part = Number(parts[index + 1]);
    if (part !== bound) return part > bound;
  }
  return true;
}

/** Asks `claude auth status` where the version has it, else looks at the credentials file. Spends nothing. */
export async function claudeLogin(question: LoginQuestion): Promise<LoginReport> {
  if (isAtLeast(question.version, CLAUDE_AUTH_STATUS)) {
    const parsed = parseJson((await status(question, ['auth', 'status'])).stdout.trim());
    const loggedIn = parsed.ok && isJsonObject(parsed.value) ? parsed.value['loggedIn'] : undefined;
    if (typeof loggedIn === 'boolean')
      return { state: loggedIn ? 'yes' : 'no', evidence: 'claude auth status' };
  }
  const folder = homeFolder(question.environment, 'CLAUDE_CONFIG_DIR', '.claude');
  const credentials = folder === null ? null : await readObject(join(folder, '.credentials.json'));
  const login = isJsonObject(credentials?.['claudeAiOauth']) ? credentials['claudeAiOauth'] : null;
  if (login !== null && typeof login['accessToken'] === 'string') {
    const expires = login['expiresAt'];
    const expired = typeof expires === 'number' && expires < question.now;
    if (!expired || typeof login['refreshToken'] === 'string')
      return { state: 'yes', evidence: 'credentials file' };
    return { state: 'no', evidence: 'the login has expired' };
  }
  // On a Mac the login is in the keychain, where looking may ask the user for a password.
  return process.platform === 'linux'
    ? { state: 'no', evidence: 'there is no credentials file' }
    : { state: 'unknown', evidence: 'the login may be in the keychain' };
}

/** Looks at the login file, else asks `codex login status`. Spends nothing. */
export async function codexLogin(question: LoginQuestion): Promise<LoginReport> {
  const folder = homeFolder(question.environment, 'CODEX_HOME', '.codex');
  const login = folder === null ? null : await readObject(join(folder, 'auth.json'));
  if (isJsonObject(login?.['tokens'])) return { state: 'yes', evidence: 'auth.json' };
  if (typeof login?.['OPENAI_API_KEY'] === 'string')
    return { state: 'yes', evidence: 'auth.json, with an API key' };
  const outcome = await status(question, ['login', 'status']);
  if (outcome.ending !== 'exited') return { state: 'unknown', evidence: 'codex login status gave no answer' };
  if (outcome.code === 0) return { state: 'yes', evidence: 'codex login status' };
  return /not logged in/i.test(`${outcome.stdout}${outcome.stderr}`)
    ? { state: 'no', evidence: 'codex login status' }
    : { state: 'unknown', evidence: 'codex login status gave no clear answer' };
}

/** Looks at the files of a sign-in. A key in the environment does not count: it is never passed on. Spends nothing. */
export async function geminiLogin(question: LoginQuestion): Promise<LoginReport> {
  const home = homeFolder(question.environment, 'GEMINI_CLI_HOME', '');
  if (home === null) return { state: 'unknown', evidence: 'there is no home directory' };
  const folder = join(home, '.gemini');
  const login = await readObject(join(folder, 'oauth_creds.json'));
  if (typeof login?.['refresh_token'] === 'string' || typeof login?.['access_token'] === 'string') {
    return { state: 'yes', evidence: 'oauth_creds.json' };
  }
  const settings = await readObject(join(folder, 'settings.json'));
  const security = isJsonObject(settings?.['security']) ? settings['security'] : {};
  const selected = isJsonObject(security['auth']) ? security['auth']['selectedType'] : undefined;
  if (selected === 'gemini-api-key')
    return { state: 'no', evidence: 'set up for an API key, not for a sign-in' };
  const accounts = await readObject(join(folder, 'google_accounts.json'));
  if (typeof accounts?.['active'] === 'string') {
    return { state: 'unknown', evidence: 'an account is known, its login may be in the keychain' };
  }
  return { state: 'no', evidence: 'there is no sign-in' };
}
