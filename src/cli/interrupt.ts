import { note } from './streams.js';

/** Milliseconds that running trials get after the first interrupt. */
const GRACE_MS = 10_000;

/** What a run listens to, and what the exit code becomes. */
export interface Interrupt {
  /** No new trial starts. */
  stop: AbortSignal;
  /** Running trials are given up. */
  cancel: AbortSignal;
  /** 130 or 143 once a signal came, else null. */
  exitCode(): number | null;
  /** Stops listening. */
  release(): void;
}

/**
 * Ctrl-C once: no new trials, running ones get a grace time, everything finished is kept. Twice: at once; what is on
 * disk stays resumable.
 */
export function listenForInterrupts(): Interrupt {
  const stop = new AbortController();
  const cancel = new AbortController();
  let code: number | null = null;
  let timer: NodeJS.Timeout | null = null;
  const onSignal = (signal: NodeJS.Signals): void => {
    const exit = signal === 'SIGTERM' ? 143 : 130;
    if (code !== null) process.exit(code);
    code = exit;
    note('stopping: no new trials start, running ones get 10 s; interrupt again to leave at once');
    stop.abort();
    timer = setTimeout(() => cancel.abort(), GRACE_MS);
    timer.unref();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    stop: stop.signal,
    cancel: cancel.signal,
    exitCode: () => code,
    release() {
      if (timer !== null) clearTimeout(timer);
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
