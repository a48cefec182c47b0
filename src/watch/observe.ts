import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { AssayError } from '../core/index.js';
import { isInside, type Sentinels } from './sentinels.js';

/** A running look-out for edits. */
export interface Observer {
  close(): Promise<void>;
}

/** What a look-out is told. */
export interface ObserveOptions {
  sentinels: Sentinels;
  /** Directories that are never looked into, absolute. */
  ignored: readonly string[];
  /** A sentinel was made, changed or removed. */
  onEdit(path: string): void;
  /** Looking goes on no more. */
  onFailure(error: AssayError): void;
}

const NEVER = new Set(['node_modules', '.git']);

function failure(error: unknown): AssayError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = error instanceof Error ? error.message : String(error);
  const full = code === 'ENOSPC' || code === 'EMFILE';
  return new AssayError('INPUT', `files cannot be watched: ${message}`, {
    fix: full
      ? 'raise fs.inotify.max_user_watches or ulimit -n, or name narrower globs in config_change.sentinels'
      : 'check config_change.sentinels',
    cause: error,
  });
}

/** The nearest directory that exists: a sentinel may be made together with its directory. */
function existing(directory: string): string {
  let path = directory;
  while (!existsSync(path) && dirname(path) !== path) path = dirname(path);
  return path;
}

/**
 * Looks out for edits of sentinels, by whatever program. Resolves once every file that is there is being watched.
 * Directories named node_modules and .git are left out.
 * @throws AssayError `INPUT` when the system gives no more watches
 */
export async function observe(options: ObserveOptions): Promise<Observer> {
  const { sentinels, ignored } = options;
  const { watch } = await import('chokidar');
  const starts = sentinels.directories.map((directory) => ({ directory, start: existing(directory) }));
  const roots = [...new Set(starts.map(({ start }) => start))];
  // Above a directory that is not there yet only the way to it is watched.
  const onTheWay = (path: string): boolean =>
    starts.some(
      ({ directory, start }) => path === start || isInside(path, directory) || isInside(directory, path),
    );
  const watcher = watch(roots, {
    ignoreInitial: true,
    ignored: (path, stats) => {
      if (ignored.some((directory) => isInside(path, directory)) || NEVER.has(basename(path))) return true;
      if (stats?.isFile() === true) return sentinels.match(path) === null;
      return !onTheWay(path);
    },
  });
  const opened = new Promise<void>((done, refuse) => {
    watcher.once('ready', done);
    watcher.once('error', (error) => refuse(failure(error)));
  });
  for (const event of ['add', 'change', 'unlink'] as const) {
    watcher.on(event, (path) => {
      if (sentinels.match(path) !== null) options.onEdit(path);
    });
  }
  try {
    await opened;
  } catch (error) {
    await watcher.close();
    throw error;
  }
  watcher.on('error', (error) => options.onFailure(failure(error)));
  return { close: () => watcher.close() };
}
