const HALF_LOG_TWO_PI = Math.log(2 * Math.PI) / 2;

/** The Stirling series is used from here on; its first omitted term is then below 1e-18. */
const SERIES_FROM = 17;

/**
 * What Stirling's formula leaves out: log(z!) - (z + 1/2) log z + z - log(2 pi)/2, for real z > 0.
 * Small by nature (1/(12z)), so differences of huge log-gammas can be formed without cancellation.
 * Source: the Stirling series with Bernoulli numbers; below 17 by the recurrence of the factorial.
 */
export function stirlingError(z: number): number {
  let error = 0;
  let shifted = z;
  while (shifted < SERIES_FROM) {
    error += (shifted + 0.5) * Math.log1p(1 / shifted) - 1;
    shifted += 1;
  }
  const square = shifted * shifted;
  const series =
    1 / 12 -
    (1 / 360 -
      (1 / 1260 - (1 / 1680 - (1 / 1188 - (691 / 360360 - 1 / 156 / square) / square) / square) / square) /
        square) /
      square;
  return error + series / shifted;
}

/** log of the gamma function, for real z > 0. */
export function logGamma(z: number): number {
  return stirlingError(z) + (z - 0.5) * Math.log(z) - z + HALF_LOG_TWO_PI;
}

/** log of the beta function B(a, b) for a, b > 0, without the cancellation of three large log-gammas. */
export function logBeta(a: number, b: number): number {
  const small = Math.min(a, b);
  const large = Math.max(a, b);
  // log gamma(large) - log gamma(large + small), with the large terms cancelled on paper
  const difference =
    stirlingError(large) -
    stirlingError(large + small) -
    (large - 0.5) * Math.log1p(small / large) -
    small * Math.log(large + small) +
    small;
  return logGamma(small) + difference;
}

/**
 * Deviance part x log(x/m) + m - x for x >= 0, m > 0, accurate also when x is close to m.
 * Source: Loader 2000, "Fast and accurate computation of binomial probabilities".
 */
export function deviance(x: number, m: number): number {
  if (x === 0) return m;
  const gap = x - m;
  if (Math.abs(gap) >= 0.1 * (x + m)) return x * Math.log(x / m) - gap;
  const ratio = gap / (x + m);
  let total = gap * ratio;
  let power = 2 * x * ratio;
  for (let term = 1; term < 1000; term += 1) {
    power *= ratio * ratio;
    const next = total + power / (2 * term + 1);
    if (next === total) break;
    total = next;
  }
  return total;
}

/**
 * log of x^a y^b / B(a, b), for a, b > 0 and x, y > 0 with x + y = 1; accurate for a + b in the billions.
 * Source: Loader's saddle-point form of the binomial probability, times ab/(a + b).
 */
export function logBetaTerm(a: number, b: number, x: number, y: number): number {
  const n = a + b;
  const shape = stirlingError(n) - stirlingError(a) - stirlingError(b);
  return (
    shape - deviance(a, n * x) - deviance(b, n * y) + 0.5 * (Math.log(a) + Math.log(b / n)) - HALF_LOG_TWO_PI
  );
}
