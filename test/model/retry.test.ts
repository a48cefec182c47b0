import { tmpdir } from 'node:os';
import { afterEach, describe, expect, test } from 'vitest';
import { fixedSource, systemSource } from '../../src/core/index.js';
import {
  createLimits,
  DEFAULT_RETRY,
  isTransient,
  ModelError,
  nextWait,
  readRetryAfter,
  resolveModel,
  retryPolicy,
  trialErrorKind,
  type ResolvedModel,
} from '../../src/model/index.js';
import { completion, failure, json, startLoopback, type Answer, type Loopback } from './loopback.js';
import { ask, callModel, failureOf, testServices } from './support.js';

const servers: Loopback[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function start(...answers: Answer[]): Promise<{ server: Loopback; resolved: ResolvedModel }> {
  const server = await startLoopback(...answers);
  servers.push(server);
  const context = { directory: tmpdir(), environment: {}, source: systemSource() };
  return { server, resolved: await resolveModel(`openai-compatible:m@${server.url}`, context) };
}

const good = completion({ content: 'hi' });

describe('a transient failure is tried again', () => {
  test.each([408, 409, 425, 429, 500, 502, 503, 504, 522, 529])('status %i', async (status) => {
    const { server, resolved } = await start(failure(status, 'busy'), good);
    const answer = await callModel(resolved, ask('hello'), testServices());
    expect(answer.text).toBe('hi');
    expect(answer.tries).toHaveLength(2);
    expect(answer.tries[0]).toMatchObject({ status, error: expect.stringContaining('busy') });
    expect(answer.tries[1]).toMatchObject({ status: null, kind: null, error: null, waitMs: 0 });
    expect(server.seen).toHaveLength(2);
  });

  test('a connection that breaks before the answer, in its head and in its body', async () => {
    const { resolved } = await start(
      (response) => response.socket?.destroy(),
      (response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"choices":', () => response.socket?.destroy());
      },
      good,
    );
    const answer = await callModel(resolved, ask('hello'), testServices());
    expect(answer.text).toBe('hi');
    expect(answer.tries).toHaveLength(3);
    for (const failed of answer.tries.slice(0, 2)) expect(['network', 'cut']).toContain(failed.kind);
  });

  test('a server that is not there is a network failure after all tries', async () => {
    const { server, resolved } = await start(good);
    await server.close();
    const error = await failureOf(callModel(resolved, ask('hello'), testServices()));
    expect(error.kind).toBe('network');
    expect(error.tries).toHaveLength(4);
    expect(error.tries.at(-1)?.waitMs).toBe(0);
  });

  test('a 429 with Retry-After is waited for in full, and the wait is recorded', async () => {
    const { resolved } = await start(
      failure(429, 'slow down', { 'retry-after-ms': '40' }),
      failure(429, 'x', { 'retry-after': '0' }),
      good,
    );
    const answer = await callModel(resolved, ask('hello'), testServices());
    expect(answer.tries.map((entry) => entry.kind)).toEqual(['rate-limit', 'rate-limit', null]);
    expect(answer.tries[0]?.waitMs).toBeGreaterThanOrEqual(40);
    expect(answer.tries[0]?.waitMs).toBeLessThanOrEqual(44);
    expect(answer.tries[1]?.waitMs).toBe(0);
  });
});

describe('anything else is tried once', () => {
  test.each([400, 402, 403, 404, 413, 422, 501, 505])('status %i', async (status) => {
    const { server, resolved } = await start(failure(status, 'no'));
    const error = await failureOf(callModel(resolved, ask('hello'), testServices()));
    expect(error.status).toBe(status);
    expect(error.tries).toHaveLength(1);
    expect(server.seen).toHaveLength(1);
  });

  test('a 400 whose text contains 429 and speaks of limits', async () => {
    const { server, resolved } = await start(
      failure(400, 'rate limit: order 14290 not found, error 429, retry later'),
    );
    const error = await failureOf(callModel(resolved, ask('hello'), testServices()));
    expect(error).toMatchObject({ kind: 'http', status: 400 });
    expect(server.seen).toHaveLength(1);
  });

  test('a time-out, on slow bytes that never end', async () => {
    const { server, resolved } = await start((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 10);
      response.on('close', () => {
        clearInterval(drip);
      });
    });
    const error = await failureOf(callModel(resolved, ask('hello', { timeoutMs: 300 }), testServices()));
    expect(error.kind).toBe('timeout');
    expect(trialErrorKind(error)).toBe('timeout');
    expect(server.seen).toHaveLength(1);
  });

  test('slow bytes that end in time are an answer', async () => {
    const { resolved } = await start((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const bytes = Buffer.from(JSON.stringify({ choices: [{ message: { content: 'slow é' } }] }));
      const step = (at: number): void => {
        if (at >= bytes.length) response.end();
        else response.write(bytes.subarray(at, at + 1), () => setImmediate(step, at + 1));
      };
      step(0);
    });
    expect((await callModel(resolved, ask('hello'), testServices())).text).toBe('slow é');
  });
});

