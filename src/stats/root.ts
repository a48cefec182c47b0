/** Value and slope of a function at one point. */
export interface Tangent {
  value: number;
  slope: number;
}

const MAX_STEPS = 400;

/** Below this relative step a step that no longer shrinks is rounding noise of the function, not progress. */
const NOISE_STEP = 1e-9;

/**
 * Root of an increasing function on low..high: Newton's step while it stays inside the bracket, bisection otherwise,
 * until the point moves by no more than its own rounding. A value of -Infinity or +Infinity is allowed.
 */
export function solveIncreasing(
  tangentAt: (point: number) => Tangent,
  bracket: { low: number; high: number; start: number },
): number {
  let { low, high, start: point } = bracket;
  if (!(point > low && point < high)) point = (low + high) / 2;
  let lastMove = Number.POSITIVE_INFINITY;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const { value, slope } = tangentAt(point);
    if (value === 0) return point;
    if (value < 0) low = point;
    else high = point;
    const move = value / slope;
    const scale = Math.max(1, Math.abs(point));
    const next = point - move;
    if (Math.abs(move) <= Number.EPSILON * scale) return Math.min(high, Math.max(low, next));
    if (next > low && next < high) {
      if (Math.abs(move) <= NOISE_STEP * scale && Math.abs(move) >= lastMove / 2) return next;
      lastMove = Math.abs(move);
      point = next;
    } else {
      if (high - low <= Number.EPSILON * scale) return point;
      lastMove = Number.POSITIVE_INFINITY;
      point = (low + high) / 2;
    }
  }
  return point;
}
