import { describe, expect, test } from 'vitest';
import { assay } from './run-cli.js';
import { suiteProject, yesCases } from './suite-project.js';

function jsonLines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}

describe('assay run --progress json', () => {
  test('says on stderr, one document a line, how far the run is; stdout stays the result', async () => {
    const made = suiteProject(`trials: 2\n${yesCases(['a', 'b'])}`, { a: 'yes', b: ['no', 'throw:x'] });
    const ended = await assay(made.root, ['run', '-s', 'evals/s.yaml', '--json', '--progress', 'json']);
    const report = JSON.parse(ended.stdout);
    const lines = jsonLines(ended.stderr);
    expect(lines.map(({ event }) => event)).toEqual(['start', 'trial', 'trial', 'trial', 'trial', 'end']);
    for (const line of lines) {
      expect(line).toMatchObject({ schema: 'assay/progress/v1', suite: 's', run: report.run_id, planned: 4 });
    }
    expect(lines.map(({ done }) => done)).toEqual([0, 1, 2, 3, 4, 4]);
    expect(lines.at(-1)).toMatchObject({ passed: 2, failed: 1, errors: 1, reused: 0, cost: 0 });
  });

  test('says no run where none is stored', async () => {
    const made = suiteProject(yesCases(['a']), { a: 'yes' });
    const ended = await assay(made.root, ['run', '-s', 'evals/s.yaml', '--no-store', '--progress', 'json']);
    expect(jsonLines(ended.stderr)[0]).toMatchObject({ event: 'start', run: null });
  });
});

describe('assay run --no-spend', () => {
  test('refuses agents that may ask models of their own, before any is started', async () => {
    const made = suiteProject(yesCases(['a']), { a: 'yes' });
    const ended = await assay(made.root, ['run', '-s', 'evals/s.yaml', '--no-spend']);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/agents of the kind module may ask models of their own/);
    expect(ended.stdout).toBe('');
  });

  test('lets stored answers be graded, and makes errors of a judge that may bill', async () => {
    const made = suiteProject(
      'agent: prompt\ncases:\n  - { id: a, prompt: p, assert: [{ type: llm-assert, value: [x] }] }\n',
      {},
      { 'out.jsonl': '{"id":"a","trial":1,"output":"yes"}\n' },
    );
    const words = [
      'run',
      '-s',
      'evals/s.yaml',
      '--outputs',
      'out.jsonl',
      '--trials',
      '1',
      '--judge',
      'openai:x',
    ];
    const ended = await assay(made.root, [...words, '--no-spend', '--json']);
    expect(JSON.parse(ended.stdout)).toMatchObject({ outcome: 'error' });
    expect(ended.stdout).toContain('openai:x may bill an account');
  });
});
