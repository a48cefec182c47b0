import type { z } from 'zod';
import type { ModelsConfig, priceSchema } from './config.js';
import type { ModelUsage } from './usage.js';

/** US dollars per million tokens. */
export type Price = z.infer<typeof priceSchema>;

/** Prices by model reference or by served model name. */
export type PriceTable = NonNullable<ModelsConfig['prices']>;

/**
 * The cost of a call in US dollars by the price table, or null when the model has no price or its tokens are not
 * known. The served name is looked up first: it is what was billed.
 */
export function costFromPrices(
  prices: PriceTable | undefined,
  names: { ref: string; servedModel: string | null },
  usage: ModelUsage,
): number | null {
  const price = [names.servedModel, names.ref]
    .filter((name) => name !== null)
    .map((name) => (prices !== undefined && Object.hasOwn(prices, name) ? prices[name] : undefined))
    .find((found) => found !== undefined);
  if (price === undefined || usage.inputTokens === null || usage.outputTokens === null) return null;
  const read = usage.cacheReadTokens ?? 0;
  const written = usage.cacheWriteTokens ?? 0;
  const plain = Math.max(0, usage.inputTokens - read - written);
  const input =
    plain * price.input +
    read * (price.cache_read ?? price.input) +
    written * (price.cache_write ?? price.input);
  return (input + usage.outputTokens * price.output) / 1e6;
}
