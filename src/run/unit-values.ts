/** A mean over units, and what is missing from it. */
export interface UnitMean {
  /** Null when there is no unit. */
  mean: number | null;
  units: number;
  /** Every unit is 0 or 1. */
  binary: boolean;
}

/**
 * One value of 0..1 a case, with families of correlated cases kept together: they count once, as their mean. A case
 * without a value is kept as missing, so that it can be counted at its worst and at its best.
 */
export class UnitValues {
  readonly #alone: (number | null)[] = [];
  readonly #families = new Map<string, (number | null)[]>();
  /** Cases without a value. */
  missing = 0;
  /** Cases with one. */
  known = 0;

  add(value: number | null, cluster: string | null): void {
    if (value === null) this.missing += 1;
    else this.known += 1;
    if (cluster === null) this.#alone.push(value);
    else {
      const family = this.#families.get(cluster);
      if (family === undefined) this.#families.set(cluster, [value]);
      else family.push(value);
    }
  }

  /** The mean with missing cases counted as `instead`; null leaves them out. */
  mean(instead: number | null): UnitMean {
    let sum = 0;
    let units = 0;
    let binary = true;
    const unit = (value: number): void => {
      sum += value;
      units += 1;
      binary &&= value === 0 || value === 1;
    };
    for (const value of this.#alone) {
      const counted = value ?? instead;
      if (counted !== null) unit(counted);
    }
    for (const family of this.#families.values()) {
      const counted = family.map((value) => value ?? instead).filter((value) => value !== null);
      if (counted.length > 0) unit(counted.reduce((total, value) => total + value, 0) / counted.length);
    }
    // Rounding of the sum must not carry a mean out of its range.
    return { mean: units === 0 ? null : Math.min(1, sum / units), units, binary };
  }
}
