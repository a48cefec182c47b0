import { parentPort, workerData } from 'node:worker_threads';

/** The way from inside a thread to the one that started it. */
export interface ThreadPort {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** The port of the thread this runs in. Throws outside a thread. */
export function threadPort(): ThreadPort {
  const port = parentPort;
  if (port === null) throw new Error('this module runs in a thread only');
  return {
    send: (message) => port.postMessage(message),
    onMessage: (listener) => {
      port.on('message', listener);
    },
  };
}

/** What the thread was given as it was started. */
export function threadData(): unknown {
  const given: unknown = workerData;
  return typeof given === 'object' && given !== null ? Reflect.get(given, 'data') : undefined;
}

/**
 * Keeps code of the user's, which is loaded into this thread next, from signalling the process that the thread is part
 * of: that would end the whole run. `process.exit` ends the thread alone.
 */
export function guardProcess(): void {
  const kill = process.kill.bind(process);
  process.kill = (pid, signal) => {
    if (signal !== 0 && (pid === 0 || Math.abs(pid) === process.pid)) {
      throw new Error('it sent a signal to the process of Assay itself');
    }
    return kill(pid, signal);
  };
}
