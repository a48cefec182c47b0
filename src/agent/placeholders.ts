import type { AgentPlaceholder } from '../core/index.js';

/** What the placeholders of an agent stand for in one turn. */
export type AgentValues = { [Name in AgentPlaceholder]: string };

const PLACEHOLDER = /\{\{\s*([a-z_]+)\s*\}\}/g;

function isKnown(name: string, values: AgentValues): name is AgentPlaceholder {
  return Object.hasOwn(values, name);
}

/** Fills the placeholders of a text, once: what they stand for is never looked at again. */
export function fillPlaceholders(text: string, values: AgentValues): string {
  return text.replace(PLACEHOLDER, (whole, name: string) => (isKnown(name, values) ? values[name] : whole));
}

/** Fills the placeholders of every value of an object. */
export function fillValues(
  texts: { readonly [name: string]: string },
  values: AgentValues,
): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, fillPlaceholders(text, values)]),
  );
}
