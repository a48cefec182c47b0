const TRIGGER = /token|key|password|passwd|secret|bearer|credential|authorization|cookie/i;
const CREDENTIAL =
  /((?:token|api[_-]?key|user[_-]?key|access[_-]?key|private[_-]?key|password|passwd|secret|bearer|credentials?|authorization|cookie)["']?\s*[:=]\s*)(?:(["'])([^"'\r\n]{8,})\2|((?:(?:Bearer|Basic|Token)\s+)?)([A-Za-z0-9_\-./+=~%]{8,}))/gi;

function redact(value: string): string {
  return `${value.slice(0, 4)}*[REDACTED]`;
}

/**
 * Hides credentials in text that is recorded: a value of 8 or more characters after a word such as token, password,
 * secret, api_key, authorization or cookie and a colon or equals sign keeps its first 4 characters. The model still
 * sees the raw text; tool arguments are not scrubbed.
 */
export function scrubCredentials(text: string): string {
  if (!TRIGGER.test(text)) return text;
  return text.replace(
    CREDENTIAL,
    (
      _whole,
      lead: string,
      mark: string | undefined,
      quoted: string | undefined,
      scheme: string | undefined,
      bare: string | undefined,
    ) =>
      quoted === undefined
        ? `${lead}${scheme ?? ''}${redact(bare ?? '')}`
        : `${lead}${mark ?? ''}${redact(quoted)}${mark ?? ''}`,
  );
}
