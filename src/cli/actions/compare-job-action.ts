import { join } from 'node:path';
import {
  agentsWithArms,
  armBlocks,
  armedCases,
  armOf,
  COMPARISON_FILE,
  gateExitCode,
  jobMarkdown,
  jobResult,
  jobTable,
  ruleWatch,
  suiteWithArms,
  type ArmedCases,
  type CompareJob,
  type JobResult,
} from '../../compare/index.js';
import { loadConfig, type LoadedConfig } from '../../config/index.js';
import { AssayError, sha256, systemSource } from '../../core/index.js';
import type { GradeContext } from '../../grade/index.js';
import { createProgress } from '../../report/index.js';
import { plannedTrials, runSuite, type AgentSource, type RunOptions } from '../../run/index.js';
import { readRun, writeFileAtomic } from '../../store/index.js';
import { caseIds, mergeLimits, type Suite } from '../../suite/index.js';
import { agentsFor, type PreparedAgents } from '../agents-for.js';
import { modelServices, type AgentsContext, type ChosenModel } from '../choose-model.js';
import type { JobFlags } from '../commands/compare-jobs.js';
import type { RunFlags } from '../commands/run.js';
import { readJob, requireSameJob, storedJob } from '../compare-job.js';
import { ExitCode } from '../exit-code.js';
import { listenForInterrupts, type Interrupt } from '../interrupt.js';
import { openSuites } from '../open-suites.js';
import { judgePairs, preparePairJudge } from '../pair-judge.js';
import { openResultOutput } from '../result-output.js';
import { openRunStore, resumedRun } from '../run-store.js';
import { carrySpend, noteSpend, withCeiling } from '../spend.js';
import { budgetOf } from '../stopping.js';
import { note } from '../streams.js';

/** Results hold what models said. */
const PRIVATE = 0o600;

function runFlags(job: CompareJob, flags: JobFlags): RunFlags {
  return {
    format: 'table',
    color: false,
    store: true,
    cache: true,
    trials: job.trials,
    quiet: flags.quiet === true,
    ...(job.judge === null && flags.judge === undefined ? {} : { judge: flags.judge ?? job.judge ?? '' }),
    ...(flags.allowSameJudge === true ? { allowSameJudge: true } : {}),
    ...(flags.resume === undefined ? {} : { resume: flags.resume }),
    ...(flags.concurrency === undefined ? {} : { concurrency: flags.concurrency }),
    ...(flags.maxCost === undefined ? {} : { maxCost: flags.maxCost }),
    ...(flags.budget === undefined ? {} : { budget: flags.budget }),
    ...(flags.budgetTokens === undefined ? {} : { budgetTokens: flags.budgetTokens }),
  };
}

/** Judged checks of an arm are graded by the judge that was held against that arm's model. */
function gradeWithArms(arms: ReadonlyMap<string, PreparedAgents>): Partial<GradeContext> {
  return {
    judge(spec, recording) {
      const judge = arms.get(armOf(recording.receipt.caseId)?.arm ?? '')?.grade?.judge;
      if (judge === undefined) return Promise.resolve({ outcome: 'error', evidence: 'there is no judge' });
      return judge(spec, recording);
    },
  };
}

/** The arms of a job, ready to answer. */
interface PreparedJob {
  job: CompareJob;
  combined: Suite;
  arms: ReadonlyMap<string, PreparedAgents>;
  agents: AgentSource;
  pairJudge: ChosenModel | null;
  judgeRef: string | null;
  users: PreparedAgents['users'];
  promptHash: string | null;
  scopes: PreparedAgents['scopes'];
  turnTimeoutMs: PreparedAgents['turnTimeoutMs'];
  redact: PreparedAgents['redact'];
}

/** Everything that can be wrong with a job is found here, before anything is spent. */
async function prepareJob(job: CompareJob, suite: Suite, context: AgentsContext): Promise<PreparedJob> {
  const arms = new Map<string, PreparedAgents>();
  const sources = new Map<string, AgentSource>();
  for (const arm of job.arms) {
    const own: RunFlags = arm.model === null ? context.flags : { ...context.flags, model: arm.model };
    const agents = await agentsFor(suite, { ...context, flags: own });
    arms.set(arm.name, agents);
    sources.set(arm.name, agents.agents);
  }
  const combined = suiteWithArms(suite, job);
  const refs = [...sources.values()].map((one) => one.modelRef);
  const first = arms.values().next().value;
  return {
    job,
    combined,
    arms,
    agents: agentsWithArms(sources),
    pairJudge: job.criteria === null ? null : await preparePairJudge(job, suite, refs, context),
    judgeRef: first?.judgeRef ?? null,
    users: first?.users ?? null,
    promptHash: first?.promptHash ?? null,
    scopes: {
      agentScope: sha256([...arms.values()].map((arm) => arm.scopes.agentScope ?? '').join('\n')),
      judgeScope: first?.scopes.judgeScope ?? null,
    },
    turnTimeoutMs: first?.turnTimeoutMs ?? null,
    // Every arm has secrets of its own.
    redact: (text) => [...arms.values()].reduce((kept, arm) => arm.redact(kept), text),
  };
}

/** A finished run of all arms. */
interface ArmsRun {
  directory: string;
  cases: ArmedCases;
}

