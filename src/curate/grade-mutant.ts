import { finalText, type Check, type CheckSpec, type Recording } from '../core/index.js';
import { gradeChecks, gradeRecording, verdictOf, type GradeContext } from '../grade/index.js';
import type { Case } from '../suite/index.js';
import { facetsOf } from './graded-facts.js';
import type { Facet } from './mutant.js';

/** Checks that start a program. */
const STARTED: ReadonlySet<string> = new Set(['command', 'program']);

/** True for a check that only a model can decide. */
export function isJudged(check: CheckSpec): boolean {
  return check.category === 'judge';
}

/** What became of a recording. */
export interface MutantVerdict {
  /** The case would not pass. */
  caught: boolean;
  /** Labels of the gating checks that did not pass. */
  failed: string[];
}

/** A check that was not asked, taken as passed: what it would say is not known. */
function assumed(spec: CheckSpec): Check {
  return {
    label: spec.label,
    type: spec.negated ? `not-${spec.type}` : spec.type,
    outcome: 'pass',
    score: 1,
    weight: spec.weight,
    category: spec.category,
    diagnostic: spec.diagnostic,
    required: spec.required,
    evidence: 'not asked',
  };
}

/**
 * Grades variants of one recording of a case. A check is asked again only when it reads what a variant changes; checks
 * that start a program or ask a judge only when everything else lets the variant pass.
 */
export class VariantGrader {
  private readonly tested: Case;
  private readonly judge: GradeContext['judge'];
  private readonly direct: readonly number[];
  private readonly late: readonly number[];
  private readonly reads: readonly (readonly Facet[])[];
  private before: Check[] = [];

  constructor(tested: Case, judge?: GradeContext['judge']) {
    this.tested = tested;
    this.judge = judge;
    const all = [...tested.checks.keys()];
    const isLate = (index: number): boolean => {
      const spec = tested.checks[index];
      return spec !== undefined && (STARTED.has(spec.type) || isJudged(spec));
    };
    this.direct = all.filter((index) => !isLate(index));
    this.late = all.filter(isLate).filter((index) => this.isAsked(index));
    this.reads = tested.checks.map(facetsOf);
  }

  /** Grades the recording itself, to which variants are compared. Gives the gating checks that do not pass. */
  async original(recording: Recording): Promise<{ passed: boolean; failed: Check[] }> {
    const checks = this.tested.checks.map(assumed);
    this.place(checks, this.direct, this.ask(this.direct, recording));
    this.place(checks, this.late, await this.askLate(this.late, recording));
    this.before = checks;
    const failed = checks.filter((check) => !check.diagnostic && check.outcome !== 'pass');
    return { passed: verdictOf(checks, this.tested.scoring).passed, failed };
  }

  /** What the checks that can be graded at once make of a variant that changes one facet. */
  quick(recording: Recording, facet: Facet): MutantVerdict {
    const checks = this.before.map((check, index) => this.emptyJudged(check, index, recording));
    const asked = this.direct.filter((index) => this.reads[index]?.includes(facet) === true);
    this.place(checks, asked, this.ask(asked, recording));
    return this.verdict(checks);
  }

  /** True when a variant of this facet is left for programs or a judge to decide. */
  hasLate(facet: Facet): boolean {
    return this.late.some((index) => this.reads[index]?.includes(facet) === true);
  }

  /** `quick` with programs and the judge asked as well. */
  async thorough(recording: Recording, facet: Facet): Promise<MutantVerdict> {
    const checks = [...this.before];
    const reading = (index: number): boolean => this.reads[index]?.includes(facet) === true;
    const asked = this.direct.filter(reading);
    this.place(checks, asked, this.ask(asked, recording));
    const late = this.late.filter(reading);
    this.place(checks, late, await this.askLate(late, recording));
    return this.verdict(checks);
  }

  /** What other checks say of a recording, in their order. */
  other(specs: readonly CheckSpec[], recording: Recording): Check[] {
    return gradeChecks(specs, recording, this.context()).slice(0, specs.length);
  }

  private isAsked(index: number): boolean {
    const spec = this.tested.checks[index];
    return spec !== undefined && (!isJudged(spec) || (this.judge !== undefined && !spec.diagnostic));
  }

  /** A judge of the text alone is never asked about an empty one: the check fails. */
  private emptyJudged(check: Check, index: number, recording: Recording): Check {
    const spec = this.tested.checks[index];
    if (spec === undefined || !isJudged(spec) || this.tested.allowEmpty) return check;
    if ('includeTranscript' in spec && spec.includeTranscript) return check;
    const text = spec.turn === undefined ? finalText(recording) : (recording.turns[spec.turn]?.text ?? '');
    return text.trim() === '' ? { ...check, outcome: 'fail', score: 0, evidence: 'empty' } : check;
  }

  private context(): GradeContext {
    const context: GradeContext = { emptyText: this.tested.allowEmpty ? 'grade' : 'fail' };
    if (this.judge !== undefined) context.judge = this.judge;
    return context;
  }

  private specs(indexes: readonly number[]): CheckSpec[] {
    return indexes.flatMap((index) => this.tested.checks[index] ?? []);
  }

  private ask(indexes: readonly number[], recording: Recording): Check[] {
    return indexes.length === 0 ? [] : gradeChecks(this.specs(indexes), recording, this.context());
  }

  private async askLate(indexes: readonly number[], recording: Recording): Promise<Check[]> {
    return indexes.length === 0 ? [] : gradeRecording(this.specs(indexes), recording, this.context());
  }

  /** Puts results where their checks stand; a result beyond them is the one of a list without a gating check. */
  private place(checks: Check[], indexes: readonly number[], results: readonly Check[]): void {
    for (const [position, index] of indexes.entries()) {
      const result = results[position];
      if (result !== undefined) checks[index] = result;
    }
  }

  private verdict(checks: readonly Check[]): MutantVerdict {
    return {
      caught: !verdictOf(checks, this.tested.scoring).passed,
      failed: checks
        .filter((check) => !check.diagnostic && check.outcome !== 'pass')
        .map((check) => check.label),
    };
  }
}
