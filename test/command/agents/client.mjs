// An agent of its own in Node, over any of the protocols: PROTOCOL STREAM PROMPT.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';

const [protocol = 'openai-chat', mode = 'json', prompt = ''] = process.argv.slice(2);
const base = process.env.ASSAY_MODEL_URL;
const names = ['shell', 'write_file', 'fail'];
const schema = { type: 'object', properties: {} };
const stream = mode === 'stream';

function eventsOf(text) {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]')
    .map((line) => JSON.parse(line.slice(6)));
}

const dialects = {
  anthropic: {
    path: '/v1/messages',
    body: (history) => ({
      model: 'm',
      max_tokens: 100,
      messages: history,
      stream,
      tools: names.map((name) => ({ name, input_schema: schema })),
    }),
    user: (text) => ({ role: 'user', content: text }),
    read(text) {
      let { content } = stream ? { content: [] } : JSON.parse(text);
      if (stream) {
        for (const event of eventsOf(text)) {
          if (event.type === 'content_block_start')
            content[event.index] = { ...event.content_block, json: '' };
          if (event.type !== 'content_block_delta') continue;
          const block = content[event.index];
          if (event.delta.type === 'text_delta') block.text += event.delta.text;
          if (event.delta.type === 'input_json_delta') block.json += event.delta.partial_json;
        }
        content = content.map(({ json, ...block }) =>
          block.type === 'tool_use' ? { ...block, input: JSON.parse(json || '{}') } : block,
        );
      }
      return {
        entries: [{ role: 'assistant', content }],
        text: content.map((block) => block.text ?? '').join(''),
        calls: content
          .filter((block) => block.type === 'tool_use')
          .map((block) => ({ id: block.id, name: block.name, input: block.input })),
      };
    },
    results: (calls, outputs) => [
      {
        role: 'user',
        content: calls.map((call, index) => ({
          type: 'tool_result',
          tool_use_id: call.id,
          content: outputs[index].text,
          is_error: outputs[index].failed,
        })),
      },
    ],
  },
  'openai-chat': {
    path: '/v1/chat/completions',
    body: (history) => ({
      model: 'm',
      messages: history,
      stream,
      tools: names.map((name) => ({ type: 'function', function: { name, parameters: schema } })),
    }),
    user: (text) => ({ role: 'user', content: text }),
    read(text) {
      let message;
      if (stream) {
        message = { role: 'assistant', content: '', tool_calls: [] };
        for (const event of eventsOf(text)) {
          const delta = event.choices[0]?.delta ?? {};
          message.content += delta.content ?? '';
          for (const part of delta.tool_calls ?? []) {
            const call = (message.tool_calls[part.index] ??= {
              id: part.id,
              type: 'function',
              function: { name: part.function.name, arguments: '' },
            });
            call.function.arguments += part.function.arguments ?? '';
          }
        }
        if (message.tool_calls.length === 0) delete message.tool_calls;
      } else message = JSON.parse(text).choices[0].message;
      return {
        entries: [message],
        text: message.content ?? '',
        calls: (message.tool_calls ?? []).map((call) => ({
          id: call.id,
          name: call.function.name,
          input: JSON.parse(call.function.arguments),
        })),
      };
    },
    results: (calls, outputs) =>
      calls.map((call, index) => ({ role: 'tool', tool_call_id: call.id, content: outputs[index].text })),
  },
  'openai-responses': {
    path: '/v1/responses',
    body: (history) => ({
      model: 'm',
      input: history,
      stream,
      store: false,
      tools: names.map((name) => ({ type: 'function', name, parameters: schema })),
    }),
    user: (text) => ({ role: 'user', content: [{ type: 'input_text', text }] }),
    read(text) {
      const output = stream
        ? eventsOf(text)
            .filter((event) => event.type === 'response.output_item.done')
            .map((event) => event.item)
        : JSON.parse(text).output;
      return {
        entries: output,
        text: output
          .flatMap((item) => item.content ?? [])
          .map((part) => part.text ?? '')
          .join(''),
        calls: output
          .filter((item) => item.type === 'function_call')
          .map((item) => ({ id: item.call_id, name: item.name, input: JSON.parse(item.arguments) })),
      };
    },
    results: (calls, outputs) =>
      calls.map((call, index) => ({
        type: 'function_call_output',
        call_id: call.id,
        output: outputs[index].text,
      })),
  },
  gemini: {
    path: `/v1beta/models/m:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: (history) => ({
      contents: history,
      tools: [{ functionDeclarations: names.map((name) => ({ name, parameters: schema })) }],
    }),
    user: (text) => ({ role: 'user', parts: [{ text }] }),
    read(text) {
      const chunks = stream ? eventsOf(text) : [JSON.parse(text)];
      const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
      return {
        entries: [{ role: 'model', parts }],
        text: parts.map((part) => part.text ?? '').join(''),
        calls: parts
          .filter((part) => part.functionCall)
          .map(({ functionCall }) => ({
            id: functionCall.id,
            name: functionCall.name,
            input: functionCall.args,
          })),
      };
    },
    results: (calls, outputs) => [
      {
        role: 'user',
        parts: calls.map((call, index) => ({
          functionResponse: { id: call.id, name: call.name, response: { output: outputs[index].text } },
        })),
      },
    ],
  },
};

const dialect = dialects[protocol];

async function post(body, headers = {}) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const response = await fetch(base + dialect.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer x', ...headers },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      if (response.ok) return dialect.read(text);
      if (response.status < 429 || attempt === 3) throw new Error(`status ${response.status}: ${text}`);
    } catch (error) {
      if (attempt === 3 || /status 4/.test(error.message)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function shell(command) {
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', command]);
    let text = '';
    child.stdout.on('data', (part) => (text += part));
    child.stderr.on('data', (part) => (text += part));
    child.on('close', (code) => resolve({ text, failed: code !== 0 }));
  });
}

async function runTool({ name, input }) {
  if (!names.includes(name)) return { text: `error: there is no tool ${name}`, failed: true };
  if (name === 'fail') return { text: 'error: this tool always fails', failed: true };
  if (name === 'shell') {
    return typeof input.command === 'string'
      ? shell(input.command)
      : { text: 'error: command must be text', failed: true };
  }
  mkdirSync('.', { recursive: true });
  writeFileSync(input.path, input.content);
  return { text: `wrote ${input.path}`, failed: false };
}

export async function converse(text, headers) {
  const history = [dialect.user(text)];
  for (;;) {
    const said = await post(dialect.body(history), headers);
    history.push(...said.entries);
    if (said.calls.length === 0) return said.text;
    const outputs = await Promise.all(said.calls.map(runTool));
    history.push(...dialect.results(said.calls, outputs));
  }
}

if (process.env.WITH_TITLE) {
  const { tools: _tools, ...bare } = dialect.body([dialect.user('Write a title for this conversation')]);
  await post(bare);
}
const tasks = [converse(prompt)];
for (const child of (process.env.CHILDREN ?? '').split(',').filter(Boolean)) tasks.push(converse(child));
const [answer] = await Promise.all(tasks);
console.log(answer);
