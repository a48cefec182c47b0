import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  agentsWithArms,
  armOf,
  gateExitCode,
  jobMarkdown,
  jobResult,
  jobTable,
  parseCompareJob,
  suiteWithArms,
  type CompareJob,
} from '../../compare/index.js';
import { loadConfig } from '../../config/index.js';
import { AssayError, canonicalJson, parseJson, systemSource, type JsonValue } from '../../core/index.js';
import { createProgress } from '../../report/index.js';
import { plannedTrials, runSuite, type AgentSource, type RunOptions } from '../../run/index.js';
import { readRun, writeFileAtomic } from '../../store/index.js';
import { caseIds, displayPath } from '../../suite/index.js';
import { agentsFor, type PreparedAgents } from '../agents-for.js';
import { modelServices, type AgentsContext } from '../choose-model.js';
import type { JobFlags } from '../commands/compare-jobs.js';
import type { RunFlags } from '../commands/run.js';
import { ExitCode } from '../exit-code.js';
import { listenForInterrupts } from '../interrupt.js';
import { openSuites } from '../open-suites.js';
import { judgePairs, preparePairJudge } from '../pair-judge.js';
import { openResultOutput } from '../result-output.js';
import { openRunStore, resumedRun } from '../run-store.js';
import { note } from '../streams.js';

/** A job as it is stored before the first call: what the result is held against later. */
function storedJob(job: CompareJob): JsonValue {
  const parsed = parseJson(JSON.stringify(job));
  return parsed.ok ? parsed.value : null;
}

/** A job from a file, or for models from the command line alone. */
function readJob(kind: CompareJob['kind'], path: string | undefined, flags: JobFlags): CompareJob {
  if (path !== undefined) {
    const absolute = resolve(path);
    if (!existsSync(absolute)) {
      throw new AssayError('INPUT', `comparison not found: ${path}`, { fix: 'check the path' });
    }
    return parseCompareJob(kind, displayPath(absolute, process.cwd()), readFileSync(absolute, 'utf8'));
  }
  if (kind !== 'models' || flags.models === undefined) {
    throw new AssayError('USAGE', `assay compare ${kind} needs a file`, {
      fix: kind === 'models' ? 'name one, or give --models a,b' : 'name one',
    });
  }
  const arms = flags.models.split(',').map((model) => model.trim());
  const written = {
    name: flags.name ?? 'models',
    suite: flags.suite,
    hypothesis: flags.hypothesis,
    success: flags.success,
    refuted_by: flags.refutedBy,
    difference: flags.difference,
    ...(flags.tolerance === undefined ? {} : { tolerance: flags.tolerance }),
    ...(flags.trials === undefined ? {} : { trials: flags.trials }),
    arms: arms.map((model, index) => ({ name: armName(model, index), model })),
  };
  return parseCompareJob(kind, 'command line', JSON.stringify(written));
}

/** A model's name as that of an arm. */
function armName(model: string, index: number): string {
  const plain = model.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return plain === '' ? `model-${index + 1}` : plain.slice(0, 60);
}

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
  };
}

/** Judged checks of an arm are graded by the judge that was held against that arm's model. */
function gradeWithArms(arms: ReadonlyMap<string, PreparedAgents>): RunOptions['grade'] {
  return {
    judge(spec, recording) {
      const judge = arms.get(armOf(recording.receipt.caseId)?.arm ?? '')?.grade?.judge;
      if (judge === undefined) return Promise.resolve({ outcome: 'error', evidence: 'there is no judge' });
      return judge(spec, recording);
    },
  };
}

function requireSameJob(directory: string, job: CompareJob): void {
  const stored = readRun(directory).header.settings?.['comparison'] ?? null;
  if (canonicalJson(stored) === canonicalJson(storedJob(job))) return;
  throw new AssayError('USAGE', 'the stored comparison was set down differently', {
    fix: 'what is compared is fixed before the first call: resume with the same file, or start anew',
  });
}

