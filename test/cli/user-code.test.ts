import { onTestFinished, describe, expect, it } from 'vitest';
import { startAgentModule } from '../../src/agent/index.js';
import { assay, project, type Ended, type Project } from './run-cli.js';
import type { Report } from './suite-project.js';

/** What the code of a user does in the case `first`; every other case is answered with yes. */
const DEEDS = {
  'ends the process with success': 'process.exit(0);',
  'ends the process with a failure': 'process.exit(5);',
  'signals the process': "process.kill(process.pid, 'SIGTERM'); return new Promise(() => {});",
  'kills the process': "process.kill(process.pid, 'SIGKILL'); return new Promise(() => {});",
  'kills the group of the process': "process.kill(0, 'SIGKILL'); return new Promise(() => {});",
  'throws where nobody waits':
    "setTimeout(() => { throw new Error('too late'); }, 1); return new Promise(() => {});",
  'rejects where nobody waits':
    "void Promise.reject(new Error('too late')); return new Promise((done) => setTimeout(done, 60_000));",
} as const;

function code(deed: string): string {
  return `export default ({ caseId }) => {\n  if (caseId === 'first') { ${deed} }\n  return 'yes';\n};\n`;
}

function made(role: 'model' | 'agent', deed: string, files: Record<string, unknown> = {}): Project {
  const one = project({
    'assay.config.yaml': role === 'model' ? 'eval: { live_provider: "module:./user.mjs" }\n' : 'eval: {}\n',
    'user.mjs': code(deed),
    'evals/s.yaml': `${role === 'agent' ? 'agent: { module: ../user.mjs }\n' : ''}trials: 1
cases:
  - { id: first, prompt: p, assert: [{ type: contains, value: yes }] }
  - { id: second, prompt: p, assert: [{ type: contains, value: yes }] }
`,
    ...files,
  });
  onTestFinished(() => one.remove());
  return one;
}

async function run(
  { root }: Project,
  words: readonly string[] = [],
): Promise<{ ended: Ended; report: Report }> {
  const ended = await assay(root, ['run', '-s', 'evals/s.yaml', '--json', '--concurrency', '1', ...words]);
  const report: Report = JSON.parse(ended.stdout);
  return { ended, report };
}

/** The error of the first case, after making sure that the second was answered. */
function firstError(report: Report): { kind: string; message: string } {
  const [first, second] = ['first', 'second'].map((id) => report.detail.find((one) => one.id === id));
  expect(second?.trials[0]).toMatchObject({ passed: true });
  const error: { kind: string; message: string } = JSON.parse(JSON.stringify(first?.trials[0]?.['error']));
  return error;
}

describe.each(['model', 'agent'] as const)('a module that is the %s', (role) => {
  it.each(Object.entries(DEEDS))('and %s costs its own trial and no other', async (_, deed) => {
    const { ended, report } = await run(made(role, deed));
    expect([ended.code, report.outcome]).toEqual([1, 'error']);
    expect(firstError(report)).toMatchObject({
      kind: role,
      message: expect.stringMatching(/thread ended with code [05]|too late|signal to the process of Assay/),
    });
    expect(ended.stderr).not.toMatch(/^\s+at /m);
  });

  it('and loops without end is stopped at the time limit, and the next case is answered', async () => {
    const { ended, report } = await run(made(role, 'for (;;);'), ['--timeout', '3']);
    expect([ended.code, report.outcome]).toEqual([1, 'error']);
    expect(firstError(report)).toMatchObject({ kind: 'timeout' });
  });

  it('may print, and stdout is the result all the same', async () => {
    const { ended, report } = await run(
      made(role, "console.log('printed'); process.stdout.write('raw\\n'); return 'yes';"),
    );
    expect([ended.code, report.outcome]).toEqual([0, 'passed']);
    expect(ended.stderr).toContain('printed');
    expect(ended.stderr).toContain('raw');
  });

  it('may leave timers and open servers behind, and the command ends', async () => {
    const deed =
      "setInterval(() => {}, 1000); process.getBuiltinModule('node:net').createServer().listen(0); return 'yes';";
    expect((await run(made(role, deed))).ended.code).toBe(0);
  });

  it('that ends the process while it is loaded is named, with exit code 1', async () => {
    const one = made(role, '');
    one.write('user.mjs', "process.exit(0);\nexport default () => 'yes';\n");
    const ended = await assay(one.root, ['run', '-s', 'evals/s.yaml']);
    expect(ended.code).toBe(1);
    expect(ended.stdout + ended.stderr).toContain('its thread ended with code 0');
  });
});

describe('a module that blocks while it is loaded', () => {
  it('is given up after a while', async () => {
    const one = project({ 'agent.mjs': "for (;;);\nexport default () => 'yes';\n" });
    onTestFinished(() => one.remove());
    const starting = startAgentModule(`${one.root}/agent.mjs`, 'default', () => undefined, 500);
    await expect(starting).rejects.toThrow('did not finish loading');
  });
});

describe('a module that grades', () => {
  it('and kills the process makes an error of its check', async () => {
    const one = made('agent', "return 'yes';", {
      'evals/s.yaml': `agent: { module: ../user.mjs }\ntrials: 1\ncases:\n  - id: first\n    prompt: p\n    assert: [{ type: program, value: ../grade.mjs }]\n`,
      'grade.mjs': "export default () => { process.kill(process.pid, 'SIGKILL'); return true; };\n",
    });
    const { ended, report } = await run(one);
    expect([ended.code, report.outcome]).toEqual([1, 'error']);
    expect(JSON.stringify(report.detail)).toContain('it sent a signal to the process of Assay itself');
  });
});

describe('a suite that is a program', () => {
  it('may print while it is loaded, and stdout is the result all the same', async () => {
    const one = made('agent', "return 'yes';", {
      'evals/p.suite.mjs':
        "console.log('printed');\nprocess.stdout.write('raw\\n');\nexport default { trials: 1, agent: { module: '../user.mjs' }, cases: [{ id: 'first', prompt: 'p', assert: [{ type: 'contains', value: 'yes' }] }] };\n",
    });
    for (const words of [
      ['run', '-s', 'evals/p.suite.mjs', '--json'],
      ['suite', 'list', '--json'],
      ['lint', 'evals/p.suite.mjs', '--json'],
    ]) {
      const ended = await assay(one.root, words);
      expect(() => JSON.parse(ended.stdout)).not.toThrow();
      expect(ended.stderr).toContain('printed');
      expect(ended.stderr).toContain('raw');
    }
  });

  it('that ends the process is no passed run', async () => {
    const one = made('agent', '', { 'evals/p.suite.mjs': 'process.exit(0);\n' });
    const ended = await assay(one.root, ['run', '-s', 'evals/p.suite.mjs']);
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toContain('the process was ended before there was a result');
  });
});
