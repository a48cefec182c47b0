import type { LanguageModelV3Prompt } from '@ai-sdk/provider';
import { clip, quote } from '../core/index.js';

/** The newest message of a prompt in a few words, for messages about a request. */
export function lastMessageText(prompt: LanguageModelV3Prompt): string {
  const last = prompt.at(-1);
  if (last === undefined) return '(an empty prompt)';
  if (last.role === 'system') return `system ${quote(clip(last.content, 80))}`;
  const words: string[] = [];
  for (const part of last.content) {
    if (part.type === 'text' || part.type === 'reasoning') words.push(quote(clip(part.text, 80)));
    else if (part.type === 'tool-call') words.push(`call of ${part.toolName}`);
    else if (part.type === 'tool-result') {
      const { output } = part;
      const text =
        'value' in output
          ? typeof output.value === 'string'
            ? output.value
            : JSON.stringify(output.value)
          : output.type;
      words.push(`result of ${part.toolName} ${quote(clip(text, 80))}`);
    } else words.push(part.type);
  }
  return `${last.role} ${words.join(', ')}`;
}
