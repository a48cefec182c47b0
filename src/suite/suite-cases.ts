import {
  isJsonObject,
  plural,
  type JsonObject,
  type JsonValue,
  type KeyPath,
  type Problem,
} from '../core/index.js';
import { fromSchema } from './assertion-suite-schema.js';
import { asWritten } from './assertion-text.js';
import type { Case, CaseList } from './case.js';
import type { SuiteFrame } from './case-rules.js';
import { CaseTemplate } from './case-template.js';
import { readDataFile } from './data-file.js';
import type { RuleProblem } from './document.js';
import { insidePath } from './inside-path.js';
import { RowCases } from './row-cases.js';
import { describeValue, schemaProblems } from './schema-problems.js';
import type { SuiteDocument } from './suite-document.js';
import { metricsIn } from './suite-rules.js';
import type { Variables } from './template.js';
import { declaredVariables, layeredVariables, missingVariables } from './variables.js';

/** What admitting the cases of a suite needs. */
export interface CasesContext {
  document: SuiteDocument;
  frame: SuiteFrame;
  /** The suite's own `vars`; null when it declares none. */
  suiteVars: JsonObject | null;
  /** The suite's file, without directories. */
  name: string;
  /** How a path beside the suite is shown. */
  show(path: string): string;
  /** Looks at every case that an empty answer may pass; what it finds is kept by the caller. */
  inspect(made: Case): void;
}

/** The cases of a suite, with everything that is wrong with them. */
export interface AdmittedCases {
  cases: CaseList;
  problems: Problem[];
  /** What deserves a look and stops nothing. */
  warnings: Problem[];
  /** Labels that assertions give their scores. */
  metrics: ReadonlySet<string>;
}

function varsOf(raw: JsonValue): JsonObject | null {
  const vars = isJsonObject(raw) ? raw['vars'] : undefined;
  return isJsonObject(vars) ? vars : null;
}

/** Collects what the cases of a suite have in common while they are admitted one by one. */
class Admission {
  readonly problems: Problem[] = [];
  readonly warnings: Problem[] = [];
  readonly context: CasesContext;
  private readonly used = new Set<string>();
  private readonly seen = new Set<string>();

  constructor(context: CasesContext) {
    this.context = context;
  }

  /** Notes problems; one that several cases share is said once. */
  note(problems: readonly RuleProblem[]): void {
    for (const problem of problems) {
      const placed = this.context.document.place(problem);
      const key = `${placed.key}\n${placed.message}`;
      if (!this.seen.has(key)) this.problems.push(placed);
      this.seen.add(key);
    }
  }

  /** The variables that are the same for every row or case: the case's own before the suite's. */
  shared(vars: JsonObject | null, path: KeyPath): Variables {
    const { suiteVars, document } = this.context;
    return layeredVariables([
      ...(vars === null ? [] : [declaredVariables(vars, [...path, 'vars'], document.sourceAt)]),
      ...(suiteVars === null ? [] : [declaredVariables(suiteVars, ['vars'], document.sourceAt)]),
    ]);
  }

  /** Remembers which variables a case uses and warns of its own that it does not. */
  trackUse(template: CaseTemplate, vars: JsonObject | null, path: KeyPath): void {
    for (const name of template.names) this.used.add(name);
    this.warnUnused(vars, [...path, 'vars'], template.names);
  }

  /** Warns of variables of the suite that no case uses. */
  warnOfSuite(): void {
    this.warnUnused(this.context.suiteVars, ['vars'], this.used);
  }

  private warnUnused(vars: JsonObject | null, path: KeyPath, used: ReadonlySet<string>): void {
    for (const name of Object.keys(vars ?? {})) {
      if (used.has(name)) continue;
      this.warnings.push(
        this.context.document.place({
          path: [...path, name],
          at: 'key',
          message: 'the variable is never used',
          fix: `write {{${name}}} where it belongs, or remove it`,
        }),
      );
    }
  }
}

