import { startThread, type WorkThread } from '../thread/index.js';

// Threads that wait for the next call: starting one costs more than most calls.
const MOST_THREADS = 4;
const IDLE_MS = 2000;

/** How a question to a pool ended. */
export type PoolAnswer =
  | { kind: 'answered'; value: unknown }
  | { kind: 'timeout' }
  | { kind: 'stopped' }
  | { kind: 'died'; message: string };

interface Waiting {
  thread: WorkThread;
  /** Forgets the thread, which then is the caller's. */
  forget(): void;
}

/**
 * A few threads that answer one question each at a time. A thread whose question takes too long is ended, whatever it
 * does, and the next question gets another one.
 */
export class ThreadPool {
  private readonly entry: URL;
  private readonly idle: Waiting[] = [];
  private readonly queue: (() => void)[] = [];
  private busy = 0;

  constructor(entry: URL) {
    this.entry = entry;
  }

  /** Asks once. Never rejects. */
  async ask(question: unknown, timeoutMs: number, signal: AbortSignal | null): Promise<PoolAnswer> {
    await this.place();
    try {
      if (signal?.aborted === true) return { kind: 'stopped' };
      const thread = this.take();
      const answer = await exchange(thread, question, timeoutMs, signal);
      if (answer.kind === 'answered') this.putBack(thread);
      else await thread.end();
      return answer;
    } finally {
      this.busy -= 1;
      this.queue.shift()?.();
    }
  }

  private async place(): Promise<void> {
    while (this.busy >= MOST_THREADS) {
      await new Promise<void>((resolve) => {
        this.queue.push(resolve);
      });
    }
    this.busy += 1;
  }

  private take(): WorkThread {
    const waiting = this.idle.at(-1);
    if (waiting !== undefined) {
      waiting.forget();
      waiting.thread.hold();
      return waiting.thread;
    }
    return startThread({ entry: this.entry, environment: {} });
  }

  private putBack(thread: WorkThread): void {
    thread.release();
    const timer = setTimeout(() => {
      waiting.forget();
      void thread.end();
    }, IDLE_MS);
    timer.unref();
    const unwatch = thread.onEnd(() => waiting.forget());
    const waiting: Waiting = {
      thread,
      forget: () => {
        clearTimeout(timer);
        unwatch();
        this.idle.splice(this.idle.indexOf(waiting), 1);
      },
    };
    this.idle.push(waiting);
  }
}

function exchange(
  thread: WorkThread,
  question: unknown,
  timeoutMs: number,
  signal: AbortSignal | null,
): Promise<PoolAnswer> {
  return new Promise((resolve) => {
    const finish = (answer: PoolAnswer): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      unwatch();
      resolve(answer);
    };
    const stop = (): void => finish({ kind: 'stopped' });
    const timer = setTimeout(() => finish({ kind: 'timeout' }), timeoutMs);
    signal?.addEventListener('abort', stop, { once: true });
    thread.onNextMessage((value) => finish({ kind: 'answered', value }));
    const unwatch = thread.onEnd((message) => finish({ kind: 'died', message }));
    thread.send(question);
  });
}
