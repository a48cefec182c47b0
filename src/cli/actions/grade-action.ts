import { existsSync } from 'node:fs';
import { loadConfig } from '../../config/index.js';
import { AssayError, systemSource, type Recording } from '../../core/index.js';
import { createReporter } from '../../report/index.js';
import { recordedAgents, runSuite, type RunOptions } from '../../run/index.js';
import { findRun, readRun, type StoredCase, type StoredRun } from '../../store/index.js';
import type { GradeFlags } from '../commands/grade.js';
import { ExitCode } from '../exit-code.js';
import { caseIds, caseTraits } from '../../suite/index.js';
import { prepareJudge } from '../judge-for.js';
import { modelServices } from '../choose-model.js';
import { openSuites } from '../open-suites.js';
import { openResultOutput } from '../result-output.js';
import { storeRoot } from '../run-store.js';
import { note, wantsColor } from '../streams.js';

/** Finds recordings of a stored run, keeping the case that was asked for last. */
function recordings(
  find: (id: string) => StoredCase | null,
): (caseId: string, trial: number) => Recording | null {
  let held: { id: string; found: StoredCase | null } | null = null;
  return (caseId, trial) => {
    if (held === null || held.id !== caseId) held = { id: caseId, found: find(caseId) };
    return held.found?.trials.find((one) => one.trial === trial)?.recording ?? null;
  };
}

/** How many trials the run has of each of its cases. */
function storedTrials(stored: StoredRun): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const { id, trials } of stored.cases()) numbers.set(id, Math.max(...trials.map((one) => one.trial)));
  return numbers;
}

/** `assay grade`: the agent is never called and nothing is stored; the result goes to stdout. */
export async function gradeAction(reference: string, flags: GradeFlags): Promise<void> {
  const cwd = process.cwd();
  const loaded = await loadConfig(cwd, flags.config);
  const { directory } = findRun(storeRoot(loaded), reference);
  const stored = readRun(directory);
  const { header } = stored;
  if (flags.suite === undefined && !existsSync(header.suitePath)) {
    throw new AssayError('SUITE_NOT_FOUND', `the suite of this run is gone: ${header.suitePath}`, {
      fix: 'name the suite to grade with after --suite',
    });
  }
  const [suite] = await openSuites([flags.suite ?? header.suitePath], {
    loaded,
    cwd,
    quiet: flags.quiet === true,
  });
  if (suite === undefined) throw new AssayError('SUITE_NOT_FOUND', 'no suite to grade with');
  const known = storedTrials(stored);
  const asked = header.settings?.['trials'];
  const planned = stored.planned();
  // A case that was to run and did not is no case that passed: its missing trials are errors.
  const belongs = (id: string): boolean => known.has(id) || planned.has(id);
  const missing = [...caseIds(suite.cases)].filter((id) => !belongs(id)).length;
  if (missing > 0 && flags.quiet !== true)
    note(`${missing} of the suite's cases are not in the run and are left out`);
  const output = openResultOutput(flags.out);
  const reporter = createReporter(flags.json === true ? 'json' : flags.format, output, {
    color: flags.out === undefined && wantsColor(flags.color, process.stdout),
    columns: process.stdout.columns ?? 100,
    suites: 1,
    formats: [suite.format],
  });
  const source = systemSource();
  const options: RunOptions = {
    suite,
    source,
    agents: recordedAgents(
      { mode: header.mode, modelRef: header.agentModel },
      recordings((id) => stored.find(id)),
    ),
    runId: header.runId,
    directory,
    git: header.git,
    seed: header.seed,
    // A finished run is graded by the trials it has; one that broke off lacks some, and its cases say so.
    trials(tested) {
      if (tested === null) return header.trials;
      const wanted = typeof asked === 'number' ? asked : tested.trials;
      const has = known.get(tested.id) ?? 1;
      return stored.summary === null || stored.summary.interrupted ? Math.max(has, wanted) : has;
    },
    curtail: header.settings?.['curtail'] === true,
    keepCases: false,
    concurrency: 1,
    select: (tested) => belongs(tested.id),
    selectedCases: suite.cases.length - missing,
    onEvent: (event) => reporter.event(event),
  };
  if (caseTraits(suite.cases).judged) {
    const judge = await prepareJudge(suite, header.agentModel, {
      flags: { format: 'table', color: false, store: true, cache: true, quiet: flags.quiet === true },
      loaded,
      cwd,
      source,
      cancel: new AbortController().signal,
      services: modelServices(loaded, source, true),
    });
    Object.assign(options, { judgeRef: judge.ref, grade: judge.grade });
  }
  const report = await runSuite(options);
  reporter.finish();
  output.commit();
  if (report.exitCode() !== 0) throw new ExitCode(1);
}
