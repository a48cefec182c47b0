import { basename } from 'node:path';
import { isJsonObject, parseJson, type JsonObject, type JsonValue, type Problem } from '../core/index.js';
import { rowProblem, type DataRows, type ReadRows } from './data-rows.js';
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

/** Start and end of every line that is not blank, and its number. */
interface LineSpans {
  starts: number[];
  ends: number[];
  lines: number[];
}

function lineSpans(text: string): LineSpans {
  const spans: LineSpans = { starts: [], ends: [], lines: [] };
  let line = 1;
  for (let from = 0; from <= text.length; line += 1) {
    const found = text.indexOf('\n', from);
    const end = found < 0 ? text.length : found;
    if (text.slice(from, end).trim() !== '') {
      spans.starts.push(from);
      spans.ends.push(end);
      spans.lines.push(line);
    }
    from = end + 1;
  }
  return spans;
}

/** JSON lines: only the text is kept, and a row is parsed when it is asked for. */
class JsonlRows implements DataRows {
  readonly file: string;
  readonly name: string;
  readonly length: number;
  readonly columns: ReadonlySet<string> | null;
  private readonly text: string;
  private readonly spans: LineSpans;

  constructor(file: string, text: string) {
    this.file = file;
    this.name = basename(file);
    this.text = text;
    this.spans = lineSpans(text);
    this.length = this.spans.starts.length;
    const first = parseJson(this.textOf(0));
    this.columns = first.ok && isJsonObject(first.value) ? new Set(Object.keys(first.value)) : null;
  }

  row(index: number, problems?: Problem[]): Variables | null {
    const text = this.textOf(index);
    const line = this.line(index);
    let value: JsonValue;
    if (problems === undefined) {
      const parsed = parseJson(text);
      if (!parsed.ok) return null;
      ({ value } = parsed);
    } else {
      const parsed = parseJsonDocument(this.file, text);
      if (!parsed.ok) {
        problems.push(...parsed.problems.map((problem) => ({ ...problem, line })));
        return null;
      }
      ({ value } = parsed.document);
    }
    if (!isJsonObject(value)) {
      problems?.push(notARow(this.file, line, '', value));
      return null;
    }
    if (!ODD_NUMBER.test(text)) return rowVariables(value, null);
    const document = parseJsonDocument(this.file, text);
    return rowVariables(value, (name) => (document.ok ? document.document.sourceAt([name]) : null));
  }

  line(index: number): number | null {
    return this.spans.lines[index] ?? null;
  }

  private textOf(index: number): string {
    return this.text.slice(this.spans.starts[index] ?? 0, this.spans.ends[index] ?? 0);
  }
}

/** Reads one JSON object a line. */
export function readJsonlRows(file: string, source: string): ReadRows {
  return { ok: true, rows: new JsonlRows(file, source.charCodeAt(0) === 0xfeff ? source.slice(1) : source) };
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
  const [first] = value;
  const odd = ODD_NUMBER.test(source);
  return {
    ok: true,
    rows: {
      file,
      name: basename(file),
      columns: isJsonObject(first) ? new Set(Object.keys(first)) : null,
      length: value.length,
      row(index, problems) {
        const row = value[index] ?? null;
        if (isJsonObject(row))
          return rowVariables(row, odd ? (name) => document.sourceAt([index, name]) : null);
        problems?.push(notARow(file, document.locate([index]).line, `[${index}]`, row));
        return null;
      },
      line: (index) => document.locate([index]).line,
    },
  };
}
