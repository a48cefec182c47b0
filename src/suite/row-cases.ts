import { AssayError, formatKeyPath, plural, type Problem } from '../core/index.js';
import type { Case, CaseList, CaseSource } from './case.js';
import type { CaseTemplate, MadeCase } from './case-template.js';
import type { DataRows } from './data-rows.js';
import type { RuleProblem } from './document.js';
import type { Variables } from './template.js';
import { layeredVariables, missingVariables } from './variables.js';

/** Problems of rows that are printed one by one; beyond them only their number is. */
const MOST_PRINTED = 100;

/** Cases made from a template and the rows of a data file, one at a time as they are asked for. */
export class RowCases implements CaseList {
  readonly length: number;
  private readonly template: CaseTemplate;
  private readonly rows: DataRows;
  private readonly shared: Variables;

  /** `shared` are the variables that all rows have in common. */
  constructor(template: CaseTemplate, rows: DataRows, shared: Variables) {
    this.template = template;
    this.rows = rows;
    this.shared = shared;
    this.length = rows.length;
  }

  *[Symbol.iterator](): Iterator<Case> {
    for (let index = 0; index < this.length; index += 1) {
      const made = this.make(index, this.variables(index));
      // Rows are kept in memory and were all admitted, so this cannot happen unless a file they name has gone.
      if (!made.ok) {
        const problems = made.problems.map((problem) => this.place(index, problem));
        throw new AssayError('SUITE_INVALID', `${this.rows.file}: row ${index + 1} is no longer a case`, {
          problems,
        });
      }
      yield made.case;
    }
  }

  /** Everything that is wrong with the rows, and `inspect`'s own findings on every case made. */
  check(inspect: (made: Case) => void): Problem[] {
    const problems = new RowProblems();
    const rowOf = new Map<string, number>();
    for (let index = 0; index < this.length; index += 1) {
      const variables = this.variables(index);
      const missing = missingVariables(this.template, variables);
      if (missing.length > 0) {
        for (const { name, problem } of missing)
          problems.add(this.place(index, { path: [name], ...problem }));
        continue;
      }
      const made = this.make(index, variables);
      if (!made.ok) {
        for (const problem of made.problems) problems.add(this.place(index, problem));
        continue;
      }
      const { id } = made.case;
      const first = rowOf.get(id);
      if (first === undefined) rowOf.set(id, index);
      else {
        const message = `the id ${JSON.stringify(id)} is already used by row ${first + 1} (line ${this.rows.line(first) ?? '?'})`;
        problems.add(this.place(index, { path: ['id'], message, fix: 'give every row an id of its own' }));
      }
      inspect(made.case);
    }
    return problems.list();
  }

  private variables(index: number): Variables {
    return layeredVariables([this.rows.row(index), this.shared]);
  }

  private make(index: number, variables: Variables): MadeCase {
    const source: CaseSource = {
      file: this.rows.file,
      name: this.rows.name,
      line: this.rows.line(index) ?? 1,
    };
    return this.template.make(variables, source, `row-${index + 1}`);
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
