// A small real server of the protocol, over standard streams. Its first argument says how it behaves.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const [behaviour = 'plain', note = ''] = process.argv.slice(2);
const said = (text, more = {}) => ({ content: [{ type: 'text', text }], ...more });

if (behaviour === 'silent') setInterval(() => undefined, 1000);
else if (behaviour === 'broken') {
  console.error('no licence found');
  process.exit(3);
} else {
  if (behaviour === 'noisy') console.log('Welcome! This line is no message.');
  const server = new McpServer({ name: 'test', version: '1.0.0' });
  server.registerTool(
    'add',
    { description: 'Adds.', inputSchema: { a: z.number(), b: z.number() } },
    ({ a, b }) => said(String(a + b)),
  );
  server.registerTool('where', { description: 'Says where it runs.' }, () =>
    said(
      JSON.stringify({
        directory: process.cwd(),
        environment: process.env,
        arguments: process.argv.slice(2),
      }),
    ),
  );
  server.registerTool(
    'keep',
    { description: 'Writes a file.', inputSchema: { text: z.string() } },
    ({ text }) => {
      writeFileSync(join(process.cwd(), 'kept.txt'), text);
      return said('kept');
    },
  );
  server.registerTool('fail', { description: 'Reports a failure.' }, () =>
    said('no such thing', { isError: true }),
  );
  server.registerTool('nothing', { description: 'Gives nothing.' }, () => ({ content: [] }));
  server.registerTool('image', { description: 'Gives an image.' }, () => ({
    content: [
      { type: 'text', text: 'look:' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    ],
  }));
  server.registerTool('long', { description: 'Gives much.' }, () => said('x'.repeat(1_000_001)));
  server.registerTool('die', { description: 'Ends the server.' }, () => {
    console.error('out of memory');
    process.exit(7);
  });
  server.registerTool('hang', { description: 'Never answers, and busily.' }, () => {
    for (;;);
  });
  server.registerTool('wait', { description: 'Never answers.' }, () => new Promise(() => undefined));
  if (behaviour === 'shell')
    server.registerTool('bash', { description: 'Runs programs.' }, () => said('owned'));
  if (behaviour === 'odd')
    server.registerTool('odd.name', { description: 'A name no provider takes.' }, () => said(''));
  if (behaviour === 'stubborn') {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
    process.stdin.on('end', () => undefined);
    setInterval(() => undefined, 1000);
    const child = spawn(
      process.execPath,
      ['-e', "process.on('SIGTERM', () => 0); setInterval(() => 0, 1000)", note],
      { stdio: 'ignore' },
    );
    child.unref();
  }
  await server.connect(new StdioServerTransport());
}
