import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckParameters, ToolCall } from '../../src/core/index.js';
import { answered, call, graded, spec } from './support.js';

const recordingOf = (toolCalls: ToolCall[]) => answered('done', { toolCalls });
const none = recordingOf([]);
const some = recordingOf([
  call('echo', { message: 'hello' }, { result: 'hello' }),
  call('search', { query: 'weather', limit: 5 }, { result: '{"sunny":true,"hours":[9,10]}', turn: 1 }),
  call('echo', { message: 'bye' }, { result: 'Unknown tool', ok: false, turn: 1 }),
]);

const calls = (parameters: CheckParameters['tool-calls'], recording = some, negated = false) =>
  graded(spec('tool-calls', parameters, { negated }), recording);

describe('tool-used and tool-not-used', () => {
  it('count failed calls and unknown tools as calls, and list the names', () => {
    expect(graded(spec('tool-used', { tools: ['echo'] }), some)).toMatchObject({
      outcome: 'pass',
      evidence: 'called: echo (2), search (1)',
    });
    expect(graded(spec('tool-used', { tools: ['search', 'shell'] }), some)).toMatchObject({
      outcome: 'fail',
      evidence: 'never called: shell; called: echo (2), search (1)',
    });
    expect(graded(spec('tool-used', { tools: ['echo'] }), none).evidence).toBe(
      'never called: echo; no tools were called',
    );
  });

  it('say how often a forbidden tool was called', () => {
    expect(graded(spec('tool-not-used', { tools: ['echo'] }), some)).toMatchObject({
      outcome: 'fail',
      evidence: 'echo was called 2 times',
    });
    expect(graded(spec('tool-not-used', { tools: ['shell'] }), some).outcome).toBe('pass');
  });

  it('compare whole names', () => {
    expect(graded(spec('tool-used', { tools: ['ech'] }), some).outcome).toBe('fail');
    expect(graded(spec('tool-used', { tools: ['Echo'] }), some).outcome).toBe('fail');
  });

  it('treat a tool named shell like any other, in both polarities', () => {
    const shell = recordingOf([call('shell', { command: 'ls' })]);
    expect(graded(spec('tool-used', { tools: ['shell'] }), shell).outcome).toBe('pass');
    expect(graded(spec('tool-used', { tools: ['shell'] }, { negated: true }), shell).outcome).toBe('fail');
    expect(graded(spec('tool-not-used', { tools: ['shell'] }, { negated: true }), shell).outcome).toBe(
      'pass',
    );
  });

  it('are errors without a tool to look for', () => {
    expect(graded(spec('tool-used', { tools: [] }), some).outcome).toBe('error');
    expect(graded(spec('tool-not-used', { tools: [] }), none).outcome).toBe('error');
  });

  it('are decided by calls, not by an empty answer', () => {
    const silent = answered('', { toolCalls: [call('echo')] });
    expect(graded(spec('tool-used', { tools: ['echo'] }), silent).outcome).toBe('pass');
  });

  it('show a hostile tool name as text', () => {
    const hostile = recordingOf([call('a\u001b[31m\nb')]);
    expect(graded(spec('tool-used', { tools: ['x'] }), hostile).evidence).toContain('"a\\u{1b}[31m\\nb" (1)');
  });
});

describe('tool-calls counts', () => {
  it.each([
    [{ max: 3 }, 'pass'],
    [{ max: 2 }, 'fail'],
    [{ min: 3 }, 'pass'],
    [{ min: 4 }, 'fail'],
    [{ exact: 3 }, 'pass'],
    [{ exact: 2 }, 'fail'],
    [{ min: 1, max: 2 }, 'fail'],
    [{ tool: 'echo', exact: 2 }, 'pass'],
    [{ tool: 'echo', exact: 3 }, 'fail'],
    [{ tool: 'shell', max: 0 }, 'pass'],
  ] as const)('%j is a %s for three calls', (parameters, outcome) => {
    const check = calls(parameters);
    expect(check.outcome).toBe(outcome);
    expect(check.evidence).toContain('called: echo (2), search (1)');
    expect(calls(parameters, some, true).outcome).toBe(outcome === 'pass' ? 'fail' : 'pass');
  });

  it('is an error without any bound', () => {
    expect(calls({}).outcome).toBe('error');
    expect(calls({ calls: [] }).outcome).toBe('error');
  });
});

