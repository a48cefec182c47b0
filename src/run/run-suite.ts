import { setImmediate } from 'node:timers/promises';
import {
  assayVersion,
  plural,
  systemSource,
  type CaseResult,
  type RunSummary,
  type TrialResult,
} from '../core/index.js';
import { hashSeed, seededRandom } from '../stats/index.js';
import type { Case } from '../suite/index.js';
import { BudgetMeter } from './budget.js';
import { canCurtail, CriteriaTally, withCriteria } from './criteria.js';
import { decidedCase } from './decided-case.js';
import { addCase, decideGate, decideRuledGate, emptyTotals, type GateVerdict } from './gate.js';
import { MetricTally } from './metrics.js';
import type { ReadyOptions, RunOptions } from './options.js';
import { createRunReport, type RunReport } from './run-report.js';
import { RunTotals } from './run-totals.js';
import { isMissed, plannedTrials, startProgress, unitsOf, type Progress } from './progress.js';
import { runTrial } from './run-trial.js';
import { blocksOf, runPool, shuffled } from './schedule.js';
import { decide, type StoppingRule } from './stopping-rule.js';
import { tallyCase } from './tally.js';
import { TrialsNotes } from './trials-note.js';
import { UnstoredTrials } from './unstored.js';

/** Cases that are scheduled together: enough to mix the order of trials, few enough to keep memory flat. */
const BLOCK = 256;
/** Trials that may wait for the disk before new ones are started. */
const MOST_UNSTORED = 1024;
const DEFAULT_CONCURRENCY = 8;
/** Cases between two looks at a budget. */
const BUDGET_BLOCK = 8;

/** State of one run of one suite. */
class SuiteRun {
  private readonly options: ReadyOptions;
  private readonly totals = emptyTotals();
  private readonly criteria: CriteriaTally;
  private readonly metrics = new MetricTally();
  private readonly curtails: boolean;
  private readonly cases: CaseResult[] = [];
  private readonly unstored = new UnstoredTrials();
  private readonly sums = new RunTotals();
  private readonly notes: TrialsNotes;
  private halted = false;
  /** Trials that were run twice and recorded the same. */
  private repeated = 0;
  private readonly meter: BudgetMeter | null;
  /** Null in a replay, which cannot differ from itself. */
  private readonly rule: StoppingRule | null;

  constructor(options: ReadyOptions) {
    this.options = options;
    this.notes = new TrialsNotes(options.note ?? (() => undefined), options.agents.mode === 'replay');
    this.meter = options.budget === undefined ? null : new BudgetMeter(options.budget);
    this.rule = options.agents.mode === 'replay' ? null : (options.rule ?? null);
    this.criteria = new CriteriaTally(options.suite.criteria);
    this.curtails = options.curtail === true && canCurtail(options.suite);
  }

