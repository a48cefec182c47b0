import { describe, expect, it } from 'vitest';
import { AssayError, type JsonObject } from '../../src/core/index.js';
import { SpendCeiling } from '../../src/model/index.js';
import { at, decidingModel, reportOf, run, workplace } from './support.js';

/** One call costs 0.002 dollars: 1000 tokens in and 100 out, at 1 and 10 dollars a million. */
function config(...models: string[]): JsonObject {
  return { prices: Object.fromEntries(models.map((model) => [model, { input: 1, output: 10 }])) };
}

const SUITE = (judged: boolean): string =>
  JSON.stringify({
    trials: 1,
    gate: 'all',
    cases: Array.from({ length: 6 }, (_, index) => ({
      id: `case-${index}`,
      prompt: 'go',
      assert: [judged ? { type: 'llm-rubric', value: 'It is done.' } : { type: 'contains', value: 'Done' }],
    })),
  });

describe('--max-cost', () => {
  it('ends a run once it is spent: what is finished is kept, the rest is not run', async () => {
    const { model, seen } = await decidingModel(() => ({ text: 'Done.' }));
    const place = workplace({ 's.yaml': SUITE(false), 'assay.config.json': config(model) });
    const ended = await run(place, ['s.yaml', '--model', model, '--max-cost', '0.005', '--json']);
    expect(ended.code).toBe(1);
    // Never more than one call beyond the ceiling, however many trials are under way.
    expect(seen.length).toBe(3);
    expect(ended.stderr).toContain('the spend ceiling of $0.005 is reached: $0.006 spent');
    const report = reportOf(ended);
    expect(at(report, 'reason')).toContain('the spend ceiling of $0.005 is reached');
    expect(at(report, 'errors')).toEqual({ limit: 3 });
    expect(at(report, 'totals')).toMatchObject({ passed: 3, errored: 3 });
  });

  it('starts no trial any more once it is spent', async () => {
    const { model, seen } = await decidingModel(() => ({ text: 'Done.' }));
    const place = workplace({ 's.yaml': SUITE(false), 'assay.config.json': config(model) });
    const words = ['--model', model, '--max-cost', '0.005', '--concurrency', '1', '--json'];
    const report = reportOf(await run(place, ['s.yaml', ...words]));
    expect(seen.length).toBe(3);
    expect(at(report, 'outcome')).toBe('inconclusive');
    expect(at(report, 'totals')).toMatchObject({ passed: 3, errored: 0, not_run: 3 });
    expect(at(report, 'reason')).toContain(
      'stopped early: 3 cases not run; the spend ceiling of $0.005 is reached',
    );
  });

  it('leaves a run alone that stays within it, and says what was spent', async () => {
    const { model } = await decidingModel(() => ({ text: 'Done.' }));
    const place = workplace({ 's.yaml': SUITE(false), 'assay.config.json': config(model) });
    const ended = await run(place, ['s.yaml', '--model', model, '--max-cost', '1']);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('spent $0.0120 of $1 (agents, judges and simulators)');
  });

  it('counts agents and judges together', async () => {
    const agent = await decidingModel(() => ({ text: 'Done.' }));
    const judge = await decidingModel(() => ({
      text: '{"pass": true, "score": 1, "reason": "It is done."}',
    }));
    const place = workplace({ 's.yaml': SUITE(true), 'assay.config.json': config(agent.model, judge.model) });
    const words = [
      '--model',
      agent.model,
      '--judge',
      judge.model,
      '--max-cost',
      '0.01',
      '--concurrency',
      '1',
    ];
    const ended = await run(place, ['s.yaml', ...words, '--json', '--no-cache']);
    expect(ended.code).toBe(1);
    expect(agent.seen.length + judge.seen.length).toBe(5);
    expect(judge.seen.length).toBeGreaterThan(0);
  });

  it('is carried over a resume', async () => {
    const { model, seen } = await decidingModel(() => ({ text: 'Done.' }));
    const place = workplace({ 's.yaml': SUITE(false), 'assay.config.json': config(model) });
    const first = await run(place, ['s.yaml', '--model', model, '--max-cost', '0.005', '--json']);
    expect(first.code).toBe(1);
    const more = await run(place, ['s.yaml', '--model', model, '--max-cost', '0.007', '--resume', '--json']);
    expect(more.code).toBe(1);
    expect(seen.length).toBe(4);
    const enough = await run(place, ['s.yaml', '--model', model, '--max-cost', '1', '--resume', '--json']);
    expect(enough.code, enough.stdout + enough.stderr).toBe(0);
    expect(seen.length).toBe(6);
    expect(enough.stderr).toContain('spent $0.0120 of $1');
  });

  it('cannot be kept where a cost is not known, and stops at the first such call', async () => {
    const { model, seen } = await decidingModel(() => ({ text: 'Done.' }));
    const place = workplace({ 's.yaml': SUITE(false) });
    const ended = await run(place, ['s.yaml', '--model', model, '--max-cost', '5', '--json']);
    expect(ended.code).toBe(1);
    expect(seen.length).toBe(1);
    expect(ended.stderr).toContain(`the cost of a call to ${model} is not known`);
    const resumed = await run(place, ['s.yaml', '--model', model, '--max-cost', '5', '--resume']);
    expect(resumed.code).toBe(1);
    expect(resumed.stderr).toContain('1 finished trial of this run did not say what it cost');
  });

  it('says that a cost is not known rather than 0', async () => {
    const { model } = await decidingModel(() => ({ text: 'Done.' }));
    const place = workplace({ 's.yaml': SUITE(false) });
    const ended = await run(place, ['s.yaml', '--model', model, '--json']);
    expect(ended.code).toBe(0);
    expect(JSON.stringify(reportOf(ended))).toContain('"cost":null');
    expect((await run(place, ['s.yaml', '--model', model])).stdout).toContain('cost not known');
    expect(at(reportOf(ended), 'cost') ?? null).toBe(null);
  });

  it.each(['0', '-1', 'much'])('of %s is a wrong command line', async (amount) => {
    const place = workplace({ 's.yaml': SUITE(false) });
    expect((await run(place, ['s.yaml', '--model', 'claude-cli:x', '--max-cost', amount])).code).toBe(2);
  });
});

