import {
  planRun,
  planTable,
  readSide,
  type ComparedRun,
  type Plan,
  type PlannedCase,
} from '../../compare/index.js';
import { loadConfig, type LoadedConfig } from '../../config/index.js';
import { terminalLine } from '../../core/index.js';
import { costFromPrices } from '../../model/index.js';
import { listRuns, readRun } from '../../store/index.js';
import type { Case, Suite } from '../../suite/index.js';
import type { PlanFlags } from '../commands/plan.js';
import { openSuites } from '../open-suites.js';
import { storeRoot } from '../run-store.js';
import { selectedCases, selectSuites } from '../select-cases.js';
import { say } from '../streams.js';

/** Earlier runs that are looked at. */
const MOST_HISTORY = 5;
const DEFAULT_CONCURRENCY = 8;

function judgeCalls(tested: Case): number {
  let calls = 0;
  for (const check of tested.checks) {
    // A comparison asks in both orders.
    if (check.category === 'judge') calls += check.type === 'pairwise' ? 2 : 1;
  }
  return calls;
}

function planned(tested: Case, suite: Suite, flags: PlanFlags, replayed: boolean): PlannedCase {
  const trials = replayed ? 1 : (flags.trials ?? tested.trials ?? suite.trials);
  return { key: tested.hash, trials, judgeCalls: judgeCalls(tested) };
}

function historyOf(
  suite: Suite,
  flags: PlanFlags,
  loaded: LoadedConfig,
): { sides: ComparedRun[]; model: string | null } {
  const { runs } = listRuns(storeRoot(loaded), suite.name);
  const finished = runs.filter((run) => run.summary !== null && !run.summary.interrupted);
  const model = flags.model ?? finished[0]?.header.agentModel ?? suite.agentModel;
  const alike = finished.filter((run) => run.header.agentModel === model).slice(0, MOST_HISTORY);
  return { sides: alike.map((run) => readSide(readRun(run.directory))), model };
}

/** `assay plan`: nothing is asked and nothing is stored. */
export async function planAction(flags: PlanFlags): Promise<void> {
  const loaded = await loadConfig(process.cwd(), flags.config);
  const suites = selectSuites(
    await openSuites(flags.suite ?? [], { loaded, cwd: process.cwd(), quiet: true }),
    {
      filters: flags.filter ?? [],
      ids: flags.case ?? [],
      tags: flags.tag ?? [],
    },
  );
  const plans: (Plan & { suite: string })[] = [];
  for (const selected of suites) {
    const { suite } = selected;
    const { sides, model } = historyOf(suite, flags, loaded);
    const cases: PlannedCase[] = [];
    for (const tested of selectedCases(selected))
      cases.push(planned(tested, suite, flags, suite.format === 'trace'));
    const plan = planRun({
      cases,
      history: sides,
      price: (inputTokens, outputTokens) =>
        costFromPrices(
          loaded.config.prices,
          { ref: model ?? '', servedModel: null },
          { inputTokens, outputTokens, cacheReadTokens: null, cacheWriteTokens: null, reasoningTokens: null },
        ),
      concurrency: flags.concurrency ?? loaded.config.eval.concurrency ?? DEFAULT_CONCURRENCY,
      effect: flags.effect ?? null,
      alpha: flags.alpha,
      power: flags.power,
    });
    plans.push({ suite: suite.name, ...plan });
  }
  if (flags.json === true) say(JSON.stringify(plans.length === 1 ? plans[0] : plans, null, 2));
  else say(plans.map((plan) => `Plan of ${terminalLine(plan.suite)}\n${planTable(plan)}`).join('\n'));
}
