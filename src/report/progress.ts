import { terminalLine, type RunEvent, type TrialResult } from '../core/index.js';
import { costText, countText, durationText } from './number-text.js';

/** The stream that progress goes to: standard error. */
export interface ProgressStream {
  write(text: string): unknown;
  /** Columns of the terminal, when it is one. */
  columns?: number;
}

/** How to show progress. */
export interface ProgressOptions {
  /** A terminal gets one live line, anything else plain lines now and then. */
  isTTY: boolean;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
  /** Shows nothing. */
  quiet?: boolean;
}

/** Shows how far a run is. */
export interface Progress {
  event(event: RunEvent): void;
  /** Writes a note on lines of its own, without tearing the live line. Also when quiet. */
  note(text: string): void;
  /** Draws the live line again, so that its times move while nothing ends. */
  refresh(): void;
  /** Clears the live line. Call it before anything else is written to the terminal. */
  stop(): void;
}

const CLEAR = '\r\u001b[2K';
const REDRAW_MS = 100;
const LINE_MS = 10_000;
const MILESTONE_MS = 1000;

/** What is counted of a run while it goes on. */
export interface Counts {
  suite: string;
  cases: number;
  /** Trials of a case, unless the case says otherwise. */
  trials: number;
  /** Trials that were planned for the cases that ended. */
  plannedDone: number;
  done: number;
  reused: number;
  passed: number;
  failed: number;
  errors: number;
  casesDone: number;
  cost: number;
  /** Trials whose cost nobody knows. */
  costUnknown: number;
  startedAt: number;
}

/** Trials of the whole run: as planned for the cases that ended, as usual in the suite for the others. */
export function plannedTrials(counts: Counts): number {
  const ahead = Math.max(0, counts.cases - counts.casesDone) * counts.trials;
  return Math.max(counts.done, counts.plannedDone + ahead);
}

function progressText(counts: Counts, now: number): string {
  const planned = plannedTrials(counts);
  const parts = [
    `${countText(counts.done)}/${countText(planned)} trials`,
    `${countText(counts.passed)} passed`,
    `${countText(counts.failed)} failed`,
    `${countText(counts.errors)} errors`,
  ];
  const elapsed = now - counts.startedAt;
  const fresh = counts.done - counts.reused;
  if (elapsed >= 1000 && fresh > 0) {
    const rate = (fresh / elapsed) * 1000;
    parts.push(rate >= 0.1 ? `${rate.toFixed(1)}/s` : `${(rate * 60).toFixed(1)}/min`);
    const left = planned - counts.done;
    if (left > 0) parts.push(`about ${durationText((left / fresh) * elapsed)} left`);
  }
  if (counts.cost > 0) {
    parts.push(counts.costUnknown > 0 ? `at least ${costText(counts.cost)}` : costText(counts.cost));
  }
  return parts.join(', ');
}

/** A run of which nothing is done. `now` in milliseconds. */
export function startCounts(event: Extract<RunEvent, { type: 'run-start' }>, now: number): Counts {
  return {
    suite: terminalLine(event.suite),
    cases: event.cases,
    trials: event.trials,
    plannedDone: 0,
    done: 0,
    reused: 0,
    passed: 0,
    failed: 0,
    errors: 0,
    casesDone: 0,
    cost: 0,
    costUnknown: 0,
    startedAt: now,
  };
}

/** Counts one trial that ended. */
export function countTrial(counts: Counts, trial: TrialResult, reused: boolean): void {
  counts.done += 1;
  if (reused) counts.reused += 1;
  if (trial.status === 'passed') counts.passed += 1;
  else if (trial.status === 'failed') counts.failed += 1;
  else counts.errors += 1;
  const cost = trial.recording?.usage.cost ?? null;
  if (cost === null) counts.costUnknown += 1;
  else counts.cost += cost;
}

/**
 * Progress of one run after another. On a terminal one line that is drawn at most ten times a second, is never
 * longer than the terminal is wide and is gone at the end. Elsewhere plain lines: one when ten seconds have passed
 * since the last, or when another tenth is done and at least a second has passed.
 */
export function createProgress(stream: ProgressStream, options: ProgressOptions): Progress {
  const { isTTY, now } = options;
  const silent = options.quiet ?? false;
  let counts: Counts | null = null;
  let drawn = false;
  let lastWritten = 0;
  let lastTenth = 0;

  const clear = (): void => {
    if (drawn) stream.write(CLEAR);
    drawn = false;
  };
  const draw = (): void => {
    if (counts === null || silent || !isTTY) return;
    // The last column stays free: some terminals wrap as soon as it is filled.
    // A terminal that does not know its width says 0.
    const { columns = 0 } = stream;
    const width = Math.max(1, (columns > 0 ? columns : 80) - 1);
    stream.write(`${CLEAR}${progressText(counts, now()).slice(0, width)}`);
    drawn = true;
    lastWritten = now();
  };
  const tick = (): void => {
    if (counts === null || silent) return;
    const since = now() - lastWritten;
    if (isTTY) {
      if (!drawn || since >= REDRAW_MS) draw();
      return;
    }
    const tenth = Math.floor((counts.done / Math.max(1, plannedTrials(counts))) * 10);
    const milestone = tenth > lastTenth && since >= MILESTONE_MS;
    if (!milestone && since < LINE_MS) return;
    stream.write(`${counts.suite}: ${progressText(counts, now())}\n`);
    lastWritten = now();
    lastTenth = tenth;
  };

  return {
    event(event) {
      if (event.type === 'run-start') {
        clear();
        counts = startCounts(event, now());
        lastWritten = now();
        lastTenth = 0;
        draw();
      } else if (event.type === 'trial-end' && counts !== null) {
        countTrial(counts, event.trial, event.reused);
        tick();
      } else if (event.type === 'case-end' && counts !== null) {
        counts.casesDone += 1;
        counts.plannedDone += event.result.planned;
      } else if (event.type === 'run-end') {
        clear();
        counts = null;
      }
    },
    note(text) {
      const live = drawn;
      clear();
      stream.write(text.endsWith('\n') ? text : `${text}\n`);
      if (live) draw();
    },
    refresh: tick,
    stop() {
      clear();
      counts = null;
    },
  };
}
