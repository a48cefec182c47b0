import { createRequire } from 'node:module';
import type * as Jiti from 'jiti';
import { AssayError, errorMessage, type KeyPath, type Problem } from '../core/index.js';
import { admitSuite, type AssertionLoadOptions } from './assertion-suite.js';
import type { SuiteDefinition } from './assertion-suite-schema.js';
import type { Suite } from './case.js';
import { exportedValue } from './exported-value.js';
import { isReferenceScenario, suiteOfReference } from './reference-scenario.js';
import { flatPath, suiteOfScenario, type ScenarioAsSuite } from './scenario-program.js';
import { exportedSuite, type SuiteDocument } from './suite-document.js';
import { findSuiteFile, suiteName, type SuiteFile } from './suite-file.js';

const load = createRequire(import.meta.url);

/** Endings of the files that are suites as programs. */
export const PROGRAM_ENDINGS: readonly string[] = ['.suite', '.scenario'].flatMap((kind) =>
  ['.ts', '.mts', '.js', '.mjs'].map((ending) => kind + ending),
);

/**
 * Declares a suite in code: the same keys, rules and meaning as in YAML, with types. Export what it returns, as the
 * default or as `suite`. It is data: assertions that need code name a module with `type: 'program'`.
 */
export function defineSuite(definition: SuiteDefinition): SuiteDefinition {
  return definition;
}

/** Runs a module in place, TypeScript included, with the path aliases of the nearest tsconfig.json. */
async function importModule(path: string): Promise<unknown> {
  const { createJiti }: typeof Jiti = load('jiti');
  const jiti = createJiti(path, {
    tsconfigPaths: true,
    fsCache: false,
    moduleCache: false,
    interopDefault: false,
  });
  return jiti.import(path);
}

async function exportOf(file: SuiteFile): Promise<{ name: string; value: unknown }> {
  let exported: unknown;
  try {
    exported = await importModule(file.path);
  } catch (error) {
    const [said = ''] = errorMessage(error).split('\nRequire stack:');
    const message = said.trim().replaceAll(/\s*\n\s*/g, ' ');
    throw new AssayError('SUITE_INVALID', `${file.shown} cannot be loaded: ${message}`, {
      fix: /Cannot find (?:module|package) '?assay'?(?![\w/-])/.test(message)
        ? 'install Assay in the project (npm install --save-dev assay), or export the suite as a plain object, without defineSuite'
        : 'the module must run without an error',
      cause: error,
    });
  }
  for (const name of ['default', 'suite', 'scenario']) {
    const found: unknown =
      typeof exported === 'object' && exported !== null ? Reflect.get(exported, name) : undefined;
    if (found !== undefined) return { name, value: found };
  }
  const kind = isScenarioFile(file) ? 'scenario' : 'suite';
  throw new AssayError('SUITE_INVALID', `${file.shown} exports no ${kind}`, {
    fix:
      kind === 'suite'
        ? 'write: export default defineSuite({ cases: [ … ] })'
        : 'write: export default defineScenario({ persona: …, goal: …, criteria: [ … ] })',
  });
}

function isScenarioFile({ path }: SuiteFile): boolean {
  return /\.scenario\.m?[jt]s$/.test(path);
}

/** What a file exported as a suite, with the paths of its keys as they stand in the file. */
interface ExportedSuite extends ScenarioAsSuite {
  pathOf: (path: KeyPath) => KeyPath;
  /** What is left after its own problems can be admitted as well, so that all faults are said at once. */
  admissible: boolean;
}

/** A scenario file may export one scenario, flat or in the form of the reference, or a whole suite. */
function suiteIn(
  file: SuiteFile,
  exported: { name: string; value: unknown },
  warn: (text: string) => void,
): ExportedSuite {
  const { value } = exported;
  const same = { value, problems: [], pathOf: (path: KeyPath) => path, admissible: false };
  if (!isScenarioFile(file) || typeof value !== 'object' || value === null) return same;
  if (Reflect.get(value, 'cases') !== undefined) return same;
  const name = suiteName(file.path);
  if (!isReferenceScenario(value))
    return { ...suiteOfScenario(value, name), pathOf: flatPath, admissible: true };
  const mapped = suiteOfReference(value, { file: file.path, exportName: exported.name, name });
  for (const key of mapped.ignored) warn(`${key} has no effect here`);
  return { ...mapped, pathOf: flatPath, admissible: false };
}

/** Everything that admission finds wrong. */
function admissionProblems(
  document: SuiteDocument,
  file: SuiteFile,
  options: AssertionLoadOptions,
): readonly Problem[] {
  try {
    admitSuite(document, file, options);
    return [];
  } catch (error) {
    if (AssayError.isInstance(error)) return error.problems;
    throw error;
  }
}

/**
 * Loads a suite that is a program: a module whose default export, or export `suite` or `scenario`, is what
 * `defineSuite` or `defineScenario` takes.
 * @throws AssayError as `loadAssertionSuite`; problems are placed by key path
 */
export async function loadProgramSuite(path: string, options: AssertionLoadOptions = {}): Promise<Suite> {
  const file = findSuiteFile(path, 'program', options);
  const written = suiteIn(file, await exportOf(file), (message) =>
    options.warn?.({
      file: file.shown,
      line: null,
      column: null,
      key: '',
      message,
      fix: 'models are named by the suite, the configuration or the command line',
    }),
  );
  const { value, problems } = exportedValue(written.value);
  const document = exportedSuite(file.shown, value, written.pathOf);
  const found = [...written.problems, ...problems];
  if (found.length === 0) return admitSuite(document, file, options);
  const more = written.admissible && problems.length === 0 ? admissionProblems(document, file, options) : [];
  throw new AssayError('SUITE_INVALID', `${file.shown} cannot be loaded`, {
    problems: [...found.map((problem) => document.place(problem)), ...more],
  });
}
