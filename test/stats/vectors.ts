import { readFileSync } from 'node:fs';

/** One worked example: what goes in, and what comes out or which error it must give. */
export interface Vector {
  id: string;
  input: Record<string, unknown>;
  expected?: unknown;
  error?: string;
}

/** All worked examples of one statistic. */
export interface VectorGroup {
  name: string;
  inputs: string[];
  outputs: string[];
  tolerance: number;
  vectors: Vector[];
}

interface VectorFile {
  errorCodes: Record<string, string>;
  groups: Record<string, Omit<VectorGroup, 'name'>>;
}

const file: VectorFile = JSON.parse(
  readFileSync(new URL('../vectors/statistics.json', import.meta.url), 'utf8'),
);

export const errorCodes: string[] = Object.keys(file.errorCodes);

export const vectorGroups: VectorGroup[] = Object.entries(file.groups).map(([name, group]) => ({
  name,
  ...group,
}));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where got differs from expected by more than tolerance * max(1, |expected|); empty when it agrees. */
export function differences(got: unknown, expected: unknown, tolerance: number, path = '$'): string[] {
  if (typeof expected === 'number') {
    const close =
      typeof got === 'number' && Math.abs(got - expected) <= tolerance * Math.max(1, Math.abs(expected));
    return close ? [] : [`${path}: got ${String(got)}, expected ${expected}`];
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(got) || got.length !== expected.length) return [`${path}: got ${JSON.stringify(got)}`];
    return expected.flatMap((item, index) => differences(got[index], item, tolerance, `${path}[${index}]`));
  }
  if (isObject(expected)) {
    if (!isObject(got)) return [`${path}: got ${JSON.stringify(got)}`];
    return Object.entries(expected).flatMap(([key, value]) =>
      Object.hasOwn(got, key)
        ? differences(got[key], value, tolerance, `${path}.${key}`)
        : [`${path}.${key} is missing`],
    );
  }
  return got === expected
    ? []
    : [`${path}: got ${JSON.stringify(got)}, expected ${JSON.stringify(expected)}`];
}

/** The expected outputs by name; a bare expected value belongs to the only output of its group. */
export function expectedOutputs(group: VectorGroup, expected: unknown): Record<string, unknown> {
  const [only] = group.outputs;
  if (isObject(expected) && (group.outputs.length > 1 || (only !== undefined && only in expected)))
    return expected;
  if (group.outputs.length !== 1 || only === undefined)
    throw new Error(`${group.name}: bare value, many outputs`);
  return { [only]: expected };
}
