/** What stands in every text with a credential to hide; a text without it, as nearly all are, is spared the rest. */
export const TRIGGER = /token|key|passw|secret|bearer|credential|authorization|cookie/i;
const WORD =
  'token|api[_-]?key|user[_-]?key|access[_-]?key|private[_-]?key|password|passwd|secret|bearer|credentials?|authorization|cookie';
/** A value in escaped quotes (JSON inside JSON), in double quotes, in single quotes, or bare. */
const VALUE = String.raw`\\+["']([^"'\\\r\n]{8,})|"((?:\\.|[^"\\\r\n]){8,})|'((?:\\.|[^'\\\r\n]){8,})|([^\s"'\\,;&)}\]]{8,})`;
const CREDENTIAL = new RegExp(
  String.raw`((?:${WORD})\\*["']?\s*[:=]\s*(?:(?:Bearer|Basic|Token)\s+)?)(?:${VALUE})`,
  'gi',
);

/** The first four characters, none of them cut in half, and a mark. */
function redact(value: string): string {
  return `${Array.from(value.slice(0, 8)).slice(0, 4).join('')}*[REDACTED]`;
}

/**
 * Hides credentials in text that is recorded: a value of 8 or more characters after a word such as token, password,
 * secret, api_key, authorization or cookie and a colon or equals sign keeps its first 4 characters. The model still
 * sees the raw text; tool arguments are not scrubbed.
 */
export function scrubCredentials(text: string): string {
  if (!TRIGGER.test(text)) return text;
  return text.replace(CREDENTIAL, (whole: string, lead: string, ...values: unknown[]) => {
    const value =
      values.slice(0, 4).find((captured): captured is string => typeof captured === 'string') ?? '';
    // What stands between the words and the value is the opening quote, escaped or not.
    return `${lead}${whole.slice(lead.length, whole.length - value.length)}${redact(value)}`;
  });
}
