import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AssayError, systemSource } from '../../src/core/index.js';
import { resolveModel, ScriptedModel, type ModelContext } from '../../src/model/index.js';
import { ask, callModel, failureOf, testServices } from './support.js';

let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'assay-module-'));
  await mkdir(join(directory, 'project'));
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

let files = 0;

async function write(code: string, ending = 'ts'): Promise<string> {
  files += 1;
  const name = `model-${files}.${ending}`;
  await writeFile(join(directory, 'project', name), code);
  return `./${name}`;
}

function context(more: Partial<ModelContext> = {}): ModelContext {
  return { directory: join(directory, 'project'), environment: {}, source: systemSource(), ...more };
}

async function open(code: string, suffix = '', ending = 'ts') {
  return resolveModel(`module:${await write(code, ending)}${suffix}`, context());
}

describe('a function of the user', () => {
  test('is given prompt, system, messages, case, trial and signal', async () => {
    const resolved = await open(
      `interface Request { signal: AbortSignal; [key: string]: unknown }
       export default async ({ signal, ...rest }: Request): Promise<string> =>
         JSON.stringify({ ...rest, aborted: signal.aborted });`,
    );
    expect(resolved).toMatchObject({ kind: 'module', toolCapable: false });
    const request = ask('', {
      system: 'Be brief.',
      prompt: [
        { role: 'user', content: [{ type: 'text', text: 'one' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'two' }] },
        { role: 'user', content: [{ type: 'text', text: 'three' }] },
      ],
      caseId: 'greets',
      trialIndex: 4,
    });
    expect(JSON.parse((await callModel(resolved, request, testServices())).text)).toEqual({
      prompt: 'three',
      system: 'Be brief.',
      messages: [
        { role: 'user', text: 'one' },
        { role: 'assistant', text: 'two' },
        { role: 'user', text: 'three' },
      ],
      caseId: 'greets',
      trial: 4,
      aborted: false,
    });
  });

  test('may return what it used', async () => {
    const resolved = await open(
      `export const model = () => ({ text: 'hi', usage: { inputTokens: 3, outputTokens: 2 }, cost: 0.5, model: 'mine-1' });`,
    );
    expect(await callModel(resolved, ask('x'), testServices())).toMatchObject({
      text: 'hi',
      usage: { inputTokens: 3, outputTokens: 2 },
      cost: 0.5,
      servedModel: 'mine-1',
    });
  });

  test('may be a named export, and a module of CommonJS', async () => {
    const named = await open(
      `export const answer = () => 'named'; export default () => 'default';`,
      '#answer',
    );
    expect((await callModel(named, ask('x'), testServices())).text).toBe('named');
    const common = await open(`module.exports = () => 'common';`, '', 'cjs');
    expect((await callModel(common, ask('x'), testServices())).text).toBe('common');
  });

  test.each([
    ['nothing', 'undefined'],
    ['null', 'null'],
    ['a number', '42'],
    ['an object without text', '({ answer: "hi" })'],
    ['an object with an unknown key', '({ text: "hi", tokens: 3 })'],
    ['negative tokens', '({ text: "hi", usage: { inputTokens: -1 } })'],
  ])('that returns %s is an error, never an answer', async (_name, value) => {
    const error = await failureOf(
      callModel(await open(`export default () => ${value};`), ask('x'), testServices()),
    );
    expect(error.kind).toBe('module');
    expect(error.fix).toContain('return a string');
    expect(error.tries).toHaveLength(1);
  });

  test('that throws is an error of the module, and one with a status is tried again by that', async () => {
    const thrown = await open(`export default () => { throw new Error('error 429: no'); };`);
    const error = await failureOf(callModel(thrown, ask('x'), testServices()));
    expect(error).toMatchObject({ kind: 'module' });
    expect(error.message).toContain('error 429: no');
    expect(error.tries).toHaveLength(1);
    const limited = await open(
      `let calls = 0;
       export default () => {
         calls += 1;
         if (calls < 3) throw Object.assign(new Error('slow down'), { status: 429, headers: { 'Retry-After': '0' } });
         return 'after ' + calls;
       };`,
    );
    const answer = await callModel(limited, ask('x'), testServices());
    expect(answer.text).toBe('after 3');
    expect(answer.tries.map((entry) => entry.status)).toEqual([429, 429, null]);
  });

  test('that ignores its signal does not hold the run', async () => {
    const resolved = await open(`export default () => new Promise(() => {});`);
    const error = await failureOf(callModel(resolved, ask('x', { timeoutMs: 50 }), testServices()));
    expect(error.kind).toBe('timeout');
  });

  test('cannot be given tools', async () => {
    const tools = [{ type: 'function' as const, name: 'echo', inputSchema: { type: 'object' as const } }];
    const error = await failureOf(
      callModel(await open(`export default () => 'x';`), ask('x', { tools }), testServices()),
    );
    expect(error.kind).toBe('request');
  });
});

