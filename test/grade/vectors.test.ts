import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CheckParameters, CheckSpec, JsonValue, NormalizationForm } from '../../src/core/index.js';
import { verdictOf } from '../../src/grade/index.js';
import { answered, graded, spec } from './support.js';

interface Assertion {
  type: string;
  value?: JsonValue;
  threshold?: number;
  flags?: string;
  normalize?: NormalizationForm;
}

interface Vector {
  id: string;
  right: string;
  output: string;
  assert: Assertion;
}

const file = new URL('../vectors/verdicts.json', import.meta.url);
const vectors: { deterministic: Vector[] } = JSON.parse(readFileSync(file, 'utf8'));
const gradable = vectors.deterministic.filter((vector) => vector.right !== 'refused');

function asText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function asList(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.map(asText) : [asText(value)];
}

/** What the loader makes of an assertion, as far as the vectors need it. */
function toSpec(assertion: Assertion): CheckSpec {
  const negated = assertion.type.startsWith('not-');
  const type = negated ? assertion.type.slice(4) : assertion.type;
  const { value, normalize } = assertion;
  const common = { trim: true, ...(normalize === undefined ? {} : { normalize }) };
  const base = { negated };
  const limit = Number(value ?? assertion.threshold);
  const makers: { [name: string]: () => CheckSpec } = {
    equals: () => spec('equals', { ...common, value: value ?? null }, base),
    contains: () => spec('contains', { ...common, value: asText(value) }, base),
    icontains: () => spec('icontains', { ...common, value: asText(value) }, base),
    'contains-all': () => spec('contains-all', { ...common, values: asList(value) }, base),
    'contains-any': () => spec('contains-any', { ...common, values: asList(value) }, base),
    'starts-with': () => spec('starts-with', { ...common, value: asText(value) }, base),
    regex: () =>
      spec(
        'regex',
        { ...common, pattern: asText(value), flags: assertion.flags ?? '', dialect: 'javascript' },
        base,
      ),
    'is-json': () => spec('is-json', { ...common, ...(value === undefined ? {} : { schema: value }) }, base),
    'contains-json': () =>
      spec('contains-json', { ...common, ...(value === undefined ? {} : { subset: value }) }, base),
    'max-length': () => spec('max-length', { ...common, limit }, base),
    'min-length': () => spec('min-length', { ...common, limit }, base),
  } satisfies { [Type in keyof CheckParameters]?: () => CheckSpec };
  const maker = makers[type];
  if (maker === undefined) throw new Error(`no mapping for ${type}`);
  return maker();
}

describe('every given verdict of a deterministic assertion is ours', () => {
  it('has vectors to go by', () => {
    expect(gradable.length).toBeGreaterThan(40);
  });

  it.each(gradable.map((vector) => [vector.id, vector] as const))('%s', (_id, vector) => {
    const check = graded(toSpec(vector.assert), answered(vector.output));
    expect(check.outcome, check.evidence).toBe(vector.right);
    expect(check.evidence).not.toBe('');
    const verdict = verdictOf([check], { rule: 'weighted', threshold: 1 });
    expect(verdict).toEqual({
      passed: vector.right === 'pass',
      score: vector.right === 'pass' ? 1 : 0,
      error: null,
    });
  });
});
