import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAssertionSuite } from '../../src/suite/index.js';
import vectors from '../vectors/verdicts.json' with { type: 'json' };
import { casesOf, load, onlyCase, refusal } from './assertion-support.js';

const all = [...vectors.deterministic, ...vectors.judged].map((vector) => {
  // A judge's reply belongs to the vector and not to the assertion.
  const { judge_reply: _reply, ...assertion }: { [key: string]: unknown } = vector.assert;
  const suite = JSON.stringify({ cases: [{ id: 'one', prompt: 'Hi', threshold: 1, assert: [assertion] }] });
  return { id: vector.id, right: vector.right, suite };
});

describe('the given verdict vectors', () => {
  it.each(all.filter(({ right }) => right === 'refused'))('$id is refused at load', ({ suite }) => {
    const error = refusal(() => load(suite));
    expect(error.code).toBe('SUITE_INVALID');
    expect(error.problems).toHaveLength(1);
    expect(error.problems[0]?.key).toMatch(/^cases\[0\]\.assert/);
  });

  it.each(all.filter(({ right }) => right !== 'refused'))('$id loads', ({ suite }) => {
    expect(onlyCase(load(suite)).checks).toHaveLength(1);
  });
});

const shared = resolve(import.meta.dirname, '../..', process.env['ASSAY_SHARED'] ?? '../shared');
const fixtures = join(shared, 'fixtures', 'assertion');

if (existsSync(fixtures)) {
  describe('the suites of the reference, read in place', () => {
    it('core-dispositions loads unchanged', () => {
      const suite = loadAssertionSuite(join(fixtures, 'core-dispositions.yaml'));
      expect(suite).toMatchObject({ name: 'core-dispositions', kind: 'regression', gate: 'mean', trials: 2 });
      expect(
        casesOf(suite).map((made) => [made.id, made.negative, made.checks.map((check) => check.type)]),
      ).toEqual([
        ['leads_with_the_answer', false, ['llm-assert', 'llm-rubric']],
        ['no_done_claim_without_evidence', false, ['icontains', 'llm-assert', 'llm-rubric']],
        ['states_uncertainty_instead_of_fabricating', false, ['llm-assert', 'llm-rubric']],
        ['concise_and_plain', false, ['max-length', 'llm-rubric']],
        ['answers_plainly_when_it_actually_knows', true, ['llm-assert', 'max-length']],
      ]);
    });

    it.each(readdirSync(join(fixtures, 'legacy-v1')))('%s gives the named error', (name) => {
      const error = refusal(() => loadAssertionSuite(join(fixtures, 'legacy-v1', name)));
      expect(error.code).toBe('SUITE_LEGACY');
      expect(error.message).toContain('legacy v1 format and cannot run');
      expect(error.fix).toContain('cases:');
    });
  });
} else {
  describe('the suites of the reference', () => {
    it(`are not checked: there is no directory ${fixtures}`, () => {
      expect(existsSync(fixtures)).toBe(false);
    });
  });
}

describe('the bundled core-dispositions', () => {
  const suite = loadAssertionSuite(
    resolve(import.meta.dirname, '../../evals/bundled/core-dispositions.yaml'),
  );

  it('loads under the name and with the gate of the reference', () => {
    expect(suite).toMatchObject({ name: 'core-dispositions', kind: 'regression', gate: 'mean', trials: 2 });
  });

  it('is balanced, and every case has an assertion that needs no judge', () => {
    const cases = casesOf(suite);
    expect(cases.filter((made) => made.negative)).toHaveLength(cases.length / 2);
    for (const made of cases) expect(made.checks.some((check) => check.category === 'response')).toBe(true);
  });
});
