import type { LogEntry } from '../../watch/index.js';
import { work } from '../../watch/index.js';
import { displayPath } from '../../suite/index.js';
import type { HookFlags } from '../commands/hook.js';
import { note, say } from '../streams.js';
import { untilStopped, watchContextAnyway, workContext } from '../watch-context.js';
import { entryLine } from '../watch-lines.js';

/** `assay hook work`. */
export async function hookWorkAction(flags: HookFlags): Promise<void> {
  const context = await watchContextAnyway(process.cwd(), flags.config);
  const { root } = context.loaded;
  const { signal, release } = untilStopped();
  let entries = 0;
  const onEntry = (entry: LogEntry): void => {
    entries += 1;
    say(entryLine({ ts: new Date().toISOString(), ...entry }, (path) => displayPath(path, root)));
  };
  try {
    await work(workContext(context, { signal, onEntry }));
    if (entries === 0 && !signal.aborted) note('no edits wait to be tested');
  } finally {
    release();
  }
}
