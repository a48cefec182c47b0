import { FINISH_REASONS, type FinishReason } from './neutral.js';

/**
 * The finish reason that a protocol's own word stands for: the first one written that way. A plain stop with calls is
 * `tool_calls`, because one protocol has no word of its own for it. An unknown word is a plain stop.
 */
export function finishFrom(
  words: { readonly [Reason in FinishReason]: string },
  word: string,
  calls: number,
): FinishReason {
  const reason = FINISH_REASONS.find((each) => words[each] === word) ?? 'stop';
  if (reason === 'stop' && calls > 0) return 'tool_calls';
  return reason === 'content_filter' && words.refusal === word ? 'refusal' : reason;
}