describe('tool-calls with expected calls', () => {
  const expected = (wanted: NonNullable<CheckParameters['tool-calls']['calls']>, recording = some) =>
    calls({ calls: wanted }, recording);

  it('finds them in any order, with a subset of the arguments', () => {
    const check = expected([
      { tool: 'echo', arguments: { message: 'bye' } },
      { tool: 'search', arguments: { query: 'weather' } },
    ]);
    expect(check).toMatchObject({ outcome: 'pass' });
    expect(check.evidence).toContain('2 of 2 expected calls found among 3 calls');
    expect(check.evidence).toContain('echo({"message":"bye"}) is call [2]');
  });

  it('needs a call of its own for every expected one', () => {
    const once = recordingOf([call('pay', { amount: 5 })]);
    expect(expected([{ tool: 'pay' }, { tool: 'pay' }], once).outcome).toBe('fail');
  });

  it('never lets a broad expectation take the only call of a narrow one', () => {
    const both = recordingOf([call('t', { a: 1, b: 1 }), call('t', { a: 1 })]);
    expect(
      expected(
        [
          { tool: 't', arguments: { a: 1 } },
          { tool: 't', arguments: { b: 1 } },
        ],
        both,
      ).outcome,
    ).toBe('pass');
  });

  it('shows the nearest call and where it differs', () => {
    const wrong = recordingOf([call('pay', { amount: 6, to: 'x' })]);
    expect(expected([{ tool: 'pay', arguments: { amount: 5 } }], wrong).evidence).toBe(
      '0 of 1 expected call found among 1 call:\n  - pay({"amount":5}) was not called; nearest is call [0] pay({"amount":6,"to":"x"}), at /amount: expected 5, found 6',
    );
  });

  it('does not take arguments that are no JSON for a match', () => {
    const raw = recordingOf([call('pay', '{amount: 5')]);
    expect(expected([{ tool: 'pay', arguments: {} }], raw).outcome).toBe('fail');
    expect(expected([{ tool: 'pay' }], raw).outcome).toBe('pass');
  });

  it('compares the whole sequence when the order is strict', () => {
    const strict = (names: string[]) => calls({ calls: names.map((tool) => ({ tool })), order: 'strict' });
    expect(strict(['echo', 'search', 'echo']).outcome).toBe('pass');
    expect(strict(['echo', 'search']).outcome).toBe('fail');
    const check = strict(['echo', 'book', 'echo']);
    expect(check.outcome).toBe('fail');
    expect(check.evidence).toBe(
      [
        '3 calls against the expected sequence of 3:',
        '  = echo() is call [0]',
        '  - book() was not called here',
        '  + call [1] search({"query":"weather","limit":5}) was not expected here',
        '  = echo() is call [2]',
      ].join('\n'),
    );
  });

  it('holds together with a count', () => {
    expect(calls({ calls: [{ tool: 'echo' }], max: 2 }).outcome).toBe('fail');
    expect(calls({ calls: [{ tool: 'echo' }], max: 3 }).outcome).toBe('pass');
  });

  it('passes exactly when some assignment of distinct calls exists', () => {
    const argument = fc.record(
      { a: fc.integer({ min: 0, max: 1 }), b: fc.integer({ min: 0, max: 1 }) },
      { requiredKeys: [] },
    );
    const wantedCalls = fc.array(argument, { minLength: 1, maxLength: 4 });
    const madeCalls = fc.array(argument, { maxLength: 4 });
    type Argument = { a?: number; b?: number };
    const fits = (wanted: Argument, made: Argument) =>
      (wanted.a === undefined || wanted.a === made.a) && (wanted.b === undefined || wanted.b === made.b);
    const assignable = (wanted: Argument[], made: Argument[]): boolean => {
      const [first, ...rest] = wanted;
      if (first === undefined) return true;
      return made.some((one, index) => fits(first, one) && assignable(rest, made.toSpliced(index, 1)));
    };
    fc.assert(
      fc.property(wantedCalls, madeCalls, (wanted, made) => {
        const recording = recordingOf(made.map((given) => call('t', given)));
        const check = expected(
          wanted.map((given) => ({ tool: 't', arguments: { ...given } })),
          recording,
        );
        expect(check.outcome).toBe(assignable(wanted, made) ? 'pass' : 'fail');
      }),
    );
  });

  it('stays quick and short with a great many calls', () => {
    const many = recordingOf(Array.from({ length: 20_000 }, (_, index) => call('t', { index })));
    const wanted = Array.from({ length: 100 }, (_, index) => ({
      tool: 't',
      arguments: { index: -index - 1 },
    }));
    for (const order of ['any', 'strict'] as const) {
      const check = calls({ calls: wanted, order }, many);
      expect(check.outcome).toBe('fail');
      expect(check.evidence.length).toBeLessThan(20_000);
    }
  });
});

