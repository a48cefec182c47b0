import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TrialResult } from '../../src/core/index.js';
import {
  exportBenchmark,
  exportGradings,
  importSkillResults,
  type BenchmarkArm,
  type RunImport,
} from '../../src/exchange/index.js';

function folder(files: Record<string, unknown>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'assay-results-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return root;
}

function graded(...verdicts: [string, boolean, string][]): object {
  const expectations = verdicts.map(([text, passed, evidence]) => ({ text, passed, evidence }));
  const passed = verdicts.filter(([, pass]) => pass).length;
  const total = verdicts.length;
  return { expectations, summary: { passed, failed: total - passed, total, pass_rate: passed / total } };
}

const META = (id: number): object => ({
  eval_id: id,
  eval_name: `case ${id}`,
  prompt: `Do ${id}.`,
  assertions: ['Works.'],
});

function gist(made: RunImport): unknown {
  return made.runs.map((run) => [
    run.agentModel,
    run.trials.map((trial) => [trial.caseId, trial.trial, trial.status, trial.score]),
  ]);
}

function changes(made: RunImport): string[] {
  return made.rows
    .filter((row) => row.outcome !== 'kept')
    .map((row) => `${row.kind} ${row.name}: ${row.note}`);
}

describe('Graded runs of a skill', () => {
  it('come in from the folder of an iteration, cases by number and not by spelling', () => {
    const root = folder({
      'eval-10/eval_metadata.json': META(10),
      'eval-10/with_skill/run-1/grading.json': graded(['Works.', true, 'seen']),
      'eval-2/eval_metadata.json': META(2),
      'eval-2/with_skill/run-2/grading.json': graded(['Works.', false, 'not seen']),
      'eval-2/with_skill/run-10/grading.json': graded(['Works.', true, 'seen']),
      'eval-2/without_skill/grading.json': {
        assertion_results: [{ text: 'Works.', passed: true, evidence: 'e' }],
      },
      'eval-2/with_skill/run-2/timing.json': { total_tokens: 1200, duration_ms: 3000 },
      'eval-2/with_skill/run-2/outputs/transcript.md': 'What it did.',
    });
    const made = importSkillResults(root, 'iteration-1', null);
    expect(gist(made)).toEqual([
      [
        'with_skill',
        [
          ['eval-2', 2, 'failed', 0],
          ['eval-2', 10, 'passed', 1],
          ['eval-10', 1, 'passed', 1],
        ],
      ],
      ['without_skill', [['eval-2', 1, 'passed', 1]]],
    ]);
    expect(made.runs[0]?.trials[0]?.recording).toMatchObject({
      turns: [{ user: 'Do 2.', text: 'What it did.' }],
      usage: { inputTokens: 1200 },
      durationMs: 3000,
    });
    expect(changes(made)).toEqual([]);
  });

  it('count no pass without evidence, and no eval that its grading leaves out', () => {
    const root = folder({
      'eval-1/eval_metadata.json': { ...META(1), assertions: ['Works.', 'Is short.'] },
      'eval-1/with_skill/run-1/grading.json': graded(['Works.', true, ' ']),
    });
    const made = importSkillResults(root, 'x', null);
    expect(made.runs[0]?.trials[0]).toMatchObject({
      status: 'error',
      score: null,
      error: { kind: 'grader' },
      checks: [
        { label: 'Works.', outcome: 'error' },
        { label: 'Is short.', outcome: 'error' },
      ],
    });
  });

  it('recount a summary that does not fit its list, and say so', () => {
    const wrong = {
      ...graded(['a', true, 'e'], ['b', false, 'e']),
      summary: { passed: 2, failed: 1, total: 3, pass_rate: 0.67 },
    };
    const root = folder({ 'grading.json': wrong });
    const made = importSkillResults(join(root, 'grading.json'), 'grading.json', null);
    expect(gist(made)).toEqual([['unknown', [['graded', 1, 'failed', 0.5]]]]);
    expect(changes(made)).toEqual([
      'summary grading.json: its summary says 2 of 3, its list 1 of 2: the list counts',
    ]);
  });

  it('are an error when they were never graded, and tokens are never characters', () => {
    const root = folder({
      'eval-1/eval_metadata.json': META(1),
      'eval-1/with_skill/run-1/outputs/metrics.json': { output_chars: 9000, tool_calls: { Read: 2 } },
    });
    const [trial] = importSkillResults(root, 'x', null).runs[0]?.trials ?? [];
    expect(trial).toMatchObject({ status: 'error', recording: { usage: { inputTokens: 0 }, toolCalls: [] } });
  });

  it('keep the name of a folder without metadata, never its place', () => {
    const root = folder({ 'eval-fill-form/with_skill/run-1/grading.json': graded(['a', true, 'e']) });
    const made = importSkillResults(root, 'x', null);
    expect(made.runs[0]?.trials[0]?.caseId).toBe('eval-fill-form');
    expect(changes(made)[0]).toContain('the name of its folder is its id');
  });

  it('survive files that are broken', () => {
    const root = folder({
      'eval-1/eval_metadata.json': 'no json',
      'eval-1/with_skill/run-1/grading.json':
        '{"expectations":[null,{"text":"x"},{"text":"y","passed":"yes"}]}',
      'eval-1/with_skill/run-1/timing.json': { total_tokens: -5, duration_ms: 'soon' },
      'eval-1/with_skill/run-0x2/grading.json': graded(['a', true, 'e']),
    });
    const [trial, ...more] = importSkillResults(root, 'x', null).runs[0]?.trials ?? [];
    expect(more).toEqual([]);
    expect(trial).toMatchObject({ status: 'error', recording: { usage: { inputTokens: 0 }, durationMs: 0 } });
    expect(() => importSkillResults(join(root, 'nothing'), 'nothing', null)).toThrow('does not exist');
  });
});

