import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  canonicalJson,
  isJsonObject,
  PROTOCOLS,
  systemSource,
  type JsonObject,
} from '../../src/core/index.js';
import { blankCase, loadSuite, recordCase, recordFromLog, recordTurn } from '../../src/run/index.js';
import type { CommandAgent } from '../../src/suite/index.js';
import { scriptFromTurns, startScriptedServer, type WireStep, type WireTrial } from '../../src/wire/index.js';
import { later, NODE_CLIENT, replaySuite, temporary } from './support.js';

const TOKENS = { inputTokens: 12, outputTokens: 3 };
const SECRET = 'sk-test-0123456789abcdefghijklmnop';

function words(content: string): WireStep {
  return { type: 'text', content, ...TOKENS };
}

function asks(id: string, name: string, input: JsonObject): WireStep {
  return { type: 'tool_calls', toolCalls: [{ id, name, arguments: input }], ...TOKENS };
}

/** A provider that is scripted itself. */
async function provider(turns: { user: string; steps: WireStep[] }[]): Promise<WireTrial> {
  const server = await startScriptedServer();
  later(() => server.close());
  return server.openTrial({ id: 'provider', script: scriptFromTurns(turns) });
}

function agentOver(protocol: string, mode: string): CommandAgent {
  return { type: 'command', command: [process.execPath, NODE_CLIENT, protocol, mode, '{{prompt}}'] };
}

function written(agent: CommandAgent): JsonObject {
  return { command: agent.command };
}

function optionsFor(wire: WireTrial): Parameters<typeof recordCase>[3] {
  return {
    upstreams: Object.fromEntries(PROTOCOLS.map((protocol) => [protocol, wire.baseUrl])),
    secrets: [],
    modelRef: 'scripted provider',
    source: systemSource(),
    turnTimeoutMs: 30_000,
    signal: new AbortController().signal,
  };
}

const MODES = PROTOCOLS.flatMap((protocol) => ['json', 'stream'].map((mode) => [protocol, mode] as const));

describe.each(MODES)('a run recorded over %s, %s', (protocol, mode) => {
  it('is replayed to the same bytes, twice, and never leaves its recording', async () => {
    const wire = await provider([
      {
        user: 'Write it',
        steps: [
          asks('w', 'write_file', { path: 'note.txt', content: 'a line 👋' }),
          asks('s', 'shell', { command: 'cat note.txt' }),
          words('The note says a line of text'),
        ],
      },
    ]);
    const agent = agentOver(protocol, mode);
    const made = await recordCase(
      blankCase('note', agent, ['Write it'], {}),
      agent,
      written(agent),
      optionsFor(wire),
    );
    expect(made.error).toBeNull();
    expect(made.fixture['expects']).toEqual({
      response_contains: ['The note says a line of text'],
      tools_used: ['shell', 'write_file'],
      workspace: { file_exists: ['note.txt'] },
    });
    const directory = await temporary({ 'note.json': JSON.stringify(made.fixture) });
    const runs = [
      await replaySuite(directory, { strict: true }),
      await replaySuite(directory, { strict: true, verifyDeterminism: true }),
    ];
    const [first, second] = runs.map(({ trials: [trial] }) => {
      expect(trial?.error).toBeNull();
      expect(trial?.status).toBe('passed');
      const { recording } = trial ?? {};
      return canonicalJson([recording?.turns, recording?.messages, recording?.toolCalls, recording?.usage]);
    });
    expect(second).toBe(first);
    expect(first).toContain('a line 👋');
  });
});

describe('a recording', () => {
  it('keeps no key and no path of the machine it was made on', async () => {
    const wire = await provider([
      {
        user: 'Go',
        steps: [asks('p', 'shell', { command: `pwd; echo ${SECRET}` }), words('I looked around here')],
      },
    ]);
    const agent = agentOver('anthropic', 'stream');
    const made = await recordCase(
      blankCase('go', agent, ['Go'], {}),
      agent,
      written(agent),
      optionsFor(wire),
    );
    const text = JSON.stringify(made.fixture);
    expect(text).not.toContain(SECRET);
    expect(text).toContain('{{workspace}}');
  });

  it('of an agent that no model answers is an error', async () => {
    const wire = await provider([{ user: 'Go', steps: [words('never asked for')] }]);
    const agent: CommandAgent = { type: 'command', command: ['true'] };
    const made = await recordCase(
      blankCase('go', agent, ['Go'], {}),
      agent,
      written(agent),
      optionsFor(wire),
    );
    expect(made.error).toEqual({ kind: 'model', message: 'turn 1: no answer of a model was recorded' });
  });

  it('says where a changed agent leaves it: a warning, and a failure where that is wanted', async () => {
    const wire = await provider([{ user: 'Hello', steps: [words('Hello to you too')] }]);
    const agent = agentOver('openai-chat', 'json');
    const made = await recordCase(
      blankCase('hi', agent, ['Hello'], {}),
      agent,
      written(agent),
      optionsFor(wire),
    );
    const turns = Array.isArray(made.fixture['turns']) ? made.fixture['turns'] : [];
    const [turn] = turns;
    const changed = {
      ...made.fixture,
      turns: [{ ...(isJsonObject(turn) ? turn : {}), user_input: 'Good evening' }],
    };
    const directory = await temporary({ 'hi.json': JSON.stringify(changed) });
    const warnings: string[] = [];
    const lenient = await replaySuite(directory, { warn: (message) => warnings.push(message) });
    expect(lenient.trials[0]?.status).toBe('passed');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('leaves its recording at request 1: prompt');
    expect(warnings[0]).toContain('+Good evening');
    const strict = await replaySuite(directory, { strict: true });
    expect(strict.trials[0]?.error?.kind).toBe('script');
  });

  it('can have one turn recorded again, the others as they were', async () => {
    const first = await provider([
      { user: 'one', steps: [words('the first answer')] },
      { user: 'two', steps: [asks('s', 'shell', { command: 'echo 2' }), words('the second answer')] },
    ]);
    const agent = agentOver('openai-responses', 'stream');
    const made = await recordCase(
      blankCase('turns', agent, ['one', 'two'], {}),
      agent,
      written(agent),
      optionsFor(first),
    );
    expect(made.error).toBeNull();
    const directory = await temporary({ 'turns.json': JSON.stringify(made.fixture) });
    const [tested] = [...(await loadSuite(join(directory, 'turns.json'), { gate: false })).cases];
    if (tested === undefined) throw new Error('no case');
    const again = await provider([{ user: 'two', steps: [words('another second answer')] }]);
    const changed = await recordTurn(made.fixture, tested, agent, 1, optionsFor(again));
    expect(changed.error).toBeNull();
    const [before, after] = [made.fixture['turns'], changed.fixture['turns']];
    expect(Array.isArray(after) && Array.isArray(before) && after[0]).toEqual(
      Array.isArray(before) && before[0],
    );
    expect(JSON.stringify(after)).toContain('another second answer');
    const expects = { response_contains: ['another second answer'] };
    await writeFile(join(directory, 'turns.json'), JSON.stringify({ ...changed.fixture, expects }));
    const replayed = await replaySuite(directory, { strict: true });
    expect(replayed.trials[0]?.error).toBeNull();
    expect(replayed.trials[0]?.status).toBe('passed');
  });
});

