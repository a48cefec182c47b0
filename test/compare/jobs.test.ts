import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseCompareJob, tallyPairs, type JobResult, type PairJudgement } from '../../src/compare/index.js';
import { AssayError } from '../../src/core/index.js';
import { listRuns, readRun } from '../../src/store/index.js';
import { failure, temporaryDirectory } from '../store/builders.js';
import { printed, runCommandLine } from '../cli/printed.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

const SET_DOWN = `name: tone
suite: SUITE
hypothesis: the polite text is followed more often
success: polite passes 20 points more cases
refuted_by: polite passes no more cases than plain
difference: 0.2
trials: 3
`;
const ARMS = `arms:
  - name: plain
    system: Answer.
  - name: polite
    system: Please answer politely.
`;

function problemsOf(error: unknown): string {
  return AssayError.isInstance(error) ? error.describe() : String(error);
}

describe('a comparison that is set down', () => {
  it('is read with its defaults', () => {
    const job = parseCompareJob('prompts', 'tone.yaml', SET_DOWN + ARMS);
    expect(job).toMatchObject({ kind: 'prompts', tolerance: 0.05, alpha: 0.05, criteria: null, trials: 3 });
    expect(job.arms).toEqual([
      { name: 'plain', system: 'Answer.', model: null },
      { name: 'polite', system: 'Please answer politely.', model: null },
    ]);
  });

  it('is refused without hypothesis, success or what would refute it, all at once and with places', async () => {
    const text = `name: tone\nsuite: s\ndifference: 0.2\n${ARMS}    modle: x\n`;
    const shown = problemsOf(await failure(() => parseCompareJob('prompts', 'tone.yaml', text)));
    for (const key of ['hypothesis', 'success', 'refuted_by', 'modle']) expect(shown).toContain(key);
    expect(shown).toContain('tone.yaml:9');
  });

  it('is refused when its arms cannot differ', async () => {
    const refused = async (kind: 'prompts' | 'models' | 'ablate', text: string): Promise<string> =>
      problemsOf(await failure(() => parseCompareJob(kind, 'f', SET_DOWN + text)));
    expect(await refused('prompts', 'arms: [{name: a, system: x}, {name: b, system: x}]')).toContain(
      'the same',
    );
    expect(await refused('prompts', 'arms: [{name: a, system: x}, {name: a, system: y}]')).toContain('twice');
    expect(await refused('prompts', 'arms: [{name: a, model: x}, {name: b, model: y}]')).toContain('no arm');
    expect(await refused('models', 'arms: [{name: a, model: x}, {name: b}]')).toContain('names no model');
    expect(await refused('prompts', 'arms: [{name: a, system: x}]')).not.toBe('');
    expect(await refused('prompts', '')).toContain('arms is missing');
    expect(await refused('ablate', 'parts: {one: x}')).toContain('fewer than two');
  });

  it('takes parts away one at a time', () => {
    const job = parseCompareJob(
      'ablate',
      'f',
      `${SET_DOWN}parts: {role: You are a clerk., rules: Be brief.}\n`,
    );
    expect(job.arms).toEqual([
      { name: 'all', system: 'You are a clerk.\n\nBe brief.', model: null },
      { name: 'without-role', system: 'Be brief.', model: null },
      { name: 'without-rules', system: 'You are a clerk.', model: null },
    ]);
  });
});

function judgement(changes: Partial<PairJudgement>): PairJudgement {
  return {
    caseId: 'c',
    trial: 1,
    a: 'x',
    b: 'y',
    winner: 'a',
    score: 1,
    status: 'decided',
    orders: ['a', 'a'],
    evidence: 'better',
    ...changes,
  };
}

