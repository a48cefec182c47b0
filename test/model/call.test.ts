import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateText, stepCountIs, tool } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { systemSource } from '../../src/core/index.js';
import {
  asLanguageModel,
  costFromPrices,
  createLimits,
  redactKeys,
  resolveModel,
  runProgram,
  type ModelCall,
  type ProgramRun,
} from '../../src/model/index.js';
import { completion, failure, startLoopback } from './loopback.js';
import { isGone } from './stand-in.js';
import { ask, callModel, testServices } from './support.js';

let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'assay-call-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

function context() {
  return { directory, environment: {}, source: systemSource() };
}

describe('a resolved model as a plain language model', () => {
  test('makes every call of an agent with retries, limits and cost, and shows each', async () => {
    const toolCall = { id: 'c1', type: 'function', function: { name: 'echo', arguments: '{"text":"a"}' } };
    const usage = { prompt_tokens: 10, completion_tokens: 2, cost: 0.25 };
    const server = await startLoopback(
      failure(529, 'busy'),
      completion({ content: null, tool_calls: [toolCall] }, { usage }, 'tool_calls'),
      completion({ content: 'done' }, { usage }),
    );
    const calls: ModelCall[] = [];
    const model = asLanguageModel(
      await resolveModel(`openai-compatible:m@${server.url}`, context()),
      { timeoutMs: 5000, trialIndex: 2, caseId: 'c', purpose: 'agent' },
      testServices(),
      (call) => calls.push(call),
    );
    const echo = tool({ inputSchema: z.object({ text: z.string() }), execute: async ({ text }) => text });
    const settings = {
      model,
      prompt: 'go',
      tools: { echo },
      stopWhen: stepCountIs(3),
      maxRetries: 0,
      topP: 0.5,
    };
    const answer = await generateText(settings);
    expect(answer.text).toBe('done');
    expect(answer.steps[0]?.providerMetadata?.['assay']).toEqual({
      cost: 0.25,
      downgraded: false,
      cached: false,
      tries: 2,
    });
    expect(answer.totalUsage.inputTokens).toBe(20);
    expect(calls.map((call) => call.tries.length)).toEqual([2, 1]);
    expect(server.seen[0]?.body).toMatchObject({ top_p: 0.5, tools: [{ function: { name: 'echo' } }] });
    await server.close();
  });

  test('ends with whichever signal comes first', async () => {
    const server = await startLoopback(() => undefined);
    const resolved = await resolveModel(`openai-compatible:m@${server.url}`, context());
    const interrupt = new AbortController();
    const own = new AbortController();
    const defaults = { timeoutMs: 20_000, trialIndex: 1, purpose: 'agent', signal: interrupt.signal };
    const model = asLanguageModel(resolved, defaults, testServices());
    const byRun = model.doGenerate({ prompt: ask('x').prompt, abortSignal: own.signal });
    interrupt.abort();
    await expect(byRun).rejects.toMatchObject({ kind: 'cancelled' });
    await server.close();
  });
});

describe('a call', () => {
  test('shares its signal with many others without a warning of the runtime', async () => {
    const server = await startLoopback(completion({ content: 'x' }));
    const resolved = await resolveModel(`openai-compatible:m@${server.url}`, context());
    const warnings: string[] = [];
    const listen = (warning: Error): void => {
      warnings.push(warning.name);
    };
    process.on('warning', listen);
    const { signal } = new AbortController();
    const services = testServices({ limits: createLimits(systemSource(), { default: 3 }) });
    await Promise.all(Array.from({ length: 30 }, () => callModel(resolved, ask('x', { signal }), services)));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', listen);
    expect(warnings).toEqual([]);
    await server.close();
  });

  test('without a time limit is a mistake of the caller', async () => {
    const server = await startLoopback(completion({ content: 'x' }));
    const resolved = await resolveModel(`openai-compatible:m@${server.url}`, context());
    for (const timeoutMs of [0, -1, Number.NaN, Infinity]) {
      await expect(callModel(resolved, ask('x', { timeoutMs }), testServices())).rejects.toThrow(RangeError);
    }
    await server.close();
  });

  test('of a model that hangs on nothing is ended by its time limit, not by the process running out of work', async () => {
    const script = join(directory, 'hang.mjs');
    const root = new URL('../../', import.meta.url).href;
    await writeFile(join(directory, 'never.mjs'), 'export default () => new Promise(() => {});');
    await writeFile(
      script,
      `import { createJiti } from ${JSON.stringify(new URL('node_modules/jiti/lib/jiti.mjs', root).href)};
       const jiti = createJiti(import.meta.url);
       const { resolveModel, callModel } = await jiti.import(${JSON.stringify(new URL('src/model/index.ts', root).pathname)});
       const { systemSource } = await jiti.import(${JSON.stringify(new URL('src/core/index.ts', root).pathname)});
       const source = systemSource();
       const resolved = await resolveModel('module:./never.mjs', { directory: ${JSON.stringify(directory)}, environment: {}, source });
       const request = { prompt: [], timeoutMs: 50, trialIndex: 1, purpose: 'x' };
       await callModel(resolved, request, { source, version: '0' }).catch((error) => console.log(error.kind));`,
    );
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect([said.trim(), code]).toEqual(['timeout', 0]);
  });
});