describe('stored traffic', () => {
  const request = { model: 'm', messages: [{ role: 'user', content: 'What is it?' }] };
  const reply = {
    id: 'x',
    object: 'chat.completion',
    model: 'm',
    choices: [
      { index: 0, message: { role: 'assistant', content: 'It is a stored answer' }, finish_reason: 'stop' },
    ],
    usage: { prompt_tokens: 4, completion_tokens: 5 },
  };

  it('of an HTTP archive becomes a fixture that passes', async () => {
    const made = await recordFromLog(
      {
        log: {
          entries: [
            { request: { method: 'GET', url: 'https://example.com/' }, response: { status: 200 } },
            {
              startedDateTime: '2026-01-01T00:00:00.000Z',
              time: 20,
              request: {
                method: 'POST',
                url: 'https://api.example.com/v1/chat/completions',
                headers: [{ name: 'Authorization', value: `Bearer ${SECRET}` }],
                postData: { mimeType: 'application/json', text: JSON.stringify(request) },
              },
              response: {
                status: 200,
                content: { mimeType: 'application/json', text: JSON.stringify(reply) },
              },
            },
          ],
        },
      },
      'archived',
      null,
    );
    expect(made.fixture).toEqual({
      model_name: 'archived',
      turns: [
        {
          user_input: 'What is it?',
          steps: [
            {
              response: { type: 'text', content: 'It is a stored answer', input_tokens: 4, output_tokens: 5 },
            },
          ],
        },
      ],
      expects: { response_contains: ['It is a stored answer'] },
    });
    const { outcome } = await replaySuite(await temporary({ 'a.json': JSON.stringify(made.fixture) }));
    expect(outcome).toBe('passed');
  });

  it('of spans becomes a fixture with its calls', async () => {
    const span = (attributes: { [key: string]: string | number }, start: number): JsonObject => ({
      startTimeUnixNano: String(start * 1e6),
      endTimeUnixNano: String((start + 5) * 1e6),
      attributes: Object.entries(attributes).map(([key, value]) => ({
        key,
        value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
      })),
    });
    const user = { role: 'user', parts: [{ type: 'text', content: 'Look it up' }] };
    const called = {
      role: 'assistant',
      parts: [{ type: 'tool_call', id: 'c1', name: 'search', arguments: { q: 'x' } }],
    };
    const result = { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'found' }] };
    const answer = { role: 'assistant', parts: [{ type: 'text', content: 'I found the thing' }] };
    const tools = JSON.stringify([{ type: 'function', name: 'search', parameters: {} }]);
    const made = await recordFromLog(
      {
        resourceSpans: [
          {
            scopeSpans: [
              {
                spans: [
                  span(
                    {
                      'gen_ai.request.model': 'm',
                      'gen_ai.input.messages': JSON.stringify([user, called, result]),
                      'gen_ai.output.messages': JSON.stringify([answer]),
                      'gen_ai.tool.definitions': tools,
                      'gen_ai.usage.input_tokens': 9,
                    },
                    20,
                  ),
                  span(
                    {
                      'gen_ai.request.model': 'm',
                      'gen_ai.input.messages': JSON.stringify([user]),
                      'gen_ai.output.messages': JSON.stringify([called]),
                      'gen_ai.tool.definitions': tools,
                    },
                    10,
                  ),
                ],
              },
            ],
          },
        ],
      },
      'spans',
      null,
    );
    expect(made.fixture['expects']).toEqual({
      response_contains: ['I found the thing'],
      tools_used: ['search'],
    });
    expect(JSON.stringify(made.fixture['turns'])).toContain('"name":"search"');
  });

  it('of any other kind is refused', async () => {
    await expect(recordFromLog({ something: 'else' }, 'x', null)).rejects.toThrow(/neither an HTTP archive/);
  });
});