describe('tool-arguments and tool-results', () => {
  const given = (parameters: CheckParameters['tool-arguments'], recording = some) =>
    graded(spec('tool-arguments', parameters), recording);
  const result = (parameters: CheckParameters['tool-results']) =>
    graded(spec('tool-results', parameters), some);

  it('pass when any call has it', () => {
    expect(given({ tool: 'echo', needle: '"message":"bye"' })).toMatchObject({
      outcome: 'pass',
      evidence: 'call [1] to echo contains "\\"message\\":\\"bye\\"": "{\\"message\\":\\"bye\\"}"',
    });
    expect(result({ tool: 'search', needle: 'sunny' }).outcome).toBe('pass');
  });

  it('list the payloads when none has it', () => {
    expect(given({ tool: 'echo', needle: 'ciao' }).evidence).toBe(
      '"ciao" not found in 2 calls to echo: "{\\"message\\":\\"hello\\"}", "{\\"message\\":\\"bye\\"}"',
    );
  });

  it('list the names when the tool was never called', () => {
    expect(given({ tool: 'shell', needle: 'x' }).evidence).toBe(
      'shell was never called; called: echo (2), search (1)',
    );
  });

  it('look at one call only when an index is given, counted among the calls to that tool', () => {
    expect(given({ tool: 'echo', needle: 'bye', callIndex: 1 }).outcome).toBe('pass');
    expect(given({ tool: 'echo', needle: 'bye', callIndex: 0 })).toMatchObject({
      outcome: 'fail',
      evidence: 'call [0] to echo does not contain "bye": "{\\"message\\":\\"hello\\"}"',
    });
    expect(given({ tool: 'search', needle: 'x', callIndex: 1 }).evidence).toBe(
      'no call [1] to search: 1 call, "{\\"query\\":\\"weather\\",\\"limit\\":5}"',
    );
  });

  it('compare a value as a subset of the parsed payload', () => {
    expect(given({ tool: 'search', value: { limit: 5 } }).outcome).toBe('pass');
    expect(given({ tool: 'search', value: { limit: '5' } })).toMatchObject({ outcome: 'fail' });
    expect(given({ tool: 'search', value: { limit: '5' } }).evidence).toContain(
      'at /limit: expected "5", found 5',
    );
    expect(result({ tool: 'search', value: { hours: [9] } }).outcome).toBe('pass');
    expect(result({ tool: 'echo', value: { a: 1 }, callIndex: 0 }).evidence).toContain('is not JSON');
  });

  it('are errors without anything to look for', () => {
    expect(given({ tool: 'echo' }).outcome).toBe('error');
  });

  it('flip under not-', () => {
    const forbidden = spec('tool-arguments', { tool: 'echo', needle: 'bye' }, { negated: true });
    expect(graded(forbidden, some).outcome).toBe('fail');
    expect(graded(forbidden, none).outcome).toBe('pass');
  });
});

describe('tools-succeeded', () => {
  const succeeded = (expected: boolean, recording: typeof some) =>
    graded(spec('tools-succeeded', { expected }), recording);

  it('compares with whether every call succeeded; no calls count as success', () => {
    expect(succeeded(true, some)).toMatchObject({
      outcome: 'fail',
      evidence: 'all tools succeeded: false (failed: echo)',
    });
    expect(succeeded(false, some).outcome).toBe('pass');
    expect(succeeded(true, none)).toMatchObject({
      outcome: 'pass',
      evidence: 'all tools succeeded: true (0 calls)',
    });
    expect(succeeded(false, none).outcome).toBe('fail');
  });
});
