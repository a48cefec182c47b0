import { createRequire } from 'node:module';
import { basename } from 'node:path';
import type * as Csv from 'csv-parse/sync';
import { errorMessage, plural, type Problem } from '../core/index.js';
import { rowProblem, type ReadRows } from './data-rows.js';

const load = createRequire(import.meta.url);

/** A record and the line on which it begins. */
interface CsvRecord {
  cells: string[];
  line: number;
}

function numberOf(error: unknown, member: string): number | null {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, member) : null;
  return typeof value === 'number' ? value : null;
}

function lineBreaks(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells) {
    for (let at = cell.indexOf('\n'); at >= 0; at = cell.indexOf('\n', at + 1)) count += 1;
  }
  return count;
}

function headerProblems(file: string, header: CsvRecord): Problem[] {
  const seen = new Set<string>();
  return header.cells.flatMap((name, index) => {
    const place = `column ${index + 1}`;
    if (name === '') {
      return [
        rowProblem(
          file,
          header.line,
          null,
          '',
          `the header of ${place} is empty`,
          'name every column in the first row',
        ),
      ];
    }
    if (seen.has(name)) {
      return [
        rowProblem(
          file,
          header.line,
          null,
          name,
          `the header of ${place} is used twice`,
          'give every column a name of its own',
        ),
      ];
    }
    seen.add(name);
    return [];
  });
}

function syntaxProblem(file: string, header: CsvRecord | undefined, error: unknown): Problem {
  const column = numberOf(error, 'index');
  const name = column === null ? undefined : header?.cells[column];
  const row = numberOf(error, 'records');
  const where =
    row === null || row === 0 ? '' : `row ${row}${column === null ? '' : `, column ${column + 1}`}: `;
  const what = errorMessage(error).split(':')[0] ?? 'not valid CSV';
  return rowProblem(
    file,
    numberOf(error, 'lines'),
    null,
    name ?? '',
    `${where}not valid CSV: ${what.toLowerCase()}`,
    'put a cell that holds commas, quotes or line breaks in double quotes, and double the quotes inside it',
  );
}

/** Reads CSV with a header row. Every cell is text. */
export function readCsvRows(file: string, text: string): ReadRows {
  const { parse }: typeof Csv = load('csv-parse/sync');
  const records: CsvRecord[] = [];
  try {
    parse(text, {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (cells: string[], { lines }) => {
        records.push({ cells, line: lines - lineBreaks(cells) });
        return null;
      },
    });
  } catch (error) {
    return { ok: false, problems: [syntaxProblem(file, records[0], error)] };
  }
  const header = records.shift();
  if (header === undefined) {
    return {
      ok: false,
      problems: [
        rowProblem(file, null, null, '', 'the file is empty', 'write a header row and a row for every case'),
      ],
    };
  }
  header.cells = header.cells.map((name) => name.trim());
  const problems = headerProblems(file, header);
  const width = header.cells.length;
  records.forEach(({ cells, line }, index) => {
    if (cells.length === width) return;
    const message = `row ${index + 1} has ${plural(cells.length, 'cell')}, the header has ${width}`;
    problems.push(
      rowProblem(file, line, null, '', message, 'write one cell for every column, empty ones as well'),
    );
  });
  if (problems.length > 0) return { ok: false, problems };
  const positions = new Map(header.cells.map((name, index) => [name, index]));
  return {
    ok: true,
    rows: {
      file,
      name: basename(file),
      columns: new Set(header.cells),
      length: records.length,
      row(index) {
        const cells = records[index]?.cells ?? [];
        const cell = (name: string): string | undefined => cells[positions.get(name) ?? -1];
        return { value: cell, text: (name) => cell(name) ?? '' };
      },
      line: (index) => records[index]?.line ?? null,
    },
  };
}
