// The shapes of keys that providers hand out. Each pattern is linear: one prefix, one run of one character class.
const KEY_SHAPES = [
  /\bsk-[A-Za-z0-9_-]{8,}/g,
  /\bAIza[A-Za-z0-9_-]{20,}/g,
  /\bya29\.[A-Za-z0-9_-]{10,}/g,
  /\b(?:gsk|xai|hf|pplx|ghp|gho)[_-][A-Za-z0-9_-]{12,}/g,
  /\bBearer [A-Za-z0-9._~+/-]{8,}/g,
];

/** What one of the shapes begins with; a text without it, as nearly all are, is spared the rest. */
export const BEGINNING = /sk-|AIza|ya29\.|Bearer |(?:gsk|xai|hf|pplx|ghp|gho)[_-]/;

/** Replaces everything that looks like a key, and every given secret, by `[redacted]`. */
export function redactKeys(text: string, secrets: readonly string[] = []): string {
  let redacted = text;
  for (const secret of secrets) {
    if (secret.length >= 4) redacted = redacted.replaceAll(secret, '[redacted]');
  }
  if (!BEGINNING.test(redacted)) return redacted;
  for (const shape of KEY_SHAPES) redacted = redacted.replace(shape, '[redacted]');
  return redacted;
}
