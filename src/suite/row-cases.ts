import { AssayError, formatKeyPath, plural, type Problem } from '../core/index.js';
import type { Case, CaseList, CaseTraits } from './case.js';
import { traitsOf } from './case-traits.js';
import type { CaseTemplate } from './case-template.js';
import type { DataRows } from './data-rows.js';
import type { RuleProblem } from './document.js';
import type { Variables } from './template.js';
import { layeredVariables, missingVariables, NO_VARIABLES } from './variables.js';

/** Problems of rows that are printed one by one; beyond them only their number is. */
const MOST_PRINTED = 100;

/** Cases made from a template and the rows of a data file, one at a time as they are asked for. */
export class RowCases implements CaseList {
  readonly length: number;
  private readonly template: CaseTemplate;
  private readonly rows: DataRows;
  private readonly shared: Variables;
  /** Ids of the admitted rows, in order. */
  private readonly known: string[] = [];

  /** `shared` are the variables that all rows have in common. */
  constructor(template: CaseTemplate, rows: DataRows, shared: Variables) {
    this.template = template;
    this.rows = rows;
    this.shared = shared;
    this.length = rows.length;
  }

  /** All rows fill the same template, so one case speaks for all. */
  get traits(): CaseTraits {
    return traitsOf([this.caseAt(0)]);
  }

  ids(): Iterable<string> {
    return this.known;
  }

  *[Symbol.iterator](): Iterator<Case> {
    for (let index = 0; index < this.length; index += 1) yield this.caseAt(index);
  }

  /** Everything that is wrong with the rows. `inspect` sees every case that an empty answer may pass. */
  check(inspect: (made: Case) => void): Problem[] {
    const problems = new RowProblems();
    const rowOf = new Map<string, number>();
    for (let index = 0; index < this.length; index += 1) {
      const id = this.checkRow(index, problems);
      if (id === null) continue;
      const first = rowOf.get(id);
      if (first === undefined) {
        rowOf.set(id, index);
        this.known.push(id);
      } else {
        const message = `the id ${JSON.stringify(id)} is already used by row ${first + 1} (line ${this.rows.line(first) ?? '?'})`;
        problems.add(this.place(index, { path: ['id'], message, fix: 'give every row an id of its own' }));
      }
      if (this.template.allowEmpty) inspect(this.caseAt(index));
    }
    return problems.list();
  }

  /** The id of the case of a row; null after noting what is wrong with the row. */
  private checkRow(index: number, problems: RowProblems): string | null {
    const unreadable: Problem[] = [];
    const row = this.rows.row(index, unreadable);
    for (const problem of unreadable) problems.add(problem);
    if (row === null) return null;
    const variables = this.variables(row);
    const missing = missingVariables(this.template, variables);
    for (const { name, problem } of missing) problems.add(this.place(index, { path: [name], ...problem }));
    if (missing.length > 0) return null;
    const faults: RuleProblem[] = [];
    const id = this.template.check(variables, fallbackId(index), faults);
    for (const fault of faults) problems.add(this.place(index, fault));
    return id;
  }

  /** The case of a row that was admitted. */
  private caseAt(index: number): Case {
    const row = this.rows.row(index);
    const { file, name } = this.rows;
    const source = { file, name, line: this.rows.line(index) ?? 1 };
    const made = row === null ? null : this.template.make(this.variables(row), source, fallbackId(index));
    if (made !== null && made.ok) return made.case;
    // The text of the rows is kept and was admitted whole: only a file that a row names can have changed since.
    const problems = made === null ? [] : made.problems.map((problem) => this.place(index, problem));
    throw new AssayError('SUITE_INVALID', `${file}: row ${index + 1} is no longer a case`, {
      fix: 'run the suite again',
      problems,
    });
  }

  private variables(row: Variables): Variables {
    return this.shared === NO_VARIABLES ? row : layeredVariables([row, this.shared]);
  }

  private place(index: number, problem: RuleProblem): Problem {
    return {
      file: this.rows.file,
      line: this.rows.line(index),
      column: null,
      key: formatKeyPath(problem.path),
      message: `row ${index + 1}: ${problem.message}`,
      fix: problem.fix,
    };
  }
}

function fallbackId(index: number): string {
  return `row-${index + 1}`;
}

/** Collects problems of rows, of which there may be as many as rows. */
class RowProblems {
  private readonly kept: Problem[] = [];
  private left = 0;

  add(problem: Problem): void {
    if (this.kept.length < MOST_PRINTED) this.kept.push(problem);
    else this.left += 1;
  }

  list(): Problem[] {
    const [first] = this.kept;
    if (this.left === 0 || first === undefined) return this.kept;
    const message = `and ${plural(this.left, 'more problem')} like these in other rows`;
    return [...this.kept, { ...first, line: null, key: '', message, fix: 'correct these first' }];
  }
}
