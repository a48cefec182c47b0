#!/usr/bin/env node
// A stand-in for the `claude` command line. It speaks the documented JSON envelope, misbehaves as told, and writes down
// what it received. Its environment is stripped by the code under test, so it is told what to do by `control.json` next
// to this file, and writes to `calls.jsonl` there. `control.calls` is used in order, the last one for all further calls.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const control = JSON.parse(readFileSync(join(here, 'control.json'), 'utf8'));
const record = join(here, 'calls.jsonl');
const argv = process.argv.slice(2);

function valueOf(name) {
  const joined = argv.find((word) => word.startsWith(`${name}=`));
  if (joined !== undefined) return joined.slice(name.length + 1);
  const at = argv.indexOf(name);
  return at < 0 ? null : argv[at + 1];
}

if (argv[0] === '--version') {
  console.log(control.version ?? '2.1.300 (Claude Code)');
  process.exit(0);
}
if (argv[0] === 'auth' && argv[1] === 'status') {
  console.log(JSON.stringify({ loggedIn: control.loggedIn ?? true, authMethod: 'claude.ai' }));
  process.exit(control.loggedIn === false ? 1 : 0);
}
if (argv[0] === 'login' && argv[1] === 'status') {
  console.error(control.loggedIn === false ? 'Not logged in' : 'Logged in using ChatGPT');
  process.exit(control.loggedIn === false ? 1 : 0);
}

const made = existsSync(record) ? readFileSync(record, 'utf8').trim().split('\n').length : 0;
const behaviour = control.calls[Math.min(made, control.calls.length - 1)] ?? {};

if (behaviour.ignoreTerm === true) process.on('SIGTERM', () => {});

let stdin = '';
for await (const chunk of process.stdin.setEncoding('utf8')) stdin += chunk;

let orphan = null;
if (behaviour.orphan !== undefined) {
  // A grandchild that holds our output open and, when told so, ignores a polite end.
  const script = `${behaviour.orphan === 'stubborn' ? 'process.on("SIGTERM", () => {});' : ''} setInterval(() => {}, 1000);`;
  orphan = spawn(process.execPath, ['-e', script], { stdio: 'inherit' }).pid;
}

const systemFile = valueOf('--system-prompt-file');
appendFileSync(
  record,
  `${JSON.stringify({
    argv,
    env: process.env,
    stdin,
    cwd: process.cwd(),
    pid: process.pid,
    orphan,
    systemFile: systemFile === null ? null : readFileSync(systemFile, 'utf8'),
    systemFileMode: systemFile === null ? null : statSync(systemFile).mode & 0o777,
  })}\n`,
);

function write(stream, text) {
  return new Promise((resolve) => {
    stream.write(text, resolve);
  });
}

if (behaviour.stderr !== undefined) await write(process.stderr, behaviour.stderr);
if (behaviour.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, behaviour.delayMs));
if (behaviour.raw !== undefined) {
  await write(process.stdout, behaviour.raw);
} else if (behaviour.silent !== true) {
  const model = behaviour.model ?? 'claude-sonnet-4-5-20250929';
  const envelope = {
    type: 'result',
    subtype: 'success',
    is_error: false,
    api_error_status: null,
    duration_ms: 100,
    num_turns: 1,
    result: 'an answer',
    stop_reason: 'end_turn',
    session_id: '00000000-0000-4000-8000-000000000000',
    total_cost_usd: 0.25,
    usage: {
      input_tokens: 10,
      cache_creation_input_tokens: 5,
      cache_read_input_tokens: 100,
      output_tokens: 7,
    },
    modelUsage: {
      'claude-haiku-4-5-20251001': { inputTokens: 400, outputTokens: 90, costUSD: 0.001 },
      [model]: { inputTokens: 10, outputTokens: 7, costUSD: 0.249 },
    },
    ...behaviour.envelope,
  };
  await write(process.stdout, `${behaviour.prefix ?? ''}${JSON.stringify(envelope)}\n`);
}
if (behaviour.hang === true) setInterval(() => {}, 1000);
else process.exit(behaviour.exitCode ?? 0);
