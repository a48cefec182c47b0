import type { JsonValue } from '../core/index.js';

const UNKNOWN_START = /^[^\p{L}\p{N}]*unknown(?!\p{L})/iu;

/** A judge's reason; null when it is not a text or is blank. */
export function readReason(value: JsonValue | undefined): string | null {
  if (typeof value !== 'string') return null;
  const reason = value.trim();
  return reason === '' ? null : reason;
}

/** True when a reason begins with the word unknown, in any case and behind any punctuation. */
export function saysUnknown(reason: string): boolean {
  return UNKNOWN_START.test(reason);
}
