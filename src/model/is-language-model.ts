import type { LanguageModelV3 } from '@ai-sdk/provider';

function hasMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The specification version a value claims as a language model, or null when it claims none. */
export function specificationVersion(value: unknown): string | null {
  if (!hasMembers(value)) return null;
  const version = value['specificationVersion'];
  return typeof version === 'string' ? version : null;
}

/** True for a language model of the interface that Assay speaks. */
export function isLanguageModelV3(value: unknown): value is LanguageModelV3 {
  return (
    hasMembers(value) &&
    value['specificationVersion'] === 'v3' &&
    typeof value['doGenerate'] === 'function' &&
    typeof value['modelId'] === 'string'
  );
}
