import { resolve } from 'node:path';
import type { LoadedConfig } from '../config/index.js';
import {
  assayVersion,
  AssayError,
  plural,
  type JsonObject,
  type JsonValue,
  type RunEvent,
  type RunSummary,
  type Source,
  type TrialResult,
} from '../core/index.js';
import { suiteSummary } from '../report/index.js';
import type { AgentSource, RunOptions, TrialSink } from '../run/index.js';
import {
  findRun,
  parseTrial,
  readRun,
  RunFile,
  RunStore,
  type CaseResumption,
  type FsyncMode,
  type RunHeader,
  type StoredTrial,
} from '../store/index.js';
import type { Case, Suite } from '../suite/index.js';
import type { RunFlags } from './commands/run.js';
import { gitState } from './git-state.js';
import { requireSameRule, ruleOf, stopSettings } from './stopping.js';
import { inputsOf, requireSameRun, type RunInputs } from './run-identity.js';
import { note } from './streams.js';

/** Where the runs of a project are stored, absolute. */
export function storeRoot(loaded: LoadedConfig): string {
  return resolve(loaded.root, loaded.config.store.dir);
}

/** The disk side of one run; with `--no-store` there is none. */
export interface OpenedStore {
  runId: string;
  directory: string | null;
  git: RunSummary['git'];
  seed: number | null;
  sink: TrialSink | null;
  reuse: RunOptions['reuse'] | null;
  /** Sees every event of the run, after the trials in it are stored. */
  event(event: RunEvent): void;
  finish(summary: RunSummary): Promise<void>;
  /** Closes what `finish` did not: the run can then be resumed. */
  close(): Promise<void>;
}

/** What a store is opened for. */
export interface StoreContext {
  flags: RunFlags;
  loaded: LoadedConfig;
  cwd: string;
  source: Source;
  suite: Suite;
  agents: AgentSource;
  judgeRef: string | null;
  /** The simulator of scenarios; null when none is asked. */
  simulatorRef?: string | null;
  promptHash: string | null;
  scopes: Pick<RunInputs, 'agentScope' | 'judgeScope' | 'simulatorScope'>;
  /** The cases that are to run. */
  cases: () => Iterable<Case>;
  /** Their ids. */
  ids: () => Iterable<string>;
  count: number;
  trialsOf: (tested: Case) => number;
  /** Settings of the run beside those of the command line. */
  settings?: { [key: string]: JsonValue };
}

