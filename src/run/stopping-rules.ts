import { AssayError } from '../core/index.js';
import { betaBinomialEValue, predictiveVerdict, sprt, threeValuedGate } from '../stats/index.js';
import { groupSequential } from './group-sequential.js';
import type { CaseProgress, CaseVerdict, StoppingRule } from './stopping-rule.js';

/** What a rule is made of. Rates and errors are shares strictly inside 0..1. */
export interface RuleSettings {
  rule: 'sprt' | 'gate' | 'futility' | 'sequential';
  /** Pass rate of a healthy case; the bar of a gate. */
  bar: number;
  /** Pass rate of a case that is to be found, below the bar. */
  dropTo: number;
  /** Chance to fail a healthy case. */
  falseAlarm: number;
  /** Chance to pass a case at `dropTo`. */
  miss: number;
  /** Trials at most, 1 to 1000. */
  most: number;
  /** Numbers of trials at which a sequential rule looks, growing; the last one is `most`. */
  looks?: readonly number[];
}

const MOST_TRIALS = 1000;
/** A gate that is this unlikely to be passed is given up. */
const FUTILE = 0.01;
/** A boundary met up to rounding is met. */
const TIE = 1e-12;

function percent(value: number): string {
  return `${Number((value * 100).toFixed(2))}%`;
}

/** Everything that is wrong with the settings, all at once. */
function faults(settings: RuleSettings): string[] {
  const { bar, dropTo, falseAlarm, miss, most, looks } = settings;
  const found: string[] = [];
  for (const [name, value] of Object.entries({ bar, 'drop-to': dropTo, 'false-alarm': falseAlarm, miss })) {
    if (!(value > 0 && value < 1)) found.push(`${name} must lie between 0 and 1, got ${value}`);
  }
  if (dropTo >= bar) found.push(`drop-to (${dropTo}) must be below the bar (${bar})`);
  if (falseAlarm + miss >= 1) found.push('false-alarm and miss together must be below 1');
  if (!Number.isInteger(most) || most < 1 || most > MOST_TRIALS) {
    found.push(`a rule needs 1 to ${MOST_TRIALS} trials at most, got ${most}`);
  }
  const growing = looks?.every((look, at) => Number.isInteger(look) && look > (looks[at - 1] ?? 0)) ?? true;
  if (!growing || looks?.length === 0) found.push('looks must be whole numbers that grow, such as 3,10');
  return found;
}

function sprtAt(settings: RuleSettings): StoppingRule['at'] {
  const { bar: p0, dropTo: p1, falseAlarm: alpha, miss: beta } = settings;
  const { upper, lower } = sprt({ p0, p1, alpha, beta, sequence: [] });
  const onPass = Math.log(p1 / p0);
  const onFail = Math.log((1 - p1) / (1 - p0));
  return ({ passed, failed }) => {
    const ratio = passed * onPass + failed * onFail;
    if (ratio >= upper - TIE) return 'fail';
    return ratio <= lower + TIE ? 'pass' : null;
  };
}

/** The bar is outside the confidence sequence: which may be looked at after every trial. */
function provenAt(
  { bar: p0, falseAlarm }: RuleSettings,
  { passed: c, failed }: CaseProgress,
): CaseVerdict | null {
  const n = c + failed;
  if (n === 0 || betaBinomialEValue({ n, c, p0 }).e < 1 / falseAlarm) return null;
  return c / n > p0 ? 'pass' : 'fail';
}

function futilityAt(settings: RuleSettings): StoppingRule['at'] {
  const { bar: p0, falseAlarm, most: n } = settings;
  const confidence = 1 - falseAlarm;
  let need = n + 1;
  while (need > 0 && threeValuedGate({ n, c: need - 1, p0, confidence }).verdict === 'pass') need -= 1;
  return (progress) => {
    const done = progress.passed + progress.failed;
    if (done >= n) {
      if (progress.passed >= need) return 'pass';
      return provenAt(settings, progress) === 'fail' ? 'fail' : 'inconclusive';
    }
    const hopeless = need > n || predictiveVerdict({ n, need, done, passes: progress.passed }).pPass < FUTILE;
    if (!hopeless) return null;
    // Giving up proves nothing: only evidence that may be looked at any time makes it a fail.
    return provenAt(settings, progress) === 'fail' ? 'fail' : 'inconclusive';
  };
}

function summaryOf(settings: RuleSettings): string {
  const { bar, dropTo, falseAlarm, miss, most, looks } = settings;
  const errors = `false alarm ${percent(falseAlarm)}, miss ${percent(miss)}`;
  switch (settings.rule) {
    case 'sprt':
      return `sequential probability ratio test: ${percent(bar)} against ${percent(dropTo)}, ${errors}, at most ${most} trials`;
    case 'gate':
      return `gate at ${percent(bar)}: stops when the confidence sequence leaves it, error ${percent(falseAlarm)}, at most ${most} trials`;
    case 'futility':
      return `gate at ${percent(bar)} after ${most} trials: given up below a ${percent(FUTILE)} chance to pass`;
    case 'sequential':
      return `looks after ${(looks ?? []).join(', ')} trials: ${percent(bar)} against ${percent(dropTo)}, ${errors}`;
  }
}

function atOf(settings: RuleSettings): StoppingRule['at'] {
  switch (settings.rule) {
    case 'sprt':
      return sprtAt(settings);
    case 'gate':
      return (progress) => provenAt(settings, progress);
    case 'futility':
      return futilityAt(settings);
    case 'sequential':
      return groupSequential(settings, settings.looks ?? [settings.most]);
  }
}

/**
 * A stopping rule from its settings.
 * @throws AssayError `INPUT` with everything that is wrong
 */
export function stoppingRule(settings: RuleSettings): StoppingRule {
  const found = faults(settings);
  if (found.length > 0) {
    throw new AssayError('INPUT', `the stopping rule cannot be used: ${found.join('; ')}`, {
      fix: 'write, say, --bar 0.95 --drop-to 0.7 --false-alarm 0.05 --miss 0.1 --trials 30',
    });
  }
  const { rule, bar, dropTo, falseAlarm, miss, looks } = settings;
  const most = looks?.at(-1) ?? settings.most;
  const first = looks?.[0] ?? 1;
  const ready = { ...settings, most };
  return {
    description: {
      rule,
      bar,
      dropTo,
      falseAlarm,
      miss,
      first,
      most,
      looks: looks === undefined ? null : [...looks],
    },
    summary: summaryOf(ready),
    most,
    bar,
    dropTo,
    at: atOf(ready),
  };
}