describe('prices', () => {
  const usage = {
    inputTokens: 1000,
    outputTokens: 100,
    cacheReadTokens: 600,
    cacheWriteTokens: 100,
    reasoningTokens: null,
  };

  test('are per million tokens, with their own rates for cached ones', () => {
    const prices = {
      a: { input: 10, output: 50, cache_read: 1, cache_write: 12.5 },
      b: { input: 10, output: 50 },
    };
    expect(costFromPrices(prices, { ref: 'x', servedModel: 'a' }, usage)).toBeCloseTo(
      (300 * 10 + 600 * 1 + 100 * 12.5 + 100 * 50) / 1e6,
      12,
    );
    expect(costFromPrices(prices, { ref: 'b', servedModel: 'c' }, usage)).toBeCloseTo(0.015, 12);
  });

  test('are unknown for an unknown model and for unknown tokens', () => {
    const prices = { a: { input: 10, output: 50 } };
    expect(costFromPrices(prices, { ref: 'toString', servedModel: null }, usage)).toBeNull();
    expect(costFromPrices(undefined, { ref: 'a', servedModel: null }, usage)).toBeNull();
    expect(
      costFromPrices(prices, { ref: 'a', servedModel: null }, { ...usage, outputTokens: null }),
    ).toBeNull();
    expect(costFromPrices({ a: { input: 0, output: 0 } }, { ref: 'a', servedModel: null }, usage)).toBe(0);
  });
});

describe('keys in messages', () => {
  test.each([
    ['key sk-ant-api03-abcdefgh1234 end', 'key [redacted] end'],
    ['AIzaSyA1234567890abcdefghijklmnop', '[redacted]'],
    ['Authorization: Bearer abc.def-123456', 'Authorization: [redacted]'],
    ['my own secret', 'my own secret'],
  ])('%s', (text, expected) => {
    expect(redactKeys(text)).toBe(expected);
    expect(redactKeys(text, ['my own secret'])).not.toContain('my own secret');
  });
});

describe('running a program', () => {
  const run = (code: string, more: Partial<ProgramRun> = {}) =>
    runProgram({
      program: process.execPath,
      arguments: ['-e', code],
      environment: {},
      directory,
      input: '',
      ...more,
    });

  test('gives output, exit code and an environment that is only what was given', async () => {
    const outcome = await run(
      'process.stdout.write(JSON.stringify(process.env)); process.stderr.write("é"); process.exitCode = 3;',
      { environment: { ONLY: 'this' } },
    );
    expect(outcome).toMatchObject({ ending: 'exited', code: 3, signal: null, stderr: 'é', startError: null });
    expect(JSON.parse(outcome.stdout)).toEqual({ ONLY: 'this' });
  });

  test('passes megabytes through without losing or splitting a character', async () => {
    const text = '🎉é\n'.repeat(300_000);
    const outcome = await run('process.stdin.pipe(process.stdout)', { input: text });
    expect(outcome.stdout === text).toBe(true);
  });

  test('survives a program that does not read its input', async () => {
    const outcome = await run('process.exit(0)', { input: 'x'.repeat(5_000_000) });
    expect(outcome).toMatchObject({ ending: 'exited', code: 0 });
  });

  test('ends a program that writes without end', async () => {
    const outcome = await run('const go = () => process.stdout.write("x".repeat(65536), go); go();', {
      maxOutputBytes: 1_000_000,
    });
    expect(outcome.ending).toBe('overflow');
    expect(outcome.stdout.length).toBeLessThanOrEqual(1_000_000);
  });

  test('says that a program or its directory is not there, and takes no NUL in an argument', async () => {
    expect(await run('', { program: '/nonexistent/program' })).toMatchObject({ ending: 'not-started' });
    expect(await run('', { directory: '/nonexistent' })).toMatchObject({ ending: 'not-started' });
    expect(await run('\0')).toMatchObject({ ending: 'not-started', startError: expect.any(Error) });
  });

  test('does not outlive this process when it is ended in the middle', async () => {
    const script = join(directory, 'exit.mjs');
    const root = new URL('../../', import.meta.url).href;
    await writeFile(
      script,
      `import { createJiti } from ${JSON.stringify(new URL('node_modules/jiti/lib/jiti.mjs', root).href)};
       const { runProgram } = await createJiti(import.meta.url).import(${JSON.stringify(new URL('src/model/index.ts', root).pathname)});
       void runProgram({ program: process.execPath, arguments: ['-e', 'require("fs").writeFileSync("pid", String(process.pid)); setInterval(() => {}, 1000)'],
         environment: {}, directory: ${JSON.stringify(directory)}, input: '' });
       const { existsSync, readFileSync } = await import('node:fs');
       setInterval(() => {
         const file = ${JSON.stringify(join(directory, 'pid'))};
         if (existsSync(file) && readFileSync(file, 'utf8') !== '') process.exit(5);
       }, 20);`,
    );
    const child = spawn(process.execPath, [script], { stdio: 'inherit' });
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(5);
    expect(await isGone(Number(await readFile(join(directory, 'pid'), 'utf8')))).toBe(true);
  });
});
