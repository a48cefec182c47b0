import type { LanguageModelV3CallOptions } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { ScriptError, ScriptedModel } from '../../src/model/index.js';
import { calls, echo, text } from '../agent/support.js';

const asked = (words: string): LanguageModelV3CallOptions => ({
  prompt: [{ role: 'user', content: [{ type: 'text', text: words }] }],
});

describe('a script is one queue of replies per turn', () => {
  it('answers in order, whatever it is asked', async () => {
    const model = new ScriptedModel('case', [[text('one'), text('two')], [text('three')]]);
    const said: unknown[] = [];
    for (const words of ['a', 'something else']) said.push((await model.doGenerate(asked(words))).content);
    model.endTurn(0);
    said.push((await model.doGenerate({ ...asked(''), temperature: 2, tools: [] })).content);
    model.endTurn(1);
    expect(said).toEqual(['one', 'two', 'three'].map((words) => [{ type: 'text', text: words }]));
  });

  it('reports the tokens of a step exactly, and how it ended', async () => {
    const model = new ScriptedModel('case', [
      [{ ...echo('a'), inputTokens: 7, outputTokens: 0 }, text('b', 0, 9)],
    ]);
    const first = await model.doGenerate(asked('a'));
    const second = await model.doGenerate(asked('a'));
    expect([first.usage.inputTokens.total, first.usage.outputTokens.total]).toEqual([7, 0]);
    expect([second.usage.inputTokens.total, second.usage.outputTokens.total]).toEqual([0, 9]);
    expect([first.finishReason.unified, second.finishReason.unified]).toEqual(['tool-calls', 'stop']);
    expect(first.warnings).toEqual([]);
  });

  it('gives a step of calls without text, arguments as compact JSON with sorted keys', async () => {
    const model = new ScriptedModel('case', [
      [calls(['echo', { z: 'é', a: { c: 1, b: 2 } }], ['echo', 'bare'])],
    ]);
    expect((await model.doGenerate(asked('a'))).content).toEqual([
      { type: 'tool-call', toolCallId: 'c1', toolName: 'echo', input: '{"a":{"b":2,"c":1},"z":"é"}' },
      { type: 'tool-call', toolCallId: 'c2', toolName: 'echo', input: '"bare"' },
    ]);
  });

  it.each([[[[]]], [[null]]])('a turn without steps is refused before anything runs: %j', (turns) => {
    expect(() => new ScriptedModel('my case', [[text('a')], ...turns])).toThrow(ScriptError);
    expect(() => new ScriptedModel('my case', [[text('a')], ...turns])).toThrow(
      'case "my case", turn 2: no scripted steps; replay needs at least one model reply per turn',
    );
    expect(new ScriptedModel('my case', [[text('a')], [text('b')]]).currentTurn).toBe(0);
  });
});

describe('a request that the script does not foresee is an error', () => {
  it('that shows the turn, what was asked and what the script held', async () => {
    const model = new ScriptedModel('my case', [[echo('a'), text('done')], [text('next')]]);
    await model.doGenerate(asked('a'));
    await model.doGenerate(asked('b'));
    await expect(model.doGenerate(asked('and then?'))).rejects.toThrow(
      'case "my case", turn 1: script exhausted: the agent asked for model reply 3, the script holds 2 (calls echo; text "done"). It was asked: user "and then?"',
    );
  });

  it('and never borrows from the next turn, nor moves on', async () => {
    const model = new ScriptedModel('case', [[text('one')], [text('two')]]);
    await model.doGenerate(asked('a'));
    await expect(model.doGenerate(asked('a'))).rejects.toBeInstanceOf(ScriptError);
    await expect(model.doStream(asked('a'))).rejects.toThrow('turn 1: script exhausted');
    expect(model.currentTurn).toBe(0);
    model.endTurn(0);
    expect((await model.doGenerate(asked('b'))).content).toEqual([{ type: 'text', text: 'two' }]);
  });

  it('also after the last turn', async () => {
    const model = new ScriptedModel('case', [[text('one')]]);
    await model.doGenerate(asked('a'));
    model.endTurn(0);
    await expect(model.doGenerate(asked('more'))).rejects.toThrow(
      'case "case", the agent asked for a model reply after the end of the script (1 turn). It was asked: user "more"',
    );
  });

  it('names calls, results and long texts shortly, and never prints them raw', async () => {
    const model = new ScriptedModel('case', [
      [calls(['search', {}], ['echo', {}]), text(`\u001b[31m${'x'.repeat(500)}`)],
    ]);
    await model.doGenerate(asked('a'));
    await model.doGenerate(asked('a'));
    const result = { type: 'text' as const, value: `\u0007${'y'.repeat(500)}` };
    const failure: unknown = await model
      .doGenerate({
        prompt: [
          {
            role: 'tool',
            content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'search', output: result }],
          },
        ],
      })
      .catch((error: unknown) => error);
    if (!(failure instanceof ScriptError)) throw new Error('no script error');
    expect(failure.message).toContain('(calls search, echo; text "\\u{1b}[31mxxx');
    expect(failure.message).toContain('It was asked: tool result of search "\\u{7}yyy');
    expect(failure.message).not.toMatch(/[\u0000-\u001f]/);
    expect(failure.message.length).toBeLessThan(500);
    expect(failure.code).toBe('SCRIPT');
  });
});

describe('the end of a turn is checked', () => {
  it('steps that were never requested are an error that says which', async () => {
    const model = new ScriptedModel('my case', [[text('one'), echo('a'), text('three')], [text('four')]]);
    await model.doGenerate(asked('a'));
    expect(() => model.endTurn(0)).toThrow(
      'case "my case", turn 1: 2 scripted steps never requested (calls echo; text "three"); the agent made 1 model request',
    );
    expect(model.currentTurn).toBe(0);
  });

  it('also on the last turn, and when nothing was requested', async () => {
    const model = new ScriptedModel('case', [[text('one')], [text('two')]]);
    await model.doGenerate(asked('a'));
    model.endTurn(0);
    expect(() => model.endTurn(1)).toThrow(
      'turn 2: 1 scripted step never requested (text "two"); the agent made 0 model requests',
    );
    await model.doGenerate(asked('a'));
    model.endTurn(1);
    expect(model.currentTurn).toBe(2);
  });

  it.each([1, 2, -1])(
    'a turn that is not the current one (%i) is refused and moves nothing',
    async (turn) => {
      const model = new ScriptedModel('case', [[text('one')], [text('two')]]);
      await model.doGenerate(asked('a'));
      expect(() => model.endTurn(turn)).toThrow(
        `case "case": turn ${turn + 1} ended while the script was at turn 1`,
      );
      expect(model.currentTurn).toBe(0);
      model.endTurn(0);
      expect(model.currentTurn).toBe(1);
    },
  );

  it('a turn past the end is refused, and so is ending one twice', async () => {
    const model = new ScriptedModel('case', [[text('one')]]);
    await model.doGenerate(asked('a'));
    model.endTurn(0);
    expect(() => model.endTurn(1)).toThrow('case "case": turn 2 ended, but the script has only 1 turn');
    expect(() => model.endTurn(0)).toThrow(ScriptError);
    expect(model.currentTurn).toBe(1);
  });
});
