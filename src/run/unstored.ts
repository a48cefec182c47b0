/** Trials that wait for the disk. Those of one write share its promise, and one reaction serves them all. */
export class UnstoredTrials {
  readonly #writes = new Map<Promise<unknown>, (() => void)[]>();
  #count = 0;
  #failed = false;
  #failure: unknown = null;

  /** Trials that are not on disk yet. */
  get size(): number {
    return this.#count;
  }

  /** True once something could not be stored. */
  get failed(): boolean {
    return this.#failed;
  }

  /** Calls `count` when `stored` is kept: a trial is counted only once it is on disk. */
  add(stored: Promise<unknown>, count: () => void): void {
    this.#count += 1;
    const sharing = this.#writes.get(stored);
    if (sharing !== undefined) {
      sharing.push(count);
      return;
    }
    const waiting = [count];
    this.#writes.set(stored, waiting);
    stored.then(
      () => this.#stored(stored, waiting),
      (error: unknown) => {
        this.#gone(stored, waiting);
        this.#fail(error);
      },
    );
  }

  /** Resolves when nothing waits any more; rejects with what could not be stored. */
  async settle(): Promise<void> {
    while (this.#writes.size > 0) await Promise.allSettled(this.#writes.keys());
    if (this.#failed) throw this.#failure;
  }

  #stored(stored: Promise<unknown>, waiting: readonly (() => void)[]): void {
    this.#gone(stored, waiting);
    try {
      for (const count of waiting) count();
    } catch (error) {
      // What counting leads to may be written as well, and a disk can refuse that too.
      this.#fail(error);
    }
  }

  #gone(stored: Promise<unknown>, waiting: readonly unknown[]): void {
    this.#writes.delete(stored);
    this.#count -= waiting.length;
  }

  #fail(error: unknown): void {
    if (!this.#failed) this.#failure = error;
    this.#failed = true;
  }
}
