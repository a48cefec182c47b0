import type { CaseResult, Check, ErrorKind, RunSummary, TrialResult, TrialStatus } from '../core/index.js';
import { addErrors, caseError, inOrder, representative, suspicion, wasNotRun } from './case-facts.js';
import { clipLines, headAndTail } from './clip-text.js';
import type { ReportLimits } from './limits.js';
import { repeatFacts, type RepeatFacts } from './repeat-facts.js';
import { RepeatedRate } from './repeated-rate.js';
import { UnitMeans } from './unit-means.js';

/** One check as a report shows it. */
export interface CheckBrief extends Pick<Check, 'label' | 'outcome' | 'weight' | 'required' | 'diagnostic'> {
  /** Cut to size, as lines. */
  evidence: readonly string[];
}

/** A trial that needs a look. */
export interface TrialBrief {
  trial: number;
  status: TrialStatus;
  score: number | null;
  /** Why it could not be scored, cut to size, as lines. */
  error: { kind: ErrorKind; lines: readonly string[] } | null;
  /** Checks that were not passed, up to the limit. */
  missed: CheckBrief[];
  /** How many more were not passed. */
  more: number;
}

/** A case as a report shows it. */
export interface CaseBrief {
  result: CaseResult;
  notRun: boolean;
  /** Why it could not be scored, or not in full; null when it was. */
  error: { kind: ErrorKind | null; lines: readonly string[] } | null;
  /** Passed and made checks of the trial that stands for the case. */
  passedChecks: number;
  totalChecks: number;
  /** The trial that stands for the case. */
  shown: TrialBrief | null;
  /** Trials that failed, could not be scored or missed a diagnostic, up to the limit. */
  trials: TrialBrief[];
  /** How many more there are. */
  moreTrials: number;
  /** Null when the case was not repeated. */
  repeat: RepeatFacts | null;
}

/** True unless a case simply passed. */
function needsLook(result: CaseResult): boolean {
  return result.outcome !== 'passed' || result.expectedFailing;
}

/** Names kept of an unbounded list, and how many there were. */
export class NameList {
  readonly #limit: number;
  readonly names: string[] = [];
  count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(name: string): void {
    this.count += 1;
    if (this.names.length < this.#limit) this.names.push(name);
  }
}

/**
 * What a report for people needs of one suite: a bounded number of cases in full, and counts of everything. Its size
 * does not depend on the number of cases, but for one number a case for the intervals.
 */
export class SuiteTally {
  readonly suite: string;
  readonly #briefs: CaseBrief[] = [];
  /** The different numbers of trials that cases were planned to have. */
  readonly trialsEach = new Set<number>();
  readonly errors = new Map<string, number>();
  readonly repeated = new RepeatedRate();
  readonly scores = new UnitMeans();
  readonly passHatK = new UnitMeans();
  readonly passAtK = new UnitMeans();
  readonly unexpectedPasses: NameList;
  readonly suspects: NameList;
  readonly lowSignal: NameList;
  readonly #hidden = { passed: 0, failed: 0, errored: 0, notRun: 0 };
  seen = 0;
  negative = 0;
  curtailed = 0;
  expectedFailures = 0;
  readonly #limits: ReportLimits;
  readonly #quiet: boolean;
  #listed = 0;
  #troubles = 0;

  constructor(suite: string, limits: ReportLimits, quiet: boolean) {
    this.suite = suite;
    this.#limits = limits;
    this.#quiet = quiet;
    this.unexpectedPasses = new NameList(limits.failures);
    this.suspects = new NameList(limits.failures);
    this.lowSignal = new NameList(limits.failures);
  }

  /** How much is shown. */
  get limits(): Readonly<ReportLimits> {
    return this.#limits;
  }

  /** Cases to show in full, in suite order. A large suite shows none of those that simply passed. */
  get cases(): readonly CaseBrief[] {
    return this.#listsPassed() ? this.#briefs : this.#briefs.filter((brief) => needsLook(brief.result));
  }

  /** How many cases are not shown, by what they came to. */
  get hidden(): { passed: number; failed: number; errored: number; notRun: number } {
    return { ...this.#hidden, passed: this.#hidden.passed + (this.#listsPassed() ? 0 : this.#listed) };
  }

  #listsPassed(): boolean {
    return this.seen <= this.#limits.listedCases;
  }

