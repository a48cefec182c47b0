import type { ModelRef } from './ref.js';

/** Who a model is, for the questions "is the judge the agent?" and "is this name pinned?". */
export interface ModelIdentity {
  /** The exact name as asked for or served. */
  name: string;
  /**
   * The name without route, vendor prefix, date and `latest`; for Claude models the tier. `claude-cli:sonnet` and
   * `anthropic:claude-sonnet-4-5-20250929` are both `claude-sonnet`.
   */
  family: string;
  /** True when the name can mean another model tomorrow (`sonnet`, `x-latest`). */
  floating: boolean;
}

/** The tiers of Claude models, lowest first; a served id contains its tier. */
export const CLAUDE_TIERS = ['haiku', 'sonnet', 'opus', 'fable'] as const;

const DATE_SUFFIX = /[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|\d{6})$/;
const LATEST_SUFFIX = /[-:]latest$/;

/** The tier word in the name of a Claude model, or null. */
export function claudeTier(name: string): string | null {
  const lowered = name.toLowerCase();
  return CLAUDE_TIERS.find((tier) => lowered.includes(tier)) ?? null;
}

/** The family of a model by its name alone, so that a served id can be compared with an asked one. */
export function modelFamily(name: string): string {
  const last = name.toLowerCase().split('/').at(-1) ?? '';
  const tier = claudeTier(last);
  if (tier !== null && (last.includes('claude') || last.startsWith(tier))) return `claude-${tier}`;
  return last.replace(LATEST_SUFFIX, '').replace(DATE_SUFFIX, '');
}

/** True when a name is an alias that its vendor may point elsewhere: a bare word without any digit, or `latest`. */
export function isFloatingName(name: string): boolean {
  return LATEST_SUFFIX.test(name) || !/\d/.test(name.replace(/\[[^\]]*\]$/, ''));
}

/** The identity of a reference. References to files are their own family and never float. */
export function modelIdentity(ref: ModelRef): ModelIdentity {
  if (ref.kind === 'module' || ref.kind === 'scripted' || ref.kind === 'outputs') {
    return { name: ref.text, family: ref.text, floating: false };
  }
  return { name: ref.model, family: modelFamily(ref.model), floating: isFloatingName(ref.model) };
}
