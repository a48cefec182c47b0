import { AssayError, type JsonObject } from '../core/index.js';
import { objectsOf, textMember, yamlText } from '../cases/index.js';
import { admitSuiteText, type Suite } from '../suite/index.js';
import type { TableRow } from './import-table.js';
import type { ImportedSuite } from './promptfoo.js';

/** An imported suite that loads where it is to be written. */
export interface AdmittedImport {
  text: string;
  suite: Suite;
}

type AdmitOptions = Parameters<typeof admitSuiteText>[2];

function refusal(path: string, suite: JsonObject, options: AdmitOptions): string | null {
  try {
    admitSuiteText(path, yamlText(suite), options);
    return null;
  } catch (error) {
    if (!AssayError.isInstance(error)) throw error;
    const [problem] = error.problems;
    return problem === undefined ? error.message : `${problem.key}: ${problem.message}`;
  }
}

/**
 * Admits an imported suite at its place. A case that would not load is left out and listed in `rows`; null when none is
 * left.
 * @param path absolute
 */
export function admitImported(
  { suite }: ImportedSuite,
  path: string,
  comments: readonly string[],
  options: AdmitOptions,
  rows: TableRow[],
): AdmittedImport | null {
  const cases = objectsOf(suite['cases']);
  const whole = refusal(path, suite, options);
  const kept =
    whole === null
      ? cases
      : cases.filter((one) => {
          const why = refusal(path, { ...suite, cases: [one] }, options);
          if (why === null) return true;
          rows.push({ outcome: 'dropped', kind: 'case', name: textMember(one, 'id'), line: null, note: why });
          return false;
        });
  if (kept.length === 0) return null;
  const text = yamlText({ ...suite, cases: kept }, comments);
  return { text, suite: admitSuiteText(path, text, options) };
}
