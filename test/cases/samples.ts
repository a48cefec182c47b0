/** A secret of the shape that a provider gives out; made up. */
export const SECRET = 'sk-ant-api03-SENTINEL0123456789abcdef';
/** A password; hidden because of the word before it. */
export const PASSWORD = 'sentinel-pass-4711';

/** Objects as JSON lines. */
export function jsonLines(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function claude(uuid: string, parentUuid: string | null, line: object): object {
  return { uuid, parentUuid, sessionId: 's1', isSidechain: false, cwd: '/home/ann/app', ...line };
}

const usage = { input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 5 };

/** A Claude Code session: a tool call, a sub-agent, words of the program, a branch that was given up. */
export const CLAUDE_CODE: object[] = [
  { type: 'summary', summary: 'Fixing the port', leafUuid: 'u9' },
  claude('u0', null, {
    type: 'user',
    isMeta: true,
    message: { role: 'user', content: 'Caveat: local commands' },
  }),
  claude('u1', 'u0', { type: 'user', message: { role: 'user', content: 'Which port is it? Try again.' } }),
  claude('u2', 'u1', {
    type: 'assistant',
    message: {
      id: 'm0',
      role: 'assistant',
      model: 'claude-x',
      content: [{ type: 'text', text: 'Given up.' }],
    },
  }),
  claude('u3', 'u0', {
    type: 'user',
    message: { role: 'user', content: `Which port does the server use? key ${SECRET}` },
  }),
  claude('u4', 'u3', {
    type: 'assistant',
    message: {
      id: 'm1',
      role: 'assistant',
      model: 'claude-x',
      usage,
      content: [{ type: 'thinking', thinking: 'hm' }],
    },
  }),
  claude('u5', 'u4', {
    type: 'assistant',
    message: {
      id: 'm1',
      role: 'assistant',
      model: 'claude-x',
      usage,
      content: [{ type: 'text', text: 'I will look.' }],
    },
  }),
  claude('u6', 'u5', {
    type: 'assistant',
    message: {
      id: 'm1',
      role: 'assistant',
      model: 'claude-x',
      usage,
      content: [{ type: 'tool_use', id: 't1', name: 'Read', input: { file_path: 'server.conf' } }],
    },
  }),
  claude('u7', 'u6', {
    type: 'user',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't1', content: `port = 8080\npassword = ${PASSWORD}` }],
    },
  }),
  {
    ...claude('x1', 'u7', { type: 'assistant', message: { role: 'assistant', content: 'sub' } }),
    isSidechain: true,
  },
  claude('u8', 'u7', {
    type: 'assistant',
    message: {
      id: 'm2',
      role: 'assistant',
      model: 'claude-x',
      usage,
      content: [{ type: 'text', text: 'The server uses port 8080.' }],
    },
  }),
  claude('u9', 'u8', {
    type: 'user',
    message: { role: 'user', content: '<command-name>/cost</command-name>' },
  }),
];

function item(payload: object): object {
  return { timestamp: '2026-01-01T00:00:00Z', type: 'response_item', payload };
}

/** A Codex rollout: words of the program, two calls in one reply, one of which fails. */
export const CODEX: object[] = [
  {
    timestamp: '2026-01-01T00:00:00Z',
    type: 'session_meta',
    payload: { id: 'c1', instructions: 'Be brief.' },
  },
  { timestamp: '2026-01-01T00:00:00Z', type: 'turn_context', payload: { model: 'gpt-x' } },
  item({
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: '<environment_context>\n<cwd>/app</cwd></environment_context>' }],
  }),
  item({
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: 'Which port does the server use?' }],
  }),
  item({ type: 'reasoning', summary: [], encrypted_content: 'x' }),
  item({
    type: 'function_call',
    name: 'shell',
    arguments: '{"command":["cat","server.conf"]}',
    call_id: 'a1',
  }),
  item({ type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin Patch', call_id: 'a2' }),
  {
    timestamp: '2026-01-01T00:00:00Z',
    type: 'event_msg',
    payload: {
      type: 'token_count',
      info: { last_token_usage: { input_tokens: 100, cached_input_tokens: 40, output_tokens: 7 } },
    },
  },
  item({
    type: 'function_call_output',
    call_id: 'a1',
    output: '{"output":"port = 8080","metadata":{"exit_code":0}}',
  }),
  item({
    type: 'custom_tool_call_output',
    call_id: 'a2',
    output: '{"output":"no such file","metadata":{"exit_code":1}}',
  }),
  item({
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'The server uses port 8080.' }],
  }),
];

const QUESTION = 'Which port does the server use?';
const ANSWER = 'The server uses port 8080.';

/** OpenAI chat messages. */
export const OPENAI: object[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: QUESTION },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"server.conf"}' } },
    ],
  },
  { role: 'tool', tool_call_id: 'call_1', content: 'port = 8080' },
  { role: 'assistant', content: ANSWER },
];

