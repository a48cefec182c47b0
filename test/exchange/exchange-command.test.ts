import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { assay, project, type Project } from '../cli/run-cli.js';
import { jsonLines, OPENAI } from '../cases/samples.js';

function make(files: Record<string, unknown> = {}): Project {
  const made = project(files);
  onTestFinished(made.remove);
  return made;
}

const PROMPTFOO = `prompts: ['Say {{word}}.']
providers: [echo]
tests:
  - vars: { word: hello }
    assert:
      - { type: icontains, value: hello }
      - { type: python, value: x }
  - vars: { word: nothing }
    assert: [{ type: not-contains, value: secret }]
`;

const EVALS = {
  skill_name: 'greeter',
  evals: [
    {
      id: 1,
      prompt: 'Greet.',
      expected_output: 'A greeting.',
      expectations: ['It greets.'],
      extra: [1, null],
    },
  ],
};

const AGENT = `export default ({ prompt }) => ({ text: prompt + ' hello', usage: { inputTokens: 3, outputTokens: 2 } });\n`;

describe('assay import', () => {
  it('writes a suite that runs, and ends with what came over and what did not', async () => {
    const { root } = make({ 'promptfooconfig.yaml': PROMPTFOO, 'agent.mjs': AGENT });
    const imported = await assay(root, ['import', 'promptfoo', 'promptfooconfig.yaml']);
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    expect(imported.stdout.split('\n')).toEqual([
      'promptfooconfig.yaml (promptfoo)',
      'came over: 1 prompt, 2 assertions, 2 tests',
      'changed: 1 case',
      '  case test-2: an agent that does nothing passes it (evals/promptfooconfig.yaml)',
      'not converted: 1 provider, 1 assertion',
      '  line 2: provider echo: no model of Assay is this one: name one with --model',
      '  line 7: assertion python of test 1: the type "python" has no twin',
      'wrote evals/promptfooconfig.yaml',
      '',
    ]);
    const ran = await assay(root, [
      'run',
      '-s',
      'promptfooconfig',
      '--mode',
      'live',
      '--model',
      'module:agent.mjs',
      '--quiet',
    ]);
    expect(ran.code).toBe(0);
  });

  it('overwrites no suite unless it is told to', async () => {
    const { root } = make({ 'c.yaml': PROMPTFOO, 'evals/c.yaml': 'mine' });
    const refused = await assay(root, ['import', 'promptfoo', 'c.yaml']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('evals/c.yaml exists already');
    expect(readFileSync(join(root, 'evals/c.yaml'), 'utf8')).toBe('mine');
    expect((await assay(root, ['import', 'promptfoo', 'c.yaml', '--force'])).code).toBe(0);
    expect((await assay(root, ['import', 'promptfoo', 'c.yaml', '--out', 'other/x.yaml'])).code).toBe(0);
    expect(existsSync(join(root, 'other/x.yaml'))).toBe(true);
  });

  it('fails when nothing came over, and when the file is not there', async () => {
    const { root } = make({ 'c.yaml': 'prompts: [x]\ntests: []\n' });
    expect((await assay(root, ['import', 'promptfoo', 'c.yaml'])).code).toBe(1);
    expect((await assay(root, ['import', 'promptfoo', 'missing.yaml'])).stderr).toContain('does not exist');
    expect((await assay(root, ['import', 'promptfo', 'c.yaml'])).code).toBe(2);
  });

  it('stores trajectories as a run that is shown and graded', async () => {
    const suite =
      'name: ports\ncases:\n  - id: a\n    prompt: Which port does the server use?\n    trials: 1\n    assert: [{type: tool-used, value: read}, {type: contains, value: "8080"}]\n';
    const { root } = make({
      't.jsonl': jsonLines([{ id: 'a', outputs: OPENAI }]),
      'evals/ports.yaml': suite,
    });
    const imported = await assay(root, ['import', 'agentevals', 't.jsonl', '--json']);
    expect(imported.code).toBe(0);
    const { runs } = JSON.parse(imported.stdout) as { runs: { runId: string }[] };
    const [run] = runs;
    const shown = await assay(root, ['show', run?.runId ?? '', 'a', '--json']);
    expect(shown.code).toBe(0);
    const graded = await assay(root, ['grade', run?.runId ?? '', '--suite', 'ports', '--quiet']);
    expect(graded.stderr).toBe('');
    expect(graded.code).toBe(0);
  });

  it('stores the configurations of a benchmark as runs that can be compared', async () => {
    const verdict = (passed: boolean): object => ({ text: 'Works.', passed, evidence: 'seen' });
    const run = (id: number, configuration: string, passed: boolean): object => ({
      eval_id: id,
      configuration,
      run_number: 1,
      result: { passed: passed ? 1 : 0, failed: passed ? 0 : 1, total: 1, time_seconds: 2, tokens: 10 },
      expectations: [verdict(passed)],
    });
    const ids = [1, 2, 3];
    const benchmark = {
      metadata: { skill_name: 'greeter', timestamp: '2026-01-02T03:04:05Z' },
      runs: ids.flatMap((id) => [run(id, 'with_skill', true), run(id, 'without_skill', false)]),
    };
    const { root } = make({ 'benchmark.json': benchmark });
    const imported = await assay(root, ['import', 'benchmark', 'benchmark.json', '--json']);
    const { runs } = JSON.parse(imported.stdout) as { runs: { runId: string; suite: string }[] };
    expect(runs).toHaveLength(2);
    const listed = await assay(root, ['list', '--json']);
    expect(listed.stdout).toContain(runs[0]?.runId);
    const again = await assay(root, [
      'export',
      'benchmark',
      runs[0]?.runId ?? '',
      '--against',
      runs[1]?.runId ?? '',
      '--quiet',
    ]);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(again.stdout)).toMatchObject({
      metadata: { skill_name: 'greeter', timestamp: '2026-01-02T03:04:05Z', evals_run: [1, 2, 3] },
      run_summary: { delta: { pass_rate: '+1.00' } },
    });
    const compared = await assay(root, ['compare', runs[1]?.runId ?? '', runs[0]?.runId ?? '', '--json']);
    expect(compared.stderr).not.toContain('unexpected error');
  });
});