/** `assay compare prompts|models|ablate`: arms interleaved in one stored run, then the result. */
export async function compareJobAction(
  kind: CompareJob['kind'],
  path: string | undefined,
  flags: JobFlags,
): Promise<void> {
  const cwd = process.cwd();
  const job = readJob(kind, path, flags);
  const loaded = await loadConfig(cwd, flags.config);
  const quiet = flags.quiet === true;
  const [suite] = await openSuites([job.suite], { loaded, cwd, quiet });
  if (suite === undefined) throw new AssayError('SUITE_NOT_FOUND', `no suite ${job.suite}`);
  if (suite.format === 'trace') {
    throw new AssayError('MODE', 'trace fixtures script their model: there is nothing to compare', {
      fix: 'name an assertion suite',
    });
  }
  const interrupt = listenForInterrupts();
  const source = systemSource();
  const base = runFlags(job, flags);
  const context: AgentsContext = {
    flags: base,
    loaded,
    cwd,
    source,
    cancel: interrupt.cancel,
    services: modelServices(loaded, source, true),
  };
  const prepared = new Map<string, PreparedAgents>();
  const sources = new Map<string, AgentSource>();
  for (const arm of job.arms) {
    const own: RunFlags = arm.model === null ? base : { ...base, model: arm.model };
    const agents = await agentsFor(suite, { ...context, flags: own });
    prepared.set(arm.name, agents);
    sources.set(arm.name, agents.agents);
  }
  const combined = suiteWithArms(suite, job);
  const agents = agentsWithArms(sources);
  const refs = [...sources.values()].map((one) => one.modelRef);
  const pairJudge = job.criteria === null ? null : await preparePairJudge(job, suite, refs, context);
  const first = prepared.values().next().value;
  const options: RunOptions = {
    suite: combined,
    source,
    agents,
    trials: job.trials,
    keepCases: false,
    stop: interrupt.stop,
    cancel: interrupt.cancel,
    judgeRef: first?.judgeRef ?? null,
    turnTimeoutMs: first?.turnTimeoutMs ?? null,
    grade: gradeWithArms(prepared) ?? {},
  };
  const concurrency = flags.concurrency ?? loaded.config.eval.concurrency;
  if (concurrency !== undefined) options.concurrency = concurrency;
  if (flags.resume !== undefined) {
    requireSameJob(resumedRun(loaded, flags.resume, job.name).directory, job);
  }
  const opened = await openRunStore({
    flags: base,
    loaded,
    cwd,
    source,
    suite: combined,
    agents,
    judgeRef: first?.judgeRef ?? null,
    promptHash: first?.promptHash ?? null,
    count: combined.cases.length,
    cases: () => combined.cases,
    ids: () => caseIds(combined.cases),
    trialsOf: (tested) => plannedTrials(options, tested),
    settings: { comparison: storedJob(job) },
  });
  const progress = createProgress(process.stderr, {
    isTTY: process.stderr.isTTY,
    now: () => performance.now(),
    quiet,
  });
  try {
    Object.assign(options, {
      runId: opened.runId,
      directory: opened.directory,
      git: opened.git,
      sink: opened.sink,
      ...(opened.seed === null ? {} : { seed: opened.seed }),
      ...(opened.reuse ? { reuse: opened.reuse } : {}),
    });
    options.onEvent = (event) => {
      opened.event(event);
      progress.event(event);
    };
    const report = await runSuite(options);
    await opened.finish(report);
    progress.stop();
    if (opened.directory === null) throw new AssayError('STORE', 'a comparison is always stored');
    if (report.interrupted) {
      note(`finished trials are kept; go on with: assay compare ${kind} FILE --resume ${opened.runId}`);
      throw new ExitCode(interrupt.exitCode() ?? 1);
    }
    const run = readRun(opened.directory);
    const judged = pairJudge === null ? null : await judgePairs(job, run, pairJudge, context);
    const result = jobResult(job, run, judged);
    await writeFileAtomic(
      join(run.directory, 'comparison.json'),
      `${JSON.stringify(result, null, 2)}\n`,
      0o600,
    );
    await writeFileAtomic(join(run.directory, 'comparison.md'), jobMarkdown(result), 0o600);
    const output = openResultOutput(flags.out);
    const format = flags.json === true ? 'json' : flags.format;
    if (format === 'json') output.write(`${JSON.stringify(result, null, 2)}\n`);
    else output.write(format === 'markdown' ? jobMarkdown(result) : jobTable(result));
    output.commit();
    const code = flags.gate === true ? gateExitCode(result.comparison, flags.allowUndecided === true) : 0;
    if (code !== 0) throw new ExitCode(code);
  } finally {
    progress.stop();
    await opened.close();
    for (const one of prepared.values()) await one.close();
    interrupt.release();
  }
}
