import { comparisonList, decisionOf, type DecisionEntry } from '../../compare/index.js';
import { loadConfig, type LoadedConfig } from '../../config/index.js';
import { AssayError } from '../../core/index.js';
import {
  formatRunList,
  formatSuiteList,
  type RunListEntry,
  type SuiteListEntry,
} from '../../report/index.js';
import { listRuns } from '../../store/index.js';
import { displayPath, listSuites, loadSuiteAt, type FoundSuite } from '../../suite/index.js';
import type { ListFlags } from '../commands/list.js';
import { suiteRoots } from '../open-suites.js';
import { suiteBounds } from '../project-root.js';
import { storeRoot } from '../run-store.js';
import { say, wantsColor } from '../streams.js';

function runEntries(root: string): RunListEntry[] {
  const { runs, problems } = listRuns(root);
  return [
    ...runs.map((run) => ({
      runId: run.runId,
      suite: run.header.suite,
      outcome: run.summary?.outcome ?? null,
      startedAt: run.header.startedAt,
      cases:
        run.summary === null ? null : { passed: run.summary.totals.passed, total: run.summary.totals.cases },
      problem: null,
    })),
    ...problems.map((problem) => ({
      runId: problem.path,
      suite: '',
      outcome: null,
      startedAt: '',
      cases: null,
      problem: problem.message,
    })),
  ];
}

/** Decisions of comparisons, newest first; runs that compare nothing are left out. */
function decisionEntries(root: string): DecisionEntry[] {
  const { runs } = listRuns(root);
  return runs.flatMap((run) => decisionOf(run) ?? []);
}

async function suiteEntry(
  found: Pick<FoundSuite, 'name' | 'path' | 'format'>,
  loaded: LoadedConfig,
  cwd: string,
): Promise<SuiteListEntry> {
  const entry = {
    name: found.name,
    path: displayPath(found.path, cwd),
    format: found.format,
    shadowedBy: null,
  };
  try {
    const { kind, cases, description } = await loadSuiteAt(found.path, {
      cwd,
      ...suiteBounds(found.path, loaded, cwd),
    });
    return { ...entry, kind, cases: cases.length, description, problem: null };
  } catch (error) {
    if (!AssayError.isInstance(error)) throw error;
    return { ...entry, kind: 'regression', cases: null, description: null, problem: error.message };
  }
}

/** What `assay list` lists. */
export type Listed = 'suites' | 'runs' | 'comparisons' | 'all';

/** `assay list`: suites by name, and stored runs, newest first. One bad suite or run never hides the others. */
export async function listAction(what: Listed, flags: ListFlags): Promise<void> {
  const cwd = process.cwd();
  const loaded = await loadConfig(cwd, flags.config);
  const suites: SuiteListEntry[] = [];
  const wants = (one: Listed): boolean => what === 'all' || what === one;
  if (wants('suites')) {
    for (const found of listSuites(suiteRoots(loaded))) {
      const entry = await suiteEntry(found, loaded, cwd);
      suites.push({
        ...entry,
        shadowedBy: found.shadowedBy === null ? null : displayPath(found.shadowedBy, cwd),
      });
    }
  }
  const runs = wants('runs') ? runEntries(storeRoot(loaded)) : [];
  const decisions = wants('comparisons') ? decisionEntries(storeRoot(loaded)) : [];
  if (flags.json === true) {
    say(
      JSON.stringify(
        {
          schema: 'assay/list/v1',
          ...(wants('suites') ? { suites } : {}),
          ...(wants('runs') ? { runs } : {}),
          ...(wants('comparisons') ? { comparisons: decisions } : {}),
        },
        null,
        2,
      ),
    );
    return;
  }
  const color = wantsColor(true, process.stdout);
  const texts = [
    ...(wants('suites') ? [formatSuiteList(suites, { color })] : []),
    ...(wants('runs') ? [formatRunList(runs, { color })] : []),
    ...(what === 'comparisons' || decisions.length > 0 ? [comparisonList(decisions)] : []),
  ];
  say(texts.join('\n\n'));
}
