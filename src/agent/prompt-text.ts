/** The system text of a prompt agent when neither the suite nor the configuration gives one. */
export const NEUTRAL_SYSTEM_TEXT =
  'You are a precise assistant. Verify before you claim that something is done, and be concise.';

/**
 * Always put after the system text of a prompt agent, also after a suite's own: without it an agentic prompt makes the
 * model put its answer off until it has used tools that it does not have here.
 */
export const EVALUATION_CONTEXT = `[EVALUATION CONTEXT]
This is a single exchange without tools. Do not announce, describe or simulate tool calls. Give your final answer now, directly, with your normal judgement, voice and habits of verification: where you would normally check something first, say plainly in the answer what would need checking.`;

/** System text and evaluation context, separated by a rule. */
export function promptSystemText(system: string): string {
  return `${system}\n\n---\n\n${EVALUATION_CONTEXT}`;
}
