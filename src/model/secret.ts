import { tmpdir } from 'node:os';
import type { SecretSource } from './config.js';
import { findProgram, type Environment } from './find-program.js';
import { ModelError } from './model-error.js';
import { runProgram } from './run-program.js';
import { startDeadline } from './wait.js';

const COMMAND_TIMEOUT_MS = 30_000;

async function fromCommand(command: readonly string[], environment: Environment): Promise<string> {
  const [name = '', ...rest] = command;
  const program = name.includes('/') ? name : ((await findProgram(name, environment)) ?? name);
  const deadline = startDeadline(COMMAND_TIMEOUT_MS);
  try {
    // The user's own command from the user's own configuration: it gets the whole environment, as in a terminal.
    const whole: Record<string, string> = {};
    for (const [key, value] of Object.entries(environment)) if (value !== undefined) whole[key] = value;
    const outcome = await runProgram({
      program,
      arguments: rest,
      environment: whole,
      directory: tmpdir(),
      input: '',
      signal: deadline.signal,
    });
    const secret = outcome.stdout.split('\n')[0]?.trim() ?? '';
    if (outcome.ending === 'exited' && outcome.code === 0 && secret !== '') return secret;
    // What it wrote is not repeated: part of it may be the secret.
    const how =
      outcome.ending === 'stopped'
        ? 'gave nothing in 30 s'
        : outcome.ending === 'not-started'
          ? 'could not be started'
          : outcome.code === 0
            ? 'wrote nothing'
            : `exited with ${outcome.code ?? 'a signal'}`;
    throw new ModelError('login-needed', `the command for a key (${name}) ${how}`, {
      fix: 'run it in a terminal; its first line of output must be the key',
    });
  } finally {
    deadline.close();
  }
}

/** Fetches a secret. Throws a `ModelError` of kind `login-needed` that names the source, never the secret. */
export async function readSecret(source: SecretSource, environment: Environment): Promise<string> {
  if ('command' in source) return fromCommand(source.command, environment);
  const value = environment[source.environment]?.trim() ?? '';
  if (value === '') {
    throw new ModelError('login-needed', `the environment variable ${source.environment} is not set`, {
      fix: `set ${source.environment}, or name another source of the key in the configuration`,
    });
  }
  return value;
}

/** Headers with their secrets filled in, and those secrets, so that they can be kept out of messages. */
export async function readHeaders(
  headers: Readonly<Record<string, string | SecretSource>> | undefined,
  environment: Environment,
): Promise<{ headers: Record<string, string>; secrets: string[] }> {
  const filled: Record<string, string> = {};
  const secrets: string[] = [];
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (typeof value === 'string') filled[name] = value;
    else {
      const secret = await readSecret(value, environment);
      filled[name] = secret;
      secrets.push(secret);
    }
  }
  return { headers: filled, secrets };
}
