import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { MessageChannel, Worker } from 'node:worker_threads';
import { errorMessage } from '../core/index.js';

const load = createRequire(import.meta.url);

/** A module of the user's that has not loaded in a thread by then never will; milliseconds. */
export const LOAD_MS = 60_000;

/** How a thread is started. */
export interface ThreadOptions {
  /**
   * The module that runs in it, as built: `new URL('../room/worker.js', import.meta.url)`. The way through the directory
   * above leads there from the bundled command line as well.
   */
  entry: URL;
  /** Handed to the thread; must survive structured cloning. */
  data?: unknown;
  /** The whole environment of the thread; absent means a copy of the process's. */
  environment?: { [name: string]: string };
  /** Takes what the thread prints; absent throws it away. */
  onPrint?: (text: string) => void;
}

/** A thread that talks in messages. */
export interface WorkThread {
  send(message: unknown): void;
  /** Called with every message from the thread. */
  onMessage(listener: (message: unknown) => void): void;
  /** Called with the next message only. */
  onNextMessage(listener: (message: unknown) => void): void;
  /** Called once when the thread has ended, with why; at once when it has already. Gives a function that takes it back. */
  onEnd(listener: (message: string) => void): () => void;
  /** Lets the process end although the thread waits. */
  release(): void;
  /** The opposite of `release`. */
  hold(): void;
  /** Stops the thread, also in the middle of an endless loop, and waits until it is gone. */
  end(): Promise<void>;
}

// Where the sources are run as they are, a thread needs the loader that its process has built in.
const BOOT = `'use strict';
const { workerData } = require('node:worker_threads');
const { entry, loader, prints } = workerData;
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (chunk, encoding, done) => {
    prints.postMessage(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    const called = typeof encoding === 'function' ? encoding : done;
    if (called) process.nextTick(called);
    return true;
  };
}
if (loader === null) void import(entry);
else void require(loader).createJiti(entry).import(entry);
`;

function entryOf(entry: URL): { entry: string; loader: string | null } {
  const built = fileURLToPath(entry);
  if (existsSync(built)) return { entry: entry.href, loader: null };
  return { entry: built.replace(/\.js$/, '.ts'), loader: load.resolve('jiti') };
}

/** Starts a thread. */
export function startThread(options: ThreadOptions): WorkThread {
  // Not by the thread's own streams: reading those would keep this process alive, and a thread that ends loses what is
  // still in them.
  const { port1: printed, port2: prints } = new MessageChannel();
  const worker = new Worker(BOOT, {
    eval: true,
    // What a thread prints is not this program's output.
    stdout: true,
    stderr: true,
    execArgv: [],
    workerData: { ...entryOf(options.entry), data: options.data, prints },
    transferList: [prints],
    env: options.environment ?? { ...process.env },
  });
  printed.on('message', (text: string) => options.onPrint?.(text));
  printed.unref();
  let ended: string | null = null;
  const listeners = new Set<(message: string) => void>();
  const finish = (message: string): void => {
    if (ended !== null) return;
    ended = message;
    for (const listener of listeners) listener(message);
    listeners.clear();
  };
  worker.on('error', (error: unknown) => finish(errorMessage(error)));
  worker.on('exit', (code) => finish(`its thread ended with code ${code}`));
  return {
    send(message) {
      // A thread has no origin to name.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      worker.postMessage(message);
    },
    onMessage(listener) {
      worker.on('message', listener);
    },
    onNextMessage(listener) {
      worker.once('message', listener);
    },
    onEnd(listener) {
      if (ended === null) listeners.add(listener);
      else listener(ended);
      return () => {
        listeners.delete(listener);
      };
    },
    release: () => worker.unref(),
    hold: () => worker.ref(),
    async end() {
      await worker.terminate();
    },
  };
}
