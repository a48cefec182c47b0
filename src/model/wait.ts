/** The error of an ended wait: the signal's own reason when it is an error. */
export function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('aborted');
}

/** True when a signal was ended by a time limit rather than by a person. */
export function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}

/** Waits. Rejects with the signal's reason as soon as it aborts. */
export function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(abortReason(signal));
      return;
    }
    const stop = (): void => {
      clearTimeout(timer);
      if (signal !== undefined) reject(abortReason(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** A signal that ends after a time or with another signal, and must be closed when the work is done. */
export interface Deadline {
  signal: AbortSignal;
  close(): void;
}

/**
 * Starts a time limit. Unlike `AbortSignal.timeout` its timer keeps the process alive: work that hangs on nothing
 * must still be ended with an error, not by the process running out of things to do.
 */
export function startDeadline(milliseconds: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  const follow = (): void => {
    controller.abort(outer === undefined ? undefined : abortReason(outer));
  };
  const timer = setTimeout(() => {
    const error = new Error(`no answer within ${milliseconds / 1000} s`);
    error.name = 'TimeoutError';
    controller.abort(error);
  }, milliseconds);
  if (outer?.aborted === true) follow();
  else outer?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    close: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', follow);
    },
  };
}