  add(result: CaseResult, unordered: readonly TrialResult[]): void {
    this.#count(result);
    const notRun = wasNotRun(result);
    const trials = inOrder(unordered);
    if (!needsLook(result)) {
      if (!this.#quiet && this.seen <= this.#limits.listedCases) {
        this.#listed += 1;
        this.#briefs.push(this.#brief(result, trials, notRun));
      } else this.#hidden.passed += 1;
      return;
    }
    if (this.#troubles < this.#limits.failures) {
      this.#troubles += 1;
      this.#briefs.push(this.#brief(result, trials, notRun));
    } else if (notRun) this.#hidden.notRun += 1;
    else if (result.outcome === 'error') this.#hidden.errored += 1;
    else if (result.outcome === 'failed') this.#hidden.failed += 1;
    else this.#hidden.passed += 1;
  }

  #count(result: CaseResult): void {
    this.seen += 1;
    if (result.negative) this.negative += 1;
    if (result.curtailed) this.curtailed += 1;
    if (result.expectedFailing && result.outcome === 'passed') this.unexpectedPasses.add(result.id);
    if (result.expectedFailing && result.outcome === 'failed') this.expectedFailures += 1;
    addErrors(this.errors, result);
    const doubt = suspicion(result);
    if (doubt === 'suspect') this.suspects.add(result.id);
    if (doubt === 'low-signal') this.lowSignal.add(result.id);
    this.repeated.add(result);
    this.trialsEach.add(result.planned);
    // The suite's means leave out what cannot decide its gate; their intervals must speak of the same cases.
    if (result.expectedFailing && result.outcome !== 'error') return;
    const complete = result.scored >= result.planned || result.curtailed;
    if (complete) this.scores.add(result.meanScore, result.cluster);
    this.passHatK.add(result.passHatK, result.cluster);
    this.passAtK.add(result.passAtK, result.cluster);
  }

  #brief(result: CaseResult, trials: readonly TrialResult[], notRun: boolean): CaseBrief {
    const shown = representative(trials);
    const needing = trials.filter(
      (trial) => trial.status !== 'passed' || trial.checks.some((check) => check.outcome !== 'pass'),
    );
    const error = caseError(result, trials);
    return {
      result,
      notRun,
      error:
        error === null
          ? null
          : {
              kind: trials.find((trial) => trial.error !== null)?.error?.kind ?? null,
              lines: this.#lines(error),
            },
      passedChecks: shown?.checks.filter((check) => check.outcome === 'pass').length ?? 0,
      totalChecks: shown?.checks.length ?? 0,
      shown: shown === undefined ? null : this.#trial(shown),
      trials: needing.slice(0, this.#limits.trials).map((trial) => this.#trial(trial)),
      moreTrials: Math.max(0, needing.length - this.#limits.trials),
      repeat: trials.length > 1 ? repeatFacts(result, trials) : null,
    };
  }

  #lines(text: string): string[] {
    const { evidenceLines, evidenceCharacters } = this.#limits;
    return clipLines(text, { lines: evidenceLines, characters: evidenceCharacters });
  }

  #trial(trial: TrialResult): TrialBrief {
    const missed = trial.checks.filter((check) => check.outcome !== 'pass');
    return {
      trial: trial.trial,
      status: trial.status,
      score: trial.score,
      error:
        trial.error === null ? null : { kind: trial.error.kind, lines: this.#lines(trial.error.message) },
      missed: missed.slice(0, this.#limits.checks).map((check) => ({
        label: headAndTail(check.label, this.#limits.evidenceCharacters),
        outcome: check.outcome,
        weight: check.weight,
        required: check.required,
        diagnostic: check.diagnostic,
        evidence: this.#lines(check.evidence),
      })),
      more: Math.max(0, missed.length - this.#limits.checks),
    };
  }
}

/** Where a reader finds the rest of a run: its id, or null when nothing was stored. */
export function storedRun(summary: RunSummary): string | null {
  return summary.directory === null ? null : summary.runId;
}
