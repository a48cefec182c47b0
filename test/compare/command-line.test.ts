import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Comparison, Flakiness, Plan } from '../../src/compare/index.js';
import type { RunSummary } from '../../src/core/index.js';
import { listRuns, readRun, type StoredRun } from '../../src/store/index.js';
import { temporaryDirectory } from '../store/builders.js';
import { printed, runCommandLine } from '../cli/printed.js';
import { ids, storeRun, type Outcomes } from './support.js';

const SUITE = `name: greetings
type: regression
cases:
${ids(4)
  .map(
    (id) =>
      `  - id: ${id}\n    prompt: Greet ${id}.\n    assert:\n      - type: contains\n        value: hello`,
  )
  .join('\n')}
`;
/** Case c0 never passes, c1 in two trials of three; the others always. */
const MODEL = `export const agent = ({ caseId, trial }) => ({
  text: caseId === 'c0' || (caseId === 'c1' && trial % 3 === 0) ? 'go away' : 'hello',
  usage: { inputTokens: 10, outputTokens: 5 }, cost: 0.01, model: 'agent-1' });
`;

interface Shop {
  root: string;
  store: string;
  config: string;
  suite: string;
  path(name: string): string;
}

function workshop(): Shop {
  const root = temporaryDirectory();
  const path = (name: string): string => join(root, name);
  writeFileSync(path('greetings.yaml'), SUITE);
  writeFileSync(path('model.mjs'), MODEL);
  writeFileSync(path('assay.config.yaml'), 'eval:\n  live_provider: "module:./model.mjs#agent"\n');
  return {
    root,
    path,
    store: path('.assay'),
    config: path('assay.config.yaml'),
    suite: path('greetings.yaml'),
  };
}

function uniform(count: number, outcomes: Outcomes): Record<string, Outcomes> {
  return Object.fromEntries(ids(count).map((id) => [id, outcomes]));
}

async function runOnce(shop: Shop, words: readonly string[]): Promise<{ code: number; run: StoredRun }> {
  const out = shop.path('report.json');
  const code = await runCommandLine([
    'run',
    shop.suite,
    '--config',
    shop.config,
    '-q',
    '-o',
    out,
    '--json',
    ...words,
  ]);
  const [newest] = listRuns(shop.store).runs;
  return { code, run: readRun(newest?.directory ?? '') };
}