describe('the caps hold', () => {
  test('retries can be switched off', async () => {
    const { server, resolved } = await start(failure(429, 'x', { 'retry-after': '30' }));
    const error = await failureOf(
      callModel(resolved, ask('hello', { retry: { maxTries: 1 } }), testServices()),
    );
    expect(error).toMatchObject({ kind: 'rate-limit', status: 429, retryAfterMs: 30_000 });
    expect(server.seen).toHaveLength(1);
  });

  test('a server that asks for more than the cap is not waited for', async () => {
    const { server, resolved } = await start(failure(503, 'x', { 'retry-after': '3600' }));
    const error = await failureOf(callModel(resolved, ask('hello'), testServices()));
    expect(error.retryAfterMs).toBe(3_600_000);
    expect(server.seen).toHaveLength(1);
  });

  test('the sum of waits is capped', async () => {
    const { server, resolved } = await start(failure(503, 'x', { 'retry-after-ms': '50' }));
    const retry = { maxTries: 10, maxTotalWaitMs: 120 };
    const error = await failureOf(callModel(resolved, ask('hello', { retry }), testServices()));
    expect(server.seen).toHaveLength(3);
    expect(error.tries.map((entry) => entry.waitMs > 0)).toEqual([true, true, false]);
  });

  test('a wait can be interrupted', async () => {
    const { server, resolved } = await start(failure(503, 'x', { 'retry-after': '4' }));
    const interrupt = new AbortController();
    const pending = failureOf(
      callModel(resolved, ask('hello', { signal: interrupt.signal }), testServices()),
    );
    while (server.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    interrupt.abort();
    const error = await pending;
    expect(error.kind).toBe('cancelled');
    expect(trialErrorKind(error)).toBe('cancelled');
    expect(server.seen).toHaveLength(1);
    expect(error.tries).toHaveLength(1);
  });

  test('the configured policy is in seconds, with defaults for the rest', () => {
    expect(retryPolicy(undefined)).toEqual(DEFAULT_RETRY);
    expect(retryPolicy({ max_tries: 2, base_secs: 0.5 })).toEqual({
      ...DEFAULT_RETRY,
      maxTries: 2,
      baseMs: 500,
    });
  });
});

describe('the wait', () => {
  const policy = { maxTries: 5, baseMs: 1000, maxWaitMs: 3000, maxTotalWaitMs: 60_000 };
  const busy = new ModelError('http', 'busy', { status: 500 });
  const at = (random: number) => ({ ...fixedSource(), random: () => random });

  test('doubles with every failure up to the cap, and is between half and all of it', () => {
    const wait = (tried: number, random: number) =>
      nextWait(policy, busy, { tried, waitedMs: 0 }, at(random));
    expect([1, 2, 3, 4].map((tried) => wait(tried, 0))).toEqual([500, 1000, 1500, 1500]);
    expect([1, 2, 3, 4].map((tried) => wait(tried, 0.999_999))).toEqual([1000, 2000, 3000, 3000]);
    expect(wait(5, 0)).toBeNull();
  });

  test('is never shorter than the server asks', () => {
    const asked = new ModelError('rate-limit', 'x', { status: 429, retryAfterMs: 2000 });
    expect(nextWait(policy, asked, { tried: 1, waitedMs: 0 }, at(0))).toBe(2000);
    expect(nextWait(policy, asked, { tried: 1, waitedMs: 0 }, at(0.999_999))).toBe(2200);
    const long = new ModelError('rate-limit', 'x', { status: 429, retryAfterMs: 3001 });
    expect(nextWait(policy, long, { tried: 1, waitedMs: 0 }, at(0))).toBeNull();
  });

  test.each([
    ['refusal', null, false],
    ['usage-limit', 429, false],
    ['login-needed', 401, false],
    ['timeout', null, false],
    ['rate-limit', 429, true],
    ['http', null, false],
    ['cut', null, true],
    ['network', null, true],
  ] as const)('a %s with status %s is transient: %s', (kind, status, expected) => {
    expect(isTransient(new ModelError(kind, 'x', { status }))).toBe(expected);
  });

  test('Retry-After is read as seconds, as a date, and in milliseconds', () => {
    const now = Date.UTC(2026, 10, 30, 12, 0, 0);
    expect(readRetryAfter({ 'retry-after': '2' }, now)).toBe(2000);
    expect(readRetryAfter({ 'retry-after': '1.5' }, now)).toBe(1500);
    expect(readRetryAfter({ 'retry-after': 'Mon, 30 Nov 2026 12:00:07 GMT' }, now)).toBe(7000);
    expect(readRetryAfter({ 'retry-after': 'Mon, 30 Nov 2026 11:00:00 GMT' }, now)).toBe(0);
    expect(readRetryAfter({ 'retry-after-ms': '250', 'retry-after': '2' }, now)).toBe(250);
    for (const nonsense of ['', 'soon', '-1', '1e9', 'NaN', '2026']) {
      expect(readRetryAfter({ 'retry-after': nonsense }, now)).toBe(nonsense === '2026' ? 2_026_000 : null);
    }
    expect(readRetryAfter({}, now)).toBeNull();
  });
});

describe('the limiter of an account', () => {
  test('keeps calls to its limit, in order, and is one per account', async () => {
    let active = 0;
    let most = 0;
    const { server, resolved } = await start((response, request) => {
      active += 1;
      most = Math.max(most, active);
      setTimeout(() => {
        active -= 1;
        good(response, request);
      }, 20);
    });
    const limits = createLimits(systemSource(), { [server.url]: 2 });
    await Promise.all(
      Array.from({ length: 8 }, () => callModel(resolved, ask('hello'), testServices({ limits }))),
    );
    expect(most).toBe(2);
    expect(limits.of(server.url)).toBe(limits.of(server.url));
    expect(limits.of(server.url).active).toBe(0);
  });

  test('has fewer places for command lines, and what the configuration says for the rest', () => {
    const standard = createLimits(systemSource());
    expect(standard.of('anthropic').limit).toBe(10);
    expect(standard.of('claude-cli').limit).toBe(4);
    const configured = createLimits(systemSource(), { default: 2, 'claude-cli': 7 });
    expect(configured.of('anthropic').limit).toBe(2);
    expect(configured.of('claude-cli').limit).toBe(7);
  });

  test('a 429 halves it once an episode and a round of answers gives one place back', async () => {
    let now = 0;
    const limiter = createLimits({ ...fixedSource(), monotonic: () => now }, { default: 8 }).of('x');
    const first = await Promise.all([limiter.acquire(), limiter.acquire(), limiter.acquire()]);
    for (const permit of first) permit.release('rate-limited');
    expect(limiter.limit).toBe(4);
    now = 15_000;
    (await limiter.acquire()).release('rate-limited');
    expect(limiter.limit).toBe(2);
    for (let call = 0; call < 2; call += 1) (await limiter.acquire()).release('answered');
    expect(limiter.limit).toBe(3);
    (await limiter.acquire()).release('failed');
    expect(limiter.limit).toBe(3);
    for (let cut = 0; cut < 9; cut += 1) {
      now += 15_000;
      (await limiter.acquire()).release('rate-limited');
    }
    expect(limiter.limit).toBe(1);
  });

  test('a pause that the server asked for holds everybody', async () => {
    const limiter = createLimits(systemSource()).of('x');
    (await limiter.acquire()).release('rate-limited', 100);
    let earlier = false;
    setTimeout(() => {
      earlier = true;
    }, 20);
    await Promise.all([limiter.acquire(), limiter.acquire()]);
    expect(earlier).toBe(true);
  });

  test('a waiter that is interrupted leaves the queue and takes no place', async () => {
    const limiter = createLimits(systemSource(), { default: 1 }).of('x');
    const held = await limiter.acquire();
    const interrupt = new AbortController();
    const waiting = limiter.acquire(interrupt.signal);
    interrupt.abort(new Error('stop'));
    await expect(waiting).rejects.toThrow('stop');
    held.release('answered');
    held.release('answered');
    expect(limiter.active).toBe(0);
    (await limiter.acquire()).release('answered');
  });

  test('one 400 that mentions 429 does not slow the account down', async () => {
    const { server, resolved } = await start(json(400, { error: { message: 'order 14290 (429)' } }));
    const limits = createLimits(systemSource());
    await failureOf(callModel(resolved, ask('hello'), testServices({ limits })));
    expect(limits.of(server.url).limit).toBe(10);
  });
});
