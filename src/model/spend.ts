import { AssayError } from '../core/index.js';

/** The right to make one try of one call. Exactly one of its functions must be called, once. */
export interface SpendPass {
  /** The try answered. `cost` in US dollars; null when nobody knows it. */
  answered(cost: number | null): void;
  /** The try failed; what it cost all the same, or null when it did not say. */
  failed(cost: number | null): void;
}

function dollars(amount: number): string {
  return `$${amount >= 1 ? amount.toFixed(2) : Number(amount.toPrecision(3))}`;
}

/**
 * One bound on what all model calls of a run may cost together: agents, judges, everybody. Every try asks first. Near
 * the ceiling calls go one after the other, so that it is passed by one call at most; and while no cost is known yet,
 * too. A call whose cost nobody knows closes the ceiling: it cannot be kept any more.
 */
export class SpendCeiling {
  /** US dollars. */
  readonly limit: number;
  private total: number;
  private underWay = 0;
  /** Most that one call has cost; null before the first. */
  private largest: number | null = null;
  private unknown: string | null = null;
  private readonly waiting = new Set<() => void>();

  /**
   * @param limit US dollars, above 0
   * @param spent what an earlier part of the run has spent already
   */
  constructor(limit: number, spent = 0) {
    if (!(limit > 0) || !Number.isFinite(limit))
      throw new RangeError(`a spend ceiling must be above 0, not ${limit}`);
    this.limit = limit;
    this.total = spent;
  }

  /** US dollars spent so far, as far as calls told. */
  get spent(): number {
    return this.total;
  }

  /** Adds what an earlier part of the run has spent. */
  carry(spent: number): void {
    this.total += spent;
  }

  /** Why no further call may be made; null while one may. */
  get closed(): string | null {
    if (this.unknown !== null) {
      return `the cost of a call to ${this.unknown} is not known, so the spend ceiling of ${dollars(this.limit)} cannot be kept`;
    }
    if (this.total < this.limit) return null;
    return `the spend ceiling of ${dollars(this.limit)} is reached: ${dollars(this.total)} spent by agents, judges and simulators`;
  }

  /**
   * Waits until a call to `ref` may be made.
   * @throws AssayError `LIMIT` when none may any more, or the reason of the signal
   */
  async enter(ref: string, signal?: AbortSignal): Promise<SpendPass> {
    for (;;) {
      signal?.throwIfAborted();
      const { closed } = this;
      if (closed !== null) {
        const fix =
          this.unknown === null ? 'raise --max-cost' : 'give its price under prices in the configuration';
        throw new AssayError('LIMIT', closed, { fix });
      }
      if (this.underWay === 0 || this.leavesRoom()) break;
      await this.nextEnd(signal);
    }
    this.underWay += 1;
    return {
      answered: (cost) => {
        if (cost === null) this.unknown ??= ref;
        else this.largest = Math.max(this.largest ?? 0, cost);
        this.settle(cost ?? 0);
      },
      failed: (cost) => this.settle(cost ?? 0),
    };
  }

  /** True when all calls under way and one more can cost as much as any before. */
  private leavesRoom(): boolean {
    return this.largest !== null && this.total + (this.underWay + 1) * this.largest <= this.limit;
  }

  private settle(cost: number): void {
    this.total += cost;
    this.underWay -= 1;
    // Each takes itself out as it wakes; one that must wait on comes in again later, not now.
    for (const wake of this.waiting) wake();
  }

  private nextEnd(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.waiting.delete(wake);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      this.waiting.add(wake);
      signal?.addEventListener('abort', wake, { once: true });
    });
  }
}
