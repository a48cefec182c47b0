import type { CaseResult, Interval } from '../core/index.js';
import { repeatedPassRateInterval } from '../stats/index.js';
import { UnitMeans } from './unit-means.js';

/** The error bar over the cases that were repeated, with the first reference's keys. */
export interface RepeatedRateReport {
  pass_rate: number | null;
  lower: number | null;
  upper: number | null;
  /** Cases with complete repeat statistics. */
  repeated_cases: number;
  total_cases: number;
  /** Cases, families of correlated cases counted once. */
  independent_units: number;
  /** Standard error of the mean over the units. */
  sem: number | null;
  /**
   * The interval for few units: Wilson's when every unit is 0 or 1, else Student's. Unlike the error bar above, it does
   * not shrink to nothing when all units are alike.
   */
  small_sample: Interval | null;
}

/** Gathers the cases with complete repeat statistics: repeated, and every trial scored. */
export class RepeatedRate {
  readonly #cases: { passes: number; k: number; cluster: string | null }[] = [];
  readonly #units = new UnitMeans();
  #repeated = false;

  add(result: CaseResult): void {
    if (result.planned < 2) return;
    this.#repeated = true;
    if (result.outcome === 'error' || result.scored < result.planned) return;
    this.#units.add(result.passed / result.planned, result.cluster);
    this.#cases.push({ passes: result.passed, k: result.planned, cluster: result.cluster });
  }

  /** Independent units so far. */
  get units(): number {
    return this.#units.units;
  }

  /** The error bar among `total` cases; null when no case was repeated. */
  interval(total: number): RepeatedRateReport | null {
    if (!this.#repeated) return null;
    const found = repeatedPassRateInterval({ cases: this.#cases });
    return {
      pass_rate: found.mean,
      lower: found.lo,
      upper: found.hi,
      repeated_cases: this.#cases.length,
      total_cases: total,
      independent_units: found.n,
      sem: found.sem,
      small_sample: this.#units.interval(),
    };
  }
}
