import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, describe, expect, it } from 'vitest';
import { assay, project, type Project } from './run-cli.js';
import { runJson, suiteProject, yesCases } from './suite-project.js';

function made(files: Record<string, unknown>): Project {
  const one = project(files);
  onTestFinished(() => one.remove());
  return one;
}

describe('a configuration that is wrong', () => {
  it.each([
    ['run', '--json'],
    ['run', '--format', 'json'],
    ['lint', '--json'],
    ['suite', 'list', '--json'],
    ['list', '--json'],
  ])('is one JSON document for %s %s %s, and a text on stderr', async (...words) => {
    const { root } = made({ 'assay.config.yaml': 'eval: { nope: 1 }\n' });
    const ended = await assay(root, words);
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      outcome: 'error',
      exit_code: 1,
      error: { code: 'CONFIG', problems: [{ key: 'eval.nope', line: 1 }] },
    });
    expect(ended.stderr).toContain('assay.config.yaml:1:9 eval.nope');
  });

  it('is in the file that --out names, and then not on stdout', async () => {
    const { root } = made({ 'assay.config.yaml': 'eval: { nope: 1 }\n' });
    const ended = await assay(root, ['run', '--json', '--out', 'x.json']);
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(JSON.parse(readFileSync(join(root, 'x.json'), 'utf8'))).toMatchObject({
      error: { code: 'CONFIG' },
    });
  });

  it('prints no document where none is asked for', async () => {
    const { root } = made({ 'assay.config.yaml': 'eval: { nope: 1 }\n' });
    expect((await assay(root, ['lint'])).stdout).toBe('');
  });
});

describe('golden files', () => {
  const golden = (name: string): string => `assert: [{ type: matches-file, value: ${name} }]`;

  it('that two trials answer differently stay as they were, and the run does not pass', async () => {
    const one = suiteProject(
      `trials: 3\ncases:\n  - { id: a, prompt: p, ${golden('gold.txt')} }\n`,
      { a: ['first', 'second', 'second'] },
      { 'evals/gold.txt': 'kept' },
    );
    const { report, ended } = await runJson(one, ['--update', '--concurrency', '1']);
    expect([ended.code, report.outcome]).toEqual([1, 'error']);
    expect(JSON.stringify(report)).toContain('two answers of this run differ, and both would be');
    expect(readFileSync(join(one.root, 'evals/gold.txt'), 'utf8')).toBe('kept');
  });

  it('that two cases answer differently are not made', async () => {
    const one = suiteProject(
      `trials: 1\ncases:\n  - { id: a, prompt: p, ${golden('gold.txt')} }\n  - { id: b, prompt: p, ${golden('gold.txt')} }\n`,
      { a: 'one', b: 'two' },
    );
    expect((await runJson(one, ['--update'])).ended.code).toBe(1);
    expect(existsSync(join(one.root, 'evals/gold.txt'))).toBe(false);
  });

  it('on which all answers agree are written', async () => {
    const one = suiteProject(`trials: 2\ncases:\n  - { id: a, prompt: p, ${golden('gold.txt')} }\n`, {
      a: 'same',
    });
    expect((await runJson(one, ['--update'])).ended.code).toBe(0);
    expect(readFileSync(join(one.root, 'evals/gold.txt'), 'utf8')).toBe('same\n');
  });
});

describe('stored outputs', () => {
  const row = (id: string, trial: number): string => JSON.stringify({ id, trial, output: 'yes' });
  const stored = (lines: readonly string[]): Project =>
    suiteProject(
      `agent: prompt\ntrials: 1\n${yesCases(['a', 'b'])}`,
      {},
      { 'out.jsonl': `${lines.join('\n')}\n` },
    );

  it('without a use are named with their lines, unknown ids and trials that are not graded', async () => {
    const one = stored([row('a', 1), row('b', 1), row('c', 1), row('a', 2)]);
    const { ended } = await runJson(one, ['--outputs', 'out.jsonl']);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('1 id of out.jsonl is no case of s: "c" (line 3)');
    expect(ended.stderr).toContain(
      '1 answer of out.jsonl is of a trial that is not graded: "a" trial 2 (line 4)',
    );
  });

  it('that are all used are not spoken of', async () => {
    const { ended } = await runJson(stored([row('a', 1), row('b', 1)]), ['--outputs', 'out.jsonl']);
    expect(ended.stderr).not.toContain('note:');
  });

  it('that are wrong are refused with every line, one of two for the same trial among them', async () => {
    const one = stored([
      row('a', 1),
      row('a', 1),
      '{bad',
      row('b', 0),
      '[1]',
      '{"id":"b","trial":1,"ouput":"x"}',
    ]);
    const { ended } = await runJson(one, ['--outputs', 'out.jsonl']);
    expect(ended.code).toBe(1);
    for (const place of [
      '2:11 trial: trial 1 of "a" is here twice, first in line 1',
      '3:2: not JSON',
      '4:10 trial',
      '5:1: not',
      '6:21 ouput: unknown key',
    ]) {
      expect(ended.stderr.replaceAll(/:(\d+):\d+/g, ':$1:')).toContain(
        `out.jsonl:${place.replace(/^(\d+):\d+/, '$1:')}`,
      );
    }
  });
});
