import { createJiti } from 'jiti';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemSource } from '../../src/core/index.js';
import type * as modelRoom from '../../src/model/index.js';
import { resolveModel, type ModelContext } from '../../src/model/index.js';
import { ask, callModel, failureOf, testServices } from './support.js';

let directory = '';

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'assay-provider-'));
});

afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

/** Puts a package into the project, as `npm install` would. */
async function installPackage(name: string, code: string): Promise<void> {
  const place = join(directory, 'node_modules', name);
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'package.json'), JSON.stringify({ name, version: '3.0.0', main: 'index.js' }));
  await writeFile(join(place, 'index.js'), code);
}

// A package with the shape of the real ones, whose model says what it was created and called with.
const PACKAGE = (factory: string, version = 'v3') => `
  exports.${factory} = (settings) => (modelId) => ({
    specificationVersion: '${version}', provider: 'test', modelId, supportedUrls: {},
    doGenerate: async ({ abortSignal, prompt, ...options }) => ({
      content: [{ type: 'text', text: JSON.stringify({ settings, modelId, options }) }],
      finishReason: { unified: 'stop', raw: 'stop' }, warnings: [],
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
      response: { modelId: modelId + '-served' },
    }),
    doStream: async () => { throw new Error('no'); },
  });`;

function context(more: Partial<ModelContext> = {}): ModelContext {
  return { directory, environment: {}, source: systemSource(), ...more };
}

