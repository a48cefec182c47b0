import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeOf, run } from './run.js';
import { differences } from './vectors.js';

interface Reference {
  group: string;
  input: Record<string, unknown>;
  expected: Record<string, unknown>;
  tolerance: number;
}

interface Example {
  id: string;
  input: Record<string, unknown>;
  expected?: Record<string, unknown>;
  error?: string;
}

function load(name: string): string {
  return readFileSync(new URL(`./${name}.json`, import.meta.url), 'utf8');
}

// From exact rationals, 50-digit arithmetic and SciPy 1.17; the input sizes go up to the millions.
const references: Reference[] = JSON.parse(load('reference-values'));
// The printed rows of the formula sheet that are not among the vectors; eight significant digits.
const examples: Example[] = JSON.parse(load('worked-examples'));

describe('reference values of other implementations', () => {
  it.each(references)('$group agrees for $input', ({ group, input, expected, tolerance }) => {
    expect(differences(run(group, input), expected, tolerance)).toEqual([]);
  });
});

describe('the printed formula sheet', () => {
  it.each(examples)('row $id holds', ({ id, input, expected, error }) => {
    const name = id.split('/')[0] ?? '';
    if (error === undefined) expect(differences(run(name, input), expected, 1e-7)).toEqual([]);
    else expect(codeOf(() => run(name, input))).toBe(error);
  });
});
