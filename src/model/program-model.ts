import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
} from '@ai-sdk/provider';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programEnvironment } from './child-environment.js';
import { readConversation, type Conversation } from './conversation.js';
import type { Environment } from './find-program.js';
import type { Effort, Thinking } from './level-names.js';
import { ModelError } from './model-error.js';
import { generateResult, note, streamResult, unsupportedSettings, type TextReply } from './reply.js';
import { runProgram, type ProgramOutcome } from './run-program.js';
import { isTimeout } from './wait.js';

/** How a subscription command line is asked. */
export interface ProgramSettings {
  model: string;
  effort: Effort | null;
  thinking: Thinking;
}

/** One call of a command line, ready to be started. */
export interface ProgramCall {
  arguments: string[];
  /** Standard input. */
  input: string;
  environment: Record<string, string>;
  /** What was changed or left out on the way. */
  notes: string[];
}

/** One subscription command line: how it is called and how its output is read. */
export interface ProgramAdapter {
  kind: 'claude-cli' | 'codex-cli' | 'gemini-cli';
  /** File name of the program. */
  program: 'claude' | 'codex' | 'gemini';
  /** What to run to install it. */
  install: string;
  /** What to run to log in. */
  login: string;
  /** `directory` is private to the call and removed afterwards. */
  prepare(settings: ProgramSettings, conversation: Conversation, directory: string): Promise<ProgramCall>;
  /** Reads what a program that ended by itself has written. Throws `ModelError`. */
  read(settings: ProgramSettings, outcome: ProgramOutcome): TextReply;
}

/** Where a command line is and what it runs in. */
export interface ProgramPlace {
  /** Absolute path. */
  path: string;
  environment: Environment;
}

function checkEnding(adapter: ProgramAdapter, outcome: ProgramOutcome, reason: unknown): void {
  if (outcome.ending === 'not-started') {
    const missing =
      outcome.startError !== null && 'code' in outcome.startError && outcome.startError.code === 'ENOENT';
    throw new ModelError(
      missing ? 'not-installed' : 'exit',
      `${adapter.program} could not be started: ${outcome.startError?.message ?? 'unknown reason'}`,
      { fix: missing ? adapter.install : '', cause: outcome.startError },
    );
  }
  if (outcome.ending === 'overflow') {
    throw new ModelError(
      'invalid-reply',
      `${adapter.program} wrote more output than is accepted and was ended`,
      {
        output: outcome.stdout,
      },
    );
  }
  if (outcome.ending === 'stopped') {
    const why = reason instanceof Error ? reason.message : 'stopped';
    throw new ModelError(
      isTimeout(reason) ? 'timeout' : 'cancelled',
      `${adapter.program} was ended: ${why}`,
      {
        output: outcome.stdout,
        cause: reason,
      },
    );
  }
}

async function ask(
  adapter: ProgramAdapter,
  settings: ProgramSettings,
  place: ProgramPlace,
  options: LanguageModelV3CallOptions,
): Promise<LanguageModelV3GenerateResult> {
  if (options.tools !== undefined && options.tools.length > 0) {
    throw new ModelError('request', `${adapter.kind} cannot call the tools of a request`, {
      fix: 'name a provider (anthropic:, openai:, google:, openai-compatible:) for agents with tools',
    });
  }
  const conversation = readConversation(options.prompt);
  // An empty directory of its own: the program finds no project of anybody's to read.
  const directory = await mkdtemp(join(tmpdir(), 'assay-model-'));
  try {
    const call = await adapter.prepare(settings, conversation, directory);
    const outcome = await runProgram({
      program: place.path,
      arguments: call.arguments,
      environment: programEnvironment(place.environment, place.path, call.environment),
      directory,
      input: call.input,
      ...(options.abortSignal === undefined ? {} : { signal: options.abortSignal }),
    });
    checkEnding(adapter, outcome, options.abortSignal?.reason);
    const reply = adapter.read(settings, outcome);
    const warnings = [...unsupportedSettings(options), ...call.notes.map(note), ...reply.warnings];
    return generateResult({ ...reply, warnings });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** A subscription command line as a language model: one inference a call, no tools, no session left behind. */
export function createProgramModel(
  adapter: ProgramAdapter,
  settings: ProgramSettings,
  place: ProgramPlace,
): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: `assay.${adapter.kind}`,
    modelId: settings.model,
    supportedUrls: {},
    doGenerate: (options) => ask(adapter, settings, place, options),
    doStream: async (options) => streamResult(await ask(adapter, settings, place, options)),
  };
}

/**
 * A failure of a program in words: its exit code or signal and the end of what it said on standard error.
 */
export function describeExit(program: string, outcome: ProgramOutcome): string {
  const how =
    outcome.code === null ? `was ended by ${outcome.signal ?? 'a signal'}` : `exited with ${outcome.code}`;
  const said = outcome.stderr.trim().slice(-600);
  return said === '' ? `${program} ${how} and said nothing` : `${program} ${how}: ${said}`;
}