describe('judged pairs', () => {
  it('never take an error or a win by position for a tie', () => {
    const { pairs } = tallyPairs(
      ['x', 'y'],
      [
        judgement({}),
        judgement({ winner: null, score: null, status: 'error', orders: [] }),
        judgement({ winner: 'inconsistent', score: 0.5, orders: ['a', 'b'] }),
        judgement({ winner: 'tie', score: 0.5, orders: ['tie', 'tie'] }),
      ],
    );
    expect(pairs).toMatchObject([{ winsA: 1, winsB: 0, ties: 1, inconsistent: 1, undecided: 1 }]);
  });

  it('show how far position decided', () => {
    const first = judgement({ winner: 'inconsistent', score: 0.5, orders: ['a', 'b'] });
    const { position } = tallyPairs(['x', 'y'], [judgement({}), first, first]);
    expect(position).toMatchObject({ firstBoth: 2, secondBoth: 0 });
    expect(position?.consistency).toBeCloseTo(1 / 3, 12);
  });

  it('give strengths to more than two arms, even to one that won everything', () => {
    const all = [
      ['x', 'y'],
      ['x', 'z'],
      ['y', 'z'],
    ].flatMap(([a = '', b = '']) => Array.from({ length: 5 }, () => judgement({ a, b })));
    const { strengths } = tallyPairs(['x', 'y', 'z'], all);
    const values = strengths?.map((one) => one.logStrength) ?? [];
    expect(values[0]).toBeGreaterThan(values[1] ?? 0);
    expect(values[1]).toBeGreaterThan(values[2] ?? 0);
    expect(values.every(Number.isFinite)).toBe(true);
    expect(tallyPairs(['x', 'y'], []).strengths).toBeNull();
  });
});

const SUITE = `name: greetings
type: capability
cases:
${Array.from({ length: 12 }, (_, id) => `  - id: c${id}\n    prompt: Greet me.\n    assert:\n      - type: contains\n        value: hello\n        metric: greeting`).join('\n')}
`;
/** Answers well when it is asked politely; the cheap model answers well always. */
const MODEL = `export const dear = ({ system }) => ({
  text: (system ?? '').includes('Please') ? 'hello' : 'go away',
  usage: { inputTokens: 10, outputTokens: 5 }, cost: 0.02, model: 'dear-1' });
export const cheap = () => ({
  text: 'hello', usage: { inputTokens: 10, outputTokens: 5 }, cost: 0.001, model: 'cheap-1' });
export const judge = ({ messages }) => {
  const text = JSON.stringify(messages);
  const first = text.indexOf('go away');
  const good = text.indexOf('hello');
  const verdict = first < 0 || good < 0 ? 'TIE' : good < first ? 'A' : 'B';
  return { text: JSON.stringify({ reason: 'one greets', verdict }), model: 'judge-1' };
};
`;

function workshop(): { path: (name: string) => string; config: string; root: string } {
  const root = temporaryDirectory();
  const path = (name: string): string => join(root, name);
  writeFileSync(path('greetings.yaml'), SUITE);
  writeFileSync(path('model.mjs'), MODEL);
  writeFileSync(path('assay.config.yaml'), 'eval:\n  live_provider: "module:./model.mjs#dear"\n');
  return { path, config: path('assay.config.yaml'), root };
}

async function job(kind: string, text: string, words: readonly string[] = []) {
  const shop = workshop();
  writeFileSync(shop.path('job.yaml'), text.replace('SUITE', shop.path('greetings.yaml')));
  const out = shop.path('result.json');
  const file = shop.path('job.yaml');
  const base = ['compare', kind, file, '--config', shop.config, '--json', '-o', out, '-q'];
  const code = await runCommandLine([...base, ...words]);
  return { ...shop, code, result: () => JSON.parse(readFileSync(out, 'utf8')) as JobResult };
}

