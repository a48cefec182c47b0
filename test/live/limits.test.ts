import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/core/index.js';
import { at, decidingModel, reportOf, run, workplace } from './support.js';

function step(calls: number): JsonValue {
  return {
    response: {
      type: 'tool_calls',
      tool_calls: Array.from({ length: calls }, (_, index) => ({
        id: `c${index}`,
        name: 'echo',
        arguments: { message: 'x' },
      })),
      input_tokens: 30,
      output_tokens: 10,
    },
  };
}

const DONE: JsonValue = { response: { type: 'text', content: 'Done.', input_tokens: 30, output_tokens: 10 } };

/** A replay of three model calls, three tool calls and 120 tokens, under limits. */
async function limited(limits: JsonObject, configured: JsonObject = {}) {
  const fixture = {
    model_name: 'limited',
    turns: [{ user_input: 'go', steps: [step(1), step(2), DONE] }],
    expects: { response_contains: ['Done'] },
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  };
  const place = workplace({
    's/a.json': fixture,
    ...(Object.keys(configured).length === 0
      ? {}
      : { 'assay.config.json': { eval: { limits: configured } } }),
  });
  const ended = await run(place, ['s', '--json']);
  return at(reportOf(ended), 'cases', 0);
}

describe('the limits of a trial', () => {
  it.each([
    ['model calls', { llm_calls: 3 }, { llm_calls: 2 }, '2 model calls (llm_calls)'],
    ['tool calls', { tool_calls: 3 }, { tool_calls: 2 }, '2 tool calls (tool_calls)'],
    ['no tool call at all', { tool_calls: 3 }, { tool_calls: 0 }, '0 tool calls (tool_calls)'],
    ['tokens', { total_tokens: 120 }, { total_tokens: 119 }, '119 tokens (total_tokens)'],
    [
      'tokens that are used up before the next call',
      { total_tokens: 120 },
      { total_tokens: 80 },
      '80 tokens',
    ],
  ])('on %s hold at the bound and end the trial beyond it', async (_name, enough, tooFew, said) => {
    expect(at(await limited(enough), 'error')).toBe(null);
    expect(at(await limited(enough), 'passed')).toBe(true);
    const ended = await limited(tooFew);
    expect(at(ended, 'error')).toContain(`the trial's limit of ${said}`);
    expect(at(ended, 'score')).toBe(null);
  });

  it('of the configuration hold where the case sets none of its own', async () => {
    expect(at(await limited({}, { llm_calls: 2 }), 'error')).toContain('2 model calls');
    expect(at(await limited({ llm_calls: 5 }, { llm_calls: 2 }), 'error')).toBe(null);
    expect(at(await limited({ tool_calls: 9 }, { llm_calls: 2 }), 'error')).toContain('2 model calls');
  });

  it('cost nothing with the scripted model, which costs nothing', async () => {
    expect(at(await limited({ cost: 0.01 }), 'error')).toBe(null);
  });
});

const SUITE = (limits: JsonObject, agent = 'loop'): string =>
  JSON.stringify({
    agent,
    trials: 1,
    gate: 'all',
    limits,
    cases: [{ id: 'one', prompt: 'go', assert: [{ type: 'contains', value: 'Done' }] }],
  });

/** What a run of one trial says of its error. */
async function live(suite: string, model: string, config: JsonObject = {}, files: JsonObject = {}) {
  const place = workplace({ 's.yaml': suite, 'assay.config.json': config, ...files });
  return run(place, ['s.yaml', '--model', model, '--json']);
}

describe('the limits of a live trial', () => {
  // 1000 tokens in and 100 out, at 1 and 10 dollars a million: 0.002 dollars a call.
  const prices = (model: string): JsonObject => ({ prices: { [model]: { input: 1, output: 10 } } });

  it('on cost end it at the price of the configuration', async () => {
    const { model, seen } = await decidingModel((_body, count) =>
      count < 4 ? { calls: [['echo', { message: 'x' }]] } : { text: 'Done.' },
    );
    const ended = await live(SUITE({ cost: 0.005 }), model, prices(model));
    expect(ended.stdout).toContain("the trial's limit of 0.005 US dollars (cost) is reached");
    expect(seen.length).toBe(3);
    const enough = await live(SUITE({ cost: 0.0081 }), model, prices(model));
    expect(enough.code).toBe(0);
  });

  it('on cost end it when nobody knows what a call costs', async () => {
    const { model } = await decidingModel(() => ({ text: 'Done.' }));
    const ended = await live(SUITE({ cost: 5 }), model);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain('the cost of a model call is not known');
    expect((await live(SUITE({ llm_calls: 5 }), model)).code).toBe(0);
  });

  it('on time end it as a limit, not as a time-out of a turn', async () => {
    const { model } = await decidingModel(() => 'silence');
    const ended = await live(SUITE({ duration_ms: 400 }), model);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain("the trial's limit of 400 milliseconds (duration_ms) is reached");
    expect(ended.stdout).toContain('"limit"');
  });

  it('hold for an agent of the user that catches every error', async () => {
    const { model, seen } = await decidingModel(() => ({ text: 'Done.' }));
    const agent = `
      export default async ({ model }) => {
        for (let call = 0; call < 10; call += 1) {
          try {
            await model.doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] });
          } catch {
            // goes on
          }
        }
        return 'Done.';
      };
    `;
    const suite = JSON.stringify({ ...JSON.parse(SUITE({ llm_calls: 3 })), agent: { module: 'agent.mjs' } });
    const ended = await live(suite, model, {}, { 'agent.mjs': agent });
    expect(ended.stdout).toContain("the trial's limit of 3 model calls");
    expect(seen.length).toBe(3);
  });

  it('hold for what an agent of the user says it did', async () => {
    const { model } = await decidingModel(() => ({ text: 'Done.' }));
    const agent = `export default () => ({ text: 'Done.', toolCalls: [{ name: 'a' }, { name: 'b' }] });`;
    const suite = (tools: number): string =>
      JSON.stringify({ ...JSON.parse(SUITE({ tool_calls: tools })), agent: { module: 'agent.mjs' } });
    expect((await live(suite(2), model, {}, { 'agent.mjs': agent })).code).toBe(0);
    const ended = await live(suite(1), model, {}, { 'agent.mjs': agent });
    expect(ended.stdout).toContain("the trial's limit of 1 tool calls");
  });
});
