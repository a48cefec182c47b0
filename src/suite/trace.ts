import { basename, dirname } from 'node:path';
import {
  canonicalJson,
  isJsonObject,
  sha256,
  type CheckSpec,
  type JsonValue,
  type Problem,
} from '../core/index.js';
import { compileAgent } from './assertion-agent.js';
import type { AgentSpec, Case, CaseTurn, GraderFiles } from './case.js';
import { compileAssertions } from './compile-assertions.js';
import { placeProblem, type PositionedDocument, type RuleProblem } from './document.js';
import { compileGraderFiles, identifiedFixture } from './grader-files.js';
import { DEFAULT_MAX_STEPS } from './max-steps.js';
import { schemaProblems } from './schema-problems.js';
import { traceChecks } from './trace-checks.js';
import { resolveToolRoles } from './tool-roles.js';
import { traceRules } from './trace-rules.js';
import { traceFixtureSchema, UPKEEP_KEYS, type TraceFixture } from './trace-schema.js';
import { caseScript } from './trace-script.js';
import { scriptedStep } from './trace-step.js';
import { mergeLimits } from './trial-limits.js';

/** Most trials that a fixture may ask for. */
const MOST_TRIALS = 50;

/** A case, or everything that is wrong with its file. */
export type AdmittedCase =
  | { ok: true; case: Case }
  /** `id`: the identity that is written all the same, where one can be told. */
  | { ok: false; id?: string | null; problems: Problem[] };

/**
 * SHA-256 over the fixture with every default filled in, keys sorted, so that layout and key order of the file do not
 * matter and any semantic edit does. Assay's own keys take part only where they are used, so adding one to the format
 * changes no existing hash; those for the upkeep of a case never do, since they change nothing that runs.
 */
export function traceHash(fixture: TraceFixture): string {
  if (UPKEEP_KEYS.every((key) => fixture[key] === undefined)) return sha256(canonicalJson(fixture));
  const hashed: { [key: string]: unknown } = { ...fixture };
  for (const key of UPKEEP_KEYS) delete hashed[key];
  return sha256(canonicalJson(hashed));
}

function traceCuration(fixture: TraceFixture): Pick<Case, 'curation'> {
  const { accepted_mutants: accepted, lint, reviewed_at: reviewed } = fixture;
  if (!accepted && !lint && reviewed === undefined) return {};
  return {
    curation: {
      acceptedMutants: accepted ?? [],
      lintIgnored: lint?.ignore ?? [],
      reference: null,
      knownBad: [],
      reviewedAt: reviewed ?? null,
    },
  };
}

function caseTurn(turn: TraceFixture['turns'][number]): CaseTurn {
  const steps = turn.steps === null || turn.steps.length === 0 ? null : turn.steps.map(scriptedStep);
  return { user: turn.user_input, steps };
}

/** The assertions of suites that a fixture adds to its own expectations. */
function traceAssertions(
  document: PositionedDocument,
  directory: string,
): { checks: CheckSpec[]; problems: RuleProblem[] } {
  const { value } = document;
  const expects = isJsonObject(value) ? value['expects'] : undefined;
  const assertions = isJsonObject(expects) ? expects['assert'] : undefined;
  if (assertions === undefined || !isJsonObject(value)) return { checks: [], problems: [] };
  const turns = value['turns'];
  return compileAssertions(assertions, {
    path: ['expects', 'assert'],
    directory,
    turnCount: Array.isArray(turns) ? turns.length : 0,
  });
}

/** The keys of a fixture that are compiled as those of suites are, which also says what is wrong with them. */
const COMPILED_APART: ReadonlySet<unknown> = new Set(['agent', 'grader_files']);

interface CompiledApart {
  agent: AgentSpec;
  graderFiles?: GraderFiles;
}

function compileApart(value: JsonValue, directory: string, problems: RuleProblem[]): CompiledApart {
  const root = { directory, within: directory };
  const standard: AgentSpec = { type: 'loop', tools: null, maxSteps: DEFAULT_MAX_STEPS };
  if (!isJsonObject(value)) return { agent: standard };
  const sourceAt = (): null => null;
  const { agent } = value;
  const compiled =
    agent === undefined ? standard : compileAgent(agent, { path: ['agent'], root, sourceAt }, problems);
  const context = { path: ['grader_files'], root, sourceAt };
  return {
    agent: compiled ?? standard,
    ...compileGraderFiles(value['grader_files'], context, problems),
  };
}

