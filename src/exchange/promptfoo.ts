import { basename, dirname } from 'node:path';
import { AssayError, isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import { parseYamlDocument, compileAssertions, type WrittenDocument } from '../suite/index.js';
import { slug } from '../cases/index.js';
import { CaseIds } from './case-ids.js';
import { ExchangeTable, type TableRow, nameOf } from './import-table.js';
import { promptfooTwins } from './promptfoo-assertions.js';
import { promptfooPrompts, type ImportedPrompt } from './promptfoo-prompts.js';
import { promptfooProviders, type ImportedProvider } from './promptfoo-providers.js';
import { fillJson, fillTemplate, plainText, type TemplateValues } from './promptfoo-template.js';
import { promptfooTests, type ImportedTest } from './promptfoo-tests.js';

/** A suite that an import makes. */
export interface ImportedSuite {
  /** Safe as a file name. */
  name: string;
  suite: JsonObject;
}

/** What an import makes, and what became of everything in the file. */
export interface SuiteImport {
  suites: ImportedSuite[];
  rows: TableRow[];
}

const READ = new Set([
  'description',
  'prompts',
  'providers',
  'targets',
  'tests',
  'defaultTest',
  'assertionTemplates',
  'evaluateOptions',
]);
/** Keys that change nothing about what is tested. */
const SILENT = new Set([
  '$schema',
  'outputPath',
  'sharing',
  'tags',
  'metadata',
  'commandLineOptions',
  'writeLatestResults',
]);

function templateOf(test: ImportedTest): TemplateValues {
  return {
    values: test.vars,
    textOf: (name, value) => test.written.get(name) ?? plainText(value),
  };
}

/** Why an assertion would not load; null when it would. */
function refusal(assertion: JsonObject): string | null {
  const { problems } = compileAssertions([assertion], { path: ['assert'], directory: '/', turnCount: 1 });
  const [problem] = problems;
  return problem === undefined ? null : problem.message;
}

interface Converted {
  assertions: JsonObject[];
  binary: boolean;
}

function convertedAssertions(test: ImportedTest, table: ExchangeTable): Converted {
  const converted: Converted = { assertions: [], binary: true };
  for (const { value, line } of test.assertions) {
    const name = `${nameOf(value['type'] ?? '?')} of ${test.name}`;
    const filled = fillJson(value, templateOf(test));
    if (!filled.ok || !isJsonObject(filled.value)) {
      table.dropped('assertion', name, line, filled.ok ? 'it is no object' : filled.why);
      continue;
    }
    const twins = promptfooTwins(filled.value);
    if (!twins.ok) {
      table.dropped('assertion', name, line, twins.why);
      continue;
    }
    const fault = twins.assertions.map(refusal).find((why) => why !== null);
    if (fault !== undefined && fault !== null) {
      table.dropped('assertion', name, line, fault);
      continue;
    }
    const weightless = twins.assertions.some((one) => one['weight'] === 0);
    const notes = [
      ...(twins.changed === null ? [] : [twins.changed]),
      ...(weightless ? ['weight 0: it is shown and decides nothing'] : []),
      ...(filled.unknown.length > 0
        ? [`{{${filled.unknown[0] ?? ''}}} has no value and stays as it is written`]
        : []),
    ];
    if (notes.length === 0) table.kept('assertion', name, line);
    else table.changed('assertion', name, line, notes.join('; '));
    converted.assertions.push(
      ...twins.assertions.map((one) =>
        test.threshold === null && !weightless ? { ...one, required: true } : one,
      ),
    );
    if (twins.judged) converted.binary = false;
  }
  return converted;
}

function caseOf(
  prompt: ImportedPrompt,
  test: ImportedTest,
  id: string,
  table: ExchangeTable,
): JsonObject | null {
  const turns: string[] = [];
  for (const turn of prompt.turns) {
    const filled = fillTemplate(turn, templateOf(test));
    if (!filled.ok) {
      table.dropped('test', test.name, test.line, filled.why);
      return null;
    }
    if (filled.unknown.length > 0) {
      table.changed(
        'prompt',
        prompt.label,
        prompt.line,
        `{{${filled.unknown[0] ?? ''}}} has no value in ${test.name} and stays as it is written`,
      );
    }
    if (filled.text.trim() === '') {
      table.dropped('test', test.name, test.line, 'its prompt is blank');
      return null;
    }
    turns.push(filled.text);
  }
  const { assertions, binary } = convertedAssertions(test, table);
  if (assertions.length === 0) {
    table.dropped('test', test.name, test.line, 'none of its assertions came over, so it would test nothing');
    return null;
  }
  if (assertions.every((one) => one['weight'] === 0)) {
    table.dropped('test', test.name, test.line, 'every assertion has weight 0, so nothing could fail it');
    return null;
  }
  // Without a threshold every assertion must pass; judges score in between, so only `required` says that for them.
  const threshold = test.threshold ?? (binary ? 1 : 0);
  const [only, ...more] = turns;
  return {
    id,
    ...(more.length === 0 ? { prompt: only ?? '' } : { turns: turns.map((text) => ({ prompt: text })) }),
    threshold,
    assert: assertions,
  };
}

function noteKeys(config: JsonObject, document: WrittenDocument, table: ExchangeTable): void {
  for (const key of Object.keys(config)) {
    if (READ.has(key)) continue;
    const { line } = document.locate([key], 'key');
    if (SILENT.has(key)) table.dropped('key', key, line, 'it says nothing about what is tested');
    else table.dropped('key', key, line, 'it has no twin');
  }
}

function trialsOf(config: JsonObject, document: WrittenDocument, table: ExchangeTable): number {
  const options = config['evaluateOptions'];
  if (!isJsonObject(options)) return 1;
  for (const key of Object.keys(options)) {
    if (key === 'repeat') continue;
    table.dropped(
      'key',
      `evaluateOptions.${key}`,
      document.locate(['evaluateOptions', key], 'key').line,
      'it is an option of assay run',
    );
  }
  const { repeat } = options;
  return typeof repeat === 'number' && Number.isInteger(repeat) && repeat >= 1 && repeat <= 1000 ? repeat : 1;
}

function casesOf(
  prompts: readonly ImportedPrompt[],
  tests: readonly ImportedTest[],
  table: ExchangeTable,
): JsonObject[] {
  const ids = new CaseIds();
  const cases: JsonObject[] = [];
  for (const prompt of prompts) {
    // What becomes of the assertions is the same for every prompt and said once.
    const said = prompt === prompts[0] ? table : new ExchangeTable();
    for (const [index, test] of tests.entries()) {
      const label = prompts.length === 1 ? test.name : `${prompt.label} ${test.name}`;
      const made = caseOf(prompt, test, ids.next(label, `case-${index + 1}`), said);
      if (made === null) continue;
      cases.push(made);
      said.kept('test', test.name, test.line);
    }
  }
  return cases;
}

/**
 * Reads a promptfoo configuration: prompts times tests become cases, one suite for every provider.
 * @param path absolute; files it names are read inside its directory
 * @throws AssayError `INPUT` when it is no configuration
 */
export function importPromptfoo(text: string, path: string, shown: string, name: string | null): SuiteImport {
  const parsed = parseYamlDocument(shown, text);
  if (!parsed.ok) throw new AssayError('INPUT', `${shown} cannot be read`, { problems: parsed.problems });
  const { document } = parsed;
  const config: JsonValue = document.value;
  if (!isJsonObject(config) || !('prompts' in config || 'tests' in config)) {
    throw new AssayError('INPUT', `${shown} is no promptfoo configuration`, {
      fix: 'it has prompts and tests',
    });
  }
  const table = new ExchangeTable();
  const root = dirname(path);
  noteKeys(config, document, table);
  const prompts = promptfooPrompts(config['prompts'], document, root, table);
  const key = 'providers' in config ? 'providers' : 'targets';
  const providers = promptfooProviders(config[key], document, key, table);
  const tests = promptfooTests(config, document, root, table);
  const trials = trialsOf(config, document, table);
  const systems = new Set(prompts.map((prompt) => prompt.system));
  const base = slug(name ?? basename(path).replace(/\.[^.]+$/, ''));
  const groups = [...systems].map((system) => ({
    system,
    prompts: prompts.filter((prompt) => prompt.system === system),
  }));
  const targets: (ImportedProvider | null)[] = providers.length === 0 ? [null] : providers;
  const names = new CaseIds();
  const suites: ImportedSuite[] = [];
  for (const [at, group] of groups.entries()) {
    const cases = casesOf(group.prompts, tests, at === 0 ? table : new ExchangeTable());
    if (cases.length === 0) continue;
    for (const provider of targets) {
      const label = [
        base,
        ...(groups.length > 1 ? [`prompt ${at + 1}`] : []),
        ...(targets.length > 1 ? [provider?.label ?? ''] : []),
      ];
      suites.push({
        name: names.next(label.join(' '), base),
        suite: {
          name: label.join(' '),
          ...(typeof config['description'] === 'string' ? { description: config['description'] } : {}),
          type: 'capability',
          ...(provider === null || provider.model === null ? {} : { agent_model: provider.model }),
          ...(group.system === null ? {} : { system_prompt: group.system }),
          trials,
          cases,
        },
      });
    }
  }
  return { suites, rows: table.rows };
}
