import { resolve } from 'node:path';
import {
  afterRetry,
  BaselineDraft,
  checkBaselineTarget,
  compareCase,
  historyDirectory,
  HistoryDraft,
  isShortLived,
  readBaseline,
  RecordDump,
  withBaseline,
  writeHistory,
  type Baseline,
  type BaselinePolicy,
} from '../baseline/index.js';
import type { LoadedConfig } from '../config/index.js';
import {
  AssayError,
  type CaseComparison,
  type CaseResult,
  type RunEvent,
  type RunSummary,
} from '../core/index.js';
import { caseIds, displayPath, type Suite } from '../suite/index.js';
import type { RunFlags } from './commands/run.js';
import { gitState } from './git-state.js';
import type { SelectedSuite } from './select-cases.js';
import { note } from './streams.js';

/** What a run is held against and what it leaves behind beside its store; decided before anything runs. */
export interface ArtifactPlan {
  baseline: Baseline | null;
  policy: BaselinePolicy;
  write: { path: string; shown: string } | null;
  dumpDirectory: string | null;
  historyDirectory: string | null;
}

function usage(message: string, fix: string): AssayError {
  return new AssayError('USAGE', message, { fix });
}

/** A baseline is of one whole suite. */
function requireOneSuite(flags: RunFlags, suites: readonly SelectedSuite[]): void {
  const option = flags.baseline === undefined ? '--write-baseline' : '--baseline';
  if (suites.length !== 1)
    throw usage(`${option} is for one suite; ${suites.length} are named`, 'name one suite');
  if (flags.stop !== undefined || flags.sequential !== undefined) {
    throw usage(
      `${option} needs every trial of a case, and a stopping rule leaves some out`,
      'leave --stop and --sequential out',
    );
  }
  const [only] = suites;
  if (flags.writeBaseline !== undefined && only?.select !== null) {
    throw usage('--write-baseline needs every case of the suite', 'leave --filter, --case and --tag out');
  }
}

/**
 * Reads the flags on baselines, dumps and history, and the baseline itself.
 * @throws AssayError `USAGE` for flags that do not fit together, `INPUT` for a baseline that is not valid
 */
export function planArtifacts(
  flags: RunFlags,
  loaded: LoadedConfig,
  cwd: string,
  suites: readonly SelectedSuite[],
): ArtifactPlan {
  const { baseline, writeBaseline, dumpRecords, historyDir } = flags;
  const policy = {
    allowUnverifiable: flags.allowUnverifiable === true,
    allowNewFailures: flags.allowNewFailures === true,
  };
  if (baseline === undefined && (policy.allowUnverifiable || policy.allowNewFailures)) {
    const option = policy.allowUnverifiable ? '--allow-unverifiable' : '--allow-new-failures';
    throw usage(`${option} says what a baseline may let pass, and there is none`, 'add --baseline FILE');
  }
  if (baseline !== undefined || writeBaseline !== undefined) requireOneSuite(flags, suites);
  const target = (file: string): { path: string; shown: string } => {
    const path = resolve(cwd, file);
    return { path, shown: displayPath(path, cwd) };
  };
  const write = writeBaseline === undefined ? null : target(writeBaseline);
  if (write !== null) checkBaselineTarget(write.path, write.shown);
  const read = baseline === undefined ? null : target(baseline);
  if (dumpRecords === '') throw usage('--dump-records names no directory', 'write --dump-records DIR');
  const history =
    historyDir === undefined
      ? historyDirectory(loaded.config.eval.history_dir, loaded.root)
      : historyDirectory(historyDir, cwd);
  if (history !== null && isShortLived(history) && flags.quiet !== true) {
    note('history is written to a directory that build tools clear away');
  }
  return {
    baseline: read === null ? null : readBaseline(read.path, read.shown),
    policy,
    write,
    dumpDirectory: dumpRecords === undefined ? null : resolve(cwd, dumpRecords),
    historyDirectory: history,
  };
}

/** What the artifacts of one suite's run are made in. */
export interface ArtifactContext {
  suite: Suite;
  cwd: string;
  /** Regressed cases are worth running once more. */
  live: boolean;
  /** Where events go on to: progress and reports. */
  forward: (event: RunEvent) => void;
}

type CaseEnd = Extract<RunEvent, { type: 'case-end' }>;

/** Baseline, dumps and history of one suite's run, fed with its events. */
export class RunArtifacts {
  readonly #plan: ArtifactPlan;
  readonly #context: ArtifactContext;
  readonly #compared = new Map<string, CaseComparison>();
  readonly #draft: BaselineDraft | null;
  readonly #history: HistoryDraft | null;
  readonly #dump: RecordDump | null;
  /** From the first regression of a live run on: what it is called depends on a second run. */
  readonly #held: CaseEnd[] = [];
  #dumpFailure: unknown = null;

