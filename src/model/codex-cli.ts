import { isJsonObject, parseJson, type JsonObject } from '../core/index.js';
import { MAX_ARGUMENT_BYTES } from './claude-cli.js';
import { renderConversation } from './conversation.js';
import { kindOfStatus, ModelError, type ModelErrorKind } from './model-error.js';
import { describeExit, type ProgramAdapter, type ProgramSettings } from './program-model.js';
import { note, type TextReply } from './reply.js';
import type { ProgramOutcome } from './run-program.js';
import { providerUsage, tokenCount } from './usage.js';

const LOGIN_FIX = 'log in with: codex login';
const LOGIN_WORDS =
  /^(?:not logged in|your (?:access|refresh) token|(?:401|unauthorized)\b|please (?:run|log))/i;
const LIMIT_WORDS = /^you'?(?:ve|’ve) (?:hit|reached) your usage limit/i;

/** Items that mean the program used a tool of its own, which an inference must not. */
const TOOL_ITEMS: readonly string[] = [
  'command_execution',
  'file_change',
  'mcp_tool_call',
  'web_search',
  'collab_tool_call',
];

/** A text as a TOML basic string, for values of `-c`. JSON's escapes are TOML's, except that TOML wants DEL escaped. */
export function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

function fitsArgument(system: string): boolean {
  return Buffer.byteLength(system, 'utf8') <= MAX_ARGUMENT_BYTES;
}

function codexArguments(settings: ProgramSettings, system: string | null): string[] {
  const overrides = ['approval_policy="never"', 'web_search="disabled"', 'project_doc_max_bytes=0'];
  const effort = settings.thinking === 'off' ? 'none' : settings.effort;
  if (effort !== null) overrides.push(`model_reasoning_effort=${tomlString(effort)}`);
  if (system !== null) overrides.push(`developer_instructions=${tomlString(system)}`);
  return [
    'exec',
    '--json',
    '--ephemeral',
    '--skip-git-repo-check',
    '--ignore-user-config',
    '--ignore-rules',
    '--sandbox',
    'read-only',
    '--model',
    settings.model,
    ...overrides.flatMap((override) => ['-c', override]),
    // The prompt comes from standard input.
    '-',
  ];
}

function readEvents(stdout: string): JsonObject[] {
  const events: JsonObject[] = [];
  for (const line of stdout.split('\n')) {
    const parsed = parseJson(line);
    if (parsed.ok && isJsonObject(parsed.value) && typeof parsed.value['type'] === 'string')
      events.push(parsed.value);
  }
  return events;
}

/** The server's own error, which the program passes on as JSON inside the message. */
function readFailure(message: string): { text: string; status: number | null } {
  const parsed = parseJson(message);
  if (!parsed.ok || !isJsonObject(parsed.value)) return { text: message, status: null };
  const { error } = parsed.value;
  const inner = isJsonObject(error) && typeof error['message'] === 'string' ? error['message'] : message;
  return { text: inner, status: tokenCount(parsed.value['status']) ?? null };
}

function failureKind(status: number | null, text: string): ModelErrorKind {
  // The program has already waited and tried again where that helps.
  if (status === 429) return 'usage-limit';
  if (status !== null) return kindOfStatus(status);
  if (LOGIN_WORDS.test(text)) return 'login-needed';
  return LIMIT_WORDS.test(text) ? 'usage-limit' : 'exit';
}

function failureOf(events: readonly JsonObject[]): string | null {
  for (const event of events.toReversed()) {
    if (event['type'] === 'turn.failed') {
      const { error } = event;
      return isJsonObject(error) && typeof error['message'] === 'string'
        ? error['message']
        : 'the turn failed';
    }
    if (event['type'] === 'turn.completed') return null;
  }
  const error = events.findLast((event) => event['type'] === 'error');
  return typeof error?.['message'] === 'string' ? error['message'] : null;
}

/** Reads the event lines of `codex exec --json`. The last agent message of a completed turn is the answer. */
export function readCodexEvents(_settings: ProgramSettings, outcome: ProgramOutcome): TextReply {
  const events = readEvents(outcome.stdout);
  const items = events
    .filter((event) => event['type'] === 'item.completed')
    .map((event) => event['item'])
    .filter(isJsonObject);
  const messages = items.filter((item) => item['type'] === 'agent_message').map((item) => item['text']);
  const answer = messages.at(-1);
  const text = typeof answer === 'string' ? answer : '';
  const failure = failureOf(events);
  if (failure !== null) {
    const { text: said, status } = readFailure(failure);
    const kind = failureKind(status, said);
    throw new ModelError(kind, `codex reported an error: ${said}`, {
      status,
      output: text,
      fix: kind === 'login-needed' ? LOGIN_FIX : '',
    });
  }
  if (events.length === 0) {
    if (outcome.stdout.trim() !== '') {
      throw new ModelError('non-json', 'codex did not write JSON events', { output: outcome.stdout });
    }
    if (outcome.code === 0) throw new ModelError('empty', 'codex exited without an error and wrote nothing');
    const kind = failureKind(null, outcome.stderr.trim());
    throw new ModelError(kind, describeExit('codex', outcome), {
      fix: kind === 'login-needed' ? LOGIN_FIX : '',
    });
  }
  const completed = events.findLast((event) => event['type'] === 'turn.completed');
  if (completed === undefined || outcome.code !== 0) {
    throw new ModelError('exit', `${describeExit('codex', outcome)}; its turn was not completed`, {
      output: text,
    });
  }
  if (text.trim() === '') throw new ModelError('empty', 'codex completed its turn without a message');
  const usage = isJsonObject(completed['usage']) ? completed['usage'] : {};
  const tools = TOOL_ITEMS.filter((type) => items.some((item) => item['type'] === type));
  return {
    text,
    usage: providerUsage({
      input: tokenCount(usage['input_tokens']),
      output: tokenCount(usage['output_tokens']),
      cacheRead: tokenCount(usage['cached_input_tokens']),
      reasoning: tokenCount(usage['reasoning_output_tokens']),
    }),
    cost: null,
    servedModel: null,
    downgraded: false,
    finishReason: { unified: 'stop', raw: undefined },
    warnings: tools.length === 0 ? [] : [note(`codex used tools of its own: ${tools.join(', ')}`)],
  };
}

/**
 * The `codex` command line, on the user's login. It cannot be run without tools: it gets an empty directory, a
 * read-only sandbox and no approvals, and a use of tools is noted.
 */
export const codexAdapter: ProgramAdapter = {
  kind: 'codex-cli',
  program: 'codex',
  install: 'install it with: npm install -g @openai/codex',
  login: LOGIN_FIX,
  async prepare(settings, conversation) {
    const { system } = conversation;
    // A system text too long for an argument goes to standard input, as the first line of the conversation.
    const inArgument = system !== null && fitsArgument(system) && !system.includes('\0');
    return {
      arguments: codexArguments(settings, inArgument ? system : null),
      input: renderConversation(conversation, !inArgument),
      environment: {},
      notes: system !== null && !inArgument ? ['the system prompt was sent with the conversation'] : [],
    };
  },
  read: readCodexEvents,
};
