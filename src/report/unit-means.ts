import type { Interval } from '../core/index.js';
import { standardErrorOfMean, wilson } from '../stats/index.js';

/**
 * Values of 0..1 of the cases of a suite, for the interval of their mean. Cases of one cluster are correlated, so
 * they enter together, as their mean; every other case is a unit of its own.
 */
export class UnitMeans {
  readonly #alone: number[] = [];
  readonly #clusters = new Map<string, { sum: number; count: number }>();
  #count = 0;

  /** Adds a case's value; null is no value. */
  add(value: number | null, cluster: string | null): void {
    if (value === null) return;
    this.#count += 1;
    if (cluster === null) {
      this.#alone.push(value);
      return;
    }
    const family = this.#clusters.get(cluster) ?? { sum: 0, count: 0 };
    family.sum += value;
    family.count += 1;
    this.#clusters.set(cluster, family);
  }

  /** Cases with a value. */
  get count(): number {
    return this.#count;
  }

  /** Independent units. */
  get units(): number {
    return this.#alone.length + this.#clusters.size;
  }

  /**
   * 95 % interval of the mean over the units: Wilson's when every value is 0 or 1, else Student's, cut to 0..1.
   * Null when it is not defined: fewer than two units, or values in between that are all alike.
   */
  interval(): Interval | null {
    const units = [...this.#alone];
    for (const { sum, count } of this.#clusters.values()) units.push(sum / count);
    if (units.length < 2) return null;
    if (units.every((value) => value === 0 || value === 1)) {
      return wilson({ n: units.length, c: units.filter((value) => value === 1).length });
    }
    if (units.every((value) => value === units[0])) return null;
    const { tLo, tHi } = standardErrorOfMean({ values: units });
    if (tLo === null || tHi === null) return null;
    return { lo: Math.max(0, tLo), hi: Math.min(1, tHi) };
  }
}
