import { historyDirectory, readHistory, trends } from '../../baseline/index.js';
import { loadConfig } from '../../config/index.js';
import { AssayError, didYouMean, type RunSummary } from '../../core/index.js';
import { formatTrend, type TrendPoint } from '../../report/index.js';
import { listRuns } from '../../store/index.js';
import { displayPath } from '../../suite/index.js';
import type { HistoryFlags } from '../commands/history.js';
import { storeRoot } from '../run-store.js';
import { note, say, wantsColor } from '../streams.js';

const DEFAULT_LAST = 30;

/** How a problem in one file is said: it never hides the others. */
function sayProblems(problems: readonly { path: string; message: string }[], cwd: string): void {
  for (const { path, message } of problems) note(`${displayPath(path, cwd)}: ${message}`);
}

function pointObject(point: TrendPoint): object {
  return {
    run_id: point.runId,
    at: point.at,
    commit: point.commit,
    dirty: point.dirty,
    mode: point.mode,
    model: point.model,
    outcome: point.outcome,
    passed: point.passed,
    scored: point.scored,
    missing: point.missing,
    pass_rate: point.scored === 0 ? null : point.passed / point.scored,
    interval: point.interval,
  };
}

/** Nothing to show is an error, so that a misspelt name is not taken for a suite without runs. */
function nothing(suite: string | null, known: readonly string[]): AssayError {
  if (suite === null) {
    return new AssayError('RUN_NOT_FOUND', 'there is no history yet', { fix: 'Start with `assay run`.' });
  }
  const meant = didYouMean(suite, known);
  const others = known.length === 0 ? 'No suite has one yet.' : `There is one of ${known.join(', ')}.`;
  return new AssayError('RUN_NOT_FOUND', `there is no history of a suite ${JSON.stringify(suite)}`, {
    fix: meant === null ? others : `Did you mean ${JSON.stringify(meant)}?`,
  });
}

/** `assay history`: the trend of each suite, from history files and from stored runs that ended. */
export async function historyAction(suite: string | null, flags: HistoryFlags): Promise<void> {
  const cwd = process.cwd();
  const loaded = await loadConfig(cwd, flags.config);
  const directory =
    flags.historyDir === undefined
      ? historyDirectory(loaded.config.eval.history_dir, loaded.root)
      : historyDirectory(flags.historyDir, cwd);
  const history = directory === null ? { records: [], problems: [] } : readHistory(directory, null);
  const stored = listRuns(storeRoot(loaded));
  sayProblems([...history.problems, ...stored.problems], cwd);
  const ended = stored.runs
    .map((run) => run.summary)
    .filter((summary): summary is RunSummary => summary !== null && !summary.interrupted);
  const all = trends(history.records, ended);
  const chosen = [...all].filter(([name]) => suite === null || name === suite);
  if (chosen.length === 0) throw nothing(suite, [...all.keys()]);
  const shown = chosen.map(([name, points]): [string, TrendPoint[]] => [
    name,
    points.slice(-(flags.last ?? DEFAULT_LAST)),
  ]);
  if (flags.json === true) {
    const suites = shown.map(([name, points]) => ({ suite: name, runs: points.map(pointObject) }));
    say(JSON.stringify({ schema: 'assay/history-list/v1', suites }, null, 2));
    return;
  }
  const color = wantsColor(flags.color, process.stdout);
  say(shown.map(([name, points]) => formatTrend(name, points, { color })).join('\n'));
}
