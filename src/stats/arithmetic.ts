/** The element at an index that is known to exist. Throws RangeError when it does not. */
export function at<T>(items: ArrayLike<T>, index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`no element ${index} among ${items.length}`);
  return item;
}

/** Sum with Neumaier's compensation: the error does not grow with the number of terms. */
export function sum(values: Iterable<number>): number {
  let total = 0;
  let lost = 0;
  for (const value of values) {
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return total + lost;
}

/** True when all values are equal; true of an empty list. */
export function isConstant(values: readonly number[]): boolean {
  return values.every((value) => value === values[0]);
}

/** Arithmetic mean of at least one value; exact when all values are equal, so that no spread is invented. */
export function mean(values: readonly number[]): number {
  const first = at(values, 0);
  return isConstant(values) ? first : sum(values) / values.length;
}

/** Sum of (x - mean x)(y - mean y) over pairs, by the two-pass formula with its rounding correction. */
export function sumOfProducts(left: readonly number[], right: readonly number[]): number {
  const leftMean = mean(left);
  const rightMean = mean(right);
  const leftSpread = left.map((value) => value - leftMean);
  const rightSpread = right.map((value) => value - rightMean);
  const raw = sum(leftSpread.map((value, index) => value * at(rightSpread, index)));
  return raw - (sum(leftSpread) * sum(rightSpread)) / left.length;
}

/** Sum of squared deviations from the mean, never below 0. */
export function sumOfSquares(values: readonly number[]): number {
  return Math.max(0, sumOfProducts(values, values));
}

/** Sample variance (n - 1) of at least two values. */
export function sampleVariance(values: readonly number[]): number {
  return sumOfSquares(values) / (values.length - 1);
}

/** Ascending copy. */
export function sorted(values: readonly number[]): number[] {
  return values.toSorted((left, right) => left - right);
}

/** Largest absolute value; 0 of an empty list. */
export function largestMagnitude(values: readonly number[]): number {
  return values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
}

/** The value, moved to the nearer end when it lies outside low..high. */
export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** Smallest whole number not below the value; a value within 1e-9 of a whole number counts as that number. */
export function ceilTolerant(value: number): number {
  const nearest = Math.round(value);
  return Math.abs(value - nearest) <= 1e-9 * Math.max(1, Math.abs(value)) ? nearest : Math.ceil(value);
}
