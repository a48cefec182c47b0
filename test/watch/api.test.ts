import { request } from 'node:http';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { project, type Project } from '../cli/run-cli.js';
import { configured, start, until } from './support.js';

interface Answer {
  status: number | undefined;
  headers: Record<string, unknown>;
  body: string;
}

function ask(
  url: string,
  options: { method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((done, failed) => {
    const asked = request(url, options, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => done({ status: response.statusCode, headers: response.headers, body }));
    });
    asked.on('error', failed);
    asked.end();
  });
}

async function serving(made: Pick<Project, 'root'>, words: readonly string[] = []): Promise<string> {
  const running = start(made, ['api', '--json', ...words], { input: '' });
  await until('it serves', () => running.stdout().includes('\n'));
  const { url }: { url: string } = JSON.parse(running.stdout());
  onTestFinished(async () => {
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(0);
  });
  return url;
}

function latest(suite: string, ts: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    suite,
    type: 'regression',
    passed: true,
    score: 1,
    pass_to_k: 1,
    pass_at_k: 1,
    summary: 'pass^k 100%',
    ts,
    cases: [{ id: 'a', mean_score: 1, pass_to_k: 1, pass_at_k: 1, n: 2 }],
    outcome: 'passed',
    secret: 'not for dashboards',
    ...changes,
  };
}

describe('GET /api/evals', () => {
  it('gives the newest result of every suite that ran, in the keys of the reference', async () => {
    const made = configured();
    const ran = await start(made, ['run', '-s', 's', '--json', '-q'], { input: '' }).ended;
    const report: Record<string, unknown> = JSON.parse(ran.stdout);
    const { status, headers, body } = await ask(await serving(made));
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('application/json');
    expect(headers['access-control-allow-origin']).toBeUndefined();
    const { suites, ts }: { suites: Record<string, unknown>[]; ts: string } = JSON.parse(body);
    expect(Number.isNaN(Date.parse(ts))).toBe(false);
    expect(suites).toHaveLength(1);
    expect(Object.keys(suites[0] ?? {})).toEqual([
      'suite',
      'type',
      'passed',
      'score',
      'pass_to_k',
      'pass_at_k',
      'summary',
      'ts',
      'cases',
      'outcome',
    ]);
    const { suite, type, passed, score, summary } = report;
    expect(suites[0]).toMatchObject({ suite, type, passed, score, summary });
    expect(suites[0]?.['cases']).toEqual(
      (report['cases'] as Record<string, unknown>[]).map((one) => ({
        id: one['id'],
        mean_score: one['mean_score'],
        pass_to_k: one['pass_to_k'],
        pass_at_k: one['pass_at_k'],
      })),
    );
  });

  it('puts the newest first and leaves out what is hidden, malformed, linked or no result', async () => {
    const day = (number: number): string => `2026-03-0${number}T10:00:00.000Z`;
    const made = project({
      'assay.config.yaml': '{}\n',
      '.assay/runs/old/latest.json': latest('old', day(1)),
      '.assay/runs/new/latest.json': latest('new', day(3), {
        score: null,
        pass_to_k: null,
        pass_at_k: null,
        passed: false,
        outcome: 'error',
      }),
      '.assay/runs/middle/latest.json': latest('middle', day(2)),
      '.assay/runs/__draft__/latest.json': latest('__draft__', day(4)),
      '.assay/runs/.hidden/latest.json': latest('.hidden', day(4)),
      '.assay/runs/torn/latest.json': '{"suite": "torn", "ty',
      '.assay/runs/list/latest.json': '[]',
      '.assay/runs/odd/latest.json': latest('odd', day(4), { passed: 'yes' }),
      '.assay/runs/undated/latest.json': latest('undated', 'yesterday'),
      '.assay/runs/caseless/latest.json': latest('caseless', day(4), { cases: [{ id: 7 }] }),
      '.assay/runs/unfinished/run_1/journal.jsonl': '',
      'elsewhere/latest.json': latest('elsewhere', day(4)),
    });
    onTestFinished(made.remove);
    symlinkSync(join(made.root, 'elsewhere'), join(made.root, '.assay/runs/linked'));
    const { body } = await ask(await serving(made));
    const { suites }: { suites: { suite: string; score: number | null }[] } = JSON.parse(body);
    expect(suites.map((one) => one.suite)).toEqual(['new', 'middle', 'old']);
    expect(suites[0]?.score).toBeNull();
    expect(body).not.toContain('not for dashboards');
  });

  it('is empty where nothing has run', async () => {
    const made = project({ 'assay.config.yaml': '{}\n' });
    onTestFinished(made.remove);
    const { status, body } = await ask(await serving(made));
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ suites: [] });
  });

  it('is refused to a page that made its own name lead here', async () => {
    const made = project({ 'assay.config.yaml': '{}\n' });
    onTestFinished(made.remove);
    mkdirSync(join(made.root, '.assay'));
    const url = await serving(made);
    const { port } = new URL(url);
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1.evil.example',
      `localhost:${Number(port) + 1}`,
      '[::1',
    ])
      expect((await ask(url, { headers: { host } })).status, host).toBe(403);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`])
      expect((await ask(url, { headers: { host } })).status, host).toBe(200);
  });

  it('may be read by the pages that are named and by no other', async () => {
    const made = project({ 'assay.config.yaml': '{}\n' });
    onTestFinished(made.remove);
    const url = await serving(made, ['--allow-origin', 'http://127.0.0.1:5173/']);
    const allowed = async (origin: string): Promise<unknown> =>
      (await ask(url, { headers: { origin } })).headers['access-control-allow-origin'];
    expect(await allowed('http://127.0.0.1:5173')).toBe('http://127.0.0.1:5173');
    expect(await allowed('http://127.0.0.1:9999')).toBeUndefined();
    expect(await allowed('null')).toBeUndefined();
    const all = await start(made, ['api', '--allow-origin', '*'], { input: '' }).ended;
    expect(all.code).toBe(2);
  });

  it('is the only thing there is', async () => {
    const made = project({ 'assay.config.yaml': '{}\n' });
    onTestFinished(made.remove);
    const url = await serving(made);
    expect((await ask(url.replace('/api/evals', '/api/../../etc/passwd'))).status).toBe(404);
    expect((await ask(url, { method: 'POST' })).status).toBe(405);
    expect(await ask(url, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
    expect((await ask(`${url}?x=1`)).status).toBe(200);
  });
});
