import { describe, expect, it } from 'vitest';
import { ScriptedModel } from '../../src/model/index.js';
import { agentError, converse, echo, loopOver, scripted, text, watched } from './support.js';

const envelope = (message: string, tag = 'tool_call'): string =>
  `<${tag}>{"name": "echo", "arguments": {"message": "${message}"}}</${tag}>`;
const BROKEN = '<tool_call>{"name": "echo", "arguments": {"message": </tool_call>';

describe('a tool call that is written as text', () => {
  it.each(['tool_call', 'toolcall', 'tool-call', 'invoke', 'TOOL_CALL'])(
    'in a <%s> envelope is carried out',
    async (tag) => {
      const session = scripted([[text(envelope('copper', tag), 5, 2), text('done', 7, 1)]]);
      expect(await session.turn('go', 0)).toBe('done');
      expect(session.observed().toolCalls).toEqual([
        expect.objectContaining({
          name: 'echo',
          arguments: '{"message":"copper"}',
          result: 'copper',
          ok: true,
        }),
      ]);
      expect(session.observed()).toMatchObject({ llmCalls: 2, inputTokens: 12, outputTokens: 3 });
    },
  );

  it('may stand between words and come several times in a reply, in order', async () => {
    const session = scripted([[text(`First ${envelope('one')} and then\n${envelope('two')}`), text('done')]]);
    await session.turn('go', 0);
    expect(session.observed().toolCalls.map((call) => call.result)).toEqual(['one', 'two']);
    const ids = session.observed().toolCalls.map((call) => call.id);
    expect(new Set(ids).size).toBe(2);
    expect(session.observed().messages[1]).toMatchObject({ role: 'assistant', text: 'First  and then' });
  });

  it('has canonical arguments, {} when it gives none', async () => {
    const session = scripted([
      [
        text('<tool_call>{"arguments": {"z": 1, "a": 2}, "name": "echo"}</tool_call>'),
        text('<tool_call>{"name": "echo"}</tool_call>'),
        text('<tool_call>{"name": "echo", "parameters": {"message": "p"}}</tool_call>'),
        text('done'),
      ],
    ]);
    await session.turn('go', 0);
    expect(session.observed().toolCalls.map((call) => call.arguments)).toEqual([
      '{"a":2,"z":1}',
      '{}',
      '{"message":"p"}',
    ]);
  });

  it('after private reasoning is carried out; one inside the reasoning is not', async () => {
    const session = scripted([
      [text(`<think>${envelope('hidden')}</think>${envelope('shown')}`), text('done')],
    ]);
    await session.turn('go', 0);
    expect(session.observed().toolCalls.map((call) => call.result)).toEqual(['shown']);
  });

  it('takes part in the limit of a turn', async () => {
    const session = scripted([Array.from({ length: 3 }, () => text(envelope('again')))], { maxSteps: 3 });
    expect((await agentError(session.turn('go', 0))).kind).toBe('limit');
    expect(session.observed().toolCalls).toHaveLength(2);
  });

  it.each([
    'An envelope looks like <tool_call>{"name": "search"}</tool_call>.',
    'Write <tool_call> before and </tool_call> after it.',
    'The tag <invoke> opens a call.',
  ])('is part of the answer where it is only spoken of: %s', async (said) => {
    const session = scripted([[text(said)]]);
    expect(await session.turn('go', 0)).toBe(said);
    expect(session.observed().toolCalls).toEqual([]);
  });
});

describe('a broken envelope is rejected and the model is asked again', () => {
  it.each([
    ['JSON that is cut off', BROKEN],
    ['no JSON', '<tool_call>echo copper</tool_call>'],
    ['no end', '<tool_call>{"name": "echo", "arguments": {}}'],
    ['a tool that is not registered', '<tool_call>{"name": "search", "arguments": {}}</tool_call>'],
    ['no name', '<tool_call>{"arguments": {}}</tool_call>'],
    ['white space in front', `  \n${BROKEN}`],
  ])('%s', async (_name, broken) => {
    const { model, prompts } = watched(
      new ScriptedModel('case', [[text(broken, 500, 100), text('done', 7, 2)]]),
    );
    const session = loopOver(model);
    expect(await session.turn('go', 0)).toBe('done');
    expect(session.observed().toolCalls).toEqual([]);
    // The rejected reply counts neither tokens nor requests.
    expect(session.observed()).toMatchObject({ llmCalls: 1, inputTokens: 7, outputTokens: 2, cost: 0 });
    expect(prompts).toHaveLength(2);
    expect(prompts[1]?.at(-1)).toMatchObject({ role: 'user' });
    expect(JSON.stringify(prompts[1]?.at(-1))).toContain('could not be read');
  });

  it('two rejected replies in a row may still be followed by a good one', async () => {
    const session = scripted([[text(BROKEN), text(BROKEN), text(envelope('copper')), text('done')]]);
    expect(await session.turn('go', 0)).toBe('done');
    expect(session.observed()).toMatchObject({ llmCalls: 2 });
  });

  it('a third ends the turn with a text of our own, and the fourth step is left over', async () => {
    const script = new ScriptedModel('case', [
      [text(BROKEN, 9, 9), text(BROKEN), text(BROKEN), text('late')],
    ]);
    const session = loopOver(script);
    const answer = await session.turn('go', 0);
    expect(answer).toMatch(/could not/);
    expect(answer).not.toContain('<');
    expect(session.observed()).toMatchObject({ llmCalls: 0, inputTokens: 0, outputTokens: 0, toolCalls: [] });
    expect(session.observed().messages.at(-1)).toEqual({ role: 'assistant', text: answer });
    expect(() => script.endTurn(0)).toThrow('1 scripted step never requested (text "late")');
  });

  it('every turn has two retries of its own', async () => {
    const script = new ScriptedModel('case', [
      [text(BROKEN), text(BROKEN), text('one')],
      [text(BROKEN), text(BROKEN), text('two')],
    ]);
    expect(await converse(script, loopOver(script), ['a', 'b'])).toEqual(['one', 'two']);
  });

  it('retries take nothing from the limit of a turn', async () => {
    const rounds = Array.from({ length: 9 }, (_, index) => echo(`${index}`));
    const session = scripted([[text(BROKEN), ...rounds, text(BROKEN), text('done')]]);
    expect(await session.turn('go', 0)).toBe('done');
    expect(session.observed()).toMatchObject({ llmCalls: 10 });
  });
});
