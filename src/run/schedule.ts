import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work in one go. */
const LONGEST_BREATH_MS = 50;

/** One trial of one case, by their positions. */
export interface Unit {
  /** 0-based position of the case in its block. */
  position: number;
  /** 1-based. */
  trial: number;
}

/** A generator of uniform numbers in [0, 1). */
export type RandomSource = () => number;

/** A copy of a list in random order (Fisher and Yates). */
export function shuffled<Item>(items: readonly Item[], random: RandomSource): Item[] {
  const copy = [...items];
  for (let index = copy.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    const held = copy[index];
    const swapped = copy[other];
    if (held === undefined || swapped === undefined) continue;
    copy[index] = swapped;
    copy[other] = held;
  }
  return copy;
}

/** Consecutive slices of an iterable, each at most `size` long. */
export function* blocksOf<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let block: Item[] = [];
  for (const item of items) {
    block.push(item);
    if (block.length === size) {
      yield block;
      block = [];
    }
  }
  if (block.length > 0) yield block;
}

/**
 * Runs `work` over all items with at most `concurrency` under way, in list order of their starts. `work` must not
 * reject; the first rejection ends the pool. Work that is done at once gives no promise.
 */
export async function runPool<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<void> | undefined,
): Promise<void> {
  let next = 0;
  let breathed = performance.now();
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      // Work that waits for nothing would keep signals, timers and the disk from being looked at.
      while (performance.now() - breathed >= LONGEST_BREATH_MS) {
        const before = breathed;
        await setImmediate();
        // Of those that waited one goes on; the others look again how long that took.
        if (breathed === before) breathed = performance.now();
      }
      const item = items[next];
      next += 1;
      const working = item === undefined ? undefined : work(item);
      if (working !== undefined) await working;
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
}
