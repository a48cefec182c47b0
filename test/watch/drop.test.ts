import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Project } from '../cli/run-cli.js';
import { configured, entries, hook, payload, settled, start } from './support.js';

const WORDS = ['one', 'two', 'three', 'four', 'five', 'six'];

/** Six cases, each of which looks for a word in what CLAUDE.md says; half of them are enough to pass. */
const LENIENT = `
agent: { module: ../agent.mjs }
trials: 2
pass_threshold: 0.5
cases:
${WORDS.map((word) => `  - { id: says-${word}, prompt: p, threshold: 1, assert: [{ type: contains, value: ${word} }] }`).join('\n')}
`;

async function edit(made: Project, text: string): Promise<Record<string, unknown>> {
  writeFileSync(join(made.root, 'CLAUDE.md'), text);
  await hook(made, payload(made, 'CLAUDE.md'));
  await settled(made);
  return entries(made, 'run').at(-1) ?? {};
}

describe('a drop from the last good run', () => {
  it('is a regression although the suite passes, and stays one until it is gone', async () => {
    const made = configured({}, { 'evals/s.yaml': LENIENT });
    const good = await edit(made, WORDS.join(' '));
    expect(good).toMatchObject({ verdict: 'good', passed: true, against: null });
    const worse = await edit(made, WORDS.slice(2).join(' '));
    expect(worse).toMatchObject({ verdict: 'regression', passed: true, against: good['run_id'] });
    expect(worse['drop']).toBeCloseTo(1 / 3, 9);
    const still = await edit(made, `${WORDS.slice(2).join(' ')}!`);
    expect(still).toMatchObject({ verdict: 'regression', against: good['run_id'] });
    const mended = await edit(made, WORDS.toReversed().join(' '));
    expect(mended).toMatchObject({ verdict: 'good', against: good['run_id'] });
    expect(entries(made, 'notify')).toHaveLength(2);
  });

  it('that chance may explain is told as a lower result, and does not become the measure', async () => {
    const made = configured({}, { 'evals/s.yaml': LENIENT });
    const good = await edit(made, WORDS.join(' '));
    const lower = await edit(made, WORDS.slice(1).join(' '));
    expect(lower).toMatchObject({ verdict: 'lower', passed: true, against: good['run_id'] });
    expect(entries(made, 'notify')[0]?.['message']).toMatch(
      /^lower result after an edit of CLAUDE\.md: .*chance may explain it/,
    );
    expect(await edit(made, WORDS.slice(1).join('  '))).toMatchObject({
      verdict: 'lower',
      against: good['run_id'],
    });
  });

  it('is seen against a run that was started by hand', async () => {
    const made = configured({}, { 'evals/s.yaml': LENIENT });
    writeFileSync(join(made.root, 'CLAUDE.md'), WORDS.join(' '));
    const byHand = await start(made, ['run', '-s', 's', '--json', '-q'], { input: '' }).ended;
    const { run_id: runId }: { run_id: string } = JSON.parse(byHand.stdout);
    expect(await edit(made, 'three four five six')).toMatchObject({ verdict: 'regression', against: runId });
  });

  it('is not seen where the earlier run is gone or its state unreadable, and nothing breaks', async () => {
    const made = configured({}, { 'evals/s.yaml': LENIENT });
    await edit(made, WORDS.join(' '));
    rmSync(join(made.root, '.assay/runs'), { recursive: true });
    expect(await edit(made, 'three four five six')).toMatchObject({ verdict: 'good', against: null });
    made.write('.assay/config-change/config-eval-state.json', '{"good": ');
    expect(await edit(made, 'three four five six!')).toMatchObject({ verdict: 'good' });
  });

  it('of replayed fixtures is a regression without any chance', async () => {
    const fixture = (answer: string): unknown => ({
      model_name: 'greets',
      turns: [{ user_input: 'hi', steps: [{ response: { type: 'text', content: answer } }] }],
      expects: { response_contains: ['hello'] },
    });
    const made = configured(
      { sentinels: ['evals/traces/*.json'] },
      { 'evals/traces/a.json': fixture('hello') },
      { config_change_suite: 'evals/traces' },
    );
    const change = async (answer: string): Promise<Record<string, unknown>> => {
      made.write('evals/traces/a.json', fixture(answer));
      await hook(made, payload(made, 'evals/traces/a.json'));
      await settled(made);
      return entries(made, 'run').at(-1) ?? {};
    };
    expect(await change('hello')).toMatchObject({ verdict: 'good', passed: true });
    expect(await change('goodbye')).toMatchObject({
      verdict: 'regression',
      passed: false,
      weakest: 'greets',
    });
  });
});