/** A request to OpenAI's Responses API with its output. */
export const OPENAI_ITEMS: object = {
  instructions: 'Be brief.',
  input: [
    { role: 'user', content: [{ type: 'input_text', text: QUESTION }] },
    { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{"path":"server.conf"}' },
    { type: 'function_call_output', call_id: 'call_1', output: 'port = 8080' },
  ],
  output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: ANSWER }] }],
};

/** An Anthropic request with the reply appended. */
export const ANTHROPIC: object = {
  system: [{ type: 'text', text: 'Be brief.' }],
  messages: [
    { role: 'user', content: QUESTION },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'call_1', name: 'read', input: { path: 'server.conf' } }],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'port = 8080' }] },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: ANSWER }] },
  ],
};

/** Messages of the AI SDK as a model gets them. */
export const AI_SDK: object[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: [{ type: 'text', text: QUESTION }] },
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'read', input: { path: 'server.conf' } }],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'call_1',
        toolName: 'read',
        output: { type: 'text', value: 'port = 8080' },
      },
    ],
  },
  { role: 'assistant', content: [{ type: 'text', text: ANSWER }] },
];

/** Messages of the AI SDK as a user interface keeps them. */
export const AI_SDK_UI: object[] = [
  { id: 's', role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
  { id: 'u', role: 'user', parts: [{ type: 'text', text: QUESTION }] },
  {
    id: 'a',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      {
        type: 'tool-read',
        toolCallId: 'call_1',
        state: 'output-available',
        input: { path: 'server.conf' },
        output: 'port = 8080',
      },
      { type: 'step-start' },
      { type: 'text', text: ANSWER },
    ],
  },
];

function attribute(key: string, value: unknown): object {
  if (typeof value === 'number') return { key, value: { intValue: String(value) } };
  return { key, value: { stringValue: typeof value === 'string' ? value : JSON.stringify(value) } };
}

function span(spanId: string, parentSpanId: string, start: number, attributes: object): object {
  return {
    traceId: 'trace1',
    spanId,
    parentSpanId,
    name: spanId,
    startTimeUnixNano: String(start),
    attributes: Object.entries(attributes).map(([key, value]) => attribute(key, value)),
  };
}

const text = (content: string): object => ({ type: 'text', content });

/** Spans of one agent run: two requests that repeat the history, a tool, a sub-agent; out of order. */
export const OTLP: object = {
  resourceSpans: [
    {
      resource: { attributes: [] },
      scopeSpans: [
        {
          spans: [
            span('chat2', 'agent', 400, {
              'gen_ai.operation.name': 'chat',
              'gen_ai.usage.input_tokens': 50,
              'gen_ai.usage.output_tokens': 6,
              'gen_ai.input.messages': [
                { role: 'user', parts: [text(QUESTION)] },
                {
                  role: 'assistant',
                  parts: [
                    { type: 'tool_call', id: 'call_1', name: 'read', arguments: { path: 'server.conf' } },
                  ],
                },
                {
                  role: 'tool',
                  parts: [{ type: 'tool_call_response', id: 'call_1', response: 'port = 8080' }],
                },
              ],
              'gen_ai.output.messages': [{ role: 'assistant', parts: [text(ANSWER)], finish_reason: 'stop' }],
            }),
            span('agent', '', 100, { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'main' }),
            span('chat1', 'agent', 200, {
              'gen_ai.operation.name': 'chat',
              'gen_ai.response.model': 'gpt-x',
              'gen_ai.usage.input_tokens': 20,
              'gen_ai.usage.output_tokens': 4,
              'gen_ai.system_instructions': [text('Be brief.')],
              'gen_ai.input.messages': [{ role: 'user', parts: [text(QUESTION)] }],
              'gen_ai.output.messages': [
                {
                  role: 'assistant',
                  parts: [
                    { type: 'tool_call', id: 'call_1', name: 'read', arguments: { path: 'server.conf' } },
                  ],
                  finish_reason: 'tool_call',
                },
              ],
            }),
            span('tool1', 'agent', 300, {
              'gen_ai.operation.name': 'execute_tool',
              'gen_ai.tool.name': 'read',
              'gen_ai.tool.call.id': 'call_1',
              'gen_ai.tool.call.result': 'port = 8080',
            }),
            span('sub', 'tool1', 310, { 'gen_ai.operation.name': 'invoke_agent' }),
            span('subchat', 'sub', 320, {
              'gen_ai.operation.name': 'chat',
              'gen_ai.input.messages': [{ role: 'user', parts: [text('inner')] }],
              'gen_ai.output.messages': [{ role: 'assistant', parts: [text('inner answer')] }],
            }),
          ],
        },
      ],
    },
  ],
};
