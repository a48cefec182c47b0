import { AssayError, plural, sortProblems } from '../core/index.js';
import { admitSuite, type AssertionLoadOptions } from './assertion-suite.js';
import type { Case, Suite } from './case.js';
import { parseJsonDocument } from './json-document.js';
import { displayPath, type LoadOptions } from './load.js';
import { writtenSuite } from './suite-document.js';
import { admitTrace } from './trace.js';
import { parseYamlDocument } from './yaml-document.js';

/** What stands in the way of writing a text into a file. */
function refused(
  shown: string,
  problems: ReturnType<typeof sortProblems>,
  code: 'SUITE_INVALID' | 'VACUOUS' = 'SUITE_INVALID',
): AssayError {
  const message = `${shown} would not load: ${plural(problems.length, 'problem')}`;
  return new AssayError(code, message, { problems: sortProblems(problems) });
}

/**
 * Admits the text of an assertion suite as if it stood at `path`, for tools that are about to write it there.
 * @param path absolute
 * @throws AssayError as `loadAssertionSuite`
 */
export function admitSuiteText(path: string, text: string, options: AssertionLoadOptions = {}): Suite {
  const cwd = options.cwd ?? process.cwd();
  const shown = displayPath(path, cwd);
  const parsed = parseYamlDocument(shown, text);
  if (!parsed.ok) throw refused(shown, parsed.problems);
  return admitSuite(writtenSuite(parsed.document), { path, shown, format: 'assertion', cwd }, options);
}

/**
 * Admits the text of a trace fixture as if it stood at `path`.
 * @param path absolute
 * @throws AssayError `SUITE_INVALID` with every problem, or `VACUOUS` when `options.inspect` finds something
 */
export function admitFixtureText(path: string, text: string, options: LoadOptions = {}): Case {
  const shown = displayPath(path, options.cwd ?? process.cwd());
  const parsed = parseJsonDocument(shown, text);
  if (!parsed.ok) throw refused(shown, parsed.problems);
  const admitted = admitTrace(parsed.document, path);
  if (!admitted.ok) throw refused(shown, admitted.problems);
  const faults = options.inspect?.(options.kind ?? 'regression')?.(admitted.case) ?? [];
  if (faults.length === 0) return admitted.case;
  throw refused(
    shown,
    faults.map(({ message, fix, key }) => ({
      file: shown,
      line: 1,
      column: null,
      key: key ?? '',
      message,
      fix,
    })),
    'VACUOUS',
  );
}
