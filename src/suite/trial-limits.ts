import { z } from 'zod';
import type { TrialLimits } from '../core/index.js';

const count = z.int().min(1);

/** Hard limits of one trial as a human writes them. */
export const limitsSchema = z
  .strictObject({
    llm_calls: count.optional().describe('Model calls.'),
    tool_calls: z.int().min(0).optional().describe('Tool calls; 0 allows none.'),
    total_tokens: count.optional().describe('Input and output tokens together.'),
    cost: z.number().gt(0).optional().describe('US dollars. A call whose cost nobody knows ends the trial.'),
    duration_ms: count.optional().describe('Milliseconds from the first turn to the last.'),
  })
  .refine((limits) => Object.keys(limits).length > 0, {
    error: 'holds no limit',
    params: { fix: 'write a limit such as llm_calls: 20, or remove the key' },
  })
  .describe('Hard limits of one trial; going beyond one ends the trial with an error.');

/** Limits of which the later ones go before the earlier ones, metric by metric; undefined when there are none. */
export function mergeLimits(...layers: readonly (object | undefined)[]): { limits?: TrialLimits } {
  const given = layers.filter((layer) => layer !== undefined);
  return given.length === 0 ? {} : { limits: Object.assign({}, ...given) };
}