describe('a provider', () => {
  test.each([
    ['anthropic', '@ai-sdk/anthropic', 'createAnthropic', 'ANTHROPIC_API_KEY', { effort: 'high' }],
    ['openai', '@ai-sdk/openai', 'createOpenAI', 'OPENAI_API_KEY', { reasoningEffort: 'high' }],
    [
      'google',
      '@ai-sdk/google',
      'createGoogleGenerativeAI',
      'GEMINI_API_KEY',
      { thinkingConfig: { thinkingLevel: 'high' } },
    ],
  ])(
    '%s is loaded from the project and given key, base URL, headers, settings and effort',
    async (kind, name, factory, variable, effort) => {
      await installPackage(name, PACKAGE(factory));
      const config = {
        providers: {
          [kind]: {
            base_url: 'http://127.0.0.1:1/v1',
            headers: { 'x-team': 'evals', 'x-token': { environment: 'TEAM_TOKEN' } },
            settings: { name: 'mine' },
            options: { extra: true },
          },
        },
      };
      const environment = { [variable]: ' the-key ', TEAM_TOKEN: 'the-token' };
      const resolved = await resolveModel(
        `${kind}:some-model`,
        context({ environment, config, effort: 'high' }),
      );
      expect(resolved).toMatchObject({ toolCapable: true, structuredOutput: true, limitKey: kind });
      const answer = await callModel(resolved, ask('x', { caseId: 'c', temperature: 0 }), testServices());
      expect(answer.servedModel).toBe('some-model-served');
      expect(JSON.parse(answer.text)).toEqual({
        settings: {
          name: 'mine',
          apiKey: 'the-key',
          baseURL: 'http://127.0.0.1:1/v1',
          headers: { 'x-team': 'evals', 'x-token': 'the-token' },
        },
        modelId: 'some-model',
        options: {
          temperature: 0,
          providerOptions: {
            [kind]: { ...effort, extra: true },
            assay: { caseId: 'c', trial: 1, purpose: 'agent' },
          },
        },
      });
    },
  );

  test('whose package is missing gives the install line', async () => {
    // A copy of the sources next to no provider package, as in a project that has installed none.
    const root = fileURLToPath(new URL('../../', import.meta.url));
    for (const room of ['core', 'model', 'thread'])
      await cp(join(root, 'src', room), join(directory, 'src', room), { recursive: true });
    await mkdir(join(directory, 'node_modules'));
    for (const name of ['zod', 'jiti'])
      await symlink(join(root, 'node_modules', name), join(directory, 'node_modules', name));
    const copy: typeof modelRoom = await createJiti(import.meta.url).import(
      join(directory, 'src', 'model', 'index.ts'),
    );
    for (const kind of ['anthropic', 'openai', 'google']) {
      expect(await failureOf(copy.resolveModel(`${kind}:some-model`, context()))).toMatchObject({
        kind: 'not-installed',
        message: `@ai-sdk/${kind} is not installed`,
        fix: `install it with: npm install @ai-sdk/${kind}@3`,
      });
    }
  });

  test('whose package speaks another specification, fails to load or has no factory is refused', async () => {
    const environment = { OPENAI_API_KEY: 'x' };
    await installPackage('@ai-sdk/openai', PACKAGE('createOpenAI', 'v4'));
    expect(await failureOf(resolveModel('openai:m', context({ environment })))).toMatchObject({
      kind: 'not-installed',
      message: expect.stringContaining('specification v4'),
    });
    await installPackage('@ai-sdk/google', 'throw new Error("broken build")');
    expect(await failureOf(resolveModel('google:m', context({ environment })))).toMatchObject({
      kind: 'not-installed',
      message: expect.stringContaining('broken build'),
    });
    await installPackage('@ai-sdk/anthropic', 'exports.other = 1');
    expect((await failureOf(resolveModel('anthropic:m', context()))).message).toContain(
      'has no createAnthropic',
    );
  });

  test('without a key is refused before anything is sent, naming the variable', async () => {
    await installPackage('@ai-sdk/anthropic', PACKAGE('createAnthropic'));
    const error = await failureOf(
      resolveModel('anthropic:m', context({ environment: { ANTHROPIC_API_KEY: ' ' } })),
    );
    expect(error).toMatchObject({
      kind: 'login-needed',
      message: expect.stringContaining('ANTHROPIC_API_KEY'),
    });
  });

  test.each<[string, string, Record<string, unknown>, number]>([
    [
      'a status and headers',
      `{ statusCode: 529, responseHeaders: { 'Retry-After-MS': '1' } }`,
      { kind: 'http', status: 529 },
      4,
    ],
    ['a status of a bad request', `{ statusCode: 400 }`, { kind: 'http', status: 400 }, 1],
    [
      'the type of a missing key',
      `{ name: 'AI_LoadAPIKeyError' }`,
      { kind: 'login-needed', status: null },
      1,
    ],
    [
      'the type of an unreadable reply',
      `{ name: 'AI_APICallError', statusCode: 200, cause: { name: 'AI_JSONParseError' } }`,
      { kind: 'non-json' },
      1,
    ],
    [
      'a broken connection',
      `{ name: 'AI_APICallError', isRetryable: true, cause: { cause: { code: 'ECONNRESET' } } }`,
      { kind: 'network' },
      4,
    ],
    ['nothing but words', `{ }`, { kind: 'invalid-reply' }, 1],
  ])(
    'that fails with %s is classed by that, and its key is not repeated',
    async (_name, members, expected, tries) => {
      await installPackage(
        '@ai-sdk/openai',
        `exports.createOpenAI = ({ apiKey }) => (modelId) => ({
         specificationVersion: 'v3', provider: 'test', modelId, supportedUrls: {},
         doGenerate: async () => { throw Object.assign(new Error('429 rate limit, key ' + apiKey), ${members}); },
         doStream: async () => { throw new Error('no'); },
       });`,
      );
      const resolved = await resolveModel(
        'openai:m',
        context({ environment: { OPENAI_API_KEY: 'my-own-key-1234' } }),
      );
      const error = await failureOf(callModel(resolved, ask('x'), testServices()));
      expect(error).toMatchObject(expected);
      expect(error.tries).toHaveLength(tries);
      expect(JSON.stringify([error.message, error.tries])).not.toContain('my-own-key-1234');
    },
  );
});
