import type { JsonObject } from '../core/index.js';
import { addMessage } from './chat-messages.js';
import { countMember, member, objectMember, objectsOf, textMember } from './json-fields.js';
import type { TranscriptBuilder } from './transcript-builder.js';

const LINE_TYPES = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted']);
/** Words that the program itself puts into the mouth of the user. */
const OWN_WORDS =
  /^\s*(?:<(?:environment_context|user_instructions|INSTRUCTIONS|turn_aborted|user_shell_command|skill|permissions)\b|# AGENTS\.md instructions)/;

/** True for a line of a Codex rollout. */
export function isCodexLine(line: JsonObject): boolean {
  return LINE_TYPES.has(textMember(line, 'type')) && 'payload' in line;
}

/** True for the first line of a rollout as earlier versions wrote it: items follow without a wrapper. */
export function isOldCodexHead(line: JsonObject): boolean {
  return 'timestamp' in line && 'instructions' in line && 'id' in line && !('type' in line);
}

function userText(item: JsonObject): string {
  const content = member(item, 'content');
  if (typeof content === 'string') return content;
  return objectsOf(content)
    .map((block) => textMember(block, 'text'))
    .join('\n');
}

function addItem(builder: TranscriptBuilder, item: JsonObject): void {
  const type = textMember(item, 'type');
  if (type === 'reasoning') return;
  if (type === 'message' && item['role'] === 'user' && OWN_WORDS.test(userText(item))) {
    builder.leave('message of the program itself');
  } else if (type === 'message' || type.includes('call')) addMessage(builder, item);
}

function addEvent(builder: TranscriptBuilder, event: JsonObject, number: number): void {
  if (event['type'] !== 'token_count') return;
  const usage = objectMember(objectMember(event, 'info'), 'last_token_usage');
  if (Object.keys(usage).length === 0) return;
  builder.tokens({
    of: `event ${number}`,
    inputTokens: countMember(usage, 'input_tokens'),
    outputTokens: countMember(usage, 'output_tokens'),
  });
}

/** Adds a Codex rollout. What the program itself says, and sessions before a compaction, stay apart. */
export function addCodex(builder: TranscriptBuilder, lines: readonly JsonObject[]): void {
  for (const [number, line] of lines.entries()) {
    const payload = objectMember(line, 'payload');
    switch (textMember(line, 'type')) {
      case 'response_item':
        addItem(builder, payload);
        break;
      case 'event_msg':
        addEvent(builder, payload, number);
        break;
      case 'session_meta':
        builder.instructions(
          textMember(objectMember(payload, 'base_instructions'), 'text') ||
            textMember(payload, 'instructions'),
        );
        break;
      case 'turn_context':
        builder.served(textMember(payload, 'model'));
        break;
      case 'compacted':
        builder.leave('compaction of the context');
        break;
      default:
        // Earlier versions write items without a wrapper.
        if (!('payload' in line)) addItem(builder, line);
    }
  }
}
