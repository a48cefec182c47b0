import { setMaxListeners } from 'node:events';
import { errorMessage, type TrialLimits } from '../core/index.js';
import { AgentError } from '../agent/index.js';
import { limitError } from './meter.js';

/** The longest time a timer takes, 24 days; a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** What may end a trial from outside. */
export interface StopReasons {
  /** Fires when the run is interrupted; null when nobody can. */
  outer: AbortSignal | null;
  limits: TrialLimits;
}

/**
 * Ends the waits of one trial: when a turn takes too long, when the whole trial does, and when it is cancelled, whatever
 * the waited-for code does. Agents that can block run elsewhere, in threads or processes, so these timers always fire.
 */
export class TrialStop {
  private readonly outer: AbortSignal | null;
  private readonly controllers: AbortController[] = [];
  private readonly rejects = new Set<(error: AgentError) => void>();
  private timer: NodeJS.Timeout | null = null;
  private reason: AgentError | null = null;
  private readonly onOuter = (): void => this.stop(new AgentError('cancelled', 'the trial was cancelled'));

  constructor(reasons: StopReasons) {
    this.outer = reasons.outer;
    const duration = reasons.limits.duration_ms;
    if (duration !== undefined) {
      this.timer = setTimeout(
        () => this.stop(limitError('duration_ms', duration)),
        Math.min(duration, LONGEST_MS),
      );
    }
    if (this.outer === null) return;
    // One signal ends all trials under way; Node takes its many listeners for a leak and would print a warning.
    setMaxListeners(0, this.outer);
    if (this.outer.aborted) this.onOuter();
    else this.outer.addEventListener('abort', this.onOuter, { once: true });
  }

  /** Fires when the trial is to end. Made on first use: most replays never need to be given up. */
  get signal(): AbortSignal {
    const [known] = this.controllers;
    if (known !== undefined) return known.signal;
    const controller = new AbortController();
    setMaxListeners(0, controller.signal);
    this.controllers.push(controller);
    if (this.reason !== null) controller.abort(this.reason);
    return controller.signal;
  }

  /**
   * The outcome of `work`, or the reason to stop if that comes first.
   * @param limitMs milliseconds this may take; null for no limit of its own
   */
  within<Value>(work: Promise<Value>, limitMs: number | null, describe: string): Promise<Value> {
    if (limitMs === null && this.outer === null && this.timer === null) return work;
    return new Promise<Value>((resolve, reject) => {
      const late =
        limitMs === null
          ? null
          : setTimeout(
              () => this.stop(new AgentError('timeout', `${describe} timed out after ${limitMs / 1000} s`)),
              Math.min(limitMs, LONGEST_MS),
            );
      const settle = (): void => {
        if (late !== null) clearTimeout(late);
        this.rejects.delete(giveUp);
      };
      const giveUp = (error: AgentError): void => {
        settle();
        reject(error);
      };
      work.then(
        (value) => {
          settle();
          resolve(value);
        },
        (error: unknown) => {
          settle();
          reject(error instanceof Error ? error : new Error(errorMessage(error)));
        },
      );
      if (this.reason === null) this.rejects.add(giveUp);
      else giveUp(this.reason);
    });
  }

  /** Lets go of the timer and of the outer signal. */
  close(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.onOuter);
  }

  private stop(error: AgentError): void {
    if (this.reason !== null) return;
    this.reason = error;
    for (const controller of this.controllers) controller.abort(error);
    for (const reject of this.rejects) reject(error);
  }
}
