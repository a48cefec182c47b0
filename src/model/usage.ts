import type { LanguageModelV3Usage } from '@ai-sdk/provider';

/** Tokens of a call; null where nobody said. */
export interface ModelUsage {
  /** All input tokens, those read from or written to a prompt cache among them. */
  inputTokens: number | null;
  /** All output tokens, reasoning among them. */
  outputTokens: number | null;
  cacheReadTokens: number | null;
  cacheWriteTokens: number | null;
  reasoningTokens: number | null;
}

/** Counts of a provider's reply, as far as it gave them. */
export interface TokenCounts {
  input?: number | undefined;
  output?: number | undefined;
  cacheRead?: number | undefined;
  cacheWrite?: number | undefined;
  reasoning?: number | undefined;
}

/** Usage in the form of the model interface. `input` counts all input tokens. */
export function providerUsage(counts: TokenCounts): LanguageModelV3Usage {
  const { input, output, cacheRead, cacheWrite, reasoning } = counts;
  return {
    inputTokens: {
      total: input,
      noCache: input === undefined ? undefined : Math.max(0, input - (cacheRead ?? 0) - (cacheWrite ?? 0)),
      cacheRead,
      cacheWrite,
    },
    outputTokens: {
      total: output,
      text: output === undefined ? undefined : Math.max(0, output - (reasoning ?? 0)),
      reasoning,
    },
  };
}

/** A whole number of tokens, or undefined for anything else. */
export function tokenCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}

/** Usage as Assay records it. */
export function recordedUsage(usage: LanguageModelV3Usage | undefined): ModelUsage {
  return {
    inputTokens: tokenCount(usage?.inputTokens?.total) ?? null,
    outputTokens: tokenCount(usage?.outputTokens?.total) ?? null,
    cacheReadTokens: tokenCount(usage?.inputTokens?.cacheRead) ?? null,
    cacheWriteTokens: tokenCount(usage?.inputTokens?.cacheWrite) ?? null,
    reasoningTokens: tokenCount(usage?.outputTokens?.reasoning) ?? null,
  };
}

function add(left: number | null, right: number | null): number | null {
  return left === null ? right : right === null ? left : left + right;
}

/** The sum of two usages; an unknown count adds nothing to a known one. */
export function addUsage(left: ModelUsage, right: ModelUsage): ModelUsage {
  return {
    inputTokens: add(left.inputTokens, right.inputTokens),
    outputTokens: add(left.outputTokens, right.outputTokens),
    cacheReadTokens: add(left.cacheReadTokens, right.cacheReadTokens),
    cacheWriteTokens: add(left.cacheWriteTokens, right.cacheWriteTokens),
    reasoningTokens: add(left.reasoningTokens, right.reasoningTokens),
  };
}

/** The sum of two costs in US dollars; an unknown cost adds nothing to a known one. */
export function addCost(left: number | null, right: number | null): number | null {
  return add(left, right);
}
