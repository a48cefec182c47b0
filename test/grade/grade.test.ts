import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckSpec, CheckType, Recording } from '../../src/core/index.js';
import { checkTypes, gradeChecks, gradeRecording, type Verdict } from '../../src/grade/index.js';
import { answered, call, graded, gradedFully, spec } from './support.js';

const context = { emptyText: 'fail' } as const;
const rubric = spec('llm-rubric', { rubric: 'polite?', threshold: 0.6, includeTranscript: false });

describe('a check', () => {
  it('carries what its specification says', () => {
    const check = graded(
      spec(
        'contains',
        { value: 'x' },
        { label: 'name', weight: 3, required: true, diagnostic: true, category: 'program', metric: 'tone' },
      ),
      answered('x'),
    );
    expect(check).toEqual({
      label: 'name',
      type: 'contains',
      outcome: 'pass',
      score: 1,
      weight: 3,
      category: 'program',
      diagnostic: true,
      required: true,
      evidence: 'contains "x" at character 1',
      metric: 'tone',
    });
  });

  it('has no metric and no judge where there is none', () => {
    expect(Object.keys(graded(spec('contains', { value: 'x' }), answered('x')))).not.toContain('metric');
    expect(Object.keys(graded(spec('contains', { value: 'x' }), answered('x')))).not.toContain('judge');
  });
});

/** One specification of every type that is graded at once. */
const samples: { [Type in CheckType]?: CheckSpec } = {
  equals: spec('equals', { value: 'a' }),
  contains: spec('contains', { value: 'a' }),
  icontains: spec('icontains', { value: 'A' }),
  'contains-all': spec('contains-all', { values: ['a', 'b'] }),
  'contains-any': spec('contains-any', { values: ['a', 'b'] }),
  regex: spec('regex', { pattern: 'a+', flags: '', dialect: 'javascript' }),
  'starts-with': spec('starts-with', { value: 'a' }),
  'ends-with': spec('ends-with', { value: 'a' }),
  'is-json': spec('is-json', {}),
  'contains-json': spec('contains-json', {}),
  'max-length': spec('max-length', { limit: 2 }),
  'min-length': spec('min-length', { limit: 2 }),
  'word-count': spec('word-count', { max: 1 }),
  levenshtein: spec('levenshtein', { value: 'ab', maxDistance: 1 }),
  'json-pointer': spec('json-pointer', { pointer: '/a', value: 1 }),
  'tool-used': spec('tool-used', { tools: ['t'] }),
  'tool-not-used': spec('tool-not-used', { tools: ['t'] }),
  'tool-calls': spec('tool-calls', { max: 0 }),
  'tool-arguments': spec('tool-arguments', { tool: 't', needle: 'a' }),
  'tool-results': spec('tool-results', { tool: 't', needle: 'a' }),
  'tools-succeeded': spec('tools-succeeded', { expected: true }),
  'file-exists': spec('file-exists', { path: 'a' }),
  'file-absent': spec('file-absent', { path: 'a' }),
  'file-contains': spec('file-contains', { path: 'a', needle: 'a' }),
  budget: spec('budget', { metric: 'total_tokens', limit: 5 }),
};

const text = fc.array(fc.constantFrom('a', 'b', ' ', '{', '}', '{"a":1}', '[]', '\n', '🙂'), {
  maxLength: 8,
});
const recordings = fc
  .record({
    texts: fc.array(
      text.map((parts) => parts.join('')),
      { maxLength: 2 },
    ),
    calls: fc.nat(2),
    ok: fc.boolean(),
    tokens: fc.nat(10),
  })
  .map(({ texts, calls, ok, tokens }): Recording =>
    answered(texts, {
      toolCalls: Array.from({ length: calls }, () => call('t', { a: 1 }, { ok, result: 'a' })),
      usage: { inputTokens: tokens, outputTokens: 0, cost: null },
    }),
  );

