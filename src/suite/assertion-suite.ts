import { basename, dirname, resolve } from 'node:path';
import {
  AssayError,
  isJsonObject,
  plural,
  sortProblems,
  type JsonValue,
  type Problem,
} from '../core/index.js';
import { compileAgent } from './assertion-agent.js';
import { suiteHeadSchema, type SuiteHead } from './assertion-suite-schema.js';
import { asWritten } from './assertion-text.js';
import type { AgentSpec, Suite, SuiteKind } from './case.js';
import { caseTraits } from './case-traits.js';
import type { SuiteFrame } from './case-rules.js';
import type { RuleProblem } from './document.js';
import { legacyError } from './legacy.js';
import { displayPath, type LoadOptions } from './load.js';
import { describeValue, schemaProblems } from './schema-problems.js';
import { admitCases } from './suite-cases.js';
import { writtenSuite, type SuiteDocument } from './suite-document.js';
import { findSuiteFile, readSuiteText, suiteName, type SuiteFile } from './suite-file.js';
import { suiteRules } from './suite-rules.js';
import { mergeLimits } from './trial-limits.js';
import { parseYamlDocument } from './yaml-document.js';

/** How to load an assertion suite. */
export interface AssertionLoadOptions extends LoadOptions {
  /** Directory that no path in the suite may leave. Default the suite's own directory. */
  within?: string;
  /** Golden files need not exist yet: this run writes them. Default false. */
  goldenFilesMayBeMissing?: boolean;
  /** Recordings of simulated users are about to be written, so old ones are not looked at. Default false. */
  recordingAgain?: boolean;
  /** Called with what deserves a look and stops nothing, such as a variable that is never used. */
  warn?: (problem: Problem) => void;
}

function kindOf(head: SuiteHead | null, file: SuiteFile, options: LoadOptions): SuiteKind {
  if (options.kind !== undefined) return options.kind;
  if (head?.type !== undefined) return head.type;
  return basename(dirname(file.path)).toLowerCase() === 'capability' ? 'capability' : 'regression';
}

function emptyError(shown: string, name: string, problems: readonly Problem[]): AssayError {
  return new AssayError(
    'SUITE_EMPTY',
    `${shown}: suite "${name}" has no cases to run: an empty suite never passes`,
    {
      fix: 'add cases:, a list of cases with id, prompt and assert each',
      problems,
    },
  );
}

function parseHead(value: JsonValue, document: SuiteDocument, problems: RuleProblem[]): SuiteHead | null {
  const written = asWritten(suiteHeadSchema, value, [], document.sourceAt);
  const parsed = suiteHeadSchema.safeParse(written);
  if (parsed.success) return parsed.data;
  problems.push(...schemaProblems(parsed.error, suiteHeadSchema, written));
  return null;
}

