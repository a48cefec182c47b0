import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, describe, expect, it } from 'vitest';
import { assay, echoFixture, project } from './run-cli.js';

const unix = it.skipIf(process.platform === 'win32' || !existsSync('/dev/zero'));

const PLACES = ['evals/regression/a.json', 'evals/s.yaml', 'assay.config.yaml'] as const;
const WORDS = {
  'evals/regression/a.json': ['-s', 'evals/regression'],
  'evals/s.yaml': ['-s', 'evals/s.yaml'],
  'assay.config.yaml': [],
};

const STRANGE = {
  pipe: (path: string) => void spawnSync('mkfifo', [path]),
  device: (path: string) => symlinkSync('/dev/zero', path),
  directory: (path: string) => mkdirSync(path),
};

describe.each(PLACES)('in the place of %s', (place) => {
  unix.each(Object.entries(STRANGE))('a %s is refused at once', async (what, make) => {
    const one = project({
      'evals/regression/a.json': echoFixture('a'),
      'evals/s.yaml': '',
      'assay.config.yaml': 'eval: {}\n',
    });
    onTestFinished(() => one.remove());
    rmSync(join(one.root, place));
    make(join(one.root, place));
    const ended = await assay(one.root, ['run', ...WORDS[place]]);
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toMatch(place === 'evals/s.yaml' ? /suite not found|no fixtures/ : what);
    expect(ended.stderr).not.toContain('unexpected error');
  });

  it('text that is not UTF-8 is refused', async () => {
    const one = project({
      'evals/regression/a.json': echoFixture('a'),
      'evals/s.yaml': '',
      'assay.config.yaml': 'eval: {}\n',
    });
    onTestFinished(() => one.remove());
    spawnSync(process.execPath, [
      '-e',
      `require('fs').writeFileSync(${JSON.stringify(join(one.root, place))}, Buffer.from([0x23, 0x20, 0xe9, 0x0a]))`,
    ]);
    const ended = await assay(one.root, ['run', ...WORDS[place]]);
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toContain('is not UTF-8 text');
  });
});

describe('a program and YAML with the same mistakes', () => {
  it('are refused with the same problems', async () => {
    const yaml =
      "trials: 0\nnope: 1\ncases:\n  - { id: a, prompt: p, assert: [{ type: regex, value: '(' }] }\n  - { id: b, prompt: p, assert: [] }\n";
    const program =
      "export default { trials: 0, nope: 1, cases: [{ id: 'a', prompt: 'p', assert: [{ type: 'regex', value: '(' }] }, { id: 'b', prompt: 'p', assert: [] }] };\n";
    const one = project({
      'evals/s.yaml': yaml,
      'evals/p.suite.mjs': program,
      'assay.config.yaml': 'eval: {}\n',
    });
    onTestFinished(() => one.remove());
    const problems = async (suite: string): Promise<unknown[]> => {
      const ended = await assay(one.root, ['run', '-s', suite, '--json']);
      const document: { error: { problems: { key: string; message: string; fix: string }[] } } = JSON.parse(
        ended.stdout,
      );
      return document.error.problems.map(({ key, message, fix }) => `${key}: ${message}; ${fix}`).toSorted();
    };
    const found = await problems('evals/s.yaml');
    expect(found).toHaveLength(4);
    expect(await problems('evals/p.suite.mjs')).toEqual(found);
  });

  it('name two cases of one id by their places', async () => {
    const one = project({
      'evals/p.suite.mjs':
        "const one = { id: 'a', prompt: 'p', assert: [{ type: 'contains', value: 'x' }] };\nexport default { cases: [one, { ...one, id: 'b' }, { ...one }] };\n",
      'assay.config.yaml': 'eval: {}\n',
    });
    onTestFinished(() => one.remove());
    const ended = await assay(one.root, ['run', '-s', 'evals/p.suite.mjs']);
    expect(ended.stderr).toContain('is used twice: by cases[0] and cases[2]');
  });
});
