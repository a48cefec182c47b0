import { AgentError, type Observed } from '../agent/index.js';
import { clip, quote } from '../core/index.js';
import { searchPattern } from '../match/index.js';
import type { StopRule } from '../suite/index.js';

/** Milliseconds that the pattern of a rule may search one answer. */
const PATTERN_MS = 1000;

/** The sentence that says which rule ends a conversation after this answer; null when none does. */
export function ruleThatHolds(rules: readonly StopRule[], answer: string, seen: Observed): string | null {
  for (const { type, value } of rules) {
    const shown = quote(clip(value, 80));
    switch (type) {
      case 'answer_contains':
        if (answer.includes(value)) return `the answer contains ${shown}`;
        break;
      case 'tool_used':
        if (seen.toolCalls.some((call) => call.name === value)) return `the tool ${shown} was called`;
        break;
      case 'answer_matches': {
        const match = searchPattern(value, '', 'javascript', answer, PATTERN_MS);
        if (match.status === 'match') return `the answer matches ${shown}`;
        if (match.status === 'timeout')
          throw new AgentError('script', `stop_when: the pattern ${shown} took more than ${PATTERN_MS} ms`);
      }
    }
  }
  return null;
}
