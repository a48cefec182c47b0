import { join } from 'node:path';

/** Name of the append-only log of everything that was done and left undone. */
export const LOG_NAME = 'config-eval-fires.jsonl';

/** Where a project keeps what it knows of changed configurations; all paths are absolute. */
export interface WatchPlace {
  directory: string;
  /** One JSON line for everything that was done, skipped or failed. */
  log: string;
  /** One file for each edit that waits to be tested. */
  pending: string;
  /** Files that say who tests. */
  lock: string;
  /** Which runs were good. */
  state: string;
  /** What detached processes said. */
  output: string;
  /** Settings files as they were before a hook was installed. */
  installs: string;
}

/** The place of a project whose runs are stored in `storeRoot`. */
export function watchPlace(storeRoot: string): WatchPlace {
  const directory = join(storeRoot, 'config-change');
  return {
    directory,
    log: join(directory, LOG_NAME),
    pending: join(directory, 'pending'),
    lock: join(directory, 'lock'),
    state: join(directory, 'config-eval-state.json'),
    output: join(directory, 'worker.log'),
    installs: join(directory, 'installs'),
  };
}
