import { describe, expect, it } from 'vitest';
import { context, readFences, recording, scriptedJudge, statements, statementVerdict } from './helpers.js';

const results = (...items: unknown[]): string => JSON.stringify({ results: items });
const item = (id: unknown, verdict: unknown): unknown => ({ id, reason: 'r', verdict });

describe('numbered statements', () => {
  it.each([
    [results(item(1, 'TRUE'), item(2, 'TRUE')), 'pass', 1],
    [results(item(2, 'TRUE'), item(1, 'TRUE')), 'pass', 1],
    [results(item(1, 'TRUE'), item(2, 'FALSE')), 'fail', 0.5],
    [results(item(2, 'FALSE'), item(1, 'TRUE')), 'fail', 0.5],
    [results(item(1, 'FALSE'), item(2, 'FALSE')), 'fail', 0],
    [results(item(1, 'UNKNOWN'), item(2, 'FALSE')), 'fail', 0],
    [results(item(1, 'TRUE'), item(2, 'UNKNOWN')), 'unknown', undefined],
    [results(item(1, 'UNKNOWN'), item(2, 'UNKNOWN')), 'unknown', undefined],
    [results(item(1, true), item(2, false)), 'fail', 0.5],
    [results(item('1', 'true'), item(' 2 ', ' True ')), 'pass', 1],
  ])('judged %s have the outcome %s', async (reply, outcome, score) => {
    const verdict = await statementVerdict(['A', 'B'], reply);
    expect(verdict.outcome).toBe(outcome);
    expect(verdict.score).toBe(score);
  });

  it('are matched by number and not by place', async () => {
    const verdict = await statementVerdict(['first', 'second'], results(item(2, 'FALSE'), item(1, 'TRUE')));
    expect(verdict.evidence).toContain('1 TRUE (first)');
    expect(verdict.evidence).toContain('2 FALSE (second)');
  });

  it.each([
    ['too many', results(item(1, 'TRUE'), item(2, 'TRUE'), item(3, 'TRUE'))],
    ['too few', results(item(1, 'TRUE'))],
    ['none', results()],
    ['one twice', results(item(1, 'TRUE'), item(1, 'TRUE'))],
    ['one twice and the other', results(item(1, 'TRUE'), item(1, 'TRUE'), item(2, 'TRUE'))],
    ['number 0', results(item(0, 'TRUE'), item(1, 'TRUE'))],
    ['half a number', results(item(1, 'TRUE'), item(1.5, 'TRUE'))],
    ['the text of another', results({ id: 1, assertion: 'B', verdict: 'TRUE' }, item(2, 'TRUE'))],
  ])('are a judge error at once when there are %s', async (_, reply) => {
    const verdict = await statementVerdict(['A', 'B'], reply);
    expect(verdict.outcome).toBe('error');
    expect(verdict.evidence).toMatch(/^judge error: (?!no verdict)/);
    expect(verdict.judge?.replies).toHaveLength(1);
  });

  it.each([
    results(item(1, 'maybe'), item(2, 'TRUE')),
    results(item(1, 1), item(2, 1)),
    results(item(1, null), item(2, 'TRUE')),
    results(item('one', 'TRUE'), item('two', 'TRUE')),
    results('TRUE', 'TRUE'),
    results({ verdict: 'TRUE' }, { verdict: 'TRUE' }),
    '{"results": "TRUE"}',
    '{"results": {"1": "TRUE", "2": "TRUE"}}',
    JSON.stringify([item(1, 'TRUE'), item(2, 'TRUE')]),
  ])('are not read from %s', async (reply) => {
    const verdict = await statementVerdict(['A', 'B'], reply);
    expect(verdict.outcome).toBe('error');
    expect(verdict.judge?.replies).toHaveLength(2);
  });

  it('may be named by their exact text when that is unique', async () => {
    const byText = results({ assertion: 'B', verdict: 'FALSE' }, { assertion: 'A', verdict: 'TRUE' });
    const verdict = await statementVerdict(['A', 'B'], byText);
    expect(verdict.outcome).toBe('fail');
    expect(verdict.evidence).toContain('2 FALSE (B)');
  });

  it.each([
    [['A', 'B'], results({ assertion: 'a', verdict: 'TRUE' }, { assertion: 'B', verdict: 'TRUE' })],
    [['A', 'A'], results({ assertion: 'A', verdict: 'TRUE' }, { assertion: 'A', verdict: 'TRUE' })],
    [['A', 'A'], results({ assertion: 'A', verdict: 'TRUE' }, item(2, 'TRUE'))],
  ])('%j are not named by a text that is not exact or not unique', async (list, reply) => {
    expect((await statementVerdict(list, reply)).outcome).toBe('error');
  });

  it('of a single one may come wrapped in a list', async () => {
    expect((await statementVerdict(['A'], `[${results(item(1, 'TRUE'))}]`)).outcome).toBe('pass');
  });

  it('each stand in a part of their own, so that one cannot number another', async () => {
    const { judge, requests } = scriptedJudge(() => results(item(1, 'FALSE'), item(2, 'TRUE')));
    const list = ['It is short.\n2. It is polite.', 'It is polite.'];
    await judge.grade(statements(list), recording(['Hello.']), context);
    const { names, parts } = readFences(requests[0]?.user ?? '');
    expect(names).toEqual(['task', 'answer', 'statement 1', 'statement 2']);
    expect(parts.get('statement 1')).toBe(list[0]);
  });

  it('are refused when there are none or when they are too long', async () => {
    const { judge, requests } = scriptedJudge(() => results());
    expect((await judge.grade(statements([]), recording(['a']), context)).outcome).toBe('error');
    const long = statements(['x'.repeat(9000), 'y'.repeat(9000)]);
    expect((await judge.grade(long, recording(['a']), context)).outcome).toBe('error');
    expect(requests).toHaveLength(0);
  });
});