  /** Throws AssayError `STORE` when the directory for dumps cannot be made. */
  constructor(plan: ArtifactPlan, context: ArtifactContext) {
    this.#plan = plan;
    this.#context = context;
    this.#draft = plan.write === null ? null : new BaselineDraft(context.suite.name);
    this.#history = plan.historyDirectory === null ? null : new HistoryDraft();
    this.#dump = plan.dumpDirectory === null ? null : new RecordDump(plan.dumpDirectory);
  }

  /** Takes one event. The end of the run goes on only with `finish`, when it is known what it came to. */
  event(event: RunEvent): void {
    if (event.type === 'run-end') return;
    if (event.type === 'case-end') this.#caseEnd(event);
    else this.#context.forward(event);
  }

  #caseEnd(event: CaseEnd): void {
    const { result, trials } = event;
    this.#draft?.add(result, trials);
    this.#history?.add(result, trials);
    this.#dumpCase(event);
    const { baseline, policy } = this.#plan;
    if (baseline === null) {
      this.#context.forward(event);
      return;
    }
    const comparison = compareCase(result, trials, baseline, policy);
    this.#compared.set(result.id, comparison);
    const undecided = this.#context.live && comparison.classification === 'regression';
    if (undecided || this.#held.length > 0) this.#held.push(event);
    else this.#context.forward({ ...event, comparison });
  }

  #dumpCase({ result, trials }: CaseEnd): void {
    // One full disk must not be reported once a case; the run itself goes on, its results are in the store.
    if (this.#dump === null || this.#dumpFailure !== null) return;
    try {
      this.#dump.add(this.#context.suite.name, result, trials);
    } catch (error) {
      this.#dumpFailure = error;
    }
  }

  /**
   * The summary as the baseline decides it; as it is without one.
   * @param rerun runs cases once more and gives their results
   */
  async compare(
    summary: RunSummary,
    rerun: (ids: ReadonlySet<string>) => Promise<ReadonlyMap<string, CaseResult>>,
  ): Promise<RunSummary> {
    const { baseline, policy } = this.#plan;
    if (baseline === null) return summary;
    const regressed = [...this.#compared].filter(
      ([, one]) => one.classification === 'regression' && one.gates,
    );
    if (this.#context.live && regressed.length > 0) {
      const again = await rerun(new Set(regressed.map(([id]) => id)));
      for (const [id, one] of regressed) this.#compared.set(id, afterRetry(one, again.get(id)));
    }
    for (const event of this.#held.splice(0)) {
      const comparison = this.#compared.get(event.result.id);
      this.#context.forward(comparison === undefined ? event : { ...event, comparison });
    }
    return withBaseline({
      baseline,
      policy,
      cases: [...this.#compared].map(([id, comparison]) => ({ id, comparison })),
      suiteIds: new Set(caseIds(this.#context.suite.cases)),
      summary,
    });
  }

  /**
   * Reports the end of the run, then writes baseline and history.
   * @returns false when something that was asked for could not be written
   */
  async finish(summary: RunSummary): Promise<boolean> {
    this.#context.forward({ type: 'run-end', summary });
    let kept = true;
    if (this.#dumpFailure !== null) {
      sayError(this.#dumpFailure);
      kept = false;
    }
    const { write, historyDirectory: directory } = this.#plan;
    if (this.#draft !== null && write !== null) {
      try {
        await this.#draft.write(write.path, write.shown, summary.totals.notRun);
        note(`wrote the baseline ${write.shown}`);
      } catch (error) {
        sayError(error);
        kept = false;
      }
    }
    if (this.#history !== null && directory !== null && !summary.interrupted) {
      await this.#writeHistory(this.#history, directory, summary);
    }
    return kept;
  }

  /** History is a by-product: without it the result is what it is. */
  async #writeHistory(history: HistoryDraft, directory: string, summary: RunSummary): Promise<void> {
    const { suite, cwd } = this.#context;
    try {
      const git = summary.git ?? (await gitState(cwd));
      const facts = { recordedAt: summary.finishedAt, git, suitePath: suite.path, cwd };
      writeHistory(directory, history.record(summary, facts));
    } catch {
      note('the history of this run could not be written');
    }
  }
}

function sayError(error: unknown): void {
  if (!AssayError.isInstance(error)) throw error;
  for (const line of error.describe().split('\n')) note(line);
}
