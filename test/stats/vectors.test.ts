import { describe, expect, it } from 'vitest';
import { StatsError, statsErrorCodes, statsGroups } from '../../src/stats/index.js';
import { differences, errorCodes, expectedOutputs, vectorGroups, type VectorGroup } from './vectors.js';

function run(name: string, input: unknown): unknown {
  const group = statsGroups.get(name);
  if (group === undefined) throw new Error(`no group ${name}`);
  return group.run(input);
}

function inputNames(group: VectorGroup): string[] {
  return group.inputs.map((input) => input.split(/[\s[{(]/u)[0] ?? '').toSorted();
}

describe.each(vectorGroups)('$name', (group) => {
  it('has the inputs and outputs of the worked examples', () => {
    const built = statsGroups.get(group.name);
    expect(built?.inputs.toSorted()).toEqual(inputNames(group));
    expect(built?.outputs.toSorted()).toEqual(group.outputs.toSorted());
  });

  const valued = group.vectors.filter((vector) => vector.error === undefined);
  it.each(valued)('gives the right numbers for $id', ({ input, expected }) => {
    const got = run(group.name, input);
    expect(differences(got, expectedOutputs(group, expected), group.tolerance)).toEqual([]);
    expect(JSON.stringify(got)).not.toContain('NaN');
  });

  const failing = group.vectors.filter((vector) => vector.error !== undefined);
  it.each(failing)('refuses $id with $error', ({ input, error }) => {
    expect(() => run(group.name, input)).toThrow(
      expect.objectContaining({ name: 'StatsError', code: error }),
    );
  });
});

describe('the registry', () => {
  it('holds exactly the groups of the worked examples', () => {
    expect([...statsGroups.keys()].toSorted()).toEqual(vectorGroups.map(({ name }) => name).toSorted());
  });

  it('knows every error code of the worked examples and one for bad input', () => {
    expect(Object.keys(statsErrorCodes).toSorted()).toEqual([...errorCodes, 'INVALID_INPUT'].toSorted());
    expect(new StatsError('EMPTY', 'nothing')).toBeInstanceOf(Error);
  });
});
