import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Project } from '../cli/run-cli.js';
import { configured, entries, hook, payload, settled } from './support.js';

/** A server on a free port that answers as it is told. */
async function server(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<string> {
  const made = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => answer(request, response, body));
  });
  await new Promise<void>((done) => {
    made.listen(0, '127.0.0.1', done);
  });
  onTestFinished(() => {
    made.closeAllConnections();
    made.close();
  });
  const address = made.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/notify`;
}

/** Makes the agent worse and waits until that is told. */
async function worsen(
  made: Project,
  environment: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  writeFileSync(join(made.root, 'CLAUDE.md'), 'no');
  await hook(made, payload(made, 'CLAUDE.md'), environment);
  await settled(made);
  expect(entries(made, 'run')).toMatchObject([{ verdict: 'regression' }]);
  return entries(made, 'notify')[0] ?? {};
}

describe('a regression is told', () => {
  it('by a POST of message and voice_enabled, and by nothing else in it', async () => {
    const got: { method: string | undefined; type: string | undefined; body: unknown }[] = [];
    const url = await server((request, response, body) => {
      got.push({ method: request.method, type: request.headers['content-type'], body: JSON.parse(body) });
      response.end('ok');
    });
    const made = configured({ notify: { desktop: false, webhook: url } });
    const told = await worsen(made);
    expect(told['delivery']).toEqual({ webhook: 'sent' });
    expect(got).toEqual([
      { method: 'POST', type: 'application/json', body: { message: told['message'], voice_enabled: false } },
    ]);
  });

  it('to a program, which gets the facts on standard input and no shell', async () => {
    const script = `const fs = require('node:fs'); fs.writeFileSync('told.json', fs.readFileSync(0, 'utf8')); fs.writeFileSync('words.json', JSON.stringify(process.argv.slice(1)))`;
    const made = configured({
      notify: { desktop: false, command: [process.execPath, '-e', script, '--', '$HOME; touch broken'] },
    });
    const told = await worsen(made);
    expect(told['delivery']).toEqual({ command: 'sent' });
    expect(JSON.parse(readFileSync(join(made.root, 'told.json'), 'utf8'))).toMatchObject({
      message: told['message'],
      event: 'run',
      verdict: 'regression',
      weakest: 'says-please',
    });
    expect(JSON.parse(readFileSync(join(made.root, 'words.json'), 'utf8'))).toEqual(['$HOME; touch broken']);
    expect(existsSync(join(made.root, 'broken'))).toBe(false);
  });

  it.runIf(process.platform === 'linux')('on the desktop, as arguments of their own', async () => {
    const made = configured({ notify: {} });
    made.write(
      'bin/notify-send',
      `#!${process.execPath}\nrequire('node:fs').writeFileSync(${JSON.stringify(join(made.root, 'shown.json'))}, JSON.stringify(process.argv.slice(2)))\n`,
    );
    chmodSync(join(made.root, 'bin/notify-send'), 0o755);
    const told = await worsen(made, { PATH: `${join(made.root, 'bin')}:${process.env['PATH'] ?? ''}` });
    expect(told['delivery']).toEqual({ desktop: 'sent' });
    const shown: string[] = JSON.parse(readFileSync(join(made.root, 'shown.json'), 'utf8'));
    expect(shown.slice(0, 4)).toEqual(['--app-name', 'Assay', '--', 'Assay']);
    expect(shown[4]).toBe(told['message']);
  });
});

describe('a message that cannot be delivered breaks nothing and is logged', () => {
  it('when nobody listens, the program is not there, and there is no desktop', async () => {
    const made = configured({
      notify: { webhook: 'http://127.0.0.1:9/notify', command: ['no-such-program-of-assay'] },
    });
    const told = await worsen(made, { PATH: join(made.root, 'nothing') });
    expect(told['delivery']).toMatchObject({
      webhook: expect.stringMatching(/^failed: /),
      command: expect.stringMatching(/^failed: .*ENOENT/),
    });
  });

  it('when the server does not answer, or answers with an error', async () => {
    const silent = await server(() => undefined);
    const one = configured({ notify: { desktop: false, webhook: silent, timeout_secs: 0.3 } });
    expect((await worsen(one))['delivery']).toEqual({
      webhook: expect.stringMatching(/^failed: .*(?:timeout|aborted)/i),
    });
    const broken = await server((_request, response) => {
      response.statusCode = 500;
      response.end();
    });
    const other = configured({ notify: { desktop: false, webhook: broken } });
    expect((await worsen(other))['delivery']).toEqual({ webhook: 'failed: status 500' });
  });

  it('when the server sends it elsewhere: the message does not follow', async () => {
    let followed = 0;
    const target = await server((_request, response) => {
      followed += 1;
      response.end();
    });
    const url = await server((_request, response) => {
      response.writeHead(307, { location: target });
      response.end();
    });
    const made = configured({ notify: { desktop: false, webhook: url } });
    expect((await worsen(made))['delivery']).toEqual({ webhook: 'failed: status 307' });
    expect(followed).toBe(0);
  });

  it('when the program fails or never ends', async () => {
    const fails = configured({
      notify: {
        desktop: false,
        command: [process.execPath, '-e', 'console.error("no voice"); process.exit(3)'],
      },
    });
    expect((await worsen(fails))['delivery']).toEqual({ command: 'failed: exit code 3: no voice' });
    const hangs = configured({
      notify: {
        desktop: false,
        timeout_secs: 0.5,
        command: [process.execPath, '-e', 'setInterval(() => undefined, 1000)'],
      },
    });
    expect((await worsen(hangs))['delivery']).toEqual({ command: 'failed: it was not done after 0.5 s' });
  });
});

it('a key in what a run says is not written to the log or sent', async () => {
  const key = `sk-ant-${'A1b2'.repeat(8)}`;
  const made = configured({}, { 'evals/s.yaml': `agent: { module: ../agent.mjs }\n${key}: 1\ncases: []\n` });
  await hook(made, payload(made, 'CLAUDE.md'));
  await settled(made);
  expect(JSON.stringify(entries(made))).toContain('could not run');
  expect(JSON.stringify(entries(made))).not.toContain(key);
});