/** Trials a fixture gets, and what it asked for where that is something else. */
function trialsOf(repeat: number): Pick<Case, 'trials' | 'requestedTrials'> {
  const trials = Math.min(Math.max(repeat, 1), MOST_TRIALS);
  return trials === repeat ? { trials } : { trials, requestedTrials: repeat };
}

/**
 * Turns a parsed fixture file into a case, or says everything that is wrong with it.
 * @param path absolute path of the file; paths in its assertions are resolved against its directory
 */
export function admitTrace(written: PositionedDocument, path: string): AdmittedCase {
  const roles = resolveToolRoles(written.value);
  const document = withValue(written, roles.value);
  const parsed = traceFixtureSchema.safeParse(document.value);
  const assertions = traceAssertions(document, dirname(path));
  const rules = [...traceRules(document.value), ...roles.problems, ...assertions.problems];
  const apart = compileApart(document.value, dirname(path), rules);
  if (!parsed.success || rules.length > 0) {
    const faults: RuleProblem[] = parsed.success
      ? rules
      : [
          ...schemaProblems(parsed.error, traceFixtureSchema, document.value).filter(
            (problem) => !COMPILED_APART.has(problem.path[0]),
          ),
          ...rules,
        ];
    return {
      ok: false,
      id: writtenIdentity(document.value),
      problems: withoutEchoes(faults).map((fault) => placeProblem(document, fault)),
    };
  }
  return { ok: true, case: caseOf(parsed.data, document, path, apart, assertions.checks) };
}

/** The identity of a fixture with other faults; null when it has none that could be used. */
function writtenIdentity(value: JsonValue): string | null {
  if (!isJsonObject(value)) return null;
  const { id = null, model_name: name } = value;
  const identity = id ?? name;
  return typeof identity === 'string' && identity !== '' ? identity : null;
}

/** The document with another value in the same places. */
function withValue(document: PositionedDocument, value: JsonValue): PositionedDocument {
  if (value === document.value) return document;
  return { file: document.file, value, locate: (path, target) => document.locate(path, target) };
}

/** Written as one literal with its rare parts added after: a suite may have a hundred thousand of these. */
function caseOf(
  fixture: TraceFixture,
  document: PositionedDocument,
  path: string,
  apart: CompiledApart,
  assertions: readonly CheckSpec[],
): Case {
  const checks = traceChecks(fixture);
  const admitted: Case = {
    id: fixture.id ?? fixture.model_name,
    source: { file: document.file, name: basename(path), line: 1 },
    hash: traceHash(identifiedFixture(fixture, apart.graderFiles, dirname(path))),
    turns: fixture.turns.map(caseTurn),
    checks: assertions.length === 0 ? checks : [...checks, ...assertions],
    scoring: { rule: 'all' },
    agent: apart.agent,
    systemPrompt: null,
    setupFiles: fixture.setup?.workspace_files ?? {},
    tools: fixture.tools,
    trials: 1,
    cluster: fixture.cluster,
    tags: fixture.tags ?? [],
    negative: false,
    allowEmpty: false,
    owner: fixture.owner ?? null,
    expectedFailing: false,
    variables: null,
  };
  Object.assign(admitted, trialsOf(fixture.repeat), traceCuration(fixture));
  if (fixture.agent !== undefined) Object.assign(admitted, caseScript(fixture));
  if (apart.graderFiles !== undefined) admitted.graderFiles = apart.graderFiles;
  return fixture.limits === undefined ? admitted : Object.assign(admitted, mergeLimits(fixture.limits));
}

/** A misspelt family also makes the case look empty: where a nested key is at fault, say only that. */
function withoutEchoes(faults: readonly RuleProblem[]): RuleProblem[] {
  const misspelt = faults.some((fault) => fault.message === 'unknown key' && fault.path.length > 1);
  return faults.filter(
    (fault) => !(misspelt && fault.message.startsWith('the case has no check that can fail')),
  );
}

/** The value of a fixture with its defaults filled in, for tools that rewrite fixtures; null when it is not one. */
export function parseTraceFixture(value: JsonValue): TraceFixture | null {
  const parsed = traceFixtureSchema.safeParse(value);
  return parsed.success ? parsed.data : null;
}
