import type { CaseResult } from '../core/index.js';
import { betaBinomialConfidenceSequence } from '../stats/index.js';
import { unbiasedRate } from './stopping-exact.js';
import { verdictAt, type StoppingRule } from './stopping-rule.js';

const ALPHA = 0.05;

/**
 * A case as its stopping rule decides it: the outcome is the rule's verdict, the rate is the estimate that fits the
 * rule and the interval one that holds whenever a case stops. Where trials were saved there is no mean score, since a
 * mean over trials that were stopped by their outcomes is biased.
 */
export function decidedCase(result: CaseResult, rule: StoppingRule): CaseResult {
  const { passed, scored } = result;
  const failed = scored - passed;
  const verdict = verdictAt(rule, { passed, failed });
  return {
    ...result,
    outcome: verdict === 'pass' ? 'passed' : verdict === 'fail' ? 'failed' : 'error',
    decision: { rule: rule.description.rule, verdict },
    curtailed: scored < result.planned && rule.at({ passed, failed }) !== null,
    curtailedRate: scored === 0 ? null : unbiasedRate(rule, passed, failed),
    interval: scored === 0 ? null : betaBinomialConfidenceSequence({ n: scored, c: passed, alpha: ALPHA }),
    meanScore: scored < result.planned ? null : result.meanScore,
  };
}
