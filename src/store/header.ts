import type { JsonObject, JsonValue, RunSummary } from '../core/index.js';
import { criteriaFrom } from './criteria-parse.js';
import { redactedObject } from './redact.js';
import { booleanAt, nullableAt, numberAt, objectAt, optionalAt, textAt, wordAt, words } from './shape.js';

/** Schema of the journal's first line. A reader refuses any other. */
export const JOURNAL_SCHEMA = 'assay/journal/v1';

/** What is known of a run before its first trial. */
export type RunHeader = Pick<
  RunSummary,
  | 'suitePath'
  | 'format'
  | 'kind'
  | 'mode'
  | 'gate'
  | 'threshold'
  | 'trials'
  | 'agentModel'
  | 'judgeModel'
  | 'seed'
  | 'startedAt'
  | 'assayVersion'
  | 'git'
> & {
  /** Cases that are planned. */
  cases: number;
  /** SHA-256 of the default system prompt; null when there is none. */
  promptHash: string | null;
  /** Whatever else shaped the run and is worth keeping: levels, concurrency, selection. */
  settings?: { [key: string]: JsonValue };
};

/** The header as it stands in the journal. */
export type StoredHeader = RunHeader & { runId: string; suite: string };

const FORMATS = words<RunSummary['format']>({ trace: 'trace', assertion: 'assertion', program: 'program' });
const SUITE_KINDS = words<RunSummary['kind']>({ regression: 'regression', capability: 'capability' });
const RUN_MODES = words<RunSummary['mode']>({
  replay: 'replay',
  live: 'live',
  record: 'record',
  outputs: 'outputs',
});
const GATES = words<RunSummary['gate']>({ all: 'all', mean: 'mean', 'pass^k': 'pass^k' });
const OUTCOMES = words<RunSummary['outcome']>({
  passed: 'passed',
  failed: 'failed',
  error: 'error',
  inconclusive: 'inconclusive',
});

function gitAt(object: JsonObject, key: string): { commit: string; dirty: boolean } {
  const git = objectAt(object, key);
  return { commit: textAt(git, 'commit'), dirty: booleanAt(git, 'dirty') };
}

/** What header and summary have in common. */
function facts(line: JsonObject): Omit<RunHeader, 'cases' | 'promptHash' | 'settings'> {
  return {
    suitePath: textAt(line, 'suitePath'),
    format: wordAt(line, 'format', FORMATS),
    kind: wordAt(line, 'kind', SUITE_KINDS),
    mode: wordAt(line, 'mode', RUN_MODES),
    gate: wordAt(line, 'gate', GATES),
    threshold: numberAt(line, 'threshold'),
    trials: numberAt(line, 'trials'),
    agentModel: textAt(line, 'agentModel'),
    judgeModel: nullableAt(line, 'judgeModel', textAt),
    seed: numberAt(line, 'seed'),
    startedAt: textAt(line, 'startedAt'),
    assayVersion: textAt(line, 'assayVersion'),
    git: nullableAt(line, 'git', gitAt),
  };
}

/** The text of the header line. */
export function headerText(header: StoredHeader): string {
  const { runId, suite, ...rest } = header;
  return redactedObject({ type: 'run', schema: JOURNAL_SCHEMA, runId, suite }, rest);
}

/** The header from its parsed line. Throws ShapeError. */
export function headerFrom(line: JsonObject): StoredHeader {
  return {
    runId: textAt(line, 'runId'),
    suite: textAt(line, 'suite'),
    ...facts(line),
    cases: numberAt(line, 'cases'),
    promptHash: nullableAt(line, 'promptHash', textAt),
    ...optionalAt(line, 'settings', objectAt),
  };
}

/**
 * The text of the end line: the whole summary as it was reported, because a resumed run may end under another
 * version or commit than it began with. The directory is left out: it is where the file is.
 */
export function endText(summary: RunSummary): string {
  const { runId, suite, directory: _, ...rest } = summary;
  return redactedObject({ type: 'end', runId, suite }, rest);
}

/** The summary from a parsed end line; `directory` is where the journal is. Throws ShapeError. */
export function summaryFrom(line: JsonObject, directory: string): RunSummary {
  const totals = objectAt(line, 'totals');
  return {
    runId: textAt(line, 'runId'),
    suite: textAt(line, 'suite'),
    ...facts(line),
    outcome: wordAt(line, 'outcome', OUTCOMES),
    reason: textAt(line, 'reason'),
    score: nullableAt(line, 'score', numberAt),
    passAtK: nullableAt(line, 'passAtK', numberAt),
    passHatK: nullableAt(line, 'passHatK', numberAt),
    ...criteriaFrom(line),
    totals: {
      cases: numberAt(totals, 'cases'),
      passed: numberAt(totals, 'passed'),
      failed: numberAt(totals, 'failed'),
      errored: numberAt(totals, 'errored'),
      notRun: numberAt(totals, 'notRun'),
      trials: numberAt(totals, 'trials'),
      scoredTrials: numberAt(totals, 'scoredTrials'),
      passedTrials: numberAt(totals, 'passedTrials'),
      reusedTrials: numberAt(totals, 'reusedTrials'),
    },
    inputTokens: numberAt(line, 'inputTokens'),
    outputTokens: numberAt(line, 'outputTokens'),
    cost: nullableAt(line, 'cost', numberAt),
    finishedAt: textAt(line, 'finishedAt'),
    interrupted: booleanAt(line, 'interrupted'),
    directory,
  };
}
