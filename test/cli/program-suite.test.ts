import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assay, project, type Project } from './run-cli.js';

const ROOT = resolve(import.meta.dirname, '../..');

interface Manifest {
  dependencies: Record<string, string>;
}

/** Unpacks what would be published into node_modules, with its dependencies linked beside it. */
function install(made: Project): void {
  const packed = mkdtempSync(join(tmpdir(), 'assay-packed-'));
  try {
    const listed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', packed], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [{ filename }]: [{ filename: string }] = JSON.parse(listed);
    execFileSync('tar', ['-xzf', join(packed, filename), '-C', packed]);
    mkdirSync(join(made.root, 'node_modules'), { recursive: true });
    cpSync(join(packed, 'package'), join(made.root, 'node_modules/assay'), { recursive: true });
  } finally {
    rmSync(packed, { recursive: true, force: true });
  }
  const { dependencies }: Manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    const target = join(made.root, 'node_modules', name);
    mkdirSync(resolve(target, '..'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), target);
  }
}

describe('a suite that is a program', () => {
  let made: Project;
  beforeAll(() => {
    made = project({
      'package.json': { name: 'user', type: 'module' },
      'tsconfig.json': { compilerOptions: { paths: { '#words/*': ['./lib/*'] } } },
      'lib/list.ts': "export const words: string[] = ['alpha', 'beta'];\n",
      'agent.ts': 'export default async ({ caseId }: { caseId: string }) => `the word is ${caseId}`;\n',
      'evals/words.suite.ts': `import { defineSuite } from 'assay';
import { words } from '#words/list.ts';

export default defineSuite({
  agent: { module: '../agent.ts' },
  trials: 1,
  gate: 'all',
  cases: words.map((word) => ({ id: word, prompt: 'Say ' + word, assert: [{ type: 'contains', value: word }] })),
});
`,
      'evals/wrong.suite.ts': `import { defineSuite } from 'assay';
export default defineSuite({ trials: 0, cases: [{ id: 'a', prompt: 'p', assert: [] }] });
`,
    });
    install(made);
  }, 120_000);
  afterAll(() => made.remove());

  it('imports defineSuite from an installed copy, and runs like any other', async () => {
    const ended = await assay(made.root, ['run', '-s', 'evals/words.suite.ts', '--json']);
    expect(ended.stderr).not.toContain('assay:');
    const report: unknown = JSON.parse(ended.stdout);
    expect(report).toMatchObject({
      suite: 'words',
      format: 'program',
      outcome: 'passed',
      cases: [{ id: 'alpha' }, { id: 'beta' }],
    });
    expect(ended.code).toBe(0);
  });

  it('is found by its name', async () => {
    const ended = await assay(made.root, ['run', 'words', '--case', 'beta']);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('beta');
  });

  it('is held to the same rules, with every problem by its key', async () => {
    const ended = await assay(made.root, ['run', '-s', 'evals/wrong.suite.ts']);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('trials');
    expect(ended.stderr).toContain('cases[0].assert');
  });
});
