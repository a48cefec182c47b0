import { formatKeyPath, isJsonObject, type CheckSpec, type JsonValue, type KeyPath } from '../core/index.js';
import { caseHeadSchema, templateHeadSchema, type CaseHead } from './assertion-suite-schema.js';
import { asWritten } from './assertion-text.js';
import { assertionUnit, withDistinctLabels, type AssertionUnit, type KnownNames } from './assertion-unit.js';
import type { AgentSpec, Case, CaseScenario, CaseSource, GraderFiles, Scoring } from './case.js';
import { caseHash, checkHashText, fixedHashText } from './case-hash.js';
import { assertionLists, caseAgent, countTurns, headRules, type SuiteFrame } from './case-rules.js';
import { CaseTexts, type FilledTexts } from './case-texts.js';
import { CaseCuration } from './curation.js';
import type { RuleProblem } from './document.js';
import { compileGraderFiles } from './grader-files.js';
import { criteriaUnits } from './scenario-checks.js';
import { ScenarioTexts } from './scenario.js';
import { describeValue, schemaProblems } from './schema-problems.js';
import type { Variables } from './template.js';
import { mergeLimits } from './trial-limits.js';

/** A case for one set of variables, or what is wrong with it. */
export type MadeCase = { ok: true; case: Case } | { ok: false; problems: RuleProblem[] };

/** Everything about a case that does not depend on its variables. */
interface Prepared {
  head: CaseHead;
  texts: CaseTexts;
  scenario: ScenarioTexts | null;
  curation: CaseCuration | null;
  agent: AgentSpec;
  files: { graderFiles?: GraderFiles };
  limits: Pick<Case, 'limits'>;
  scoring: Scoring;
  /** What this contributes to the hash of every case. */
  hashText: string;
}

/** A case in pieces. */
interface Parts {
  prepared: Prepared;
  texts: FilledTexts;
  scenario: CaseScenario | null;
  checks: readonly CheckSpec[];
}

/**
 * A case as written, checked once; cases are made from it for one set of variables or for many. What holds no
 * placeholder is compiled once and shared.
 */
export class CaseTemplate {
  /** What is wrong with it whatever the variables are. */
  readonly problems: readonly RuleProblem[];
  /** Names of the variables it uses. */
  readonly names: ReadonlySet<string>;
  /** Names that stand inside a longer text or where only text can stand, where null has no meaning. */
  readonly textNames: ReadonlySet<string>;
  private readonly path: KeyPath;
  private readonly frame: SuiteFrame;
  private readonly prepared: Prepared | null;
  private readonly units: (AssertionUnit | null)[];
  /** The last check of each unit and its text: rows often share their checks, and fixed ones are always the same. */
  private readonly hashTexts: { check: CheckSpec; text: string }[] = [];

  constructor(raw: JsonValue, path: KeyPath, frame: SuiteFrame, known: KnownNames, fromRows: boolean) {
    const problems: RuleProblem[] = [];
    this.path = path;
    this.frame = frame;
    this.prepared = prepare(
      raw,
      path,
      frame,
      known,
      fromRows ? templateHeadSchema : caseHeadSchema,
      problems,
    );
    const { prepared } = this;
    this.units = assertionLists(raw, path).flatMap((list) =>
      list.values.map((value, index) => {
        const place = {
          path: [...list.path, index],
          key: formatKeyPath([...list.path, index]),
          turn: list.turn,
          turnCount: countTurns(raw),
          // When the case itself is at fault its assertions are judged by the laxer rule.
          allowEmpty: prepared?.head.allow_empty ?? true,
          root: frame.root,
          goldenFilesMayBeMissing: frame.goldenFilesMayBeMissing,
          sourceAt: frame.sourceAt,
        };
        return assertionUnit(value, place, known, problems);
      }),
    );
    this.units.push(
      ...criteriaUnits(
        raw,
        path,
        {
          turnCount: countTurns(raw),
          allowEmpty: prepared?.head.allow_empty ?? true,
          root: frame.root,
          goldenFilesMayBeMissing: frame.goldenFilesMayBeMissing,
          sourceAt: frame.sourceAt,
        },
        known,
        problems,
      ),
    );
    const placeholders = this.units.flatMap((unit) => unit?.placeholders ?? []);
    const inTexts = [
      ...(prepared?.texts.placeholders ?? []),
      ...(prepared?.scenario?.placeholders ?? []),
      ...(prepared?.curation?.placeholders ?? []),
    ];
    this.names = new Set([...placeholders, ...inTexts].map(({ name }) => name));
    this.textNames = new Set(
      [...placeholders.filter(({ sole }) => !sole), ...inTexts].map(({ name }) => name),
    );
    const fixed = this.units.flatMap((unit) => unit?.fixed ?? []);
    if (fixed.length === this.units.length) this.ruleOfWeights(fixed, problems);
    this.problems = problems;
  }

  /** The case for these variables. `fallbackId` names it when it has no id of its own. */
  make(variables: Variables, source: CaseSource, fallbackId: string): MadeCase {
    const problems: RuleProblem[] = [];
    const parts = this.fill(variables, problems);
    if (parts === null) return { ok: false, problems };
    return { ok: true, case: this.assemble(parts, source, fallbackId, variables) };
  }

  /** The id of the case that `make` would make, without making it; null after noting what is wrong. */
  check(variables: Variables, fallbackId: string, problems: RuleProblem[]): string | null {
    const parts = this.fill(variables, problems);
    return parts === null ? null : (parts.texts.id ?? fallbackId);
  }

