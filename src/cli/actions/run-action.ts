import { loadConfig, type LoadedConfig } from '../../config/index.js';
import {
  AssayError,
  exitCodeOf,
  systemSource,
  type RunEvent,
  type RunSummary,
  type Source,
} from '../../core/index.js';
import { createJsonProgress, createProgress, createReporter } from '../../report/index.js';
import { canCurtail, plannedTrials, ruleLines, runSuite, type RunOptions } from '../../run/index.js';
import type { ModelServices } from '../../model/index.js';
import { mergeLimits, type Suite } from '../../suite/index.js';
import { agentsFor } from '../agents-for.js';
import { modelServices } from '../choose-model.js';
import type { RunFlags } from '../commands/run.js';
import { ExitCode } from '../exit-code.js';
import { listenForInterrupts, type Interrupt } from '../interrupt.js';
import { openSuites } from '../open-suites.js';
import { openResultOutput } from '../result-output.js';
import { planArtifacts, RunArtifacts, type ArtifactPlan } from '../run-artifacts.js';
import { rerunCases } from '../rerun-cases.js';
import { withResumedFlags } from '../resumed-flags.js';
import { openRunStore, type StoreContext } from '../run-store.js';
import { selectedCases, selectedIds, selectSuites, type SelectedSuite } from '../select-cases.js';
import { recordUsers } from '../record-users.js';
import { carrySpend, noteKept, noteSpend, withCeiling } from '../spend.js';
import { budgetOf, ruleOf } from '../stopping.js';
import { note, wantsColor } from '../streams.js';

/** What all suites of one invocation share. */
interface Invocation {
  flags: RunFlags;
  loaded: LoadedConfig;
  cwd: string;
  interrupt: Interrupt;
  services: ModelServices;
  plan: ArtifactPlan;
  onEvent(event: RunEvent): void;
}

/** What the store keeps of a run: a comparison is derived from it and from a file that may change. */
function storedSummary(report: RunSummary): RunSummary {
  const { baseline: _, ...summary } = report;
  return summary;
}

/** Rule and budget of a run, said aloud before anything is spent. */
function stopOptions(flags: RunFlags, replayed: boolean): Pick<RunOptions, 'rule' | 'budget'> {
  const rule = ruleOf(flags);
  const budget = budgetOf(flags);
  if (rule !== null && replayed) {
    throw new AssayError('USAGE', 'a replay cannot differ from itself: there is nothing to stop early', {
      fix: 'leave --stop and --sequential out',
    });
  }
  if (rule !== null && flags.quiet !== true) for (const line of ruleLines(rule)) note(line);
  return { ...(rule === null ? {} : { rule }), ...(budget === null ? {} : { budget }) };
}

/** Said where `--curtail` has nothing to stop: the suite asks for more than whether all trials pass. */
function noteCurtailment({ flags }: Invocation, suite: Suite): void {
  if (flags.curtail !== true || flags.quiet === true || canCurtail(suite)) return;
  const cause = suite.gate === 'mean' ? 'gate mean needs every score' : 'its criteria need every trial';
  note(`${suite.name}: --curtail stops nothing here, ${cause}`);
}