/** Admits a suite whose file has been read, by the rules that hold however it was written. */
export function admitSuite(document: SuiteDocument, file: SuiteFile, options: AssertionLoadOptions): Suite {
  const { value } = document;
  const name = suiteName(file.path);
  if (value === null) throw emptyError(file.shown, name, []);
  if (!isJsonObject(value)) {
    const message = `a suite must be an object, not ${describeValue(value)}`;
    throw invalid(file.shown, [document.place({ path: [], message, fix: 'write name: and cases:' })]);
  }
  const legacy = legacyError(value, name, file.shown);
  if (legacy !== null) throw legacy;
  const faults: RuleProblem[] = [];
  const head = parseHead(value, document, faults);
  const root = {
    directory: dirname(file.path),
    within: resolve(file.cwd, options.within ?? dirname(file.path)),
  };
  let agent: AgentSpec = { type: 'prompt' };
  if (value['agent'] !== undefined) {
    agent =
      compileAgent(value['agent'], { path: ['agent'], root, sourceAt: document.sourceAt }, faults) ?? agent;
  }
  const written = value['cases'] ?? null;
  if (written === null || (Array.isArray(written) && written.length === 0)) {
    throw emptyError(file.shown, name, sortProblems(faults.map((fault) => document.place(fault))));
  }
  const defaults = head ?? suiteHeadSchema.parse({});
  const suiteVars = isJsonObject(value['vars']) ? value['vars'] : null;
  const frame: SuiteFrame = {
    passThreshold: defaults.pass_threshold,
    trials: defaults.trials,
    owner: defaults.owner ?? null,
    tags: defaults.tags ?? [],
    systemPrompt: {
      text: defaults.system_prompt ?? null,
      templated: suiteVars !== null || isJsonObject(written),
    },
    agent,
    ...mergeLimits(defaults.limits),
    root,
    sourceAt: document.sourceAt,
    goldenFilesMayBeMissing: options.goldenFilesMayBeMissing ?? false,
    recordingAgain: options.recordingAgain ?? false,
  };
  const kind = kindOf(head, file, options);
  const inspect = options.inspect?.(kind);
  const vacuous: Problem[] = [];
  const admitted = admitCases(written, {
    document,
    frame,
    suiteVars,
    name: basename(file.path),
    show: (path) => displayPath(path, file.cwd),
    inspect(made) {
      for (const { message, fix } of inspect?.(made) ?? []) {
        vacuous.push({
          file: made.source.file,
          line: made.source.line,
          column: null,
          key: made.id,
          message,
          fix,
        });
      }
    },
  });
  if (head !== null) faults.push(...suiteRules(head, admitted.metrics));
  const problems = [...faults.map((fault) => document.place(fault)), ...admitted.problems];
  if (problems.length > 0) throw invalid(file.shown, [...problems, ...vacuous]);
  if (vacuous.length > 0) {
    const count = plural(vacuous.length, 'case');
    throw new AssayError('VACUOUS', `${file.shown}: ${count} would pass without the agent doing anything`, {
      problems: sortProblems(vacuous),
    });
  }
  for (const warning of admitted.warnings) options.warn?.(warning);
  return {
    name,
    path: file.path,
    displayPath: file.shown,
    root: root.directory,
    format: file.format,
    kind,
    description: defaults.description ?? null,
    gate: defaults.gate ?? (kind === 'regression' && caseTraits(admitted.cases).scenarios ? 'all' : 'mean'),
    passThreshold: defaults.pass_threshold,
    saturationThreshold: defaults.saturation_threshold,
    trials: defaults.trials,
    agentLevel: defaults.agent_level,
    judgeLevel: defaults.judge_level,
    agentModel: defaults.agent_model ?? null,
    judgeModel: defaults.judge_model ?? null,
    simulatorLevel: defaults.simulator_level,
    simulatorModel: defaults.simulator_model ?? null,
    criteria: defaults.criteria,
    owner: defaults.owner ?? null,
    ...suiteCuration(defaults),
    cases: admitted.cases,
  };
}

function suiteCuration(head: SuiteHead): Pick<Suite, 'curation'> {
  const { lint, reviewed_at: reviewed, created_at: created, updated_at: updated } = head;
  if (!lint && reviewed === undefined && created === undefined && updated === undefined) return {};
  return {
    curation: {
      lintIgnored: lint?.ignore ?? [],
      reviewedAt: reviewed ?? null,
      createdAt: created ?? null,
      updatedAt: updated ?? null,
    },
  };
}

function invalid(shown: string, problems: readonly Problem[]): AssayError {
  const count = plural(problems.length, 'problem');
  return new AssayError('SUITE_INVALID', `${shown} cannot be loaded: ${count}`, {
    problems: sortProblems(problems),
  });
}

/**
 * Loads an assertion suite from a `.yaml` or `.yml` file.
 * @throws AssayError `SUITE_NOT_FOUND`, `SUITE_EMPTY`, `SUITE_LEGACY`, `VACUOUS`, or `SUITE_INVALID` with every
 * problem of the suite and its data file
 */
export function loadAssertionSuite(path: string, options: AssertionLoadOptions = {}): Suite {
  const file = findSuiteFile(path, 'assertion', options);
  const parsed = parseYamlDocument(file.shown, readSuiteText(file));
  if (!parsed.ok) throw invalid(file.shown, parsed.problems);
  return admitSuite(writtenSuite(parsed.document), file, options);
}
