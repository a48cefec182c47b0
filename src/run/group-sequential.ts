import type { StoppingRule } from './stopping-rule.js';

/** The error rates that a group-sequential rule keeps. */
export interface GroupErrors {
  bar: number;
  dropTo: number;
  falseAlarm: number;
  miss: number;
}

/** Chance of each number of passes among those still running. */
type Running = Map<number, number>;

function advance(running: Running, trials: number, rate: number): Running {
  let current = running;
  for (let trial = 0; trial < trials; trial += 1) {
    const next: Running = new Map();
    for (const [passes, chance] of current) {
      next.set(passes, (next.get(passes) ?? 0) + chance * (1 - rate));
      next.set(passes + 1, (next.get(passes + 1) ?? 0) + chance * rate);
    }
    current = next;
  }
  return current;
}

/** One look: pass from `pass` passes on, fail up to `fail` passes. */
interface Look {
  pass: number;
  fail: number;
}

/** The largest number of passes to fail at, and what it costs in false alarms. */
function failBound(healthy: Running, trials: number, left: number): { bound: number; spent: number } {
  let spent = 0;
  for (let passes = 0; passes <= trials; passes += 1) {
    const chance = healthy.get(passes) ?? 0;
    if (spent + chance > left) return { bound: passes - 1, spent };
    spent += chance;
  }
  return { bound: trials, spent };
}

/** The smallest number of passes to pass at, and what it costs in misses. */
function passBound(regressed: Running, trials: number, left: number): { bound: number; spent: number } {
  let spent = 0;
  for (let passes = trials; passes >= 0; passes -= 1) {
    const chance = regressed.get(passes) ?? 0;
    if (spent + chance > left) return { bound: passes + 1, spent };
    spent += chance;
  }
  return { bound: 0, spent };
}

function without(running: Running, look: Look): Running {
  return new Map([...running].filter(([passes]) => passes < look.pass && passes > look.fail));
}

/**
 * Boundaries for looks that are fixed in advance. At each look as much is decided as the error rates still allow, by
 * the exact distribution of the counts: over all looks a healthy case fails with at most `falseAlarm`, and a case at
 * `dropTo` passes with at most `miss`.
 */
export function groupSequential(errors: GroupErrors, looks: readonly number[]): StoppingRule['at'] {
  const bounds = new Map<number, Look>();
  let healthy: Running = new Map([[0, 1]]);
  let regressed: Running = new Map([[0, 1]]);
  let alarms = errors.falseAlarm;
  let misses = errors.miss;
  let before = 0;
  for (const trials of looks) {
    healthy = advance(healthy, trials - before, errors.bar);
    regressed = advance(regressed, trials - before, errors.dropTo);
    const pass = passBound(regressed, trials, misses);
    const fail = failBound(healthy, trials, alarms);
    // Where both errors allow a verdict, it is a fail.
    const look = { pass: Math.max(pass.bound, fail.bound + 1), fail: fail.bound };
    bounds.set(trials, look);
    alarms -= fail.spent;
    misses -= pass.spent;
    healthy = without(healthy, look);
    regressed = without(regressed, look);
    before = trials;
  }
  const last = looks.at(-1);
  return ({ passed, failed }) => {
    const trials = passed + failed;
    const look = bounds.get(trials);
    if (look === undefined) return null;
    if (passed >= look.pass) return 'pass';
    if (passed <= look.fail) return 'fail';
    return trials === last ? 'inconclusive' : null;
  };
}
