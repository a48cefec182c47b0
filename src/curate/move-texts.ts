import { existsSync } from 'node:fs';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { AssayError, plural, yamlLibrary, type JsonObject, type JsonValue } from '../core/index.js';
import { displayPath, parseYamlDocument, type Case, type Suite } from '../suite/index.js';
import { historyPath, readText, type ChangePlan, type PlannedFile } from './change-plan.js';
import { shifted } from './edit-lines.js';
import { valueAt } from './json-values.js';
import { entryOf, type PlanContext } from './plan-edit.js';
import { fixturePath } from './suite-text.js';
import { removeYaml, setYaml } from './yaml-edit.js';
import { yamlEntry } from './yaml-entry.js';

/** A case as it stands in a suite file. */
export interface CaseEntry {
  value: JsonValue;
  /** Its lines at the left margin, with the comments above them; null where it has no lines of its own. */
  raw: string | null;
}

/** A path in a directory that is not taken: with -2, -3, … before its ending. */
export function freePath(directory: string, name: string): string {
  const ending = extname(name);
  const stem = name.slice(0, name.length - ending.length);
  for (let number = 1; ; number += 1) {
    const path = join(directory, number === 1 ? name : `${stem}-${number}${ending}`);
    if (!existsSync(path)) return path;
  }
}

/** The path, when nothing is there yet. Throws AssayError `INPUT`. */
export function requireFree(path: string): string {
  if (!existsSync(path)) return path;
  throw new AssayError('INPUT', `${path} exists already`, {
    fix: 'rename one of the two, or name another --into',
  });
}

/** The entries of `cases` in the text of a suite; none when they are made from rows. */
export function listOf(text: string, shown: string): JsonValue[] {
  const parsed = parseYamlDocument(shown, text);
  const list = parsed.ok ? valueAt(parsed.document.value, ['cases']) : undefined;
  return Array.isArray(list) ? list : [];
}

/** Some cases as they stand. */
export function entriesOf(text: string, shown: string, indexes: readonly number[]): CaseEntry[] {
  const list = listOf(text, shown);
  return indexes.map((index) => ({ value: list[index] ?? null, raw: yamlEntry(text, ['cases', index]) }));
}

/** The text of a suite without some of its cases; `indexes` in ascending order. */
export function withoutEntries(text: string, indexes: readonly number[]): string {
  let result = text;
  for (const index of indexes.toReversed()) result = removeYaml(result, ['cases', index]);
  return result;
}

/** A suite text with only some of its cases, and its head as it was. */
export function onlyEntries(text: string, shown: string, indexes: readonly number[]): string {
  const others = [...listOf(text, shown).keys()].filter((index) => !indexes.includes(index));
  return withoutEntries(text, others);
}

/** The text of a suite with cases added at its end. */
export function withAppended(text: string, shown: string, entries: readonly CaseEntry[]): string {
  let result = text;
  let count = listOf(text, shown).length;
  for (const { value, raw } of entries) {
    result = setYaml(result, ['cases', count], value, raw);
    count += 1;
  }
  return result;
}

/** The text of a suite with the same head and only these cases. */
export function withOnly(text: string, entries: readonly CaseEntry[]): string {
  const head = removeYaml(text, ['cases']).trimEnd();
  const { stringify } = yamlLibrary();
  const blocks = entries.map(({ value, raw }) =>
    shifted(raw ?? stringify([value], { lineWidth: 0 }), 2).trimEnd(),
  );
  return `${head}\n\ncases:\n${blocks.join('\n\n')}\n`;
}

/** Files of fixtures that move to a directory: there first, then away from here. */
export function movedFixtures(suite: Suite, cases: readonly Case[], directory: string): PlannedFile[] {
  return cases.flatMap((tested) => {
    const from = fixturePath(suite, tested);
    const to = requireFree(join(directory, basename(from)));
    return [
      { path: to, text: readText(from) },
      { path: from, text: null },
    ];
  });
}

/** Refuses to take the last case out of a suite. Throws AssayError `INPUT`. */
export function requireRest(suite: Suite, leaving: number): void {
  if (leaving < suite.cases.length) return;
  throw new AssayError(
    'INPUT',
    `these are all cases of ${suite.displayPath}, and a suite without cases does not load`,
    {
      fix: 'leave --case out: the suite as a whole then moves',
    },
  );
}

/** A path as the history names it: from its own directory on, the same on every machine. */
function portable(path: string, history: string): string {
  return relative(dirname(history), path).split(sep).join('/');
}

/** A planned move, in words and as a history entry. */
export function planOf(
  action: 'graduate' | 'retire',
  suite: Suite,
  cases: readonly string[],
  to: string,
  files: PlannedFile[],
  details: JsonObject,
  context: PlanContext,
): ChangePlan {
  const shown = displayPath(to, context.cwd);
  const history = historyPath(suite, context.roots);
  const what =
    cases.length === 0 ? `suite ${suite.name}` : `${plural(cases.length, 'case')} of ${suite.name}`;
  const names = cases.length === 0 ? '' : `: ${cases.join(', ')}`;
  return {
    lines: [`${what} ${action === 'graduate' ? 'graduates to' : 'retires to'} ${shown}${names}`],
    files,
    entry: entryOf(action, suite, cases, { to: portable(to, history), ...details }, context.now),
    history,
  };
}
