import { describe, expect, it } from 'vitest';
import { loadSuite, replayAgents, runSuite, type TrialResult } from '../../src/index.js';
import { directoryOf, fixture } from '../suite/trace-support.js';

describe('in a run, a script and an agent that disagree are an error of the trial', () => {
  const step = (words: string): string => `{"response": {"type": "text", "content": "${words}"}}`;
  const call =
    '{"response": {"type": "tool_calls", "tool_calls": [{"id": "c", "name": "echo", "arguments": {"message": "m"}}]}}';

  async function trialOf(...turns: string[]): Promise<TrialResult> {
    const written = turns.map((steps) => `{"user_input": "hello", "steps": ${steps}}`);
    const { cwd, path } = directoryOf({ 'a.json': fixture({ turns: `[${written.join(', ')}]` }) });
    const trials: TrialResult[] = [];
    const report = await runSuite({
      suite: await loadSuite(path, { cwd }),
      agents: replayAgents(),
      onEvent: (event) => {
        if (event.type === 'trial-end') trials.push(event.trial);
      },
    });
    const [trial] = trials;
    if (trial === undefined) throw new Error('no trial ended');
    expect(report.exitCode()).toBe(trial.status === 'passed' ? 0 : 1);
    return trial;
  }

  it('the twin in which they agree passes', async () => {
    expect(await trialOf(`[${call}, ${step('one')}]`, `[${step('ok')}]`)).toMatchObject({
      status: 'passed',
      error: null,
      recording: { turns: [{ text: 'one' }, { text: 'ok' }] },
    });
  });

  it.each([
    ['missing steps', [`[${step('ok')}]`, 'null'], 'case "sample", turn 2: no scripted steps'],
    ['no steps but an empty list', ['[]', `[${step('ok')}]`], 'case "sample", turn 1: no scripted steps'],
    ['exhaustion, with a next turn at hand', [`[${call}]`, `[${step('ok')}]`], 'turn 1: script exhausted'],
    [
      'leftovers',
      [`[${step('one')}, ${step('two')}]`, `[${step('ok')}]`],
      'turn 1: 1 scripted step never requested',
    ],
    [
      'leftovers of the last turn',
      [`[${step('ok')}, ${step('ok')}]`],
      'turn 1: 1 scripted step never requested',
    ],
  ])('%s', async (_name, turns, message) => {
    const trial = await trialOf(...turns);
    expect(trial).toMatchObject({ status: 'error', error: { kind: 'script' }, score: null, checks: [] });
    expect(trial.error?.message).toContain(message);
    expect(trial.receipt.caseId).toBe('sample');
  });

  it('what happened up to the error is kept', async () => {
    const trial = await trialOf(`[${call}, ${step('one')}]`, `[${call}]`);
    expect(trial.error?.message).toContain('turn 2: script exhausted');
    expect(trial.recording).toMatchObject({ turns: [{ text: 'one' }], llmCalls: 4 });
    expect(trial.recording?.toolCalls.map((made) => made.turn)).toEqual([0, 1]);
  });
});
