import { AssayError, errorMessage, type JsonValue } from '../../core/index.js';
import { displayPath } from '../../suite/index.js';
import { enqueue, observe, pendingEdits, tryLog, work, type LogEntry } from '../../watch/index.js';
import type { WatchFlags } from '../commands/watch.js';
import { note, say } from '../streams.js';
import { untilStopped, watchContext, workContext, type WatchContext } from '../watch-context.js';
import { entryLine } from '../watch-lines.js';

/** How often it is looked for edits that nobody tests: those of a process that was killed. */
const LOOK_MS = 5000;

/** Tests what waits, once at a time; whatever comes meanwhile is looked at afterwards. */
class Worker {
  readonly #work: () => Promise<void>;
  #running: Promise<void> | null = null;
  #again = false;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  wake(): void {
    this.#again = true;
    this.#running ??= this.#run();
  }

  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#again) {
        this.#again = false;
        await this.#work();
      }
    } catch (error) {
      // The next edit, or the next look, tries again.
      note(`assay watch: ${AssayError.isInstance(error) ? error.describe() : errorMessage(error)}`);
    } finally {
      this.#running = null;
    }
  }
}

function sayWatched({ sentinels, loaded, configFile }: WatchContext, flags: WatchFlags): void {
  const { config, root } = loaded;
  const suite = config.eval.config_change_suite;
  const shown = sentinels.globs.join(', ');
  if (flags.json === true) {
    say(JSON.stringify({ event: 'ready', suite, sentinels: sentinels.globs, root, config: configFile }));
  } else say(`watching ${shown}`);
  note(`an edit runs ${suite} after ${config.config_change.quiet_secs} s without another; Ctrl-C ends it`);
  if ((config.eval.system_prompt_files ?? []).length === 0)
    note(
      'eval.system_prompt_files names no file: a suite that asks a model directly does not see your edits',
    );
}

/** `assay watch`. */
export async function watchAction(flags: WatchFlags): Promise<void> {
  const context = await watchContext(process.cwd(), flags.config);
  const { place, sentinels, loaded } = context;
  const { signal, release } = untilStopped();
  const shown = (path: string): string => displayPath(path, loaded.root);
  const onEntry = (entry: LogEntry): void => {
    const stamped: { [fact: string]: JsonValue } = { ts: new Date().toISOString(), ...entry };
    say(flags.json === true ? JSON.stringify(stamped) : entryLine(stamped, shown));
  };
  const given = workContext(context, { signal, onEntry });
  const worker = new Worker(() => work(given));
  const queue = async (trigger: string): Promise<void> => {
    const at = given.source.now();
    await enqueue(place.pending, { at, trigger, seenBy: 'watch' });
    const entry: LogEntry = { event: 'queued', trigger };
    const unlogged = tryLog(place.log, at, entry);
    if (unlogged !== null) note(unlogged);
    onEntry(entry);
    worker.wake();
  };
  let ended: (failure: AssayError | null) => void = () => undefined;
  const stopped = new Promise<AssayError | null>((done) => {
    ended = done;
  });
  signal.addEventListener('abort', () => ended(null), { once: true });
  const observer = await observe({
    sentinels,
    ignored: [given.storeRoot],
    onEdit: (path) => {
      queue(path).catch((error: unknown) => note(`assay watch: ${errorMessage(error)}`));
    },
    onFailure: ended,
  });
  sayWatched(context, flags);
  const look = setInterval(() => {
    if (pendingEdits(place.pending).length > 0) worker.wake();
  }, LOOK_MS);
  worker.wake();
  const failure = await stopped;
  clearInterval(look);
  await observer.close();
  if (failure === null) await worker.settled();
  release();
  if (failure !== null) throw failure;
}
