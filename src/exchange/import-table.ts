import { canonicalJson, clip, plural, terminalLine, type JsonValue } from '../core/index.js';

/** What became of one thing in a file that was read or is written. */
export interface TableRow {
  /** `kept`: it means the same. `changed`: it came over, not quite as it was. `dropped`: it did not. */
  outcome: 'kept' | 'changed' | 'dropped';
  /** What it is: `test`, `assertion`, `provider`, ... */
  kind: string;
  /** Which one, as the file names it. */
  name: string;
  /** 1-based line in the file; null when it has none. */
  line: number | null;
  /** Why it was changed or dropped; '' for what was kept. */
  note: string;
}

/** Gathers what becomes of everything in a file. */
export class ExchangeTable {
  readonly rows: TableRow[] = [];

  kept(kind: string, name: string, line: number | null = null): void {
    this.rows.push({ outcome: 'kept', kind, name, line, note: '' });
  }

  changed(kind: string, name: string, line: number | null, note: string): void {
    this.rows.push({ outcome: 'changed', kind, name, line, note });
  }

  dropped(kind: string, name: string, line: number | null, note: string): void {
    this.rows.push({ outcome: 'dropped', kind, name, line, note });
  }
}

function counts(rows: readonly TableRow[], outcome: TableRow['outcome']): string {
  const kinds = new Map<string, number>();
  for (const row of rows) if (row.outcome === outcome) kinds.set(row.kind, (kinds.get(row.kind) ?? 0) + 1);
  return [...kinds].map(([kind, count]) => plural(count, kind)).join(', ') || 'nothing';
}

function rowLine({ kind, name, line, note }: TableRow): string {
  return `  ${line === null ? '' : `line ${line}: `}${kind} ${name}: ${note}`;
}

/** The table as lines that are safe to print: how much came over, then each thing that did not, or not as it was. */
export function tableLines(rows: readonly TableRow[], shown: string): string[] {
  const lines = [
    shown,
    `came over: ${counts(rows, 'kept')}`,
    `changed: ${counts(rows, 'changed')}`,
    ...rows.filter((row) => row.outcome === 'changed').map(rowLine),
    `not converted: ${counts(rows, 'dropped')}`,
    ...rows.filter((row) => row.outcome === 'dropped').map(rowLine),
  ];
  return lines.map(terminalLine);
}

const LONGEST_NAME = 80;

/** A value from outside as a short name for the table. */
export function nameOf(value: JsonValue | undefined): string {
  if (value === undefined) return '?';
  return clip(typeof value === 'string' ? value : canonicalJson(value), LONGEST_NAME);
}
