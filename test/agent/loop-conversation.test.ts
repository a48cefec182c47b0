import { describe, expect, it } from 'vitest';
import { ScriptedModel } from '../../src/model/index.js';
import {
  agentError,
  calls,
  converse,
  echo,
  loopOver,
  outcome,
  replying,
  scripted,
  text,
  watched,
} from './support.js';

describe('the conversation', () => {
  it('is kept across turns: each request holds all that came before', async () => {
    const script = new ScriptedModel('case', [[echo('alpha'), text('one')], [text('two')], [text('three')]]);
    const { model, prompts } = watched(script);
    const session = loopOver(model, { system: 'be brief' });
    await converse(script, session, ['first', 'second', 'third']);
    expect(prompts.map((prompt) => prompt.map((message) => message.role))).toEqual([
      ['system', 'user'],
      ['system', 'user', 'assistant', 'tool'],
      ['system', 'user', 'assistant', 'tool', 'assistant', 'user'],
      ['system', 'user', 'assistant', 'tool', 'assistant', 'user', 'assistant', 'user'],
    ]);
    expect(JSON.stringify(prompts.at(-1))).toMatch(/be brief.*first.*alpha.*one.*second.*two.*third/s);
    expect(session.observed().messages.map((message) => [message.role, message.text])).toEqual([
      ['system', 'be brief'],
      ['user', 'first'],
      ['assistant', ''],
      ['tool', 'alpha'],
      ['assistant', 'one'],
      ['user', 'second'],
      ['assistant', 'two'],
      ['user', 'third'],
      ['assistant', 'three'],
    ]);
  });

  it.each(['', ' ', '\n\t'])(
    'a user message that is blank (%j) is refused before the model is asked',
    async (user) => {
      const session = scripted([[text('one')], [text('two')]]);
      await session.turn('hello', 0);
      const error = await agentError(session.turn(user, 1));
      expect(error.kind).toBe('agent');
      expect(error.message).toBe('turn 2: the user message is blank');
      expect(session.observed().llmCalls).toBe(1);
    },
  );

  it('counts tokens and requests of all turns, a request that failed among them', async () => {
    const session = scripted([[text('one', 10, 3)], [text('two', 20, 4)]]);
    await session.turn('a', 0);
    expect(session.observed()).toMatchObject({ inputTokens: 10, outputTokens: 3, llmCalls: 1, cost: 0 });
    // The script was never told that the turn ended, so it has nothing left.
    await expect(session.turn('b', 1)).rejects.toThrow('script exhausted');
    expect(session.observed()).toMatchObject({ inputTokens: 10, outputTokens: 3, llmCalls: 2 });
  });
});

describe('an answer that is empty is an error of the turn', () => {
  it.each(['', ' \n', '<think>only thoughts</think>', '<think>thoughts</think>\n\n<|im_end|>'])(
    '%j',
    async (content) => {
      const session = scripted([[text(content)]]);
      const error = await agentError(session.turn('go', 0));
      expect(error.kind).toBe('agent');
      expect(error.message).toBe('turn 1: the model gave an empty answer');
    },
  );

  it('and so is a list of calls that is empty', async () => {
    const session = scripted([[echo('a'), calls()]]);
    const error = await agentError(session.turn('go', 0));
    expect(error.message).toBe('turn 1: the model asked for tools but named none');
    expect(session.observed().toolCalls).toHaveLength(1);
  });

  it('one character is enough', async () => {
    expect(await scripted([[text('.')]]).turn('go', 0)).toBe('.');
  });
});

describe('private reasoning and end marks are taken out of the answer, and nothing else', () => {
  it.each([
    ['<think>plan</think>The answer.', 'The answer.'],
    ['<think>plan\nover lines</think>\n\nThe answer.', 'The answer.'],
    ['<think>one</think>The <think>two</think>answer.', 'The answer.'],
    ['<THINK>plan</THINK>The answer.', 'The answer.'],
    ['<think></think>The answer.', 'The answer.'],
    ['The answer.<|im_end|>', 'The answer.'],
    ['The answer.\n<|eot_id|>\n', 'The answer.'],
    ['The answer.</s>', 'The answer.'],
    ['The answer.<|im_end|><|endoftext|>', 'The answer.'],
    ['<think>plan</think>The answer.<|end|>', 'The answer.'],
    ['The <|im_end|> mark ends a message.', 'The <|im_end|> mark ends a message.'],
    ['  The answer.  ', '  The answer.  '],
    ['a < b and b > c', 'a < b and b > c'],
    ['<b>bold</b>', '<b>bold</b>'],
    ['I think so.', 'I think so.'],
  ])('%j is answered as %j', async (content, shown) => {
    const session = scripted([[text(content)]]);
    expect(await session.turn('go', 0)).toBe(shown);
    expect(session.observed().messages.at(-1)).toEqual({ role: 'assistant', text: shown });
  });

  it('reasoning that comes in parts of its own is kept beside the answer', async () => {
    const model = replying([
      { type: 'reasoning', text: 'plan' },
      { type: 'text', text: 'The ' },
      { type: 'text', text: 'answer.' },
    ]);
    const session = loopOver(model);
    expect(await session.turn('go', 0)).toBe('The answer.');
    expect(session.observed().messages.at(-1)).toEqual({
      role: 'assistant',
      text: 'The answer.',
      reasoning: 'plan',
    });
  });
});

describe('credentials in results are hidden in the record, not from the model', () => {
  it.each([
    ['password: placeholder', 'password: plac*[REDACTED]'],
    ['password=placeholder', 'password=plac*[REDACTED]'],
    ['PASSWORD = placeholder', 'PASSWORD = plac*[REDACTED]'],
    ['secret: "a sample value"', 'secret: "a sa*[REDACTED]"'],
    ['{"token":"placeholder","n":1}', '{"token":"plac*[REDACTED]","n":1}'],
    ['api_key=placeholder api-key=placeholder', 'api_key=plac*[REDACTED] api-key=plac*[REDACTED]'],
    ['Authorization: Bearer placeholder', 'Authorization: Bearer plac*[REDACTED]'],
    ['cookie: placeholder; path=/', 'cookie: plac*[REDACTED]; path=/'],
    ['password: eightchr', 'password: eigh*[REDACTED]'],
    ['password: sevench', 'password: sevench'],
    ['the password is placeholder', 'the password is placeholder'],
    ['monkey: placeholder', 'monkey: placeholder'],
    ['nothing to hide: placeholder', 'nothing to hide: placeholder'],
  ])('%j is recorded as %j', async (said, recorded) => {
    const { model, prompts } = watched(
      new ScriptedModel('case', [[calls(['echo', { message: said }], ['fail', {}]), text('done')]]),
    );
    const tools = [outcome('echo', { ok: true, text: said }), outcome('fail', { ok: false, text: said })];
    const session = loopOver(model, { tools });
    await session.turn('go', 0);
    expect(session.observed().toolCalls.map((call) => call.result)).toEqual([recorded, recorded]);
    expect(session.observed().toolCalls[0]?.arguments).toBe(JSON.stringify({ message: said }));
    expect(prompts[1]?.slice(-2)).toMatchObject([
      { content: [{ output: { type: 'text', value: said } }] },
      { content: [{ output: { type: 'error-text', value: `Error: ${said}` } }] },
    ]);
  });
});
