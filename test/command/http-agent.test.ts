import { createServer, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/core/index.js';
import { call, fixture, later, replay, replayOne, say } from './support.js';

async function bodyOf(request: IncomingMessage): Promise<{ prompt: string; model_url: string }> {
  let text = '';
  for await (const part of request) text += String(part);
  const body: { prompt: string; model_url: string } = JSON.parse(text);
  return body;
}

interface ChatMessage {
  role: string;
  content: string | null;
  tool_calls?: { id: string; function: { name: string } }[];
}

async function ask(base: string, messages: JsonValue[]): Promise<ChatMessage> {
  const response = await fetch(`${base}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({
      model: 'm',
      messages,
      tools: [{ type: 'function', function: { name: 'look', parameters: {} } }],
    }),
  });
  const reply: { choices: { message: ChatMessage }[] } = JSON.parse(await response.text());
  const [choice] = reply.choices;
  if (choice === undefined) throw new Error('no choice');
  return choice.message;
}

async function converse(base: string, prompt: string): Promise<string> {
  const messages: JsonValue[] = [{ role: 'user', content: prompt }];
  for (;;) {
    const said = await ask(base, messages);
    messages.push({
      role: 'assistant',
      content: said.content,
      tool_calls: (said.tool_calls ?? null) as JsonValue,
    });
    if (said.tool_calls === undefined) return said.content ?? '';
    for (const each of said.tool_calls) {
      messages.push({ role: 'tool', tool_call_id: each.id, content: `looked for ${prompt}` });
    }
  }
}

/** An agent behind an address, which asks its model wherever it is told to. */
async function endpoint(answer: (text: string) => { type: string; body: string }): Promise<string> {
  const server = createServer((request, response) => {
    void bodyOf(request)
      .then(({ prompt, model_url: base }) => converse(base, prompt))
      .then(answer)
      .then(
        ({ type, body }) => response.writeHead(200, { 'content-type': type }).end(body),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  later(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`;
}

const plain = (text: string): { type: string; body: string } => ({ type: 'text/plain', body: text });

describe('an agent behind an address', () => {
  it('finds its model where the trial says, and its calls are seen there', async () => {
    const url = await endpoint((text) => ({ type: 'application/json', body: JSON.stringify({ text }) }));
    const trial = await replayOne(
      fixture('http', {
        agent: { http: url },
        steps: [call(['l', 'look', { at: 'it' }]), say('done')],
        expects: {
          tool_results_contain: [{ tool: 'look', needle: 'looked for Please do it' }],
          response_contains: ['done'],
        },
      }),
    );
    expect(trial.error).toBeNull();
    expect(trial.status).toBe('passed');
    expect(trial.recording?.llmCalls).toBe(2);
  });

  it('that answers with something else is an error', async () => {
    const url = await endpoint(() => ({ type: 'application/json', body: '{"answer": 1}' }));
    const trial = await replayOne(fixture('odd', { agent: { http: url }, steps: [say('done')] }));
    expect(trial.error).toMatchObject({ kind: 'agent' });
  });

  it('that is not there is an error and not a failed case', async () => {
    const trial = await replayOne(
      fixture('nobody', { agent: { http: 'http://127.0.0.1:9/' }, steps: [say('done')] }),
    );
    expect(trial.error).toMatchObject({ kind: 'agent' });
    expect(trial.error?.message).toContain('could not be reached');
  });
});

describe('two hundred trials at concurrency 50', () => {
  it('never hear one another', async () => {
    const url = await endpoint(plain);
    const fixtures = Array.from({ length: 200 }, (_, index): JsonObject =>
      fixture(`case ${index}`, {
        agent: { http: url },
        turns: [
          {
            user_input: `prompt ${index} of many`,
            steps: [call([`c${index}`, 'look', { index }]), say(`answer ${index} of its own`)],
          },
        ],
        expects: {
          response_contains: [`answer ${index} of its own`],
          tool_results_contain: [{ tool: 'look', needle: `looked for prompt ${index} of many` }],
        },
      }),
    );
    const { trials, outcome } = await replay(fixtures, { concurrency: 50 });
    expect(trials).toHaveLength(200);
    expect(trials.filter((trial) => trial.status !== 'passed').map((trial) => trial.error)).toEqual([]);
    expect(outcome).toBe('passed');
  });
});
