import { assayVersion, AssayError, type RunSummary, type Source, type TrialResult } from '../core/index.js';
import { recordedAgents, runSuite } from '../run/index.js';
import { RunFile, RunStore, type FsyncMode, type StoredTrial } from '../store/index.js';
import type { Case, Suite } from '../suite/index.js';
import { importedCases, type ImportedRun } from './imported-run.js';

/** Where an imported run is stored. */
export interface ImportPlace {
  /** Absolute path of the store. */
  root: string;
  /** Absolute path of the file it was read from. */
  file: string;
  fsync: FsyncMode;
  source: Source;
  /** The run in one line, as reports print it. */
  describe: (summary: RunSummary) => string;
}

/** A stored import. */
export interface StoredImport {
  runId: string;
  directory: string;
  summary: RunSummary;
}

function caseOf(trial: TrialResult, trials: number, file: string): Case {
  const turns = trial.recording?.turns ?? [];
  return {
    id: trial.caseId,
    source: { file, name: file, line: 1 },
    hash: trial.caseHash,
    turns: turns.map((turn) => ({ user: turn.user, steps: null })),
    checks: [],
    scoring: { rule: 'all' },
    agent: { type: 'prompt' },
    systemPrompt: null,
    setupFiles: {},
    tools: null,
    trials,
    cluster: null,
    tags: [],
    negative: false,
    allowEmpty: false,
    owner: null,
    expectedFailing: false,
    variables: null,
  };
}

function suiteOf(run: ImportedRun, place: ImportPlace): Suite {
  const first = new Map<string, TrialResult>();
  for (const trial of run.trials) if (!first.has(trial.caseId)) first.set(trial.caseId, trial);
  const counts = importedCases(run.trials);
  return {
    name: run.suite,
    path: place.file,
    displayPath: place.file,
    root: place.root,
    format: 'assertion',
    kind: 'capability',
    description: null,
    gate: 'mean',
    passThreshold: 1,
    saturationThreshold: 0.95,
    trials: Math.max(1, ...counts.values()),
    agentLevel: 'medium',
    judgeLevel: 'high',
    agentModel: run.agentModel,
    judgeModel: run.judgeModel,
    criteria: [],
    owner: null,
    cases: [...first.values()].map((trial) => caseOf(trial, counts.get(trial.caseId) ?? 1, place.file)),
  };
}

/** What is kept of the count: every trial is new to the store. */
function importedSummary(summary: RunSummary | null, startedAt: string): RunSummary {
  if (summary === null) throw new AssayError('STORE', 'the imported run was not counted');
  return { ...summary, startedAt, totals: { ...summary.totals, reusedTrials: 0 } };
}

/**
 * Stores an imported run beside the others: every trial is on disk before it is counted.
 * @throws AssayError `INPUT` when there is no trial in it, `STORE` when it cannot be stored
 */
export async function storeImportedRun(run: ImportedRun, place: ImportPlace): Promise<StoredImport> {
  if (run.trials.length === 0)
    throw new AssayError('INPUT', `${place.file} holds no trial that could be stored`);
  const suite = suiteOf(run, place);
  const { source } = place;
  const startedAt = run.startedAt ?? new Date(source.now()).toISOString();
  const store = await RunStore.create({
    root: place.root,
    suite: run.suite,
    runId: source.id('run'),
    fsync: place.fsync,
    source,
    caseIds: importedCases(run.trials).keys(),
    header: {
      suitePath: place.file,
      format: suite.format,
      kind: suite.kind,
      mode: 'live',
      gate: suite.gate,
      threshold: suite.passThreshold,
      trials: suite.trials,
      agentModel: run.agentModel,
      judgeModel: run.judgeModel,
      seed: 0,
      startedAt,
      assayVersion: assayVersion(),
      git: null,
      cases: suite.cases.length,
      promptHash: null,
      settings: { imported: true },
    },
  });
  const file = RunFile.create({
    directory: store.directory,
    header: store.header,
    fsync: place.fsync,
    describe: place.describe,
  });
  try {
    const stored = new Map<TrialResult, StoredTrial>();
    const byKey = new Map<string, TrialResult>();
    for (const trial of run.trials) {
      stored.set(trial, await store.append(trial));
      byKey.set(JSON.stringify([trial.caseId, trial.trial]), trial);
    }
    let ended: RunSummary | null = null;
    await runSuite({
      suite,
      agents: recordedAgents({ mode: 'live', modelRef: run.agentModel }, () => null),
      source,
      runId: store.runId,
      directory: store.directory,
      judgeRef: run.judgeModel,
      keepCases: false,
      seed: 0,
      reuse: ({ id }, trial) => byKey.get(JSON.stringify([id, trial])) ?? null,
      onEvent(event) {
        if (event.type === 'run-end') ended = event.summary;
        if (event.type !== 'case-end') return;
        file.addCase(
          event.result,
          event.trials.flatMap((trial) => stored.get(trial) ?? []),
        );
      },
    });
    const summary = importedSummary(ended, startedAt);
    await store.flush();
    await file.finish(summary);
    await store.end(summary);
    return { runId: store.runId, directory: store.directory, summary };
  } catch (error) {
    file.discard();
    await store.close();
    throw error;
  }
}