describe('assay compare', () => {
  it('prints the verdict in every form and gates on it only when asked', async () => {
    const { root, store, config } = workshop();
    const good = await storeRun({ cases: uniform(30, [1, 1]) }, store);
    const bad = await storeRun({ cases: uniform(30, [0, 1]) }, store);
    const words = ['compare', good, bad, '--config', config];
    const table = await printed(words);
    expect(table.code).toBe(0);
    expect(table.stdout).toContain('B is worse');
    expect(table.stdout).toContain('0 better, 30 worse, 0 same');
    const json = await printed([...words, '--json', '--gate']);
    expect(json.code).toBe(1);
    const comparison = JSON.parse(json.stdout) as Comparison;
    expect(comparison).toMatchObject({ schema: 'assay/comparison/v1', tolerance: 0.05 });
    expect(comparison.comparisons[0]?.difference.difference).toBe(-0.5);
    const markdown = await printed([...words, '--format', 'markdown', '-o', join(root, 'out.md')]);
    expect(markdown.stdout).toBe('');
    expect(readFileSync(join(root, 'out.md'), 'utf8')).toMatch(/^## Comparison of demo/);
  });

  it('ends with 3 for not enough data, with 0 where that is allowed, and with 2 for a wrong command line', async () => {
    const { store, config } = workshop();
    const one = await storeRun({ cases: uniform(5, [1, 0]) }, store);
    const two = await storeRun({ cases: uniform(5, [0, 1]) }, store);
    const words = ['compare', one, two, '--config', config, '--gate'];
    expect((await printed(words)).code).toBe(1);
    expect((await printed([...words, '--allow-undecided'])).code).toBe(0);
    expect((await printed(['compare', one, '--config', config])).code).toBe(2);
    expect((await printed(['compare', one, one, '--config', config])).code).toBe(2);
    expect((await printed(['compare', one, two, '--tolerance', '5'])).code).toBe(2);
  });
});

describe('assay plan', () => {
  it('asks nothing, stores nothing, and expects what an earlier run took', async () => {
    const shop = workshop();
    const words = ['plan', shop.suite, '--config', shop.config, '-t', '2', '--json'];
    const before = JSON.parse((await printed(words)).stdout) as Plan;
    expect(before).toMatchObject({ cases: 4, trials: 8, judgeCalls: 0 });
    expect(before.expected.cost).toBeNull();
    expect(existsSync(join(shop.store, 'runs'))).toBe(false);
    await runOnce(shop, ['-t', '1']);
    const after = JSON.parse((await printed(words)).stdout) as Plan;
    expect(after.expected).toMatchObject({ inputTokens: 80, outputTokens: 40, knownTrials: 8 });
    expect(after.expected.cost).toBeCloseTo(0.08, 12);
    const wanted = JSON.parse((await printed([...words, '--effect', '0.3'])).stdout) as Plan;
    expect(wanted.wanted?.effect).toBe(0.3);
  });
});

describe('assay run with a stopping rule', () => {
  it('writes the rule into the header and stops each case by it', async () => {
    const shop = workshop();
    const { code, run } = await runOnce(shop, ['--stop', 'sprt', '--bar', '0.95', '--drop-to', '0.7']);
    expect(code).toBe(1);
    expect(run.header.settings?.['stop']).toMatchObject({
      rule: 'sprt',
      first: 1,
      most: 30,
      bar: 0.95,
      dropTo: 0.7,
    });
    expect(run.find('c0')?.trials).toHaveLength(2);
    expect(run.find('c2')?.trials).toHaveLength(8);
    const summary: RunSummary | null = run.summary;
    expect(summary?.outcome).toBe('failed');
  });

  it('goes on only under the rule it was begun with', async () => {
    const shop = workshop();
    const { run } = await runOnce(shop, ['--sequential', '3,10']);
    expect(run.header.settings?.['stop']).toMatchObject({ rule: 'sequential', looks: [3, 10] });
    expect(run.find('c0')?.trials).toHaveLength(3);
    const id = run.header.runId;
    const base = [
      'run',
      '--config',
      shop.config,
      '-q',
      '-o',
      shop.path('again.json'),
      '--json',
      '--resume',
      id,
    ];
    expect(await runCommandLine([...base, '--suite', shop.suite, '--stop', 'sprt'])).toBe(2);
    expect(await runCommandLine([...base, '--suite', shop.suite])).toBe(2);
    expect(await runCommandLine(base)).toBe(1);
    expect(readRun(run.directory).find('c0')?.trials).toHaveLength(3);
  });

  it('refuses rules that contradict each other', async () => {
    const shop = workshop();
    const run = (...words: string[]) =>
      runCommandLine(['run', shop.suite, '--config', shop.config, '-q', ...words]);
    expect(await run('--stop', 'sprt', '--sequential', '3,10')).toBe(2);
    expect(await run('--stop', 'sprt', '--curtail')).toBe(2);
    expect(await run('--bar', '0.9')).toBe(2);
    expect(await run('--sequential', '10,3')).toBe(2);
    expect(await run('--stop', 'sprt', '--bar', '0.5', '--drop-to', '0.9')).toBe(1);
  });

  it('writes its budget into the header before it spends any of it', async () => {
    const shop = workshop();
    const { run } = await runOnce(shop, ['-t', '3', '--budget', '0.001']);
    expect(run.header.settings?.['budget']).toEqual({ cost: 0.001, tokens: null });
    expect(run.summary?.totals.cases).toBe(4);
  });
});

describe('assay flaky', () => {
  it('finds the noise of the agent and none of the grader', async () => {
    const shop = workshop();
    await runOnce(shop, ['-t', '3']);
    const { code, stdout } = await printed(['flaky', 'latest', '--config', shop.config, '--json', '-q']);
    const flaky = JSON.parse(stdout) as Flakiness;
    expect(code).toBe(0);
    expect(flaky.cases[0]).toMatchObject({ id: 'c1', passed: 2, scored: 3, grader: 0, harness: null });
    expect(flaky.cases[0]?.index).toBeCloseTo(2 / 3, 12);
    expect(flaky.variance).toMatchObject({ cases: 4, trials: 3, grader: 0 });
  });
});
