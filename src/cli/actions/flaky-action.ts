import { existsSync } from 'node:fs';
import { flakiness, flakinessTable, type ObservedCase } from '../../compare/index.js';
import { loadConfig, type LoadedConfig } from '../../config/index.js';
import { AssayError, systemSource, type RunEvent, type TrialResult } from '../../core/index.js';
import { recordedAgents, replayAgents, runSuite, type RunOptions } from '../../run/index.js';
import { findRun, readRun, type StoredRun } from '../../store/index.js';
import { caseTraits, type Case, type Suite } from '../../suite/index.js';
import { modelServices } from '../choose-model.js';
import type { FlakyFlags } from '../commands/flaky.js';
import { ExitCode } from '../exit-code.js';
import { prepareJudge } from '../judge-for.js';
import { openSuites } from '../open-suites.js';
import { storeRoot } from '../run-store.js';
import { note, say } from '../streams.js';

/** What is gathered of one case while it is graded and replayed again. */
interface Gathered {
  id: string;
  hash: string;
  gradings: Map<number, (0 | 1)[]>;
  differed: number;
  replays: number;
  notRegraded: number;
}

function gather(run: StoredRun): Map<string, Gathered> {
  const all = new Map<string, Gathered>();
  for (const { id, hash, trials } of run.cases()) {
    const gradings = new Map<number, (0 | 1)[]>();
    for (const { trial, status } of trials) {
      if (status !== 'error') gradings.set(trial, [status === 'passed' ? 1 : 0]);
    }
    all.set(id, { id, hash, gradings, differed: 0, replays: 0, notRegraded: 0 });
  }
  return all;
}

async function judgeOptions(
  suite: Suite,
  run: StoredRun,
  flags: FlakyFlags,
  loaded: LoadedConfig,
): Promise<Partial<RunOptions>> {
  if (!caseTraits(suite.cases).judged || run.header.judgeModel === null) return {};
  const source = systemSource();
  const judge = await prepareJudge(suite, run.header.agentModel, {
    flags: {
      format: 'table',
      color: false,
      store: true,
      cache: false,
      quiet: flags.quiet === true,
      judge: run.header.judgeModel,
    },
    loaded,
    cwd: process.cwd(),
    source,
    cancel: new AbortController().signal,
    // A remembered answer of the judge would hide its noise.
    services: modelServices(loaded, source, false),
  });
  return { judgeRef: judge.ref, grade: judge.grade };
}

function onTrials(see: (trial: TrialResult) => void): (event: RunEvent) => void {
  return (event) => {
    if (event.type === 'trial-end') see(event.trial);
  };
}

async function regrade(
  suite: Suite,
  run: StoredRun,
  known: Map<string, Gathered>,
  more: Partial<RunOptions>,
): Promise<void> {
  const { header } = run;
  await runSuite({
    suite,
    agents: recordedAgents(
      { mode: header.mode, modelRef: header.agentModel },
      (id, trial) => run.find(id)?.trials.find((one) => one.trial === trial)?.recording ?? null,
    ),
    trials: header.trials,
    keepCases: false,
    concurrency: 1,
    select: (tested) => known.get(tested.id)?.hash === tested.hash,
    ...more,
    onEvent: onTrials((trial) => {
      const entry = known.get(trial.caseId);
      const gradings = entry?.gradings.get(trial.trial);
      if (entry === undefined || gradings === undefined) return;
      if (trial.status === 'error') entry.notRegraded += 1;
      else gradings.push(trial.status === 'passed' ? 1 : 0);
    }),
  });
}

/** Replays every case twice, as two recordings of one script must be the same byte for byte. */
async function replay(suite: Suite, known: Map<string, Gathered>): Promise<void> {
  await runSuite({
    suite,
    source: { ...systemSource(), monotonic: () => 0 },
    agents: replayAgents(),
    verifyDeterminism: true,
    keepCases: false,
    select: (tested: Case) => known.get(tested.id)?.hash === tested.hash,
    onEvent: onTrials((trial) => {
      const entry = known.get(trial.caseId);
      if (entry === undefined) return;
      entry.replays += 1;
      if (trial.error?.kind === 'script') entry.differed += 1;
    }),
  });
}

/** `assay flaky RUN`: nothing is stored; the agent is never called, judges are. */
export async function flakyAction(reference: string, flags: FlakyFlags): Promise<void> {
  const loaded = await loadConfig(process.cwd(), flags.config);
  const run = readRun(findRun(storeRoot(loaded), reference).directory);
  const path = flags.suite ?? run.header.suitePath;
  if (flags.suite === undefined && !existsSync(path)) {
    throw new AssayError('SUITE_NOT_FOUND', `the suite of this run is gone: ${path}`, {
      fix: 'name the suite after --suite',
    });
  }
  const [suite] = await openSuites([path], { loaded, cwd: process.cwd(), quiet: flags.quiet === true });
  if (suite === undefined) throw new AssayError('SUITE_NOT_FOUND', `no suite at ${path}`);
  const known = gather(run);
  let unchanged = 0;
  for (const tested of suite.cases) if (known.get(tested.id)?.hash === tested.hash) unchanged += 1;
  if (unchanged < known.size && flags.quiet !== true) {
    note(`${known.size - unchanged} of ${known.size} cases changed since the run: they are not graded again`);
  }
  const more = flags.regrade > 0 ? await judgeOptions(suite, run, flags, loaded) : {};
  for (let round = 0; round < flags.regrade; round += 1) await regrade(suite, run, known, more);
  if (run.header.mode === 'replay') await replay(suite, known);
  const observed = [...known.values()].map((entry): ObservedCase => ({
    id: entry.id,
    trials: [...entry.gradings].map(([trial, gradings]) => ({ trial, gradings })),
    replays: run.header.mode === 'replay' ? { differed: entry.differed, total: entry.replays } : null,
    notRegraded: entry.notRegraded,
  }));
  const result = flakiness(observed);
  say(flags.json === true ? JSON.stringify(result, null, 2) : flakinessTable(result));
  if (result.faults > 0) throw new ExitCode(1);
}
