// Client and server in one process: conversations of a tool call and an answer against the scripted model server, or
// (BARE=1) against a server that answers everything with one fixed body. Prints requests a second.
import { Agent, createServer, request } from 'node:http';
import { startScriptedServer } from '../dist/wire/index.js';

const conversations = Number(process.env.CONVERSATIONS ?? 2000);
const agent = new Agent({ keepAlive: true, maxSockets: 32 });
const tools = [
  { name: 'echo', description: 'says it again', input_schema: { type: 'object', properties: {} } },
];

function post(url, body) {
  return new Promise((done, failed) => {
    const text = JSON.stringify(body);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      let answer = '';
      response.on('data', (part) => (answer += part));
      response.on('end', () => {
        if (response.statusCode === 200) done(JSON.parse(answer));
        else failed(new Error(`${response.statusCode}: ${answer}`));
      });
    });
    sent.on('error', failed);
    sent.end(text);
  });
}

async function converse(url) {
  const messages = [{ role: 'user', content: 'Where is order 7?' }];
  const body = { model: 'any', max_tokens: 100, tools, messages };
  const first = await post(url, body);
  const [block] = first.content;
  messages.push({ role: 'assistant', content: first.content });
  messages.push({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: block.id, content: 'shipped' }],
  });
  await post(url, body);
}

const script = {
  lanes: [
    {
      name: 'main',
      items: [
        { type: 'turn', user: 'Where is order 7?' },
        {
          type: 'tool_calls',
          toolCalls: [{ id: 'c1', name: 'echo', arguments: {} }],
          inputTokens: 1,
          outputTokens: 1,
        },
        { type: 'text', content: 'It has shipped.', inputTokens: 1, outputTokens: 1 },
      ],
    },
  ],
};

async function bareServer() {
  const reply = JSON.stringify({ content: [{ type: 'tool_use', id: 'c1', name: 'echo', input: {} }] });
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => response.setHeader('content-type', 'application/json').end(reply));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${server.address().port}/v1/messages`;
  return { next: () => ({ url, end: () => undefined }), close: () => server.close() };
}

async function scriptedServer() {
  const server = await startScriptedServer();
  return {
    next(index) {
      const trial = server.openTrial({ id: `case-${index}`, script });
      return { url: `${trial.baseUrl}/v1/messages`, end: () => trial.close() };
    },
    close: () => server.close(),
  };
}

const server = await (process.env.BARE === '1' ? bareServer() : scriptedServer());
const began = performance.now();
let next = 0;
await Promise.all(
  Array.from({ length: 16 }, async () => {
    while (next < conversations) {
      const { url, end } = server.next(next++);
      await converse(url);
      end();
    }
  }),
);
const seconds = (performance.now() - began) / 1000;
agent.destroy();
await server.close();
console.log(Math.round((conversations * 2) / seconds));
