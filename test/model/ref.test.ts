import { assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AssayError } from '../../src/core/index.js';
import {
  checkModelRef,
  isFloatingName,
  MODEL_KINDS,
  modelFamily,
  modelIdentity,
  modelsConfigSchema,
  parseModelRef,
  resolveLevel,
} from '../../src/model/index.js';

describe('a model reference', () => {
  test.each([
    ['claude-cli:sonnet', { kind: 'claude-cli', model: 'sonnet' }],
    ['claude-cli:opus[1m]', { kind: 'claude-cli', model: 'opus[1m]' }],
    ['codex-cli:gpt-5.4', { kind: 'codex-cli', model: 'gpt-5.4' }],
    ['gemini-cli:gemini-2.5-pro', { kind: 'gemini-cli', model: 'gemini-2.5-pro' }],
    ['anthropic:claude-sonnet-4-5', { kind: 'anthropic', model: 'claude-sonnet-4-5' }],
    ['openai:ft:gpt-4o:team::id', { kind: 'openai', model: 'ft:gpt-4o:team::id' }],
    ['google:models/gemini-2.5-pro', { kind: 'google', model: 'models/gemini-2.5-pro' }],
    [
      'openai-compatible:llama3:8b@http://localhost:11434/v1/',
      { kind: 'openai-compatible', model: 'llama3:8b', url: 'http://localhost:11434/v1' },
    ],
    [
      'openai-compatible:@cf/meta/llama@https://example.com',
      { kind: 'openai-compatible', model: '@cf/meta/llama', url: 'https://example.com' },
    ],
    ['module:./my-model.ts', { kind: 'module', path: './my-model.ts', exportName: null }],
    ['module:./a#b.ts#answer', { kind: 'module', path: './a#b.ts', exportName: 'answer' }],
    ['scripted', { kind: 'scripted', path: null }],
    ['scripted:fixture.json', { kind: 'scripted', path: 'fixture.json' }],
    ['outputs:answers.jsonl', { kind: 'outputs', path: 'answers.jsonl' }],
    ['  claude-cli:haiku  ', { kind: 'claude-cli', model: 'haiku' }],
  ])('%s is read', (text, expected) => {
    expect(parseModelRef(text)).toMatchObject(expected);
  });

  test('has one normal form, which reads as itself', () => {
    const { text } = parseModelRef(' openai-compatible:x@HTTP://LocalHost:80/v1// ');
    expect(text).toBe('openai-compatible:x@http://localhost/v1');
    expect(parseModelRef(text).text).toBe(text);
  });

  test.each([
    ['', /claude-cli:sonnet/],
    ['sonnet', /one of claude-cli:sonnet/],
    ['claude:sonnet', /did you mean claude-cli:sonnet\?/],
    ['claud-cli:sonnet', /did you mean claude-cli:sonnet\?/],
    ['OpenAI:gpt-4o', /did you mean openai:MODEL\?/],
    ['ollama:llama3', /did you mean openai-compatible:MODEL@http/],
    ['claude-cli', /write claude-cli:sonnet/],
    ['claude-cli:', /write claude-cli:sonnet/],
    ['claude-cli:--dangerously-skip-permissions', /do not start with a dash/],
    ['openai:gpt 4o', /no spaces/],
    ['openai:gpt\n4o', /no spaces/],
    ['openai-compatible:llama3', /openai-compatible:MODEL@http/],
    ['openai-compatible:@http://localhost', /openai-compatible:MODEL@http/],
    ['openai-compatible:x@ftp://localhost', /openai-compatible:MODEL@http/],
    ['openai-compatible:x@http://', /openai-compatible:MODEL@http/],
    ['openai-compatible:x@http://me:secret@localhost/v1', /from the environment or a command/],
    ['openai-compatible:x@http://localhost/v1?key=secret', /openai-compatible:MODEL@http/],
    ['module:', /module:.\/my-model.ts/],
    ['module:#name', /#exportName/],
    ['module:./x.ts#', /#exportName/],
    ['outputs: ', /outputs:answers.jsonl/],
    ['scripted:', /scripted:fixture.json/],
  ])('%j is refused with what to write', (text, fix) => {
    const checked = checkModelRef(text);
    expect(checked).toMatchObject({ ok: false, fix: expect.stringMatching(fix) });
    expect(JSON.stringify(checked)).not.toContain('secret');
    expect(() => parseModelRef(text)).toThrow(AssayError);
  });

  test('never fails in another way than by being refused', () => {
    assert(
      property(constantFrom(...MODEL_KINDS, 'x'), string(), (kind, rest) => {
        const checked = checkModelRef(`${kind}:${rest}`);
        if (checked.ok) expect(checkModelRef(checked.ref.text)).toEqual(checked);
        else expect(checked.fix).not.toBe('');
      }),
    );
  });
});

describe('who a model is', () => {
  test.each([
    ['sonnet', 'claude-sonnet'],
    ['claude-sonnet-4-5-20250929', 'claude-sonnet'],
    ['anthropic/claude-sonnet-4.5', 'claude-sonnet'],
    ['us.anthropic.claude-opus-4-1-20250805-v1:0', 'claude-opus'],
    ['opus[1m]', 'claude-opus'],
    ['gpt-5.4-2026-03-05', 'gpt-5.4'],
    ['openai/gpt-5.4', 'gpt-5.4'],
    ['models/gemini-2.5-pro', 'gemini-2.5-pro'],
    ['gemini-flash-latest', 'gemini-flash'],
    ['llama3:latest', 'llama3'],
    ['llama3:8b', 'llama3:8b'],
    ['magnum-opus-7b', 'magnum-opus-7b'],
  ])('%s is of the family %s', (name, family) => {
    expect(modelFamily(name)).toBe(family);
  });

  test('a route does not change who it is', () => {
    const families = [
      'claude-cli:sonnet',
      'anthropic:claude-sonnet-4-5',
      'openai-compatible:anthropic/claude-sonnet-4.5@https://x.test/v1',
    ];
    expect(new Set(families.map((text) => modelIdentity(parseModelRef(text)).family))).toEqual(
      new Set(['claude-sonnet']),
    );
  });

  test.each([
    ['sonnet', true],
    ['opus[1m]', true],
    ['gemini-flash-latest', true],
    ['llama3:latest', true],
    ['claude-sonnet-4-5-20250929', false],
    ['gpt-5.4', false],
  ])('the name %s floats: %s', (name, floats) => {
    expect(isFloatingName(name)).toBe(floats);
  });
});

describe('a level', () => {
  test.each([
    ['low', 'claude-cli:haiku', 15_000],
    ['medium', 'claude-cli:sonnet', 30_000],
    ['high', 'claude-cli:opus', 90_000],
    ['max', 'claude-cli:fable', 120_000],
  ])('%s is %s with a limit of %i ms and high effort', (name, text, timeoutMs) => {
    const level = resolveLevel(name);
    expect(level).toMatchObject({ name, timeoutMs, effort: 'high', thinking: 'default' });
    expect(level.ref.text).toBe(text);
    expect(level.fallback?.text ?? null).toBe(name === 'max' ? 'claude-cli:opus' : null);
  });

  test('is medium when none is named', () => {
    expect(resolveLevel(null).name).toBe('medium');
  });

  test.each([
    ['fast', /write one of low, medium, high, max/],
    ['standard', /write one of/],
    ['Medium', /did you mean medium\?/],
    ['hihg', /did you mean high\?/],
    ['', /write one of/],
  ])('%j is refused, naming the valid ones', (name, fix) => {
    let thrown: unknown;
    try {
      resolveLevel(name);
    } catch (error) {
      thrown = error;
    }
    expect(AssayError.isInstance(thrown) && thrown.code).toBe('CONFIG');
    expect(AssayError.isInstance(thrown) && thrown.fix).toMatch(fix);
  });

  test('is what the configuration says, with the defaults for the rest', () => {
    const config = modelsConfigSchema.parse({
      levels: {
        low: { timeout_secs: 2.5, thinking: 'off' },
        high: { model: 'openai:gpt-5.4' },
        max: { model: 'claude-cli:opus', effort: null },
        medium: { effort: 'low', fallback: 'claude-cli:haiku' },
      },
    });
    expect(resolveLevel('low', config)).toMatchObject({ timeoutMs: 2500, thinking: 'off', effort: 'high' });
    expect(resolveLevel('high', config)).toMatchObject({
      timeoutMs: 90_000,
      effort: null,
      ref: { kind: 'openai' },
    });
    expect(resolveLevel('max', config)).toMatchObject({ effort: null, fallback: null });
    expect(resolveLevel('medium', config)).toMatchObject({ effort: 'low', fallback: { model: 'haiku' } });
  });

  test('with a bad model is refused', () => {
    expect(() => resolveLevel('low', { levels: { low: { model: 'gpt-4o' } } })).toThrow(AssayError);
  });
});

describe('the configuration of models', () => {
  test.each([
    ['an unknown key', { level: {} }, []],
    ['an unknown level', { levels: { fast: {} } }, ['levels']],
    ['a time-out of 0', { levels: { low: { timeout_secs: 0 } } }, ['levels', 'low', 'timeout_secs']],
    [
      'a key written down',
      { providers: { openai: { api_key: 'sk-123' } } },
      ['providers', 'openai', 'api_key'],
    ],
    [
      'a key in a header',
      { endpoints: { 'http://x/v1': { headers: { Authorization: 'Bearer x' } } } },
      ['endpoints', 'http://x/v1', 'headers', 'Authorization'],
    ],
    [
      'a key in the settings',
      { providers: { openai: { settings: { apiKey: 'sk-123' } } } },
      ['providers', 'openai', 'settings', 'apiKey'],
    ],
    [
      'a header with a line break',
      { providers: { openai: { headers: { 'x-a': 'b\r\nc: d' } } } },
      ['providers', 'openai', 'headers', 'x-a'],
    ],
    [
      'an empty command',
      { providers: { openai: { api_key: { command: [] } } } },
      ['providers', 'openai', 'api_key', 'command'],
    ],
    ['an endpoint that is no URL', { endpoints: { localhost: {} } }, ['endpoints', 'localhost']],
    ['a negative price', { prices: { x: { input: -1, output: 0 } } }, ['prices', 'x', 'input']],
    ['no tries', { retry: { max_tries: 0 } }, ['retry', 'max_tries']],
    ['no concurrency', { concurrency: { default: 0 } }, ['concurrency', 'default']],
  ])('refuses %s', (_name, config, path) => {
    const checked = modelsConfigSchema.safeParse(config);
    expect(checked.success).toBe(false);
    expect(checked.error?.issues.map((issue) => issue.path)).toContainEqual(path);
  });

  test('takes secrets from the environment and from commands', () => {
    const config = {
      providers: {
        anthropic: {
          api_key: { environment: 'MY_KEY' },
          base_url: 'https://proxy.test/v1',
          headers: { 'x-team': 'a' },
        },
        openai: { api_key: { command: ['op', 'read', 'op://x/y'] }, settings: { organization: 'o' } },
      },
      endpoints: { 'http://localhost:8080/v1': { headers: { 'x-api-key': { environment: 'LOCAL' } } } },
    };
    expect(modelsConfigSchema.parse(config)).toEqual(config);
  });
});
