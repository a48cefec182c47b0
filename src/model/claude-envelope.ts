import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '../core/index.js';
import { claudeTier } from './identity.js';
import { kindOfStatus, ModelError, type ModelErrorDetails, type ModelErrorKind } from './model-error.js';
import { describeExit, type ProgramSettings } from './program-model.js';
import { note, type TextReply } from './reply.js';
import type { ProgramOutcome } from './run-program.js';
import { providerUsage, recordedUsage, tokenCount } from './usage.js';

const LOGIN_FIX = 'log in with: claude auth login';

// How older versions say these things, which give no status. Used to name a failure, never to try again.
const LOGIN_WORDS =
  /^(?:not logged in|invalid api key|please run \/login|failed to authenticate|oauth (?:token|session))/i;
const LIMIT_WORDS =
  /^(?:claude (?:ai )?usage limit reached|you'?(?:ve|’ve) (?:hit|reached) your|credit balance is too low|usage limit)/i;

function findEnvelope(stdout: string): JsonObject | null {
  const candidates: JsonValue[] = [];
  const whole = parseJson(stdout.trim());
  if (whole.ok) candidates.push(...(Array.isArray(whole.value) ? whole.value : [whole.value]));
  else {
    // Some versions print a notice before the envelope.
    const last = parseJson(stdout.trimEnd().split('\n').at(-1) ?? '');
    if (last.ok && isJsonObject(last.value) && last.value['type'] === 'result') candidates.push(last.value);
  }
  const objects = candidates.filter(isJsonObject);
  return objects.findLast((object) => object['type'] === 'result') ?? objects.at(-1) ?? null;
}

/** The model that wrote the answer, by what each one put out. */
export interface Author {
  /** Null when the envelope does not say. */
  servedModel: string | null;
  downgraded: boolean;
}

/**
 * Who wrote the answer: the model with most output tokens in `modelUsage`. Haiku is left aside when another was asked
 * for, because it writes titles in the background, unless nobody else wrote anything. A served id without the tier
 * that was asked for is a downgrade.
 */
export function readAuthor(modelUsage: JsonValue | undefined, asked: string): Author {
  if (!isJsonObject(modelUsage)) return { servedModel: null, downgraded: false };
  const tier = claudeTier(asked);
  const wrote = Object.entries(modelUsage)
    .map(([name, usage]) => ({
      name,
      output: isJsonObject(usage) ? (tokenCount(usage['outputTokens']) ?? 0) : 0,
    }))
    .toSorted((left, right) => right.output - left.output);
  const others = wrote.filter((model) => tier === 'haiku' || claudeTier(model.name) !== 'haiku');
  const author = (others.length > 0 ? others : wrote)[0];
  if (author === undefined) return { servedModel: null, downgraded: false };
  const expected = tier ?? (asked.startsWith('claude-') ? asked : null);
  const downgraded = expected !== null && !author.name.toLowerCase().includes(expected.toLowerCase());
  return { servedModel: author.name, downgraded };
}

function failureKind(status: number | null, text: string): ModelErrorKind {
  // The program has already waited and tried again where that helps, so its 429 is the allowance itself.
  if (status === 429) return 'usage-limit';
  if (status !== null) return kindOfStatus(status);
  if (LOGIN_WORDS.test(text)) return 'login-needed';
  return LIMIT_WORDS.test(text) ? 'usage-limit' : 'exit';
}

/** The whole answer is the program's own line for a used-up allowance, with the time at which it is renewed. */
const LIMIT_LINE = /^claude (?:ai )?usage limit reached\|\d+$/i;

/**
 * What is wrong when the program gives a notice of its own as if it were an answer; null for an answer. An answer may
 * well speak of limits, so the words count only where the envelope says that no model wrote anything.
 */
function noticeKind(envelope: JsonObject, text: string): ModelErrorKind | null {
  if (LIMIT_LINE.test(text.trim())) return 'usage-limit';
  const { usage } = envelope;
  if (!isJsonObject(usage) || tokenCount(usage['output_tokens']) !== 0) return null;
  const kind = failureKind(null, text.trim());
  return kind === 'exit' ? null : kind;
}

function usageOf(envelope: JsonObject): TextReply['usage'] {
  const usage = isJsonObject(envelope['usage']) ? envelope['usage'] : {};
  const plain = tokenCount(usage['input_tokens']);
  const cacheRead = tokenCount(usage['cache_read_input_tokens']);
  const cacheWrite = tokenCount(usage['cache_creation_input_tokens']);
  return providerUsage({
    input: plain === undefined ? undefined : plain + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output: tokenCount(usage['output_tokens']),
    cacheRead,
    cacheWrite,
  });
}

function withoutEnvelope(outcome: ProgramOutcome): ModelError {
  const said = outcome.stderr.trim();
  if (outcome.stdout.trim() === '') {
    if (outcome.code === 0)
      return new ModelError('empty', 'claude exited without an error and wrote nothing');
    const kind = failureKind(null, said);
    const fix = kind === 'login-needed' ? LOGIN_FIX : '';
    return new ModelError(kind, describeExit('claude', outcome), { fix });
  }
  const plain = outcome.stdout.trim();
  const kind = outcome.code === 0 ? 'non-json' : failureKind(null, plain);
  return new ModelError(
    kind === 'exit' ? 'non-json' : kind,
    `claude did not write a JSON envelope but ${JSON.stringify(plain.slice(0, 200))}`,
    { output: outcome.stdout, fix: kind === 'login-needed' ? LOGIN_FIX : '' },
  );
}

/**
 * Reads the envelope of `claude --print --output-format json`. The order of the checks is part of the behaviour: no
 * output with a failed exit, not JSON, not an object, refusal, error flag, no text, failed exit, a notice for an answer.
 */
export function readClaudeEnvelope(settings: ProgramSettings, outcome: ProgramOutcome): TextReply {
  const envelope = findEnvelope(outcome.stdout);
  if (envelope === null) throw withoutEnvelope(outcome);
  const result = envelope['result'];
  const text = typeof result === 'string' ? result : '';
  const cost = typeof envelope['total_cost_usd'] === 'number' ? envelope['total_cost_usd'] : null;
  const usage = usageOf(envelope);
  const stop = typeof envelope['stop_reason'] === 'string' ? envelope['stop_reason'] : undefined;
  const fail = (kind: ModelErrorKind, message: string, more: ModelErrorDetails = {}): ModelError =>
    new ModelError(kind, message, { output: text, cost, usage: recordedUsage(usage), ...more });

  if (stop === 'refusal') throw fail('refusal', `claude refused to answer: ${text}`);
  if (envelope['is_error'] === true) {
    const status = tokenCount(envelope['api_error_status']) ?? null;
    const kind = failureKind(status, text);
    const subtype = typeof envelope['subtype'] === 'string' ? envelope['subtype'] : 'no text';
    throw fail(kind, `claude reported an error: ${text === '' ? subtype : text}`, {
      status,
      fix: kind === 'login-needed' ? LOGIN_FIX : '',
    });
  }
  if (text.trim() === '') throw fail('empty', 'claude gave an envelope without a result');
  if (outcome.code !== 0) throw fail('exit', describeExit('claude', outcome));
  const notice = noticeKind(envelope, text);
  if (notice !== null) {
    const fix = notice === 'login-needed' ? LOGIN_FIX : '';
    throw fail(notice, `claude gave a notice of its own instead of an answer: ${text}`, { fix });
  }
  const author = readAuthor(envelope['modelUsage'], settings.model);
  return {
    text,
    usage,
    cost,
    servedModel: author.servedModel,
    downgraded: author.downgraded,
    finishReason: { unified: stop === 'max_tokens' ? 'length' : 'stop', raw: stop },
    warnings: author.downgraded
      ? [note(`asked for ${settings.model}, answered by ${author.servedModel ?? 'another model'}`)]
      : [],
  };
}
