import { basename } from 'node:path';
import { isJsonObject, parseJson, type JsonObject, type JsonValue, type Problem } from '../core/index.js';
import { rowProblem, type ReadRows } from './data-rows.js';
import { parseJsonDocument } from './json-document.js';
import { describeValue } from './schema-problems.js';
import { valueText, type Variables } from './template.js';

/** Numbers that JSON would write in another way: 1.10, 1e3, -0. False alarms only cost time. */
const ODD_NUMBER = /[:[,\s](?:-?\d+\.\d*0(?!\d)|-?\d+(?:\.\d+)?[eE]|-0(?![\d.]))/;

/** Variables out of a row; `sourceAt` gives the written form of a column where that may not be JSON's own. */
function rowVariables(row: JsonObject, sourceAt: ((name: string) => string | null) | null): Variables {
  const value = (name: string): JsonValue | undefined => (Object.hasOwn(row, name) ? row[name] : undefined);
  return {
    value,
    text(name) {
      const held = value(name);
      if (held === undefined) return '';
      const written = typeof held === 'number' ? sourceAt?.(name) : null;
      return written ?? valueText(held);
    },
  };
}

function notARow(file: string, line: number | null, key: string, value: JsonValue): Problem {
  const message = `a row must be an object, not ${describeValue(value)}`;
  return rowProblem(file, line, null, key, message, 'write an object with a key for every column');
}

/** Start and end of every line that is not blank. */
function lineSpans(text: string): { starts: number[]; ends: number[]; lines: number[] } {
  const starts: number[] = [];
  const ends: number[] = [];
  const lines: number[] = [];
  let line = 1;
  for (let from = 0; from <= text.length; line += 1) {
    const found = text.indexOf('\n', from);
    const end = found < 0 ? text.length : found;
    if (text.slice(from, end).trim() !== '') {
      starts.push(from);
      ends.push(end);
      lines.push(line);
    }
    from = end + 1;
  }
  return { starts, ends, lines };
}

/** Reads one JSON object a line. Only the text is kept; a row is parsed when it is asked for. */
export function readJsonlRows(file: string, source: string): ReadRows {
  const text = source.charCodeAt(0) === 0xfeff ? source.slice(1) : source;
  const { starts, ends, lines } = lineSpans(text);
  const textOf = (index: number): string => text.slice(starts[index] ?? 0, ends[index] ?? 0);
  const problems: Problem[] = [];
  const columns = new Set<string>();
  for (let index = 0; index < starts.length; index += 1) {
    const line = lines[index] ?? null;
    const parsed = parseJsonDocument(file, textOf(index));
    if (!parsed.ok) {
      problems.push(...parsed.problems.map((problem) => ({ ...problem, line })));
      continue;
    }
    const { value } = parsed.document;
    if (isJsonObject(value)) for (const name in value) columns.add(name);
    else problems.push(notARow(file, line, '', value));
  }
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    rows: {
      file,
      name: basename(file),
      columns,
      length: starts.length,
      row(index) {
        const line = textOf(index);
        const parsed = parseJson(line);
        const row = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
        if (!ODD_NUMBER.test(line)) return rowVariables(row, null);
        const document = parseJsonDocument(file, line);
        return rowVariables(row, (name) => (document.ok ? document.document.sourceAt([name]) : null));
      },
      line: (index) => lines[index] ?? null,
    },
  };
}

/** Reads a JSON list of objects. */
export function readJsonRows(file: string, source: string): ReadRows {
  const parsed = parseJsonDocument(file, source);
  if (!parsed.ok) return parsed;
  const { document } = parsed;
  const { value } = document;
  if (!Array.isArray(value)) {
    const message = `must be a list of rows, not ${describeValue(value)}`;
    return { ok: false, problems: [rowProblem(file, 1, 1, '', message, 'write [{…}, {…}]')] };
  }
  const columns = new Set<string>();
  const problems = value.flatMap((row, index) => {
    if (!isJsonObject(row)) return [notARow(file, document.locate([index]).line, `[${index}]`, row)];
    for (const name in row) columns.add(name);
    return [];
  });
  if (problems.length > 0) return { ok: false, problems };
  const odd = ODD_NUMBER.test(source);
  return {
    ok: true,
    rows: {
      file,
      name: basename(file),
      columns,
      length: value.length,
      row(index) {
        const row = value[index];
        return rowVariables(
          isJsonObject(row) ? row : {},
          odd ? (name) => document.sourceAt([index, name]) : null,
        );
      },
      line: (index) => document.locate([index]).line,
    },
  };
}
