import type {
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider';
import { ModelError } from './model-error.js';

/** One message of a conversation as plain text. */
export interface PlainMessage {
  role: 'user' | 'assistant' | 'tool';
  text: string;
}

/** A prompt as plain text: what text-only models take. */
export interface Conversation {
  /** All system texts, joined by blank lines; null when there is none. */
  system: string | null;
  messages: PlainMessage[];
}

function resultText(part: LanguageModelV3ToolResultPart): string {
  const { output } = part;
  if (output.type === 'text' || output.type === 'error-text') return output.value;
  if (output.type === 'execution-denied') return output.reason ?? 'denied';
  return JSON.stringify(output.value);
}

function messageText(message: Exclude<LanguageModelV3Message, { role: 'system' }>): string {
  const texts: string[] = [];
  for (const part of message.content) {
    switch (part.type) {
      case 'text':
        texts.push(part.text);
        break;
      case 'tool-call':
        texts.push(JSON.stringify({ tool_call: part.toolName, arguments: part.input }));
        break;
      case 'tool-result':
        texts.push(JSON.stringify({ tool_result: part.toolName, result: resultText(part) }));
        break;
      case 'reasoning':
      case 'tool-approval-response':
        break;
      case 'file':
        throw new ModelError('request', 'this model takes text only, and the request has a file', {
          fix: 'name a model of a provider for requests with files',
        });
    }
  }
  return texts.join('\n');
}

/** The plain text of a prompt. Throws a `ModelError` of kind `request` for files. Reasoning is left out. */
export function readConversation(prompt: LanguageModelV3Prompt): Conversation {
  const system: string[] = [];
  const messages: PlainMessage[] = [];
  for (const message of prompt) {
    if (message.role === 'system') system.push(message.content);
    else messages.push({ role: message.role, text: messageText(message) });
  }
  return { system: system.length === 0 ? null : system.join('\n\n'), messages };
}

const HISTORY_HEADING =
  'Below is a conversation, one JSON object a line, oldest first. Write the next message of the assistant: only its text, not JSON.';

/**
 * A conversation as one text, for programs that take one prompt. A single user message is passed as it is. Anything
 * longer is a heading and one JSON object a line, `{"role":"user","text":"..."}`: line breaks inside a message are
 * escaped by JSON, so no message can pretend to be the next one. `withSystem` puts the system text first, as a line
 * of its own with the role `system`.
 */
export function renderConversation(conversation: Conversation, withSystem = false): string {
  const system = withSystem ? conversation.system : null;
  const [first] = conversation.messages;
  if (system === null && conversation.messages.length === 1 && first !== undefined && first.role === 'user') {
    return first.text;
  }
  const lines = conversation.messages.map((message) =>
    JSON.stringify({ role: message.role, text: message.text }),
  );
  if (system !== null) lines.unshift(JSON.stringify({ role: 'system', text: system }));
  return `${HISTORY_HEADING}\n${lines.join('\n')}`;
}

// A mention that a command line would resolve to a file of this machine: absolute, of the home, or relative by dots.
const FILE_MENTION = /(^|\s)@(?=["']?(?:[/\\~]|\.{1,2}[/\\]|[A-Za-z]:[\\/]))/g;
const WORD_JOINER = '\u2060';

/**
 * Makes a prompt safe for programs that read commands in it. A text that begins with a slash is put under a heading,
 * so that it is not taken as a command; a file mention (`@/etc/passwd`) gets an invisible word joiner after its `@`,
 * so that no file is attached. Everything else is left as it is.
 */
export function guardPrompt(text: string): { text: string; changed: string[] } {
  const changed: string[] = [];
  let guarded = text.replace(FILE_MENTION, `$1@${WORD_JOINER}`);
  if (guarded !== text) changed.push('file mentions were made inert');
  if (/^\s*\//.test(guarded)) {
    guarded = `Message:\n${guarded}`;
    changed.push('a leading slash was put under a heading');
  }
  return { text: guarded, changed };
}
