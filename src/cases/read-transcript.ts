import {
  AssayError,
  isJsonObject,
  parseJson,
  plural,
  quote,
  type JsonObject,
  type JsonValue,
} from '../core/index.js';
import { addMessage, messagesFormat, messagesIn } from './chat-messages.js';
import { addClaudeCode, isClaudeCodeLine } from './claude-code.js';
import { addCodex, isCodexLine, isOldCodexHead } from './codex.js';
import { isTooDeep, objectsOf } from './json-fields.js';
import { parseJsonLines, type JsonLines } from './json-lines.js';
import { addOtlp } from './otlp.js';
import { isOtlp } from './otlp-spans.js';
import { TranscriptBuilder } from './transcript-builder.js';
import type { Transcript, TranscriptFormat } from './transcript.js';

/** Which part of a file is meant, and how it is to be read. */
export interface TranscriptChoice {
  /** Null: found out. */
  format: TranscriptFormat | null;
  /** A trace id or conversation id of spans. */
  trace: string | null;
  /** 1-based line of a file that holds one conversation a line. */
  line: number | null;
}

const LONGEST = 128 * 1024 * 1024;
const FORMS =
  'it can be a Claude Code session, a Codex rollout, OTLP JSON, or messages of OpenAI, Anthropic or the AI SDK';

/** The JSON of a file: one document, or lines. */
interface Source {
  document: JsonValue | null;
  lines: JsonLines;
}

function parse(text: string, shown: string): Source {
  if (text.length > LONGEST) throw new AssayError('INPUT', `${shown} is larger than 128 MB`);
  const whole = parseJson(text);
  if (whole.ok) {
    if (isTooDeep(whole.value)) throw new AssayError('INPUT', `${shown} is nested more than 200 levels deep`);
    const objects = Array.isArray(whole.value)
      ? objectsOf(whole.value)
      : isJsonObject(whole.value)
        ? [whole.value]
        : [];
    const lines = objects.map((value, index) => ({ line: index + 1, value }));
    return { document: whole.value, lines: { lines, broken: [] } };
  }
  const lines = parseJsonLines(text);
  if (lines.lines.length > 0) return { document: null, lines };
  throw new AssayError('INPUT', `${shown} is neither JSON nor JSON lines: ${whole.message}`, { fix: FORMS });
}

/** The messages that are meant: those of the document, of the line asked for, or the lines themselves. */
function messagesOf(source: Source, choice: TranscriptChoice, shown: string): JsonObject[] | null {
  const { lines } = source.lines;
  if (choice.line !== null) {
    const chosen = lines.find(({ line }) => line === choice.line);
    const found = chosen === undefined ? null : messagesIn(chosen.value);
    if (found !== null) return found;
    throw new AssayError('INPUT', `${shown}:${choice.line}: there is no conversation on this line`);
  }
  const whole = source.document === null ? null : messagesIn(source.document);
  if (whole !== null) return whole;
  const objects = lines.map(({ value }) => value);
  if (source.document === null && objects.every((value) => 'role' in value)) return objects;
  const holding = lines.filter(({ value }) => messagesIn(value) !== null);
  if (holding.length > 1) {
    throw new AssayError('INPUT', `${shown} holds ${plural(holding.length, 'conversation')}`, {
      fix: `choose one with --line, such as --line ${holding[0]?.line ?? 1}`,
    });
  }
  const [only] = holding;
  return only === undefined ? null : messagesIn(only.value);
}

function detect(source: Source, messages: JsonObject[] | null): TranscriptFormat | null {
  const objects = source.lines.lines.map(({ value }) => value);
  if (objects.some(isOtlp)) return 'otlp';
  if (objects.some(isCodexLine) || (objects[0] !== undefined && isOldCodexHead(objects[0]))) return 'codex';
  if (objects.some(isClaudeCodeLine)) return 'claude-code';
  return messages === null ? null : messagesFormat(messages);
}

/** Which kind of file it is; null when it is none of the known ones. */
function formatOf(source: Source, choice: TranscriptChoice, shown: string): TranscriptFormat | null {
  const byLines = detect(source, null);
  return byLines ?? detect(source, messagesOf(source, choice, shown));
}

/**
 * Reads a transcript in any of the known forms.
 * @param shown the file as the user would name it
 * @throws AssayError `INPUT` when it is none, or nobody says anything in it
 */
export function readTranscript(text: string, shown: string, choice: TranscriptChoice): Transcript {
  const source = parse(text, shown);
  const format = choice.format ?? formatOf(source, choice, shown);
  if (format === null)
    throw new AssayError('INPUT', `${shown} is no transcript of a known form`, { fix: FORMS });
  const builder = new TranscriptBuilder();
  const lines = source.lines.lines.map(({ value }) => value);
  for (let count = 0; count < source.lines.broken.length; count += 1) builder.leave('line that is not JSON');
  switch (format) {
    case 'claude-code':
      addClaudeCode(builder, lines);
      break;
    case 'codex':
      addCodex(builder, lines);
      break;
    case 'otlp':
      addOtlp(builder, lines.filter(isOtlp), choice.trace);
      break;
    case 'openai':
    case 'anthropic':
    case 'ai-sdk':
      for (const message of messagesOf(source, choice, shown) ?? []) addMessage(builder, message);
  }
  const transcript = builder.build(format);
  if (transcript.turns.length > 0) return transcript;
  const about = choice.format === null ? '' : ` read as ${quote(choice.format)}`;
  throw new AssayError('INPUT', `${shown}${about}: nobody says anything in it`, { fix: FORMS });
}
