import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const PROGRAM = `
import { createJiti } from 'jiti';
import { connect } from 'node:net';
const jiti = createJiti(process.cwd() + '/test/wire/exit.mjs');
const { startScriptedServer, startRecordingProxy, scriptFromTurns } = await jiti.import(process.cwd() + '/src/wire/index.ts');
const server = await startScriptedServer();
const steps = [
  { type: 'fault', fault: 'slow', firstByteMs: 3600000 },
  { type: 'text', content: 'never', inputTokens: 1, outputTokens: 1 },
];
const trial = server.openTrial({ id: 'a', script: scriptFromTurns([{ user: 'x', steps }]) });
const proxy = await startRecordingProxy({ upstreams: { anthropic: trial.baseUrl } });
const capture = proxy.openCapture({ id: 'a' });
await fetch(trial.baseUrl, { method: 'HEAD' });
const idle = connect(Number(new URL(server.url).port), '127.0.0.1');
idle.on('error', () => {});
await new Promise((ready) => idle.on('connect', ready));
const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }], tools: [{ name: 't' }] });
const waiting = fetch(capture.baseUrl + '/v1/messages', { method: 'POST', body }).then((answer) => answer.status, () => 0);
while (trial.exchanges.length === 0) await new Promise((ready) => setTimeout(ready, 5));
await proxy.close();
await server.close();
await waiting;
console.log('closed');
`;

test('a process ends by itself once server and proxy are closed, whatever was still waiting', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    cwd: resolve(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (part: Buffer) => (output += part.toString()));
  child.stderr.on('data', (part: Buffer) => (output += part.toString()));
  const code = await new Promise<number | null>((done) => child.on('close', done));
  expect([code, output]).toEqual([0, 'closed\n']);
});