function arms(): BenchmarkArm[] {
  const root = folder({
    'eval-1/eval_metadata.json': META(1),
    'eval-1/with_skill/run-1/grading.json': graded(['Works.', true, 'e'], ['Short.', true, 'e']),
    'eval-1/with_skill/run-1/timing.json': { total_tokens: 3000, duration_ms: 20_000 },
    'eval-1/with_skill/run-2/grading.json': graded(['Works.', true, 'e'], ['Short.', true, 'e']),
    'eval-1/with_skill/run-2/timing.json': { total_tokens: 5000, duration_ms: 30_000 },
    'eval-2/eval_metadata.json': META(2),
    'eval-2/with_skill/run-1/grading.json': graded(['Works.', true, 'e'], ['Short.', false, 'e']),
    'eval-2/with_skill/run-1/timing.json': { total_tokens: 1000, duration_ms: 5000 },
    'eval-2/without_skill/run-1/grading.json': graded(
      ['Works.', true, 'e'],
      ['Short.', false, 'e'],
      ['Neat.', false, 'e'],
      ['Kind.', false, 'e'],
    ),
    'eval-2/without_skill/run-1/timing.json': { total_tokens: 800, duration_ms: 1000 },
  });
  return importSkillResults(root, 'x', null).runs.map(({ trials, agentModel }) => ({
    configuration: agentModel,
    header: { agentModel, judgeModel: null, startedAt: '2026-01-02T03:04:05.678Z' },
    trials,
  }));
}

