import { KEY_BEGINNING, redactKeys } from '../model/index.js';
import { CREDENTIAL_TRIGGER, scrubCredentials } from '../tool/index.js';

/** One look for both: a text without any of these, as nearly all are, holds nothing to take out. */
const SUSPICIOUS = new RegExp(`${KEY_BEGINNING.source}|${CREDENTIAL_TRIGGER.source}`, 'i');

const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|COOKIE|PRIVATE/i;
/** A password in the address of a database and the like. */
const ADDRESS = /:\/\/[^/\s:@]*:([^/\s@]{4,})@/;
/** A shorter value occurs in harmless texts by chance. */
const SHORTEST = 8;

/** Values of environment variables that are secrets by their name, or hold a password. */
function environmentSecrets(environment: { readonly [name: string]: string | undefined }): string[] {
  const secrets: string[] = [];
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue;
    // A path is where a secret lies, not the secret.
    if (SECRET_NAME.test(name) && value.length >= SHORTEST && !value.startsWith('/')) secrets.push(value);
    const password = ADDRESS.exec(value)?.[1];
    if (password !== undefined) secrets.push(password);
  }
  return secrets;
}

/**
 * Takes out of a text what must not be kept: the secrets of the environment and those given, what has the shape of a
 * key, and values after words such as password or token.
 * @param secrets texts that models were given, such as keys from a command
 */
export function createRedactor(
  environment: { readonly [name: string]: string | undefined },
  secrets: readonly string[],
): (text: string) => string {
  // The longest first: a secret may be part of another.
  const known = [...new Set([...environmentSecrets(environment), ...secrets])].toSorted(
    (left, right) => right.length - left.length,
  );
  return (text) => {
    if (!SUSPICIOUS.test(text) && !known.some((secret) => text.includes(secret))) return text;
    return scrubCredentials(redactKeys(text, known));
  };
}