  /** An empty answer may pass its cases. */
  get allowEmpty(): boolean {
    return this.prepared?.head.allow_empty ?? false;
  }

  private fill(variables: Variables, problems: RuleProblem[]): Parts | null {
    const { prepared } = this;
    const before = problems.length;
    const texts = prepared?.texts.fill(variables, problems) ?? null;
    const scenario = prepared?.scenario?.fill(variables, texts?.id ?? null, problems) ?? null;
    const checks: CheckSpec[] = [];
    let templated = false;
    for (const unit of this.units) {
      if (unit === null) continue;
      if (unit.fixed === null) templated = true;
      const check = unit.fixed ?? unit.make(variables, problems);
      if (check !== null) checks.push(check);
    }
    if (templated && checks.length === this.units.length) this.ruleOfWeights(checks, problems);
    if (prepared === null || texts === null || problems.length > before || this.problems.length > 0)
      return null;
    return { prepared, texts, scenario, checks };
  }

  /** A case whose weights add to nothing, or that any score passes, could not fail. */
  private ruleOfWeights(checks: readonly CheckSpec[], problems: RuleProblem[]): void {
    if (checks.length === 0) return;
    const total = checks.reduce((sum, check) => sum + check.weight, 0);
    if (total === 0) {
      problems.push({
        path: [...this.path, 'assert'],
        message: 'the weights add to 0, so the case asserts nothing',
        fix: 'give one assertion a weight above 0',
      });
    }
    if (this.prepared?.head.threshold === 0 && !checks.some((check) => check.required)) {
      problems.push({
        path: [...this.path, 'threshold'],
        message: 'every score reaches a threshold of 0, so the case cannot fail',
        fix: 'write a threshold above 0, or required: true at an assertion',
      });
    }
  }

  private assemble(parts: Parts, source: CaseSource, fallbackId: string, variables: Variables): Case {
    const { frame } = this;
    const { prepared, texts, scenario, checks } = parts;
    const { head, agent } = prepared;
    const id = texts.id ?? fallbackId;
    return {
      id,
      source,
      hash: caseHash(
        id,
        texts,
        checks.map((check, index) => this.hashText(check, index)),
        prepared.hashText,
        scenario,
      ),
      turns: (scenario?.words ?? texts.prompts).map((user) => ({ user: user ?? '', steps: null })),
      ...(scenario === null ? {} : { scenario }),
      checks: withDistinctLabels(checks),
      scoring: prepared.scoring,
      agent,
      ...prepared.files,
      ...prepared.limits,
      systemPrompt: texts.systemPrompt,
      setupFiles: texts.setupFiles,
      tools: head.tools ?? null,
      trials: head.trials ?? frame.trials,
      cluster: texts.cluster,
      tags: texts.tags.length === 0 ? [...frame.tags] : [...new Set([...frame.tags, ...texts.tags])],
      negative: head.negative,
      allowEmpty: head.allow_empty,
      owner: texts.owner ?? frame.owner,
      expectedFailing: head.expected === 'failing',
      variables: this.usedVariables(variables),
      ...(prepared.curation === null ? {} : { curation: prepared.curation.fill(variables) }),
    };
  }

  private hashText(check: CheckSpec, index: number): string {
    const held = this.hashTexts[index];
    if (held?.check === check) return held.text;
    const text = checkHashText(check, this.frame.root.directory);
    this.hashTexts[index] = { check, text };
    return text;
  }

  private usedVariables(variables: Variables): { [name: string]: JsonValue } | null {
    if (this.names.size === 0) return null;
    const used: { [name: string]: JsonValue } = {};
    for (const name of this.names) used[name] = variables.value(name) ?? null;
    return used;
  }
}

function prepare(
  raw: JsonValue,
  path: KeyPath,
  frame: SuiteFrame,
  known: KnownNames,
  schema: typeof caseHeadSchema | typeof templateHeadSchema,
  problems: RuleProblem[],
): Prepared | null {
  if (!isJsonObject(raw)) {
    problems.push({
      path,
      message: `must be an object, not ${describeValue(raw)}`,
      fix: 'write a case with id, prompt and assert',
    });
    return null;
  }
  const written = asWritten(schema, raw, path, frame.sourceAt);
  const parsed = schema.safeParse(written);
  if (!parsed.success) {
    problems.push(...schemaProblems(parsed.error, schema, written, path));
    return null;
  }
  const head = parsed.data;
  problems.push(...headRules(head, path));
  const names = { known, systemPrompt: frame.systemPrompt };
  const texts = new CaseTexts(head, path, names, problems);
  const scenario =
    head.scenario === undefined
      ? null
      : new ScenarioTexts(
          head.scenario,
          { path: [...path, 'scenario'], root: frame.root, known, recordingAgain: frame.recordingAgain },
          problems,
        );
  const turns = { count: countTurns(raw), atMost: scenario !== null };
  const curation = CaseCuration.of(head, { path, turns, root: frame.root, known }, problems);
  const agent = caseAgent(head, frame, path, problems);
  const scoring: Scoring = { rule: 'weighted', threshold: head.threshold ?? frame.passThreshold };
  const files = compileGraderFiles(
    head.grader_files,
    { path: [...path, 'grader_files'], root: frame.root, sourceAt: frame.sourceAt },
    problems,
  );
  const limits = mergeLimits(frame.limits, head.limits);
  const hashText = fixedHashText(
    { agent, scoring, tools: head.tools ?? null, allowEmpty: head.allow_empty, ...files, ...limits },
    frame.root.directory,
  );
  return { head, texts, scenario, curation, agent, files, limits, scoring, hashText };
}
