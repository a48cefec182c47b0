import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTrial, trialText } from '../../src/store/index.js';
import { anyTrial } from './arbitraries.js';
import { check, erroredTrial, failure, trial } from './builders.js';

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

describe('a stored trial', () => {
  test('gives back exactly the trial that was stored, whatever it holds', () => {
    fc.assert(
      fc.property(anyTrial, (any) => {
        expect(parseTrial(trialText(any))).toEqual(any);
      }),
      { numRuns: 1000 },
    );
  });

  test('gives back exactly the trial that was stored after others with the same checks and other evidence', () => {
    const evidences = fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.boolean()), {
      minLength: 3,
      maxLength: 6,
    });
    fc.assert(
      fc.property(anyTrial, evidences, (any, said) => {
        const trials = said.map(([evidence, passed]) => ({
          ...any,
          checks: any.checks.map((one) => ({
            ...one,
            evidence,
            outcome: passed ? ('pass' as const) : ('fail' as const),
          })),
        }));
        expect(trials.map((one) => parseTrial(trialText(one)))).toEqual(trials);
      }),
      { numRuns: 300 },
    );
  });

  test('is one line of JSON, whatever it holds', () => {
    fc.assert(
      fc.property(anyTrial, (any) => {
        expect(trialText(any)).not.toMatch(/[\n\r]/);
      }),
    );
  });

  test('carries the keys of the reference with their meaning', () => {
    const stored: unknown = JSON.parse(
      trialText(
        trial('a', 2, { score: 0.5, status: 'failed', checks: [check({ outcome: 'unknown', score: 0 })] }),
      ),
    );
    expect(stored).toMatchObject({
      score: 0.5,
      passed: false,
      asserts: [
        {
          type: 'contains',
          passed: false,
          score: 0,
          reason: 'contains "forty" at character 14',
          weight: 2,
          label: 'contains("forty")',
          outcome: 'unknown',
          category: 'response',
          required: true,
          diagnostic: false,
        },
      ],
      output: 'The answer to a is forty-two.',
      case: 'a',
      trial: 2,
      status: 'failed',
      error: null,
    });
  });

  test('passed only when its status says so', () => {
    expect(JSON.parse(trialText(trial('a')))).toMatchObject({ passed: true, score: 1 });
    expect(JSON.parse(trialText(erroredTrial('a')))).toMatchObject({
      passed: false,
      score: null,
      output: '',
      error: { kind: 'timeout', message: 'turn 0 timed out after 120 s' },
    });
  });

  test('says every fact once: answer, question, arguments and result do not repeat', () => {
    const text = trialText(trial('a'));
    expect(occurrences(text, 'forty-two')).toBe(1);
    expect(occurrences(text, 'What is it?')).toBe(1);
    expect(occurrences(text, '\\"message\\"')).toBe(1);
    expect(occurrences(text, '"assay/recording/v1"')).toBe(1);
    expect(occurrences(text, trial('a').caseHash)).toBe(1);
  });

  test('keeps a message that differs from what it is expected to repeat', () => {
    const made = trial('a');
    const [system, user, asked, answered, said] = made.recording?.messages ?? [];
    if (!system || !user || !asked || !answered || !said || !made.recording)
      throw new Error('builder changed');
    made.recording.messages = [
      system,
      { ...user, text: '[10:00] What is it?' },
      asked,
      { ...answered, text: 'Error: hi' },
      said,
    ];
    expect(parseTrial(trialText(made))).toEqual(made);
  });

  test('redacts keys everywhere but in the identity on which resuming depends', () => {
    const secret = 'sk-proj-Abcdef0123456789abcdef';
    const made = trial(`case ${secret}`);
    if (made.recording) {
      made.recording.turns = [{ user: `use ${secret}`, text: `I used\n${secret}.` }];
      made.recording.toolCalls = made.recording.toolCalls.map((call) => ({ ...call, result: secret }));
      made.recording.extra = { header: { authorization: secret } };
    }
    made.checks = [check({ evidence: `found "${secret}"`, label: `contains("${secret}")` })];
    const text = trialText(made);
    expect(occurrences(text, secret)).toBe(1);
    const back = parseTrial(text);
    expect(back.caseId).toBe(made.caseId);
    expect(back.receipt.caseId).toBe(made.caseId);
    expect(back.recording?.turns).toEqual([{ user: 'use [redacted]', text: 'I used\n[redacted].' }]);
    expect(back.checks[0]?.evidence).toBe('found "[redacted]"');
  });

  test('tolerates keys that this version does not know', () => {
    const stored: object = JSON.parse(trialText(trial('a')));
    expect(parseTrial(JSON.stringify({ ...stored, invented: { later: true } }))).toEqual(trial('a'));
  });

  test.each([
    ['not JSON', '{"type":"trial"', /not a stored trial/],
    ['not an object', '[1]', /must be an object/],
    [
      'a missing score',
      trialText(trial('a')).replace('"score":1,"passed"', '"passed"'),
      /`score` must be a number/,
    ],
    [
      'an unknown status',
      trialText(trial('a')).replace('"status":"passed"', '"status":"ok"'),
      /`status` must be one of/,
    ],
    [
      'a list that is none',
      trialText(trial('a'))
        .replace('"asserts":[{', '"asserts":{"x":[{')
        .replace('}],"output"', '}]},"output"'),
      /`asserts` must be a list/,
    ],
  ])('refuses %s and says what is wrong', async (_name, text, message) => {
    expect(await failure(() => parseTrial(text))).toMatchObject({
      code: 'INPUT',
      message: expect.stringMatching(message),
    });
  });
});