function admitWritten(list: readonly JsonValue[], admission: Admission): CaseList {
  const { context } = admission;
  const { document, frame, suiteVars, name } = context;
  const cases: Case[] = [];
  const places = new Map<string, { line: number; index: number }>();
  list.forEach((raw, index) => {
    const path = ['cases', index];
    const vars = varsOf(raw);
    const known =
      vars === null && suiteVars === null ? null : new Set(Object.keys({ ...suiteVars, ...vars }));
    const template = new CaseTemplate(raw, path, frame, known, false);
    admission.note(template.problems);
    admission.trackUse(template, vars, path);
    const variables = admission.shared(vars, path);
    const missing = missingVariables(template, variables).filter(({ name: used }) => known?.has(used));
    for (const { name: used, problem } of missing) {
      const holder = vars !== null && Object.hasOwn(vars, used) ? [...path, 'vars', used] : ['vars', used];
      admission.note([{ path: holder, ...problem }]);
    }
    const line = document.line(path);
    const made =
      missing.length > 0 ? null : template.make(variables, { file: document.file, name, line }, '');
    if (made !== null && !made.ok) admission.note(made.problems);
    // A case with other problems has an id as well, so that all problems are told at once.
    const id = made?.ok === true ? made.case.id : plainId(raw);
    const first = id === null ? undefined : places.get(id);
    if (id !== null && first === undefined) places.set(id, { line, index });
    else if (first !== undefined) {
      // A suite that is a program has no lines.
      const where =
        first.line === line
          ? `by cases[${first.index}] and cases[${index}]`
          : `on line ${first.line} and on line ${line}`;
      const message = `the id ${JSON.stringify(id)} is used twice: ${where}`;
      admission.note([{ path: [...path, 'id'], message, fix: 'give every case an id of its own' }]);
    }
    if (made?.ok !== true) return;
    if (made.case.allowEmpty) context.inspect(made.case);
    cases.push(made.case);
  });
  return cases;
}

/** The id of a case as it is written; null when there is none, or when variables make it. */
function plainId(raw: JsonValue): string | null {
  const id = isJsonObject(raw) ? raw['id'] : undefined;
  return typeof id === 'string' && id !== '' && !id.includes('{{') ? id : null;
}

function admitRows(raw: JsonObject, admission: Admission): CaseList {
  const { context } = admission;
  const { document, frame, suiteVars } = context;
  const none: CaseList = [];
  const written = asWritten(fromSchema, raw, ['cases'], document.sourceAt);
  const parsed = fromSchema.safeParse(written);
  if (!parsed.success) {
    admission.note(schemaProblems(parsed.error, fromSchema, written, ['cases']));
    return none;
  }
  const { from, template: body } = parsed.data;
  const found = insidePath(from, frame.root);
  if (!found.ok || !found.exists) {
    const message = found.ok ? `there is no file ${from}` : `${JSON.stringify(from)} ${found.message}`;
    const fix = found.ok ? 'correct the path; it is relative to the suite file' : found.fix;
    admission.note([{ path: ['cases', 'from'], message, fix }]);
    return none;
  }
  const read = readDataFile(found.path, context.show(found.path));
  if (!read.ok) admission.problems.push(...read.problems);
  const readable = read.ok ? read.rows.columns : null;
  const columns = readable ?? new Set<string>();
  const path = ['cases', 'template'];
  const vars = varsOf(body);
  const declared = new Set(Object.keys({ ...suiteVars, ...vars }));
  for (const name of declared) {
    if (!columns.has(name)) continue;
    const holder = vars !== null && Object.hasOwn(vars, name) ? [...path, 'vars', name] : ['vars', name];
    admission.note([
      {
        path: holder,
        at: 'key',
        message: `is a variable and a column of ${from} as well`,
        fix: 'rename one of the two',
      },
    ]);
  }
  const known = readable === null ? everyName : new Set([...columns, ...declared]);
  const template = new CaseTemplate(body, path, frame, known, true);
  admission.note(template.problems);
  admission.trackUse(template, vars, path);
  if (!read.ok) return none;
  const varies = [...template.names].some((name) => !declared.has(name));
  if (!varies && template.problems.length === 0) {
    const message = `uses no column of ${from}, so all ${plural(read.rows.length, 'case')} would be the same`;
    admission.note([
      { path, at: 'key', message, fix: `write {{column}} where rows differ: ${[...columns].join(', ')}` },
    ]);
    return none;
  }
  const cases = new RowCases(template, read.rows, admission.shared(vars, path));
  admission.problems.push(...cases.check((made) => context.inspect(made)));
  return cases;
}

/** Stands for the columns of a file that could not be read, so that no name is reported on its account. */
const everyName: ReadonlySet<string> = Object.assign(new Set<string>(), { has: () => true });

/** Admits the cases of a suite: a list, or a template and a data file. */
export function admitCases(value: JsonValue, context: CasesContext): AdmittedCases {
  const admission = new Admission(context);
  let cases: CaseList = [];
  const metrics = new Set<string>();
  if (Array.isArray(value)) {
    for (const raw of value) for (const metric of metricsIn(raw)) metrics.add(metric);
    cases = admitWritten(value, admission);
  } else if (isJsonObject(value)) {
    for (const metric of metricsIn(value['template'] ?? null)) metrics.add(metric);
    cases = admitRows(value, admission);
  } else {
    const message = `must be a list of cases, not ${describeValue(value)}`;
    admission.note([{ path: ['cases'], message, fix: 'write a list, or { from: rows.csv, template: … }' }]);
  }
  admission.warnOfSuite();
  return { cases, problems: admission.problems, warnings: admission.warnings, metrics };
}