function notStored(source: Source): OpenedStore {
  return {
    runId: source.id('run'),
    directory: null,
    git: null,
    seed: null,
    sink: null,
    reuse: null,
    event: () => undefined,
    finish: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/** The configured limits of trials, where there are any: runs under other limits do not compare. */
function limitSettings({ loaded }: StoreContext): { limits?: JsonObject } {
  const { limits } = loaded.config.eval;
  if (limits === undefined) return {};
  return { limits: Object.fromEntries(Object.entries(limits).map(([name, limit]) => [name, limit ?? null])) };
}

/** The simulator of a run that has one, as named on the command line and as resolved. */
function simulatorSettings({ simulatorRef, flags, suite }: StoreContext): JsonObject {
  if (simulatorRef === undefined || simulatorRef === null) return {};
  return {
    simulator: flags.simulator ?? null,
    simulatorModel: simulatorRef,
    simulatorLevel: suite.simulatorLevel ?? null,
  };
}

function headerOf(context: StoreContext, git: RunSummary['git'], seed: number): RunHeader {
  const { suite, agents, flags } = context;
  const outputs = flags.outputs === undefined ? null : resolve(context.cwd, flags.outputs);
  return {
    suitePath: suite.path,
    format: suite.format,
    kind: suite.kind,
    mode: agents.mode,
    gate: suite.gate,
    threshold: suite.passThreshold,
    trials: ruleOf(flags)?.most ?? flags.trials ?? suite.trials,
    agentModel: agents.modelRef,
    judgeModel: context.judgeRef,
    seed,
    startedAt: new Date(context.source.now()).toISOString(),
    assayVersion: assayVersion(),
    git,
    cases: context.count,
    promptHash: context.promptHash,
    settings: {
      agentLevel: suite.agentLevel,
      judgeLevel: suite.judgeLevel,
      concurrency: flags.concurrency ?? null,
      maxSteps: flags.maxSteps ?? null,
      timeout: flags.timeout ?? null,
      ...limitSettings(context),
      curtail: flags.curtail === true,
      ...stopSettings(flags),
      ...context.settings,
      trials: flags.trials ?? null,
      filter: flags.filter ?? [],
      case: flags.case ?? [],
      tag: flags.tag ?? [],
      model: flags.model ?? null,
      judge: flags.judge ?? null,
      ...simulatorSettings(context),
      outputs,
      inputs: inputsOf({
        suite,
        ...context.scopes,
        outputs,
        directory: context.loaded.file === null ? context.cwd : context.loaded.root,
      }),
    },
  };
}

/** The stored run that `--resume` means: by its own reference, else the newest of the suite. */
export function resumedRun(
  loaded: LoadedConfig,
  reference: string | true,
  suite: string | null,
): { directory: string } {
  const root = storeRoot(loaded);
  if (reference === true) return findRun(root, suite === null ? 'latest' : `${suite}/latest`);
  try {
    return findRun(root, reference);
  } catch (error) {
    try {
      return findRun(root, `${reference}/latest`);
    } catch {
      throw error;
    }
  }
}

/** How many cases each reason applies to, and the first few by name. */
function sayResumption(cases: readonly CaseResumption[]): void {
  const reused = cases.reduce((total, entry) => total + entry.reused.length, 0);
  const rerun = cases.reduce((total, entry) => total + entry.rerun.length, 0);
  note(`resuming: ${plural(reused, 'finished trial')} reused, ${plural(rerun, 'trial')} to run`);
  const shown = 20;
  for (const entry of cases.slice(0, shown)) {
    const parts = [
      ...(entry.reused.length > 0 ? [`reuses ${plural(entry.reused.length, 'trial')}`] : []),
      ...(entry.rerun.length > 0 ? [`runs ${plural(entry.rerun.length, 'trial')}`] : []),
    ];
    note(`  ${entry.id}: ${entry.why}${parts.length === 0 ? '' : `; ${parts.join(', ')}`}`);
  }
  if (cases.length > shown) note(`  and ${cases.length - shown} more`);
}

/** Opens the store of one run: a fresh run, or the one that is resumed. Throws AssayError `STORE`. */
export async function openRunStore(context: StoreContext): Promise<OpenedStore> {
  const { flags, loaded, source, suite } = context;
  if (!flags.store) {
    if (flags.resume !== undefined && flags.resume !== false) {
      throw new AssayError('USAGE', '--resume needs the store', { fix: 'leave --no-store out' });
    }
    return notStored(source);
  }
  const fsync: FsyncMode = flags.fsync ?? loaded.config.store.fsync;
  const git = await gitState(context.cwd);
  const fresh = flags.resume === undefined || flags.resume === false;
  let store: RunStore;
  let resumed: CaseResumption[] = [];
  if (fresh) {
    const runId = source.id('run');
    store = await RunStore.create({
      root: storeRoot(loaded),
      suite: suite.name,
      runId,
      header: headerOf(context, git, flags.seed ?? seedOf(source)),
      fsync,
      source,
      caseIds: context.ids(),
    });
  } else {
    const reference = typeof flags.resume === 'string' ? flags.resume : true;
    const { directory } = resumedRun(loaded, reference, suite.name);
    const { header } = readRun(directory);
    requireSameRule(header.settings ?? {}, flags);
    requireSameRun(header, headerOf(context, git, header.seed));
    const taken = await RunStore.resume({ directory, cases: plannedCases(context), fsync, source });
    ({ store, cases: resumed } = taken);
    if (flags.quiet !== true) sayResumption(resumed);
  }
  return bindStore(store, resumed, fsync, git);
}

function seedOf(source: Source): number {
  return Math.floor(source.random() * 2 ** 32);
}

function* plannedCases(context: StoreContext): Iterable<{ id: string; hash: string; trials: number }> {
  for (const tested of context.cases()) {
    yield { id: tested.id, hash: tested.hash, trials: context.trialsOf(tested) };
  }
}

function bindStore(
  store: RunStore,
  resumed: readonly CaseResumption[],
  fsync: FsyncMode,
  git: RunSummary['git'],
): OpenedStore {
  const lines = new Map<TrialResult, StoredTrial>();
  const reusable = new Map(resumed.map((entry) => [entry.id, entry]));
  const file = RunFile.create({
    directory: store.directory,
    header: store.header,
    fsync,
    describe: suiteSummary,
  });
  let ended = false;
  return {
    runId: store.runId,
    directory: store.directory,
    git: store.header.git ?? git,
    seed: store.header.seed,
    sink: {
      append(trial) {
        const { line, stored } = store.put(trial);
        lines.set(trial, line);
        return stored;
      },
      flush: () => store.flush(),
    },
    reuse(tested, trial) {
      const entry = reusable.get(tested.id);
      const found = entry?.hash === tested.hash ? entry.reused.find((one) => one.trial === trial) : undefined;
      if (found === undefined) return null;
      const line = store.stored(found);
      const result = parseTrial(line.json);
      lines.set(result, line);
      return result;
    },
    event(event) {
      if (event.type !== 'case-end') return;
      const stored: StoredTrial[] = [];
      for (const trial of event.trials) {
        const line = lines.get(trial);
        if (line !== undefined) stored.push(line);
        lines.delete(trial);
      }
      file.addCase(event.result, stored);
    },
    async finish(summary) {
      ended = true;
      await store.flush();
      if (!summary.interrupted) await file.finish(summary);
      await store.end(summary);
    },
    async close() {
      file.discard();
      if (!ended) await store.close();
    },
  };
}
