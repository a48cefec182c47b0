import { decide, verdictAt, type CaseVerdict, type StoppingRule } from './stopping-rule.js';

/** What a rule really does at one true pass rate: exact, not nominal. */
export interface RuleCharacteristic {
  /** True pass rate, 0..1. */
  rate: number;
  pPass: number;
  pFail: number;
  pInconclusive: number;
  expectedTrials: number;
}

const RESULT: Readonly<Record<CaseVerdict, 'pPass' | 'pFail' | 'pInconclusive'>> = {
  pass: 'pPass',
  fail: 'pFail',
  inconclusive: 'pInconclusive',
};

/**
 * Exact chances of each verdict and the expected number of trials at a true pass rate, by walking over all counts that
 * the rule can reach.
 */
export function ruleCharacteristic(rule: StoppingRule, rate: number): RuleCharacteristic {
  const result: RuleCharacteristic = { rate, pPass: 0, pFail: 0, pInconclusive: 0, expectedTrials: 0 };
  // Chance of still running with a number of passes.
  let running = new Map<number, number>([[0, 1]]);
  for (let trial = 1; running.size > 0; trial += 1) {
    const next = new Map<number, number>();
    for (const [passes, chance] of running) {
      for (const [passed, step] of [[passes + 1, rate] as const, [passes, 1 - rate] as const]) {
        const weight = chance * step;
        if (weight === 0) continue;
        const progress = { passed, failed: trial - passed };
        if (decide(rule, progress) === 'continue') next.set(passed, (next.get(passed) ?? 0) + weight);
        else {
          result[RESULT[verdictAt(rule, progress)]] += weight;
          result.expectedTrials += weight * trial;
        }
      }
    }
    running = next;
  }
  return result;
}

/** Paths to one count, weighted 2^-trials: all of them, and those whose first trial passed. */
interface Paths {
  all: number;
  passedFirst: number;
}

/**
 * The unbiased pass rate of a case that a rule stopped: the share, among all ways through the rule to these counts,
 * of those whose first trial passed. Passes over trials is biased. Null when the rule does not stop there.
 * Source: Girshick, Mosteller and Savage 1946.
 */
export function unbiasedRate(rule: StoppingRule, passed: number, failed: number): number | null {
  const trials = passed + failed;
  if (trials < 1 || decide(rule, { passed, failed }) === 'continue') return null;
  let running = new Map<number, Paths>([
    [1, { all: 0.5, passedFirst: 0.5 }],
    [0, { all: 0.5, passedFirst: 0 }],
  ]);
  for (let trial = 1; trial < trials; trial += 1) {
    const next = new Map<number, Paths>();
    for (const [passes, paths] of running) {
      if (decide(rule, { passed: passes, failed: trial - passes }) === 'stop') continue;
      for (const to of [passes + 1, passes]) {
        const sum = next.get(to) ?? { all: 0, passedFirst: 0 };
        sum.all += paths.all / 2;
        sum.passedFirst += paths.passedFirst / 2;
        next.set(to, sum);
      }
    }
    running = next;
  }
  const paths = running.get(passed);
  return paths === undefined || paths.all === 0 ? null : paths.passedFirst / paths.all;
}

function percent(value: number): string {
  return `${(value * 100).toFixed(1)}%`;
}

/** The rule and what it really does to a healthy case and to one that is to be found, one line each. */
export function ruleLines(rule: StoppingRule): string[] {
  const line = (name: string, rate: number): string => {
    const { pPass, pFail, pInconclusive, expectedTrials } = ruleCharacteristic(rule, rate);
    return `  ${name} (passes ${percent(rate)}): pass ${percent(pPass)}, fail ${percent(pFail)}, undecided ${percent(pInconclusive)}, ${expectedTrials.toFixed(1)} trials expected`;
  };
  return [rule.summary, line('healthy case', rule.bar), line('regressed case', rule.dropTo)];
}