describe('assay export', () => {
  it('gives an imported evals.json back as it was, with what has no place in a suite', async () => {
    const { root } = make({ 'skill/evals/evals.json': EVALS });
    expect((await assay(root, ['import', 'evals', 'skill/evals/evals.json'])).code).toBe(0);
    const exported = await assay(root, ['export', 'evals', 'greeter', '--quiet']);
    expect(exported).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(exported.stdout)).toEqual(EVALS);
    const other = await assay(root, ['export', 'evals', 'greeter', '--dialect', 'B']);
    expect(other.stdout).toContain('"assertions"');
    expect(other.stderr).toContain('not converted: nothing');
  });

  it('writes gradings where it is told to, and nothing over what is there', async () => {
    const suite =
      'name: s\ntype: capability\ntrials: 1\ncases:\n  - {id: eval-1, prompt: Hi, assert: [{type: contains, value: hello}]}\n';
    const { root } = make({ 'agent.mjs': AGENT, 'evals/s.yaml': suite });
    await assay(root, ['run', '-s', 's', '--mode', 'live', '--model', 'module:agent.mjs', '--quiet']);
    expect((await assay(root, ['export', 'grading', 'latest'])).code).toBe(2);
    expect((await assay(root, ['export', 'grading', 'latest', '--out', 'iteration-1', '--quiet'])).code).toBe(
      0,
    );
    const grading = JSON.parse(
      readFileSync(join(root, 'iteration-1/eval-1/with_skill/run-1/grading.json'), 'utf8'),
    ) as object;
    expect(grading).toMatchObject({ summary: { passed: 1, total: 1 } });
    expect((await assay(root, ['export', 'grading', 'latest', '--out', 'iteration-1'])).stderr).toContain(
      'exists already',
    );
    expect((await assay(root, ['export', 'benchmark', 'latest', '--arms', '../x'])).code).toBe(2);
    expect((await assay(root, ['export', 'agentevals', 'latest', '--quiet'])).stdout).toContain(
      '"id":"eval-1"',
    );
    const imported = await assay(root, ['import', 'benchmark', 'iteration-1', '--json']);
    expect(imported.code).toBe(0);
  });

  it('takes suites that list their cases, and says so of others', async () => {
    const { root } = make({
      'evals/t/one.json': {
        model_name: 'one',
        turns: [{ user_input: 'x' }],
        expects: { response_contains: ['y'] },
      },
    });
    const ended = await assay(root, ['export', 'evals', 't']);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('it is no assertion suite');
  });
});