  async run(): Promise<RunReport> {
    const { options } = this;
    const { suite, source, agents } = options;
    const runId = options.runId ?? source.id('run');
    const seed = options.seed ?? hashSeed(runId);
    const startedAt = new Date(source.now()).toISOString();
    const random = seededRandom(seed);
    options.onEvent?.({
      type: 'run-start',
      suite: suite.name,
      cases: options.selectedCases ?? suite.cases.length,
      trials: plannedTrials(this.options, null),
      directory: options.directory ?? null,
    });
    for (const block of this.blocks(random)) {
      if (this.stopped() || this.isEnough()) {
        this.totals.notRun += block.length;
        for (const tested of block) this.criteria.addMissing(tested);
        continue;
      }
      await this.runBlock(block, agents.deterministic ? null : random);
      // Where nothing has to be waited for, signals and timers would not be looked at before the end.
      await setImmediate();
    }
    await this.unstored.settle();
    this.notes.finish();
    if (options.verifyDeterminism === true) {
      const same = this.repeated === 0 ? '' : ', with the same recording';
      options.note?.(`determinism: ${plural(this.repeated, 'trial')} run twice${same}`);
    }
    const interrupted = options.stop?.aborted === true;
    const criteria = this.criteria.results();
    const metrics = this.metrics.results();
    const gate =
      this.rule === null
        ? decideGate(suite, this.totals, interrupted)
        : decideRuledGate(this.totals, interrupted);
    const verdict = withCriteria(gate, criteria);
    const { totals } = this;
    const mean = (sum: number, count: number): number | null => (count === 0 ? null : sum / count);
    const summary: RunSummary = {
      runId,
      suite: suite.name,
      suitePath: suite.displayPath,
      format: suite.format,
      kind: suite.kind,
      mode: agents.mode,
      gate: suite.gate,
      threshold: suite.passThreshold,
      outcome: verdict.outcome,
      reason: this.reasonOf(verdict),
      trials: plannedTrials(this.options, null),
      score: mean(totals.scoreSum, totals.scoreCases),
      passAtK: mean(totals.passAtSum, totals.passAtCases),
      passHatK: mean(totals.passHatSum, totals.passHatCases),
      ...(criteria === null ? {} : { criteria }),
      ...(metrics === null ? {} : { metrics }),
      totals: {
        cases: totals.cases + totals.notRun,
        passed: totals.passed,
        failed: totals.failed,
        errored: totals.errored,
        notRun: totals.notRun,
        ...this.sums.counts,
      },
      ...this.sums.usage,
      agentModel: agents.modelRef,
      judgeModel: options.judgeRef ?? null,
      ...(options.simulatorRef === undefined || options.simulatorRef === null
        ? {}
        : { simulatorModel: options.simulatorRef }),
      seed,
      startedAt,
      finishedAt: new Date(source.now()).toISOString(),
      interrupted,
      assayVersion: assayVersion(),
      git: options.git ?? null,
      directory: options.directory ?? null,
    };
    options.onEvent?.({ type: 'run-end', summary });
    return createRunReport(summary, this.cases);
  }

  /** Why the outcome is what it is; a run that had to stop spending says so. */
  private reasonOf(verdict: GateVerdict): string {
    const exhausted = verdict.outcome === 'passed' ? null : (this.options.exhausted?.() ?? null);
    return exhausted === null ? verdict.reason : `${verdict.reason}; ${exhausted}`;
  }

  private *selected(): Iterable<Case> {
    const { suite, select } = this.options;
    for (const tested of suite.cases) if (select === undefined || select(tested)) yield tested;
  }

  private blocks(random: () => number): Iterable<readonly Case[]> {
    const { blocks } = this.options;
    if (blocks !== undefined) return blocks;
    if (this.meter === null) return blocksOf(this.selected(), BLOCK);
    // A run that its budget ends must be a random sample of its suite.
    return blocksOf(shuffled([...this.selected()], random), BUDGET_BLOCK);
  }

  private isEnough(): boolean {
    return (this.meter !== null && this.meter.state() !== 'within') || this.options.enough?.() === true;
  }

  /** A deterministic run that stops at the first failure must always stop at the same case. */
  private concurrency(): number {
    const { agents, concurrency, failFast } = this.options;
    return failFast === true && agents.deterministic ? 1 : (concurrency ?? DEFAULT_CONCURRENCY);
  }

  private stopped(): boolean {
    return this.halted || this.unstored.failed || this.options.stop?.aborted === true;
  }

  private async runBlock(block: readonly Case[], random: (() => number) | null): Promise<void> {
    const progress = block.map((tested) => {
      const entry = startProgress(this.options, tested);
      this.notes.look(tested, entry.planned);
      return entry;
    });
    const units = unitsOf(progress);
    let emitted = 0;
    // Results leave in suite order, however the trials finished.
    const emitReady = (): void => {
      for (let next = progress[emitted]; next !== undefined && next.open === 0; next = progress[emitted]) {
        this.emitCase(next);
        emitted += 1;
      }
    };
    if (this.rule !== null || this.curtails) {
      const order = random === null ? progress : shuffled(progress, random);
      await runPool(order, this.concurrency(), (entry) => this.runCase(entry, emitReady));
      await this.unstored.settle();
      emitReady();
      return;
    }
    await runPool(random === null ? units : shuffled(units, random), this.concurrency(), (unit) => {
      const entry = progress[unit.position];
      if (entry === undefined) return undefined;
      if (!this.stopped()) return this.runUnit(entry, unit.trial, emitReady);
      entry.open -= 1;
      emitReady();
      return undefined;
    });
    await this.unstored.settle();
    emitReady();
  }

