import { createRequire } from 'node:module';
import type * as Jiti from 'jiti';
import { AssayError, errorMessage } from '../core/index.js';
import { admitSuite, type AssertionLoadOptions } from './assertion-suite.js';
import type { SuiteDefinition } from './assertion-suite-schema.js';
import type { Suite } from './case.js';
import { exportedValue } from './exported-value.js';
import { exportedSuite } from './suite-document.js';
import { findSuiteFile, type SuiteFile } from './suite-file.js';

const load = createRequire(import.meta.url);

/** Endings of the files that are suites as programs. */
export const PROGRAM_ENDINGS: readonly string[] = ['.suite.ts', '.suite.mts', '.suite.js', '.suite.mjs'];

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

async function exportOf(file: SuiteFile): Promise<unknown> {
  let exported: unknown;
  try {
    exported = await importModule(file.path);
  } catch (error) {
    throw new AssayError('SUITE_INVALID', `${file.shown} cannot be loaded: ${errorMessage(error)}`, {
      fix: 'the module must run without an error',
      cause: error,
    });
  }
  for (const name of ['default', 'suite']) {
    const found: unknown =
      typeof exported === 'object' && exported !== null ? Reflect.get(exported, name) : undefined;
    if (found !== undefined) return found;
  }
  throw new AssayError('SUITE_INVALID', `${file.shown} exports no suite`, {
    fix: 'write: export default defineSuite({ cases: [ … ] })',
  });
}

/**
 * Loads a suite that is a program: a module whose default export, or export `suite`, is what `defineSuite` takes.
 * @throws AssayError as `loadAssertionSuite`; problems are placed by key path
 */
export async function loadProgramSuite(path: string, options: AssertionLoadOptions = {}): Promise<Suite> {
  const file = findSuiteFile(path, 'program', options);
  const { value, problems } = exportedValue(await exportOf(file));
  const document = exportedSuite(file.shown, value);
  if (problems.length > 0) {
    throw new AssayError('SUITE_INVALID', `${file.shown} cannot be loaded`, {
      problems: problems.map((problem) => document.place(problem)),
    });
  }
  return admitSuite(document, file, options);
}