describe('a language model of the user', () => {
  const model = (version: string, result: string) =>
    `export default { specificationVersion: '${version}', provider: 'mine', modelId: 'mine-1', supportedUrls: {},
       doGenerate: async (options) => (${result}), doStream: async () => { throw new Error('no'); } };`;
  const result = `{ content: [{ type: 'tool-call', toolCallId: '1', toolName: options.tools[0].name, input: '{}' }],
    finishReason: { unified: 'tool-calls', raw: undefined }, warnings: [], usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } } }`;

  test('is used as it is and may be given tools', async () => {
    const resolved = await open(model('v3', result));
    expect(resolved.toolCapable).toBe(true);
    const tools = [{ type: 'function' as const, name: 'echo', inputSchema: { type: 'object' as const } }];
    const answer = await callModel(resolved, ask('x', { tools }), testServices());
    expect(answer.content).toMatchObject([{ type: 'tool-call', toolName: 'echo' }]);
  });

  test.each([
    ['nothing', 'undefined'],
    ['text', '"hi"'],
    ['a result of an older specification', '{ content: [], finishReason: "stop", warnings: [] }'],
  ])('that gives back %s is an error', async (_name, value) => {
    const error = await failureOf(callModel(await open(model('v3', value)), ask('x'), testServices()));
    expect(error.kind).toBe('invalid-reply');
  });

  test.each(['v2', 'v4'])('of specification %s is refused', async (version) => {
    const error = await failureOf(open(model(version, result)));
    expect(error).toMatchObject({ kind: 'module' });
    expect(error.message).toContain(`specification ${version}`);
  });
});

describe('a module that cannot be used is refused when it is named', () => {
  test.each([
    ['without an export', 'const x = 1;', '', /neither a default export nor an export named model/],
    ['without the named export', 'export default () => "x";', '#other', /no export named "other"/],
    ['with an export of another kind', 'export default 42;', '', /exports number/],
    ['that does not parse', 'export default (', '', /cannot be loaded/],
    ['that throws while loading', 'throw new Error("at load");', '', /at load/],
  ])('%s', async (_name, code, suffix, message) => {
    const error = await failureOf(open(code, suffix));
    expect(error.kind).toBe('module');
    expect(error.message).toMatch(message);
  });

  test('that is not there', async () => {
    await expect(resolveModel('module:./absent.ts', context())).rejects.toMatchObject({ code: 'MODEL' });
  });

  test('that leaves the project, by dots or by a link, unless that is allowed', async () => {
    await writeFile(join(directory, 'outside.mjs'), `export default () => 'outside';`);
    await symlink(join(directory, 'outside.mjs'), join(directory, 'project', 'link.mjs'));
    const within = join(directory, 'project');
    for (const reference of [
      'module:../outside.mjs',
      'module:./link.mjs',
      `module:${directory}/outside.mjs`,
    ]) {
      await expect(resolveModel(reference, context({ within }))).rejects.toThrow(/leads out of/);
      const resolved = await resolveModel(reference, context());
      expect((await callModel(resolved, ask('x'), testServices())).text).toBe('outside');
    }
  });
});

describe('a scripted model', () => {
  test('is opened by the caller, and its own errors pass through unchanged', async () => {
    const openScript = async () =>
      new ScriptedModel('case', [[{ type: 'text', content: 'scripted', inputTokens: 1, outputTokens: 2 }]]);
    const resolved = await resolveModel('scripted', context({ openScript }));
    expect((await callModel(resolved, ask('x'), testServices())).text).toBe('scripted');
    await expect(callModel(resolved, ask('x'), testServices())).rejects.toMatchObject({ code: 'SCRIPT' });
  });

  test('is refused where there is no script', async () => {
    await expect(resolveModel('scripted', context())).rejects.toThrow(AssayError);
  });
});