/** Runs all arms in one stored run. */
async function runArms(
  prepared: PreparedJob,
  context: AgentsContext,
  interrupt: Interrupt,
): Promise<ArmsRun> {
  const { job, combined, agents, judgeRef, promptHash } = prepared;
  const { flags, loaded, cwd, source } = context;
  const options: RunOptions = {
    suite: combined,
    source,
    agents,
    trials: job.trials,
    keepCases: false,
    stop: interrupt.stop,
    cancel: interrupt.cancel,
    judgeRef,
    turnTimeoutMs: prepared.turnTimeoutMs,
    grade: gradeWithArms(prepared.arms),
    redact: prepared.redact,
    exhausted: () => context.services.spend?.closed ?? null,
    ...mergeLimits(loaded.config.eval.limits),
  };
  if (prepared.users !== null)
    Object.assign(options, { userOf: prepared.users.userOf, simulatorRef: prepared.users.ref });
  const concurrency = flags.concurrency ?? loaded.config.eval.concurrency;
  if (concurrency !== undefined) options.concurrency = concurrency;
  const opened = await openRunStore({
    flags,
    loaded,
    cwd,
    source,
    suite: combined,
    agents,
    judgeRef,
    simulatorRef: prepared.users?.ref ?? null,
    promptHash,
    scopes: prepared.scopes,
    count: combined.cases.length,
    cases: () => combined.cases,
    ids: () => caseIds(combined.cases),
    trialsOf: (tested) => plannedTrials(options, tested),
    settings: { comparison: storedJob(job) },
  });
  const progress = createProgress(process.stderr, {
    isTTY: process.stderr.isTTY,
    now: () => performance.now(),
    quiet: flags.quiet === true,
  });
  try {
    const { runId, directory, git, sink, seed, reuse } = opened;
    if (directory === null) throw new AssayError('STORE', 'a comparison is always stored');
    Object.assign(options, { runId, directory, git, sink });
    if (seed === null) throw new AssayError('STORE', 'a stored run has no seed');
    options.seed = seed;
    if (reuse) options.reuse = reuse;
    const cases = armedCases(combined, seed);
    carrySpend(context.services.spend, flags, directory);
    const rule = job.earlyStop;
    const budget = budgetOf(flags);
    const watch = rule === null ? null : ruleWatch(job, rule);
    if (watch !== null || budget !== null) options.blocks = armBlocks(combined, cases);
    if (watch !== null) options.enough = () => watch.decided();
    if (budget !== null) options.budget = budget;
    options.onEvent = (event) => {
      opened.event(event);
      progress.event(event);
      if (event.type === 'case-end') watch?.add(event.result);
    };
    const report = await runSuite(options);
    await opened.finish(report);
    progress.stop();
    if (!report.interrupted) return { directory, cases };
    note(`finished trials are kept; go on with: assay compare ${job.kind} FILE --resume ${runId}`);
    throw new ExitCode(interrupt.exitCode() ?? 1);
  } finally {
    progress.stop();
    await opened.close();
  }
}

/** Writes a result to the run's directory and to where it was asked for. */
async function publish(result: JobResult, directory: string, flags: JobFlags): Promise<void> {
  const json = `${JSON.stringify(result, null, 2)}\n`;
  await writeFileAtomic(join(directory, COMPARISON_FILE), json, PRIVATE);
  await writeFileAtomic(join(directory, 'comparison.md'), jobMarkdown(result), PRIVATE);
  const output = openResultOutput(flags.out);
  const format = flags.json === true ? 'json' : flags.format;
  if (format === 'json') output.write(json);
  else output.write(format === 'markdown' ? jobMarkdown(result) : jobTable(result));
  output.commit();
}

async function openSuite(job: CompareJob, loaded: LoadedConfig, quiet: boolean): Promise<Suite> {
  const [suite] = await openSuites([job.suite], { loaded, cwd: process.cwd(), quiet });
  if (suite === undefined) throw new AssayError('SUITE_NOT_FOUND', `no suite ${job.suite}`);
  if (suite.format !== 'trace') return suite;
  throw new AssayError('MODE', 'trace fixtures script their model: there is nothing to compare', {
    fix: 'name an assertion suite',
  });
}

/** `assay compare prompts|models|ablate`: arms interleaved in one stored run, then the result. */
export async function compareJobAction(
  kind: CompareJob['kind'],
  path: string | undefined,
  flags: JobFlags,
): Promise<void> {
  const job = readJob(kind, path, flags);
  const loaded = await loadConfig(process.cwd(), flags.config);
  const suite = await openSuite(job, loaded, flags.quiet === true);
  if (flags.resume !== undefined) requireSameJob(resumedRun(loaded, flags.resume, job.name).directory, job);
  const interrupt = listenForInterrupts();
  try {
    const source = systemSource();
    const own = runFlags(job, flags);
    const context: AgentsContext = {
      flags: own,
      loaded,
      cwd: process.cwd(),
      source,
      cancel: interrupt.cancel,
      services: withCeiling(modelServices(loaded, source, true), own),
    };
    const prepared = await prepareJob(job, suite, context);
    try {
      const { directory, cases } = await runArms(prepared, context, interrupt);
      const run = readRun(directory);
      const { pairJudge } = prepared;
      const judged = pairJudge === null ? null : await judgePairs(job, run, pairJudge, context);
      const result = jobResult(job, run, judged, cases);
      await publish(result, directory, flags);
      if (flags.quiet !== true) noteSpend(context.services.spend);
      const code = flags.gate === true ? gateExitCode(result.comparison, flags.allowUndecided === true) : 0;
      if (code !== 0) throw new ExitCode(code);
    } finally {
      for (const one of prepared.arms.values()) await one.close();
    }
  } finally {
    interrupt.release();
  }
}
