import { describe, expect, it } from 'vitest';
import { StatsError, statsGroups } from '../../src/stats/index.js';
import { codeOf, run } from './run.js';

function messageOf(name: string, input: unknown): string {
  try {
    run(name, input);
  } catch (error) {
    if (error instanceof StatsError) return error.message;
    throw error;
  }
  return '';
}

const all = [...statsGroups.values()];

describe('every group of the registry', () => {
  it.each(all)('$name runs its own example and gives exactly its outputs', (group) => {
    expect(Object.keys(group.run(group.example)).toSorted()).toEqual(group.outputs.toSorted());
  });

  it.each(all)('$name describes each input and output in words', (group) => {
    expect(group.parameters.map(({ name }) => name)).toEqual(group.inputs);
    expect(group.results.map(({ name }) => name)).toEqual(group.outputs);
    for (const { meaning } of [...group.parameters, ...group.results]) expect(meaning).toMatch(/\w/u);
    expect(group.summary).toMatch(/\.$|\?/u);
    expect(group.formula).not.toBe('');
  });

  it.each(all)('$name names an unknown key', (group) => {
    const message = messageOf(group.name, { ...group.example, confidnce: 1 });
    expect(message).toContain('"confidnce" is not an input');
    expect(message).toContain(group.name);
    expect(codeOf(() => group.run({ ...group.example, confidnce: 1 }))).toBe('INVALID_INPUT');
  });

  it.each(all)('$name names every missing key and falls back for the optional ones', (group) => {
    const message = messageOf(group.name, {});
    for (const { name, required } of group.parameters) {
      expect(message.includes(`${name} is missing`)).toBe(required);
      const partial = Object.fromEntries(Object.entries(group.example).filter(([key]) => key !== name));
      expect(codeOf(() => group.run(partial))).toBe(required ? 'INVALID_INPUT' : undefined);
    }
  });

  it.each(all)('$name gives the same result for a left-out input and its fallback', (group) => {
    for (const { name, required, fallback } of group.parameters) {
      if (required) continue;
      const rest = Object.fromEntries(Object.entries(group.example).filter(([key]) => key !== name));
      expect(group.run(rest)).toEqual(group.run({ ...rest, [name]: fallback }));
    }
  });

  it.each(all)('$name refuses each input with a wrong type, by name', (group) => {
    for (const name of group.inputs) {
      for (const wrong of [true, { x: 1 }, undefined]) {
        const input = { ...group.example, [name]: wrong };
        expect(codeOf(() => group.run(input))).toBe('INVALID_INPUT');
        expect(messageOf(group.name, input)).toContain(name);
      }
    }
  });

  it.each(all)('$name refuses what is not an object', (group) => {
    for (const input of [null, undefined, 3, 'n', [1, 2], true]) {
      expect(codeOf(() => group.run(input))).toBe('INVALID_INPUT');
    }
  });
});

describe('strict input', () => {
  it('reports all problems in one message', () => {
    const message = messageOf('passAtK', { n: '10', c: null, q: 1 });
    expect(message).toContain('"q" is not an input (n, c, k are)');
    expect(message).toContain('n must be a whole number, got "10"');
    expect(message).toContain('c must be a whole number, got null');
    expect(message).toContain('k is missing');
  });

  it('looks inside lists, pairs and objects', () => {
    expect(
      messageOf('suitePassK', {
        tasks: [
          { n: 1, c: 1 },
          { n: 1, x: 1 },
        ],
        k: 1,
      }),
    ).toMatch(/tasks\[1\]\.x.*tasks\[1\]\.c is missing/u);
    expect(messageOf('holm', { p: [0.1, '0.2'] })).toContain('p[1] must be a number');
    expect(messageOf('positionBias', { pairs: [[1, 3]] })).toContain('pairs[0][1] must be 0 or 1 or 2');
    expect(messageOf('positionBias', { pairs: [[1, 2, 1]] })).toContain('pairs[0] must be');
    expect(messageOf('elo', { players: ['A', 'B'], games: [['A', 'B', '1']] })).toContain('games[0][2]');
    expect(messageOf('sprt', { p0: 0.9, p1: 0.7, sequence: [1, 2] })).toContain('sequence[1] must be 0 or 1');
    expect(
      messageOf('weightedKappa', {
        table: [
          [1, 1],
          [1, 1],
        ],
        weights: 'cubic',
      }),
    ).toContain('"linear"');
    expect(messageOf('krippendorffAlpha', { ratings: [[1], ['x']] })).toContain(
      'ratings[1][0] must be a number, got "x" (null is allowed)',
    );
  });

  it('takes no numbers that are not finite', () => {
    expect(messageOf('quantileType7', { values: [1, Number.NaN], p: 0.5 })).toContain('values[1]');
    expect(codeOf(() => run('wilson', { n: Number.POSITIVE_INFINITY, c: 1 }))).toBe('INVALID_INPUT');
  });

  it('is not fooled by keys that every object inherits', () => {
    expect(codeOf(() => run('passAtK', JSON.parse('{"n":1,"c":1,"k":1,"__proto__":{}}')))).toBe(
      'INVALID_INPUT',
    );
    expect(codeOf(() => run('passAtK', { n: 1, c: 1, k: 1, toString: 1 }))).toBe('INVALID_INPUT');
    expect(statsGroups.get('toString')).toBeUndefined();
  });

  it('keeps a long value short in the message', () => {
    expect(
      messageOf('levenshtein', { a: Array.from({ length: 1000 }, () => 'x'), b: '' }).length,
    ).toBeLessThan(300);
  });

  it('rates players of any name', () => {
    const input = JSON.parse('{"players":["__proto__","B"],"games":[["__proto__","B",1]]}');
    const { ratings } = run('elo', input);
    expect(JSON.stringify(ratings)).toBe('{"__proto__":1516,"B":1484}');
  });
});
