import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemSource } from '../../src/core/index.js';
import {
  clearCache,
  resolveModel,
  type ModelContext,
  type ModelRequest,
  type ModelServices,
} from '../../src/model/index.js';
import { completion, failure, startLoopback, type Answer, type Loopback } from './loopback.js';
import { ask, callModel, testServices } from './support.js';

let directory = '';
let cacheDirectory = '';
let server: Loopback;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'assay-cache-'));
  cacheDirectory = join(directory, 'cache');
  let count = 0;
  server = await startLoopback((response, request) => {
    count += 1;
    completion({ content: `answer ${count}` })(response, request);
  });
});

afterEach(async () => {
  await server.close();
  await rm(directory, { recursive: true, force: true });
});

async function call(
  more: Partial<ModelRequest> = {},
  services: Partial<ModelServices> = {},
  context: Partial<ModelContext> = {},
) {
  const resolved = await resolveModel(`openai-compatible:m@${server.url}`, {
    directory,
    environment: {},
    source: systemSource(),
    ...context,
  });
  return callModel(
    resolved,
    ask('hello', { cache: true, ...more }),
    testServices({ cacheDirectory, ...services }),
  );
}

async function entries(): Promise<string[]> {
  if (!existsSync(cacheDirectory)) return [];
  const found = await readdir(cacheDirectory, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe('a cached answer', () => {
  test('is the earlier one, marked, with its own latency, cost and tries', async () => {
    const prices = { m: { input: 1, output: 1 }, 'served-model-1': { input: 1, output: 1 } };
    const first = await call({}, { prices });
    const second = await call({}, { prices });
    expect(first.cached).toBe(false);
    expect(second).toEqual({ ...first, cached: true });
    expect(server.seen).toHaveLength(1);
  });

  test('is per trial: three trials are three calls, then none on the next run', async () => {
    const run = async () =>
      Promise.all([1, 2, 3].map(async (trialIndex) => (await call({ trialIndex })).text));
    const first = await run();
    expect(new Set(first).size).toBe(3);
    expect(await run()).toEqual(first);
    expect(server.seen).toHaveLength(3);
  });

  test.each<[string, Partial<ModelRequest>, Partial<ModelServices>, Partial<ModelContext>]>([
    ['another prompt', { prompt: ask('other').prompt }, {}, {}],
    ['another system text', { system: 'x' }, {}, {}],
    ['another temperature', { temperature: 0.5 }, {}, {}],
    ['another case', { caseId: 'other' }, {}, {}],
    ['another format', { responseFormat: { type: 'json' } }, {}, {}],
    ['another version of Assay', {}, { version: '9.9.9' }, {}],
    ['another effort', {}, {}, { effort: 'low' }],
  ])('is not given for %s', async (_name, request, services, context) => {
    await call();
    expect((await call(request, services, context)).cached).toBe(false);
    expect(server.seen).toHaveLength(2);
  });

  test('tells images by their address', async () => {
    const image = (url: string): Partial<ModelRequest> => ({
      prompt: [{ role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: new URL(url) }] }],
    });
    await call(image('https://x.test/a.png'));
    expect((await call(image('https://x.test/b.png'))).cached).toBe(false);
    expect((await call(image('https://x.test/a.png'))).cached).toBe(true);
  });

  test('is found again although the boundaries of the prompt are random', async () => {
    const fenced = (boundary: string, text: string): Partial<ModelRequest> => ({
      prompt: ask(`<${boundary}>\n${text}\n</${boundary}>`).prompt,
      volatile: [boundary],
    });
    await call(fenced('b"1\n', 'same'));
    expect((await call(fenced('b"2\n', 'same'))).cached).toBe(true);
    expect((await call(fenced('b"3\n', 'other'))).cached).toBe(false);
  });

  test('is used only when the call asks for it and there is a directory', async () => {
    await call({ cache: false });
    await call({}, { cacheDirectory: null });
    expect(await entries()).toEqual([]);
    await call();
    expect((await call({ cache: false })).cached).toBe(false);
  });
});

describe('what is kept', () => {
  test.each<[string, (text: string) => string]>([
    ['cut', (text) => text.slice(0, -20)],
    ['emptied', () => ''],
    ['changed', (text) => text.replace('answer 1', 'answer 7')],
    ['of another schema', (text) => text.replace('model-cache/v1', 'model-cache/v0')],
    ['of another request', (text) => text.replace(/"key":"./, '"key":"z')],
    ['something else', () => '[]'],
  ])('an entry that is %s is a miss, and is replaced', async (_name, damage) => {
    await call();
    const [file] = await entries();
    if (file === undefined) throw new Error('nothing was cached');
    await writeFile(file, damage(await readFile(file, 'utf8')));
    expect(await call()).toMatchObject({ text: 'answer 2', cached: false });
    expect(await call()).toMatchObject({ text: 'answer 2', cached: true });
  });

  test('is private and whole: no temporary file stays, and nobody else may read it', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => call({ trialIndex: (index % 4) + 1 })));
    const files = await entries();
    expect(files).toHaveLength(4);
    for (const file of files) {
      expect(file).toMatch(/[0-9a-f]{64}\.json$/);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
  });

  test.each<[string, Answer]>([
    ['a failure', failure(400, 'no')],
    ['a filtered answer', completion({ content: 'half' }, {}, 'content_filter')],
  ])('%s is never kept', async (_name, answer) => {
    const other = await startLoopback(answer, completion({ content: 'good' }));
    const resolved = await resolveModel(`openai-compatible:m@${other.url}`, {
      directory,
      environment: {},
      source: systemSource(),
    });
    const services = testServices({ cacheDirectory });
    await callModel(resolved, ask('x', { cache: true }), services).catch(() => undefined);
    expect(await callModel(resolved, ask('x', { cache: true }), services)).toMatchObject({
      text: 'good',
      cached: false,
    });
    await other.close();
  });

  test('a directory that cannot be written costs a warning, not the answer', async () => {
    await writeFile(cacheDirectory, 'a file, not a directory');
    const answer = await call();
    expect(answer.text).toBe('answer 1');
    expect(answer.warnings.join()).toContain('could not be cached');
  });
});

describe('clearing the cache', () => {
  test('removes its entries and nothing else', async () => {
    await call();
    await call({ trialIndex: 2 });
    const precious = join(directory, 'precious');
    await mkdir(precious);
    await writeFile(join(precious, `${'a'.repeat(64)}.json`), 'mine');
    await symlink(precious, join(cacheDirectory, 'aa'));
    await writeFile(join(cacheDirectory, 'notes.json'), 'mine');
    await mkdir(join(cacheDirectory, 'bb'));
    await writeFile(join(cacheDirectory, 'bb', 'README'), 'mine');
    expect(await clearCache(cacheDirectory)).toBe(2);
    expect(await clearCache(cacheDirectory)).toBe(0);
    expect((await entries()).toSorted()).toEqual([
      join(cacheDirectory, 'bb', 'README'),
      join(cacheDirectory, 'notes.json'),
    ]);
    expect(await readdir(precious)).toHaveLength(1);
    expect((await call()).cached).toBe(false);
  });

  test('a cache that is not there is empty', async () => {
    expect(await clearCache(join(directory, 'absent'))).toBe(0);
  });
});