describe('A benchmark', () => {
  it('averages trials within a case first, and says how many runs there were', () => {
    const { document } = exportBenchmark(arms(), 'pdf', 'A');
    expect(document['metadata']).toMatchObject({
      skill_name: 'pdf',
      timestamp: '2026-01-02T03:04:05Z',
      evals_run: [1, 2],
      runs_per_configuration: 2,
    });
    // Case means 1 and 0.5; 25 s and 5 s; 4000 and 1000 tokens.
    expect(document['run_summary']).toMatchObject({
      with_skill: {
        pass_rate: { mean: 0.75, stddev: 0.3536, min: 0.5, max: 1 },
        time_seconds: { mean: 15, min: 5, max: 25 },
        tokens: { mean: 2500, min: 1000, max: 4000 },
      },
      without_skill: { pass_rate: { mean: 0.25, stddev: 0, min: 0.25, max: 0.25 } },
      delta: { pass_rate: '+0.50', time_seconds: '+14.0', tokens: '+1700' },
    });
    expect(exportBenchmark(arms(), 'pdf', 'B').document['run_summary']).toMatchObject({
      delta: { pass_rate: 0.5, time_seconds: 14, tokens: 1700 },
    });
  });

  it('nests results, and comes back with the same verdicts', () => {
    const { document } = exportBenchmark(arms(), 'pdf', 'A');
    const root = folder({ 'benchmark.json': document });
    const made = importSkillResults(join(root, 'benchmark.json'), 'benchmark.json', null);
    expect(gist(made)).toEqual(
      arms().map((arm) => [
        arm.configuration,
        arm.trials.map((trial) => [trial.caseId, trial.trial, trial.status, trial.score]),
      ]),
    );
    expect(made.runs.map((run) => run.suite)).toEqual(['pdf', 'pdf']);
    expect(made.runs[0]?.trials.map((trial) => trial.recording?.usage.inputTokens)).toEqual([
      3000, 5000, 1000,
    ]);
  });

  it('leaves out trials that are not graded, and lists them', () => {
    const [arm] = arms();
    if (arm === undefined) throw new Error('no arm');
    const [first, ...rest] = arm.trials;
    if (first === undefined) throw new Error('no trial');
    const broken: TrialResult = { ...first, status: 'error', error: { kind: 'model', message: 'gone' } };
    const { document, rows } = exportBenchmark([{ ...arm, trials: [broken, ...rest] }], 'pdf', 'A');
    expect(document['runs']).toHaveLength(2);
    expect(rows.filter((row) => row.outcome === 'dropped').map((row) => row.note)).toEqual([
      'it is not graded: gone',
    ]);
  });
});

describe('Gradings', () => {
  it('are written in the layout that aggregators read, and come back the same', () => {
    const [arm] = arms();
    if (arm === undefined) throw new Error('no arm');
    const { files } = exportGradings(arm);
    expect(files.map((file) => file.path).filter((path) => path.endsWith('grading.json'))).toEqual([
      'eval-1/with_skill/run-1/grading.json',
      'eval-1/with_skill/run-2/grading.json',
      'eval-2/with_skill/run-1/grading.json',
    ]);
    const first = JSON.parse(
      files.find((file) => file.path.endsWith('run-1/grading.json'))?.text ?? '',
    ) as object;
    expect(first).toMatchObject({
      expectations: [
        { text: 'Works.', passed: true, evidence: 'e' },
        { text: 'Short.', passed: true, evidence: 'e' },
      ],
      summary: { passed: 2, failed: 0, total: 2, pass_rate: 1 },
    });
    const root = folder(Object.fromEntries(files.map(({ path, text }) => [path, text])));
    const again = importSkillResults(root, 'x', null);
    expect(gist(again)).toEqual([
      [arm.configuration, arm.trials.map((trial) => [trial.caseId, trial.trial, trial.status, trial.score])],
    ]);
    expect(changes(again)).toEqual([]);
  });

  it('never write outside their directory, whatever a case is called', () => {
    const [arm] = arms();
    const trials = ['../../evil', 'a/b', 'CON', '..', 'x'.repeat(300)].map((caseId) => ({
      ...(arm?.trials[0] as TrialResult),
      caseId,
    }));
    const { files } = exportGradings({ ...(arm as BenchmarkArm), trials });
    for (const { path } of files)
      expect(path).toMatch(/^eval-[a-z0-9-]{1,60}\/(?:eval_metadata\.json|with_skill\/run-1\/[a-z./]+)$/);
    expect(new Set(files.map((file) => file.path)).size).toBe(files.length);
    expect(files.some((file) => file.path.includes('..'))).toBe(false);
  });
});
