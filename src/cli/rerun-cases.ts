import { join } from 'node:path';
import { plural, type CaseResult } from '../core/index.js';
import { runSuite, type RunOptions } from '../run/index.js';
import { openRunStore, type StoreContext } from './run-store.js';
import { note } from './streams.js';

/** Folder of the store for runs that only repeat some cases of another run, so that they are not taken for the newest. */
const RETRIES = 'retries';

/**
 * Runs some cases of a run once more, each with its own number of trials, as a run of its own in the store.
 * @param ids of the cases
 * @param options of the run that is repeated
 * @param context of its store
 */
export async function rerunCases(
  ids: ReadonlySet<string>,
  options: RunOptions,
  context: StoreContext,
): Promise<Map<string, CaseResult>> {
  const { flags, loaded } = context;
  if (flags.quiet !== true) note(`running ${plural(ids.size, 'regressed case')} once more`);
  const { config } = loaded;
  const store = { ...config.store, dir: join(config.store.dir, RETRIES) };
  const opened = await openRunStore({
    ...context,
    flags: { ...flags, resume: false },
    loaded: { ...loaded, config: { ...config, store } },
    cases: function* cases() {
      for (const tested of context.cases()) if (ids.has(tested.id)) yield tested;
    },
    ids: () => ids,
    count: ids.size,
  });
  const found = new Map<string, CaseResult>();
  try {
    const { reuse: _reuse, failFast: _failFast, seed: _seed, ...rest } = options;
    const report = await runSuite({
      ...rest,
      select: (tested) => ids.has(tested.id),
      selectedCases: ids.size,
      runId: opened.runId,
      directory: opened.directory,
      sink: opened.sink,
      ...(opened.seed === null ? {} : { seed: opened.seed }),
      onEvent(event) {
        opened.event(event);
        if (event.type === 'case-end') found.set(event.result.id, event.result);
      },
    });
    await opened.finish(report);
  } finally {
    await opened.close();
  }
  return found;
}
