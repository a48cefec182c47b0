import { isUtf8 } from 'node:buffer';
import { existsSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { AssayError, errorMessage, readRegularFile, type JsonValue, type Problem } from '../core/index.js';
import {
  displayPath,
  parseJsonDocument,
  parseYamlDocument,
  placeProblem,
  schemaProblems,
  type ParsedDocument,
} from '../suite/index.js';
import { configSchema, type Config } from './schema.js';
import { tomlPlaces } from './toml-places.js';

/** Names that are looked for in the working directory, in this order. */
const CONFIG_NAMES = ['assay.config.yaml', 'assay.config.yml', 'assay.config.json', 'assay.config.toml'];

/** A configuration and where it came from. */
export interface LoadedConfig {
  config: Config;
  /** The file, as the user would name it; null when the defaults are used. */
  file: string | null;
  /** Directory against which paths in the configuration are resolved. */
  root: string;
  /** Keys of the `eval` block that the file itself sets. */
  explicit: ReadonlySet<string>;
}

function tomlProblem(file: string, error: unknown): Problem {
  const place = (name: string): number | null => {
    const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : null;
    return typeof value === 'number' ? value : null;
  };
  const message = errorMessage(error).split('\n')[0] ?? 'not valid TOML';
  return { file, line: place('line'), column: place('column'), key: '', message, fix: 'correct the syntax' };
}

async function parseToml(file: string, text: string): Promise<ParsedDocument> {
  const { parse } = await import('smol-toml');
  try {
    // Dates and other TOML-only values have no place in this file; as JSON they become the text that was written.
    const value: JsonValue = JSON.parse(JSON.stringify(parse(text)));
    return { ok: true, document: { file, value, locate: tomlPlaces(text) } };
  } catch (error) {
    return { ok: false, problems: [tomlProblem(file, error)] };
  }
}

async function parseConfigText(file: string, path: string, text: string): Promise<ParsedDocument> {
  switch (extname(path)) {
    case '.json':
      return parseJsonDocument(file, text);
    case '.toml':
      return parseToml(file, text);
    case '.yaml':
    case '.yml':
      return parseYamlDocument(file, text);
    default:
      throw new AssayError('CONFIG', `${file}: not a configuration file`, {
        fix: `name a file that ends in .yaml, .yml, .json or .toml`,
      });
  }
}

function invalid(file: string, problems: readonly Problem[]): AssayError {
  return new AssayError('CONFIG', `${file} is not a valid configuration`, { problems });
}

/** The text of a configuration file. Throws AssayError `CONFIG` when it is no file that can be read as text. */
function configText(path: string, file: string): string {
  let bytes: Buffer;
  try {
    bytes = readRegularFile(path);
  } catch (error) {
    throw new AssayError('CONFIG', `${file} cannot be read: ${errorMessage(error)}`, {
      fix: 'name a file that can be read',
      cause: error,
    });
  }
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new AssayError('CONFIG', `${file} is not UTF-8 text`, { fix: 'save it as UTF-8' });
}

/**
 * Reads the configuration: the file named, else the first of `assay.config.yaml|yml|json|toml` in the working
 * directory, else the defaults.
 * @throws AssayError `CONFIG` with every problem of the file
 */
export async function loadConfig(cwd: string, named?: string): Promise<LoadedConfig> {
  const path = named === undefined ? findConfig(cwd) : resolve(cwd, named);
  if (path === null) return { config: configSchema.parse({}), file: null, root: cwd, explicit: new Set() };
  const file = displayPath(path, cwd);
  if (!existsSync(path)) {
    throw new AssayError('CONFIG', `configuration not found: ${file}`, {
      fix: 'check the path after --config',
    });
  }
  const parsed = await parseConfigText(file, path, configText(path, file));
  if (!parsed.ok) throw invalid(file, parsed.problems);
  const { document } = parsed;
  const value = document.value ?? {};
  const checked = configSchema.safeParse(value);
  if (!checked.success) {
    throw invalid(
      file,
      schemaProblems(checked.error, configSchema, value).map((problem) => placeProblem(document, problem)),
    );
  }
  const block = typeof value === 'object' && !Array.isArray(value) ? value['eval'] : undefined;
  const explicit = new Set(typeof block === 'object' && block !== null ? Object.keys(block) : []);
  return { config: checked.data, file, root: dirname(path), explicit };
}

function findConfig(cwd: string): string | null {
  const found = CONFIG_NAMES.map((name) => join(cwd, name)).filter((path) => existsSync(path));
  if (found.length > 1) {
    throw new AssayError(
      'CONFIG',
      `more than one configuration: ${found.map((path) => displayPath(path, cwd)).join(', ')}`,
      {
        fix: 'keep one of them, or name one with --config',
      },
    );
  }
  return found[0] ?? null;
}
