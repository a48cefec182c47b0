import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '../core/index.js';
import { guardPrompt, renderConversation } from './conversation.js';
import { kindOfStatus, ModelError, type ModelErrorKind } from './model-error.js';
import { describeExit, type ProgramAdapter, type ProgramSettings } from './program-model.js';
import { note, type TextReply } from './reply.js';
import type { ProgramOutcome } from './run-program.js';
import { providerUsage, tokenCount } from './usage.js';

const LOGIN_FIX = 'log in with: gemini, and choose to sign in';

/** Exit code of the program when it has no usable login. */
const EXIT_NO_LOGIN = 41;

// The program's own tools, servers and reports are off; its directory is ours and empty.
const WORKSPACE_SETTINGS = {
  tools: { core: [] },
  mcpServers: {},
  privacy: { usageStatisticsEnabled: false },
  general: { disableAutoUpdate: true },
};

const TIERS = ['flash-lite', 'flash', 'pro', 'ultra'];

function tierOf(name: string): string | null {
  return TIERS.find((tier) => name.includes(tier)) ?? null;
}

function lastObject(text: string): JsonObject | null {
  const whole = parseJson(text.trim());
  if (whole.ok) return isJsonObject(whole.value) ? whole.value : null;
  // Notices may stand before the document, which begins at the start of a line.
  const start = text.search(/^\{/m);
  const parsed = parseJson(start < 0 ? '' : text.slice(start).trim());
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : null;
}

interface ModelStatistics {
  name: string;
  input: number | undefined;
  output: number | undefined;
  cached: number | undefined;
  thoughts: number | undefined;
}

function readModels(stats: JsonValue | undefined): ModelStatistics[] {
  const models = isJsonObject(stats) && isJsonObject(stats['models']) ? stats['models'] : {};
  return Object.entries(models).map(([name, model]) => {
    const tokens = isJsonObject(model) && isJsonObject(model['tokens']) ? model['tokens'] : {};
    return {
      name,
      input: tokenCount(tokens['prompt']),
      output: tokenCount(tokens['candidates']),
      cached: tokenCount(tokens['cached']),
      thoughts: tokenCount(tokens['thoughts']),
    };
  });
}

function failureKind(code: number | null): ModelErrorKind {
  if (code === EXIT_NO_LOGIN) return 'login-needed';
  // The program has already waited and tried again where that helps.
  if (code === 429) return 'usage-limit';
  return code !== null && code >= 400 ? kindOfStatus(code) : 'exit';
}

function fail(outcome: ProgramOutcome, error: JsonObject | null, output: string): ModelError {
  const code = error === null ? null : (tokenCount(error['code']) ?? null);
  const kind = outcome.code === EXIT_NO_LOGIN ? 'login-needed' : failureKind(code);
  const said = error !== null && typeof error['message'] === 'string' ? error['message'] : null;
  return new ModelError(
    kind,
    said === null ? describeExit('gemini', outcome) : `gemini reported an error: ${said}`,
    {
      status: code !== null && code >= 400 ? code : null,
      output,
      fix: kind === 'login-needed' ? LOGIN_FIX : '',
    },
  );
}

/** Reads the document of `gemini --output-format json`. Errors may be on standard error, in the same form. */
export function readGeminiDocument(settings: ProgramSettings, outcome: ProgramOutcome): TextReply {
  const document = lastObject(outcome.stdout);
  const reported = document?.['error'] ?? lastObject(outcome.stderr)?.['error'];
  const error = isJsonObject(reported) ? reported : null;
  const response = document?.['response'];
  const text = typeof response === 'string' ? response : '';
  if (document?.['error'] !== undefined && document['error'] !== null) throw fail(outcome, error, text);
  if (outcome.code !== 0) throw fail(outcome, error, text === '' ? outcome.stdout : text);
  if (document === null) {
    if (outcome.stdout.trim() === '') throw new ModelError('empty', 'gemini wrote nothing');
    throw new ModelError('non-json', 'gemini did not write a JSON document', { output: outcome.stdout });
  }
  if (text.trim() === '') throw new ModelError('empty', 'gemini gave a document without a response');
  const author = readModels(document['stats']).toSorted(
    (left, right) => (right.output ?? 0) - (left.output ?? 0),
  )[0];
  const asked = tierOf(settings.model);
  const downgraded = author !== undefined && asked !== null && tierOf(author.name) !== asked;
  return {
    text,
    usage: providerUsage({
      input: author?.input,
      output: author?.output === undefined ? undefined : author.output + (author.thoughts ?? 0),
      cacheRead: author?.cached,
      reasoning: author?.thoughts,
    }),
    cost: null,
    servedModel: author?.name ?? null,
    downgraded,
    finishReason: { unified: 'stop', raw: undefined },
    warnings: downgraded ? [note(`asked for ${settings.model}, answered by ${author.name}`)] : [],
  };
}

/** The `gemini` command line, on the user's login. */
export const geminiAdapter: ProgramAdapter = {
  kind: 'gemini-cli',
  program: 'gemini',
  install: 'install it with: npm install -g @google/gemini-cli',
  login: LOGIN_FIX,
  async prepare(settings, conversation, directory) {
    await mkdir(join(directory, '.gemini'), { mode: 0o700 });
    await writeFile(join(directory, '.gemini', 'settings.json'), JSON.stringify(WORKSPACE_SETTINGS), {
      mode: 0o600,
    });
    const environment: Record<string, string> = {};
    if (conversation.system !== null) {
      const file = join(directory, '.gemini', 'system-prompt.md');
      await writeFile(file, conversation.system, { mode: 0o600, flag: 'wx' });
      environment['GEMINI_SYSTEM_MD'] = file;
    }
    const guarded = guardPrompt(renderConversation(conversation));
    const ignored = [
      ...(settings.effort === null ? [] : ['effort cannot be set for gemini-cli and was left out']),
      ...(settings.thinking === 'default' ? [] : ['thinking cannot be switched for gemini-cli']),
    ];
    return {
      arguments: [
        '--model',
        settings.model,
        '--output-format',
        'json',
        '--extensions',
        'none',
        '--skip-trust',
      ],
      input: guarded.text,
      environment,
      notes: [...guarded.changed, ...ignored],
    };
  },
  read: readGeminiDocument,
};
