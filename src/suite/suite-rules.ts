import { didYouMean, isJsonObject, type JsonValue } from '../core/index.js';
import type { SuiteHead } from './assertion-suite-schema.js';
import { assertionLists } from './case-rules.js';
import { repeatedIds } from './curation.js';
import type { RuleProblem } from './document.js';

/** Metrics of a suite that every suite has. */
const SUITE_METRICS = ['pass_rate', 'pass^k', 'pass@k', 'mean'] as const;

/** Rules of a suite's own keys. */
export function suiteRules(head: SuiteHead, metrics: ReadonlySet<string>): RuleProblem[] {
  const problems: RuleProblem[] = [];
  if (head.pass_threshold === 0) {
    problems.push({
      path: ['pass_threshold'],
      message: 'every score reaches a threshold of 0, so nothing can fail',
      fix: 'write a number above 0 and up to 1',
    });
  }
  for (const key of ['name', 'agent_model', 'judge_model', 'simulator_model', 'owner'] as const) {
    if (head[key]?.trim() === '')
      problems.push({ path: [key], message: 'must not be blank', fix: 'write some text, or remove the key' });
  }
  repeatedIds(head.lint?.ignore, ['lint', 'ignore'], problems);
  if (head.tags?.length === 0)
    problems.push({ path: ['tags'], message: 'the list is empty', fix: 'add a tag, or remove the key' });
  for (const [index, tag] of (head.tags ?? []).entries()) {
    if (tag.trim() === '')
      problems.push({ path: ['tags', index], message: 'must not be blank', fix: 'write a tag' });
  }
  for (const [index, { metric, threshold }] of head.criteria.entries()) {
    if (threshold === 0) {
      problems.push({
        path: ['criteria', index, 'threshold'],
        message: 'every value reaches a threshold of 0, so the criterion cannot fail',
        fix: 'write a number above 0 and up to 1',
      });
    }
    if (threshold === 1) {
      problems.push({
        path: ['criteria', index, 'threshold'],
        message: 'no number of cases can show that a value is 1 throughout, so the criterion cannot pass',
        fix: 'write a number below 1, or gate: all when every case must pass',
      });
    }
    const known = new Set([...SUITE_METRICS, ...metrics]);
    if (known.has(metric)) continue;
    const meant = didYouMean(metric, known);
    problems.push({
      path: ['criteria', index, 'metric'],
      message: `${JSON.stringify(metric)} is no metric of this suite`,
      fix: meant === null ? `write one of ${[...known].join(', ')}` : `did you mean ${meant}?`,
    });
  }
  return problems;
}

/** The labels that assertions of a case, of whatever shape it is, give their scores. */
export function metricsIn(rawCase: JsonValue): string[] {
  return assertionLists(rawCase, []).flatMap(({ values }) =>
    values.flatMap((assertion) => {
      const metric = isJsonObject(assertion) ? assertion['metric'] : undefined;
      return typeof metric === 'string' ? [metric] : [];
    }),
  );
}