describe('negation', () => {
  const all = Object.values(samples);

  it('flips pass and fail and the score with them, and leaves everything else', () => {
    fc.assert(
      fc.property(fc.constantFrom(...all), recordings, (positive, recording) => {
        const negative: CheckSpec = { ...positive, negated: true };
        for (const emptyText of ['fail', 'grade'] as const) {
          const [plain, flipped] = gradeChecks([positive, negative], recording, { emptyText });
          if (plain === undefined || flipped === undefined) throw new Error('a check is missing');
          expect(flipped.type).toBe(`not-${plain.type}`);
          expect(flipped.evidence).toBe(plain.evidence);
          const standsInBoth =
            /response is empty|cannot read/.test(plain.evidence) || plain.outcome === 'error';
          if (standsInBoth) {
            expect([plain.outcome, plain.score]).toEqual([flipped.outcome, flipped.score]);
            expect(plain.outcome).not.toBe('pass');
          } else {
            expect([plain.outcome, flipped.outcome].toSorted()).toEqual(['fail', 'pass']);
            expect(plain.score + flipped.score).toBe(1);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is known to every type of check', async () => {
    expect(checkTypes.filter((type) => samples[type] === undefined).toSorted()).toEqual(
      [
        'command',
        'llm-assert',
        'llm-rubric',
        'matches-file',
        'pairwise',
        'program',
        'trace-judge',
      ].toSorted(),
    );
  });

  it('every check has evidence, a score from 0 to 1, and 0 unless it passed or was judged', () => {
    fc.assert(
      fc.property(recordings, (recording) => {
        for (const check of gradeChecks(all, recording, context)) {
          expect(check.evidence).not.toBe('');
          expect(check.score).toBe(check.outcome === 'pass' ? 1 : 0);
        }
      }),
    );
  });

  it('keeps unknown and error what they are', async () => {
    for (const outcome of ['unknown', 'error'] as const) {
      const judge = async (): Promise<Verdict> => ({ outcome, evidence: 'not stated', score: 1 });
      expect(
        await gradedFully({ ...rubric, negated: true }, answered('x'), { ...context, judge }),
      ).toMatchObject({
        type: 'not-llm-rubric',
        outcome,
        score: 0,
        evidence: 'not stated',
      });
    }
  });
});

describe('gradeRecording', () => {
  it('gives the results in the order of the specifications, whichever judge answers first', async () => {
    const waits = [30, 10, 20];
    const judge = async (asked: CheckSpec): Promise<Verdict> => {
      const index = Number(asked.label);
      await new Promise((resolve) => setTimeout(resolve, waits[index] ?? 0));
      return { outcome: 'pass', evidence: `judge ${index}` };
    };
    const checks = await gradeRecording(
      [
        { ...rubric, label: '0' },
        spec('contains', { value: 'x' }, { label: 'direct' }),
        { ...rubric, label: '1' },
        { ...rubric, label: '2' },
      ],
      answered('x'),
      { ...context, judge },
    );
    expect(checks.map((check) => check.label)).toEqual(['0', 'direct', '1', '2']);
    expect(checks[2]?.evidence).toBe('judge 1');
  });

  it('gives the same as gradeChecks where no program and no judge is needed', async () => {
    const specs = Object.values(samples);
    const recording = answered('a {"a":1}', { toolCalls: [call('t', 'a')] });
    expect(await gradeRecording(specs, recording, context)).toEqual(gradeChecks(specs, recording, context));
  });

  it('adds a check that fails when none can decide anything', async () => {
    const backstop = {
      label: 'effective_checks',
      outcome: 'fail',
      category: 'config',
      evidence: 'the case has no effective check',
    };
    expect(gradeChecks([], answered('x'), context)).toMatchObject([backstop]);
    expect(await gradeRecording([], answered('x'), context)).toMatchObject([backstop]);
    const diagnostic = spec('contains', { value: 'x' }, { diagnostic: true });
    expect(gradeChecks([diagnostic], answered('x'), context)).toMatchObject([{ outcome: 'pass' }, backstop]);
    expect(gradeChecks([spec('contains', { value: 'x' })], answered('x'), context)).toHaveLength(1);
  });

  it('makes an error of a check of a kind it does not know, and goes on', async () => {
    const unknown: unknown = { ...spec('contains', { value: 'x' }), type: 'telepathy' };
    const checks = await gradeRecording(
      [unknown as CheckSpec, spec('contains', { value: 'x' })],
      answered('x'),
      context,
    );
    expect(checks.map((check) => check.outcome)).toEqual(['error', 'pass']);
  });

  it('does not change with the order in which it is asked, nor when it is asked again', () => {
    const specs = Object.values(samples);
    fc.assert(
      fc.property(recordings, (recording) => {
        const once = gradeChecks(specs, recording, context);
        expect(gradeChecks(specs, recording, context)).toEqual(once);
        const backwards = gradeChecks(specs.toReversed(), recording, context).slice(0, specs.length);
        expect(backwards.toReversed()).toEqual(once.slice(0, specs.length));
      }),
      { numRuns: 50 },
    );
  });
});
