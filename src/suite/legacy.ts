import { AssayError, isJsonObject, plural, type JsonValue } from '../core/index.js';

const WHAT_IS_NEEDED =
  'write version 2: cases:, each with an id, a prompt and assert; core-dispositions is a suite to start from';

/**
 * The error for a suite of the first format, which named tasks whose files hold graders and no prompt; null for any
 * other value. Nothing can run such a suite, and nothing can convert it: the prompts are not there.
 */
export function legacyError(value: JsonValue, name: string, file: string): AssayError | null {
  if (!isJsonObject(value) || 'cases' in value) return null;
  if ('tasks' in value) {
    const tasks = value['tasks'];
    const count = Array.isArray(tasks) ? tasks.length : 0;
    return new AssayError(
      'SUITE_LEGACY',
      `${file}: suite "${name}" is in the legacy v1 format and cannot run: it lists ${plural(count, 'task')} under tasks:, and the use-case files they name define graders and no prompt`,
      { fix: WHAT_IS_NEEDED },
    );
  }
  if ('graders' in value) {
    return new AssayError(
      'SUITE_LEGACY',
      `${file}: "${name}" is a use case in the legacy v1 format and cannot run: it defines graders and no prompt`,
      { fix: WHAT_IS_NEEDED },
    );
  }
  return null;
}
