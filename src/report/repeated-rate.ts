import type { CaseResult } from '../core/index.js';
import { repeatedPassRateInterval } from '../stats/index.js';

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
}

/** Gathers the cases with complete repeat statistics: repeated, and every trial scored. */
export class RepeatedRate {
  readonly #cases: { passes: number; k: number; cluster: string | null }[] = [];
  #repeated = false;

  add(result: CaseResult): void {
    if (result.planned < 2) return;
    this.#repeated = true;
    if (result.outcome === 'error' || result.scored < result.planned) return;
    this.#cases.push({ passes: result.passed, k: result.planned, cluster: result.cluster });
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
    };
  }
}
