import { compareUtf8, type TrialStatus } from '../core/index.js';
import type { JournalEntry, TrialKey } from './journal.js';

/** Where one finished trial stands in the journal. */
export interface IndexedTrial {
  caseId: string;
  hash: string;
  /** 1-based. */
  trial: number;
  status: TrialStatus;
  /** Bytes from the start of the journal to the trial's line, and the line's length. */
  offset: number;
  length: number;
  /** The trial did not belong to the run when it was last taken up: its case had changed or was not selected. */
  hidden: boolean;
}

/** Something in a journal that could not be read. `line` is 1-based. */
export interface JournalProblem {
  line: number;
  message: string;
}

/** What a journal holds, without the contents of the trials. */
export interface ResumeIndex {
  /** Finished trials by case id, the newest line of each (hash, trial). */
  cases: ReadonlyMap<string, readonly IndexedTrial[]>;
  /** Ids of all cases the run set out to execute. */
  planned: ReadonlySet<string>;
  problems: readonly JournalProblem[];
}

/** A case as a resumed run wants it. */
export interface PlannedCase {
  id: string;
  /** SHA-256 of the case's content. */
  hash: string;
  /** Trials: k. */
  trials: number;
}

/** Why a case is reused or run again. */
export type ResumeReason =
  | 'unchanged'
  | 'content changed'
  | 'new'
  | 'errored'
  | 'not finished'
  | 'removed from suite';

/** What resuming does with one case. */
export interface CaseResumption {
  id: string;
  /** SHA-256 of the content that is wanted; null when the case is not wanted any more. */
  hash: string | null;
  /** Trials that are taken over, by their number. */
  reused: IndexedTrial[];
  /** Numbers of the trials that are run. */
  rerun: number[];
  why: ResumeReason;
}

const TORN = 'the last line was cut off while it was written; nothing had been reported of it';

class IndexBuilder {
  readonly cases = new Map<string, IndexedTrial[]>();
  readonly planned = new Set<string>();
  readonly problems: JournalProblem[] = [];

  add(entry: JournalEntry): void {
    switch (entry.type) {
      case 'trial':
        this.#addTrial({
          caseId: entry.trial.caseId,
          hash: entry.trial.caseHash,
          trial: entry.trial.trial,
          status: entry.trial.status,
          offset: entry.offset,
          length: entry.length,
          hidden: false,
        });
        break;
      case 'plan':
        for (const id of entry.caseIds) this.planned.add(id);
        break;
      case 'resume':
        this.#hide(entry.hidden);
        break;
      case 'broken':
        this.problems.push({ line: entry.line, message: entry.message });
        break;
      case 'torn':
        this.problems.push({ line: entry.line, message: TORN });
        break;
      case 'run':
      case 'end':
      case 'unknown':
        break;
    }
  }

  #addTrial(added: IndexedTrial): void {
    const trials = this.cases.get(added.caseId);
    if (trials === undefined) {
      this.cases.set(added.caseId, [added]);
      return;
    }
    const at = trials.findIndex((one) => one.hash === added.hash && one.trial === added.trial);
    const earlier = trials[at];
    if (earlier === undefined) trials.push(added);
    // What was scored once is never taken back by an error.
    else if (earlier.status === 'error' || added.status !== 'error') trials[at] = added;
    else earlier.hidden = false;
  }

  /** Each resume says anew which of all earlier trials are not part of the run. */
  #hide(hidden: readonly TrialKey[]): void {
    for (const trials of this.cases.values()) for (const one of trials) one.hidden = false;
    for (const key of hidden) {
      for (const one of this.cases.get(key.case) ?? []) {
        if (one.hash === key.hash && one.trial === key.trial) one.hidden = true;
      }
    }
  }
}

/**
 * The finished trials of a journal by case, hash and number: a pure function of its entries. Later lines win, but an
 * error never replaces a scored trial.
 */
export function resumeIndex(journal: Iterable<JournalEntry>): ResumeIndex {
  const builder = new IndexBuilder();
  for (const entry of journal) builder.add(entry);
  return { cases: builder.cases, planned: builder.planned, problems: builder.problems };
}

function explainCase(wanted: PlannedCase, index: ResumeIndex): CaseResumption {
  const stored = index.cases.get(wanted.id) ?? [];
  const same = stored.filter((one) => one.hash === wanted.hash);
  const reused: IndexedTrial[] = [];
  const rerun: number[] = [];
  let errored = false;
  for (let trial = 1; trial <= wanted.trials; trial += 1) {
    const found = same.find((one) => one.trial === trial);
    if (found !== undefined && found.status !== 'error') reused.push(found);
    else {
      rerun.push(trial);
      errored ||= found !== undefined;
    }
  }
  let why: ResumeReason;
  if (rerun.length === 0) why = 'unchanged';
  else if (errored) why = 'errored';
  else if (same.length > 0) why = 'not finished';
  else if (stored.length > 0) why = 'content changed';
  else why = index.planned.has(wanted.id) ? 'not finished' : 'new';
  return { id: wanted.id, hash: wanted.hash, reused, rerun, why };
}

/**
 * Says for every case what a resumed run does with it and why, in the order given, then the stored cases that are
 * not wanted any more, by id. Only scored trials of the same content are reused. A case with several reasons gets
 * the first of: `errored` (some trial could not be scored), `not finished`, `content changed`, `new`.
 */
export function explainResume(cases: Iterable<PlannedCase>, index: ResumeIndex): CaseResumption[] {
  const explained: CaseResumption[] = [];
  const wanted = new Set<string>();
  for (const one of cases) {
    wanted.add(one.id);
    explained.push(explainCase(one, index));
  }
  const gone = [...index.cases.keys(), ...index.planned].filter((id) => !wanted.has(id));
  for (const id of [...new Set(gone)].toSorted(compareUtf8)) {
    explained.push({ id, hash: null, reused: [], rerun: [], why: 'removed from suite' });
  }
  return explained;
}

/** The stored trials that are no part of a run resumed like this: of other content, not selected, or beyond k. */
export function hiddenTrials(explained: readonly CaseResumption[], index: ResumeIndex): TrialKey[] {
  const byId = new Map(explained.map((one) => [one.id, one]));
  const hidden: TrialKey[] = [];
  for (const [id, trials] of index.cases) {
    const wanted = byId.get(id);
    for (const one of trials) {
      const kept =
        wanted !== undefined &&
        wanted.hash === one.hash &&
        // An errored trial stays until its replacement is there.
        (wanted.reused.includes(one) || wanted.rerun.includes(one.trial));
      if (!kept) hidden.push({ case: id, hash: one.hash, trial: one.trial });
    }
  }
  return hidden;
}
