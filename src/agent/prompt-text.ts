/** The system text of a prompt agent when neither the suite nor the configuration gives one. */
export const NEUTRAL_SYSTEM_TEXT =
  'You are a precise assistant. Verify before you claim that something is done, and be concise.';

/**
 * Always put after the system text of a prompt agent, also after a suite's own: without it an agentic prompt makes the
 * model put its answer off until it has used tools that it does not have here.
 */
export const EVALUATION_CONTEXT = `[EVALUATION CONTEXT]
This is a single exchange without tools. Do not announce, describe or simulate tool calls. Give your final answer now, directly, with your normal judgement, voice and habits of verification: where you would normally check something first, say plainly in the answer what would need checking.`;

/** The same for a conversation: what is said later depends on the answer, so none of them is the last word. */
export const CONVERSATION_CONTEXT = `[EVALUATION CONTEXT]
This is a conversation without tools. Do not announce, describe or simulate tool calls. Answer each message now, directly, with your normal judgement, voice and habits of verification: ask when you would normally ask, and where you would normally check something first, say plainly what would need checking.`;

/** System text and evaluation context, separated by a rule; `conversation` for scenarios. */
export function promptSystemText(system: string, conversation = false): string {
  return `${system}\n\n---\n\n${conversation ? CONVERSATION_CONTEXT : EVALUATION_CONTEXT}`;
}