describe('a spend ceiling', () => {
  it('lets one call pass at a time until it knows what a call costs', async () => {
    const ceiling = new SpendCeiling(1);
    const first = await ceiling.enter('a');
    let second = false;
    const waiting = ceiling.enter('a').then((pass) => {
      second = true;
      return pass;
    });
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(second).toBe(false);
    first.answered(0.1);
    (await waiting).answered(0.1);
    expect(ceiling.spent).toBeCloseTo(0.2, 12);
  });

  it('lets many pass while there is room for all of them, and then one after the other', async () => {
    const ceiling = new SpendCeiling(1);
    (await ceiling.enter('a')).answered(0.25);
    const passes = [await ceiling.enter('a'), await ceiling.enter('a'), await ceiling.enter('a')];
    let fourth = false;
    const waiting = ceiling.enter('a').catch((error: unknown) => {
      fourth = true;
      return error;
    });
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(fourth).toBe(false);
    for (const pass of passes) pass.answered(0.25);
    const refused = await waiting;
    expect(AssayError.isInstance(refused) && refused.code).toBe('LIMIT');
    expect(ceiling.closed).toContain('the spend ceiling of $1.00 is reached');
  });

  it('counts a failed try for what it says it used, and nothing when it says nothing', async () => {
    const ceiling = new SpendCeiling(1, 0.5);
    (await ceiling.enter('a')).failed(0.2);
    (await ceiling.enter('a')).failed(null);
    expect(ceiling.spent).toBeCloseTo(0.7, 12);
    expect(ceiling.closed).toBe(null);
  });

  it('gives up a wait when the trial does', async () => {
    const ceiling = new SpendCeiling(1);
    await ceiling.enter('a');
    const controller = new AbortController();
    const waiting = ceiling.enter('a', controller.signal);
    controller.abort(new Error('over'));
    await expect(waiting).rejects.toThrow('over');
  });

  it('must be above 0', () => {
    for (const limit of [0, -1, Number.NaN, Infinity])
      expect(() => new SpendCeiling(limit)).toThrow(RangeError);
  });
});