async function runOne(invocation: Invocation, selected: SelectedSuite): Promise<number> {
  const { flags, loaded, cwd, interrupt } = invocation;
  const { suite, select, count } = selected;
  noteCurtailment(invocation, suite);
  const agents = await agentsFor(suite, {
    flags,
    loaded,
    cwd,
    source: systemSource(),
    cancel: interrupt.cancel,
    services: invocation.services,
  });
  // What was said before takes no time of its own: its clock stands still, so that two runs record the same bytes.
  const replayed = agents.agents.mode === 'replay';
  const untimed = replayed || agents.agents.mode === 'outputs';
  const source: Source = untimed ? { ...systemSource(), monotonic: () => 0 } : systemSource();
  const options: RunOptions = {
    suite,
    source,
    agents: agents.agents,
    selectedCases: count,
    keepCases: false,
    stop: interrupt.stop,
    turnTimeoutMs: agents.turnTimeoutMs,
    judgeRef: agents.judgeRef,
    verifyDeterminism: flags.verifyDeterminism === true,
    failFast: flags.bail === true || flags.failFast === true,
    curtail: flags.curtail === true,
    allChecks: flags.allChecks === true,
    keepWorkspaces: flags.keepWorkspace === true,
    goldenMayChange: flags.update === true,
    redact: agents.redact,
    exhausted: () => invocation.services.spend?.closed ?? null,
  };
  Object.assign(options, mergeLimits(loaded.config.eval.limits));
  if (flags.quiet !== true) options.note = note;
  // Stored answers are there at once: there is nothing to wait for and nothing to give up.
  if (agents.agents.mode !== 'outputs') options.cancel = interrupt.cancel;
  if (select !== null) options.select = select;
  if (flags.trials !== undefined) options.trials = flags.trials;
  Object.assign(options, stopOptions(flags, replayed));
  const concurrency = flags.concurrency ?? loaded.config.eval.concurrency;
  if (concurrency !== undefined) options.concurrency = concurrency;
  if (agents.grade !== null) options.grade = agents.grade;
  if (agents.users !== null)
    Object.assign(options, { userOf: agents.users.userOf, simulatorRef: agents.users.ref });
  if (agents.onRecorded) options.onRecorded = agents.onRecorded;
  const artifacts = new RunArtifacts(invocation.plan, {
    suite,
    cwd,
    live: agents.agents.mode === 'live',
    forward: (event) => invocation.onEvent(event),
  });
  const storeContext: StoreContext = {
    flags,
    loaded,
    cwd,
    source,
    suite,
    agents: agents.agents,
    judgeRef: agents.judgeRef,
    simulatorRef: agents.users?.ref ?? null,
    promptHash: agents.promptHash,
    scopes: agents.scopes,
    count,
    cases: () => selectedCases(selected),
    ids: () => selectedIds(selected),
    trialsOf: (tested) => plannedTrials(options, tested),
  };
  const opened = await openRunStore(storeContext);
  try {
    carrySpend(invocation.services.spend, flags, opened.directory);
    Object.assign(options, {
      runId: opened.runId,
      directory: opened.directory,
      git: opened.git,
      sink: opened.sink,
    });
    const seed = flags.seed ?? opened.seed;
    if (seed !== null) options.seed = seed;
    if (opened.reuse) options.reuse = opened.reuse;
    const recorder = flags.record === true ? recordUsers(selected, cwd) : null;
    options.onEvent = (event) => {
      opened.event(event);
      recorder?.event(event);
      if (flags.keepWorkspace === true) noteKept(event);
      artifacts.event(event);
    };
    const report = await artifacts.compare(await runSuite(options), (ids) =>
      interrupt.stop.aborted ? Promise.resolve(new Map()) : rerunCases(ids, options, storeContext),
    );
    await opened.finish(storedSummary(report));
    const recorded = (await recorder?.finish()) ?? true;
    const kept = await artifacts.finish(report);
    if (report.interrupted && opened.directory !== null) {
      note(`finished trials are kept; go on with: assay run --resume ${opened.runId}`);
    }
    return kept && recorded ? exitCodeOf([report]) : 1;
  } finally {
    await opened.close();
    await agents.close();
  }
}

/** `assay run`. */
export async function runAction(given: RunFlags): Promise<void> {
  if (given.mode === 'record') {
    const { recordSuites } = await import('./record-suites.js');
    return recordSuites(given);
  }
  const cwd = process.cwd();
  const format = given.json === true ? 'json' : given.format;
  const quiet = given.quiet === true;
  const began = performance.now();
  const output = openResultOutput(given.out);
  const interrupt = listenForInterrupts();
  const progress =
    given.progress === 'json'
      ? createJsonProgress(process.stderr)
      : createProgress(process.stderr, {
          isTTY: process.stderr.isTTY,
          now: () => performance.now(),
          quiet,
        });
  const report = (suites: readonly SelectedSuite[]) =>
    createReporter(format, output, {
      color: given.out === undefined && wantsColor(given.color, process.stdout),
      columns: process.stdout.columns ?? 100,
      suites: suites.length,
      formats: suites.map((selected) => selected.suite.format),
    });
  const ticking = setInterval(() => progress.refresh(), 1000);
  ticking.unref();
  let reporter: ReturnType<typeof report> | null = null;
  try {
    const loaded = await loadConfig(cwd, given.config);
    const flags = withResumedFlags(given, loaded);
    const suites = selectSuites(
      await openSuites(flags.suite ?? [], {
        loaded,
        cwd,
        quiet,
        update: flags.update === true,
        recordingAgain: flags.record === true,
        ...(flags.suiteKind === undefined ? {} : { kind: flags.suiteKind }),
      }),
      {
        filters: flags.filter ?? [],
        ids: flags.case ?? [],
        tags: flags.tag ?? [],
        scenarios: flags.scenarios === true,
      },
    );
    const plan = planArtifacts(flags, loaded, cwd, suites);
    const opened = report(suites);
    reporter = opened;
    const invocation: Invocation = {
      flags,
      loaded,
      cwd,
      interrupt,
      services: withCeiling(modelServices(loaded, systemSource(), flags.cache), flags),
      plan,
      onEvent: (event) => {
        progress.event(event);
        opened.event(event);
      },
    };
    let worst = 0;
    for (const suite of suites) {
      if (interrupt.stop.aborted) break;
      worst = Math.max(worst, await runOne(invocation, suite));
    }
    progress.stop();
    if (!quiet) noteSpend(invocation.services.spend);
    opened.finish();
    output.commit();
    if (flags.out !== undefined && !quiet) {
      note(`wrote ${flags.out} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
    }
    const signalled = interrupt.exitCode();
    if (signalled !== null) throw new ExitCode(signalled);
    if (worst !== 0) throw new ExitCode(worst);
  } catch (error) {
    progress.stop();
    if (!(error instanceof ExitCode)) {
      // A machine that reads the result gets one document that says why there is none; a table says it on stderr.
      if (format !== 'table' && AssayError.isInstance(error) && error.code !== 'USAGE') {
        (reporter ?? report([])).finish(error);
        output.commit();
      } else output.discard();
    }
    throw error;
  } finally {
    clearInterval(ticking);
    interrupt.release();
  }
}