  /** The trials of one case, one after another: whether the next one starts depends on all before it. */
  private async runCase(entry: Progress, emitReady: () => void): Promise<void> {
    const progress = { passed: 0, failed: 0 };
    for (let trial = 1; trial <= entry.planned; trial += 1) {
      const decided = this.rule === null ? entry.curtailed : decide(this.rule, progress) === 'stop';
      if (this.stopped() || decided) break;
      await this.runUnit(entry, trial, emitReady);
      const result = entry.trials[trial - 1];
      if (result?.status === 'passed') progress.passed += 1;
      else if (result?.status === 'failed') progress.failed += 1;
    }
    entry.open = 0;
    emitReady();
  }

  /** One trial; what is over at once makes no promise. */
  private runUnit(entry: Progress, trial: number, emitReady: () => void): Promise<void> | undefined {
    const { options } = this;
    const earlier = options.reuse?.(entry.tested, trial) ?? null;
    if (earlier !== null) {
      this.count(entry, earlier, true, emitReady);
      return undefined;
    }
    if ((options.exhausted?.() ?? null) !== null) {
      entry.open -= 1;
      emitReady();
      return undefined;
    }
    const running = runTrial(options, entry.tested, trial);
    if (!(running instanceof Promise)) return this.store(entry, running, emitReady);
    return running.then((result) => this.store(entry, result, emitReady));
  }

  /** Counts a finished trial, but only once it is on disk; the next trial need not wait for that. */
  private store(entry: Progress, result: TrialResult, emitReady: () => void): Promise<void> | undefined {
    const { options } = this;
    if (options.verifyDeterminism === true && result.status !== 'error') this.repeated += 1;
    if (options.sink === undefined || options.sink === null) {
      this.count(entry, result, false, emitReady);
      return undefined;
    }
    this.unstored.add(options.sink.append(result), () => this.count(entry, result, false, emitReady));
    // What may end the run or the case must be known before the next trial starts.
    const decisive = options.failFast === true || this.curtails || this.rule !== null;
    if (!decisive && this.unstored.size < MOST_UNSTORED) return undefined;
    // A flush that fails is told by the trials it was for.
    options.sink.flush?.().catch(() => undefined);
    return this.unstored.settle();
  }

  private count(entry: Progress, result: TrialResult, reused: boolean, emitReady: () => void): void {
    const { options } = this;
    entry.trials[result.trial - 1] = result;
    entry.open -= 1;
    if (this.curtails && result.status === 'failed' && entry.planned > 1) entry.curtailed = true;
    if (options.failFast === true && isMissed(entry)) this.halted = true;
    this.sums.addTrial(reused);
    options.onEvent?.({ type: 'trial-end', trial: result, reused });
    emitReady();
  }

  private emitCase(entry: Progress): void {
    const trials = entry.trials.filter((trial) => trial !== undefined);
    if (trials.length === 0) {
      this.totals.notRun += 1;
      this.criteria.addMissing(entry.tested);
      return;
    }
    const tallied = tallyCase(
      entry.tested,
      entry.planned,
      trials,
      entry.curtailed && trials.length < entry.planned,
    );
    const result = this.rule === null ? tallied : decidedCase(tallied, this.rule);
    this.meter?.add(trials);
    addCase(this.totals, result);
    this.criteria.add(entry.tested, result);
    this.metrics.add(result);
    this.sums.addCase(result, trials);
    if (this.options.failFast === true && result.outcome !== 'passed' && !result.expectedFailing)
      this.halted = true;
    if (this.options.keepCases !== false) this.cases.push(result);
    this.options.onEvent?.({ type: 'case-end', result, trials });
  }
}

/**
 * Runs the selected cases of a suite, in any mode. Results come in suite order; a finished trial is on disk before it
 * is counted.
 * @throws what the sink throws: a trial that cannot be stored ends the run; RangeError for a time limit that is not
 * above 0, with which every turn would look like a fault of its agent
 */
export async function runSuite(options: RunOptions): Promise<RunReport> {
  const { turnTimeoutMs } = options;
  if (typeof turnTimeoutMs === 'number' && !(turnTimeoutMs > 0)) {
    throw new RangeError(`turnTimeoutMs must be above 0, not ${turnTimeoutMs}`);
  }
  return new SuiteRun({ ...options, source: options.source ?? systemSource() }).run();
}