describe('assay compare prompts', () => {
  it('runs the arms in one stored run that holds the hypothesis from its first line on', async () => {
    const { code, result, root } = await job('prompts', SET_DOWN + ARMS);
    expect(code).toBe(0);
    const { comparison, decision, pairwise } = result();
    expect(comparison.comparisons[0]?.verdict.name).toBe('better');
    expect(comparison.comparisons[0]?.dimensions[0]).toMatchObject({ name: 'greeting', b: { passed: 36 } });
    expect(decision).toMatchObject({ take: 'polite', hypothesis: 'supported' });
    expect(pairwise).toBeNull();
    const { runs } = listRuns(join(root, '.assay'));
    expect(runs).toHaveLength(1);
    const run = readRun(runs[0]?.directory ?? '');
    expect(run.header.settings?.['comparison']).toMatchObject({
      hypothesis: expect.stringContaining('polite'),
    });
    // Arms are interleaved: neither is finished before the other has begun.
    const journal = readFileSync(join(run.directory, 'journal.jsonl'), 'utf8').split('\n');
    const arms = journal.flatMap((line) => /"case":"(plain|polite):/.exec(line)?.[1] ?? []);
    expect(arms).toHaveLength(72);
    expect(new Set(arms.slice(0, 24)).size).toBe(2);
    expect(JSON.parse(readFileSync(join(run.directory, 'comparison.json'), 'utf8'))).toEqual(result());
  });

  it('has pairs judged with their positions swapped', async () => {
    const { code, result } = await job('prompts', `${SET_DOWN}${ARMS}pairwise: {criteria: It greets.}\n`, [
      '--judge',
      'module:./model.mjs#judge',
    ]);
    expect(code).toBe(0);
    const { pairwise } = result();
    expect(pairwise?.pairs).toMatchObject([{ winsA: 0, winsB: 36, ties: 0, inconsistent: 0, undecided: 0 }]);
    expect(pairwise?.position?.consistency).toBe(1);
  });
});

describe('assay list comparisons', () => {
  it('records what was decided, beside what was expected, and leaves plain runs out', async () => {
    const { config, root, path } = await job('prompts', SET_DOWN + ARMS);
    const words = ['run', path('greetings.yaml'), '--config', config, '-q', '-o', path('run.json'), '--json'];
    await runCommandLine(words);
    expect(listRuns(join(root, '.assay')).runs).toHaveLength(2);
    const { stdout: table } = await printed(['list', 'comparisons', '--config', config]);
    expect(table.split('\n').filter((line) => line.includes('tone'))).toHaveLength(1);
    expect(table).toMatch(/tone +prompts +supported +polite/);
    const json = JSON.parse(
      (await printed(['list', 'comparisons', '--config', config, '--json'])).stdout,
    ) as object;
    expect(json).toMatchObject({
      comparisons: [
        {
          name: 'tone',
          hypothesis: 'the polite text is followed more often',
          decision: { take: 'polite', confidence: 0.95 },
          problem: null,
        },
      ],
    });
    expect(json).not.toHaveProperty('runs');
  });

  it('says of a comparison whose result is gone or broken that it is to be resumed', async () => {
    const { config, root } = await job('prompts', SET_DOWN + ARMS);
    const file = join(listRuns(join(root, '.assay')).runs[0]?.directory ?? '', 'comparison.json');
    writeFileSync(file, '{"schema":');
    expect((await printed(['list', 'comparisons', '--config', config])).stdout).toContain(
      'cannot be read: resume it',
    );
    rmSync(file);
    expect((await printed(['list', 'comparisons', '--config', config])).stdout).toContain('not decided yet');
  });
});

describe('a comparison that may end early', () => {
  const EARLY = SET_DOWN.replace('trials: 3', 'trials: 1\nearly_stop: true');

  it('ends at the first look that decides it, under a rule that its header held from the start', async () => {
    const { code, result, root } = await job('prompts', EARLY + ARMS);
    expect(code).toBe(0);
    const { comparison, decision, ruled } = result();
    expect(ruled).toMatchObject({ early: true, cases: 8, of: 12, rivals: [{ wins: 8, losses: 0 }] });
    expect(comparison.comparisons[0]).toMatchObject({
      verdict: { name: 'better' },
      levels: { suite: 0.025, cases: 0 },
      difference: { test: 'e-value', difference: 1, cases: 8 },
      restrictions: [],
    });
    expect(decision).toMatchObject({ take: 'polite', hypothesis: 'supported' });
    const run = readRun(listRuns(join(root, '.assay')).runs[0]?.directory ?? '');
    expect(run.header.settings?.['comparison']).toMatchObject({
      earlyStop: { rule: 'paired e-values', block: 8, level: 0.025, threshold: 40 },
    });
    expect(run.summary?.totals.notRun).toBe(8);
    expect(readFileSync(join(run.directory, 'comparison.md'), 'utf8')).toContain('ended after 8 of 12 cases');
  });

  it('says the same when it is resumed, and asks nothing anew', async () => {
    const first = await job('prompts', EARLY + ARMS);
    const words = ['compare', 'prompts', first.path('job.yaml'), '--config', first.config, '--json', '-q'];
    const again = await runCommandLine([...words, '-o', first.path('again.json'), '--resume']);
    expect(again).toBe(0);
    expect(JSON.parse(readFileSync(first.path('again.json'), 'utf8'))).toEqual(first.result());
  });

  it('comes to its last case when nothing differs, and then tests at what looking left', async () => {
    const text = `${EARLY}arms:
  - {name: one, system: Please., model: "module:./model.mjs#dear"}
  - {name: two, system: Please do., model: "module:./model.mjs#dear"}
`;
    const { code, result } = await job('prompts', text);
    expect(code).toBe(0);
    const [compared] = result().comparison.comparisons;
    expect(result().ruled).toMatchObject({ early: false, cases: 12 });
    expect(compared).toMatchObject({ difference: { test: 'mcnemar', confidence: 0.975, cases: 12 } });
    expect(compared?.verdict.name).toBe('not enough data');
  });
});

describe('a comparison and its money', () => {
  it('starts no block once the budget is spent, has all arms equally complete, and says what is missing', async () => {
    // A block is 8 cases in 2 arms in 3 trials: 0.96 dollars.
    const { code, result, root } = await job('prompts', SET_DOWN + ARMS, ['--budget', '0.5']);
    expect(code).toBe(0);
    const { comparison } = result();
    expect(comparison.comparisons[0]?.difference.cases).toBe(8);
    expect(comparison.comparisons[0]?.restrictions.join('\n')).toContain('is not whole');
    const run = readRun(listRuns(join(root, '.assay')).runs[0]?.directory ?? '');
    expect(run.header.settings?.['budget']).toEqual({ cost: 0.5, tokens: null });
    expect(run.summary?.totals).toMatchObject({ cases: 24, notRun: 8 });
  });

  it('asks nobody beyond the ceiling', async () => {
    const { root } = await job('prompts', SET_DOWN + ARMS, ['--max-cost', '0.2', '--concurrency', '1']);
    const run = readRun(listRuns(join(root, '.assay')).runs[0]?.directory ?? '');
    const recorded = [...run.cases()].flatMap(({ trials }) => trials.flatMap((one) => one.recording ?? []));
    const spent = recorded.reduce((sum, { usage }) => sum + (usage.cost ?? 0), 0);
    expect(spent).toBeLessThan(0.25);
    expect(recorded.length).toBeGreaterThan(5);
  });

  it('holds its trials to the limits of the configuration, and keeps no secret that a model said', async () => {
    vi.stubEnv('SOME_API_KEY', 'sk-very-secret-0123456789');
    const shop = workshop();
    writeFileSync(
      shop.path('model.mjs'),
      `export const dear = () => ({ text: 'hello sk-very-secret-0123456789',
  usage: { inputTokens: 10, outputTokens: 5 }, cost: 0.02, model: 'dear-1' });`,
    );
    writeFileSync(shop.path('job.yaml'), (SET_DOWN + ARMS).replace('SUITE', shop.path('greetings.yaml')));
    const words = ['compare', 'prompts', shop.path('job.yaml'), '--config', shop.config, '-q', '--json'];
    expect(await runCommandLine([...words, '-o', shop.path('one.json')])).toBe(0);
    const first = listRuns(join(shop.root, '.assay')).runs[0]?.directory ?? '';
    const journal = readFileSync(join(first, 'journal.jsonl'), 'utf8');
    expect(journal).toContain('hello');
    expect(journal).not.toContain('sk-very-secret');
    writeFileSync(
      shop.config,
      'eval:\n  live_provider: "module:./model.mjs#dear"\n  limits: {total_tokens: 5}\n',
    );
    expect(await runCommandLine([...words, '-o', shop.path('two.json')])).toBe(0);
    const { comparison } = JSON.parse(readFileSync(shop.path('two.json'), 'utf8')) as JobResult;
    expect(comparison.comparisons[0]).toMatchObject({ unscored: 12, verdict: { name: 'not enough data' } });
  });
});

describe('assay compare models', () => {
  it('names the cheapest model that is not worse', async () => {
    const text = `${SET_DOWN}arms:
  - {name: dear, model: "module:./model.mjs#dear"}
  - {name: cheap, model: "module:./model.mjs#cheap"}
`;
    const { code, result } = await job('models', text);
    expect(code).toBe(0);
    expect(result().decision).toMatchObject({ take: 'cheap', cheapest: 'cheap' });
    const cost = result().comparison.comparisons[0]?.spending.find((one) => one.what === 'cost');
    expect(cost?.a).toBeCloseTo(0.02, 12);
    expect(cost?.b).toBeCloseTo(0.001, 12);
  });

  it('weighs quality, cost and time into primary, budget and fallback', async () => {
    const text = `${SET_DOWN}weights: {quality: 60, cost: 40}
arms:
  - {name: dear, model: "module:./model.mjs#dear", system: Please.}
  - {name: cheap, model: "module:./model.mjs#cheap"}
  - {name: rude, model: "module:./model.mjs#dear"}
`;
    const { code, result, root } = await job('models', text);
    expect(code).toBe(0);
    const { decision } = result();
    const { weighed } = decision;
    expect(weighed).toMatchObject({ primary: 'cheap', budget: 'cheap', fallback: 'dear' });
    expect(weighed?.weights).toEqual({ quality: 0.6, cost: 0.4, latency: 0 });
    // 0.6 for passing all, and of 0.4 what is saved of the dearest.
    expect(weighed?.arms[0]?.score).toBeCloseTo(0.6, 12);
    expect(weighed?.arms[1]?.score).toBeCloseTo(0.6 + 0.4 * 0.95, 12);
    expect(weighed?.arms[2]).toMatchObject({ arm: 'rude', quality: 0, out: 'worse than the baseline' });
    expect(decision.take).toBe('cheap');
    const directory = listRuns(join(root, '.assay')).runs[0]?.directory ?? '';
    expect(readFileSync(join(directory, 'comparison.md'), 'utf8')).toContain('quality 60%, cost 40%');
  });

  it('takes no arm that costs more than the limit, however good', async () => {
    const text = `${SET_DOWN}limits: {cost: 0.01}
arms:
  - {name: cheap, model: "module:./model.mjs#cheap", system: Answer.}
  - {name: dear, model: "module:./model.mjs#dear", system: Please.}
`;
    const { result } = await job('models', text);
    expect(result().decision).toMatchObject({ take: 'cheap', cheapest: 'cheap' });
    expect(result().decision.arms[1]).toMatchObject({ arm: 'dear', out: 'costs more than the limit' });
  });

  it('takes weights from the command line, and refuses what cannot be weighed', async () => {
    const { config, path, root } = workshop();
    const models = 'module:./model.mjs#dear,module:./model.mjs#cheap';
    const words = [
      'compare',
      'models',
      '--suite',
      path('greetings.yaml'),
      '--config',
      config,
      '-q',
      '--json',
    ];
    words.push('--models', models, '--hypothesis', 'h', '--success', 's', '--refuted-by', 'r');
    words.push('--difference', '0.1', '-o', path('out.json'));
    expect(await runCommandLine([...words, '--weights', 'quality=1,speed=2'])).toBe(2);
    expect(await runCommandLine([...words, '--weights', 'cost=1'])).toBe(1);
    expect(await runCommandLine([...words, '--weights', 'quality=1,cost=1', '--early-stop'])).toBe(1);
    expect(listRuns(join(root, '.assay')).runs).toHaveLength(0);
    expect(await runCommandLine([...words, '--weights', 'quality=1,cost=1'])).toBe(0);
    const { decision } = JSON.parse(readFileSync(path('out.json'), 'utf8')) as JobResult;
    expect(decision.weighed).toMatchObject({ primary: 'module-.-model.mjs-cheap', weights: { cost: 0.5 } });
  });

  it('refuses models on the command line without a hypothesis, before anything is asked', async () => {
    const { config, path, root } = workshop();
    const words = ['--models', 'module:./model.mjs#dear,module:./model.mjs#cheap', '--config', config, '-q'];
    const code = await runCommandLine(['compare', 'models', '--suite', path('greetings.yaml'), ...words]);
    expect(code).toBe(1);
    expect(listRuns(join(root, '.assay')).runs).toHaveLength(0);
  });
});

describe('assay compare ablate', () => {
  it('shows which part of the text carries the result', async () => {
    const { code, result } = await job(
      'ablate',
      `${SET_DOWN}parts: {tone: Please., role: You are a clerk.}\n`,
      ['--gate'],
    );
    expect(code).toBe(1);
    const verdicts = result().comparison.comparisons.map((one) => [one.b.label, one.verdict.name]);
    expect(verdicts[0]).toEqual(['without-tone', 'worse']);
    expect(verdicts[1]?.[1]).not.toBe('worse');
  });
});
