import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import {
  loadSuite,
  outputAgents,
  readOutputs,
  replayAgents,
  runSuite,
  type RunOptions,
  type TrialResult,
} from '../../src/index.js';

const directories: string[] = [];

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

async function options(limits?: object): Promise<{ given: RunOptions; trials: TrialResult[] }> {
  const directory = mkdtempSync(join(tmpdir(), 'assay-library-'));
  directories.push(directory);
  const step = {
    response: {
      type: 'tool_calls',
      tool_calls: [{ id: '1', name: 'file_write', arguments: { path: 'a', content: 'x' } }],
    },
  };
  const fixture = {
    model_name: 'one',
    agent: { loop: { tools: ['file_write'] } },
    turns: [{ user_input: 'go', steps: [step, { response: { type: 'text', content: 'Done.' } }] }],
    expects: { tools_used: ['file_write'], workspace: { file_exists: ['a'] } },
    ...(limits === undefined ? {} : { limits }),
  };
  writeFileSync(join(directory, 'one.json'), JSON.stringify(fixture));
  const trials: TrialResult[] = [];
  const suite = await loadSuite(directory);
  const sink = { append: (trial: TrialResult) => Promise.resolve(trials.push(trial)) };
  return { given: { suite, agents: replayAgents(), sink }, trials };
}

/** A suite of cases `c1`, `c2`, … and stored answers that pass them. */
async function answers(cases: number): Promise<Pick<RunOptions, 'suite' | 'agents'>> {
  const directory = mkdtempSync(join(tmpdir(), 'assay-library-'));
  directories.push(directory);
  const ids = Array.from({ length: cases }, (_, index) => `c${index + 1}`);
  const lines = ids.map((id) => `  - { id: ${id}, prompt: Hi, assert: [{ type: contains, value: yes }] }`);
  writeFileSync(join(directory, 'suite.yaml'), `trials: 1\ncases:\n${lines.join('\n')}\n`);
  const rows = ids.map((id) => JSON.stringify({ id, trial: 1, output: 'yes' }));
  writeFileSync(join(directory, 'outputs.jsonl'), rows.join('\n'));
  return {
    suite: await loadSuite(join(directory, 'suite.yaml')),
    agents: outputAgents(await readOutputs(join(directory, 'outputs.jsonl'))),
  };
}

describe('running a suite from code', () => {
  it('drives real tools and gives every trial its receipt', async () => {
    const { trials, given } = await options();
    const report = await runSuite(given);
    expect(report.outcome).toBe('passed');
    expect(trials[0]?.receipt).toMatchObject({ mode: 'replay', sandbox: { workspaceOnly: true } });
    expect(trials[0]?.recording?.receipt.toolSurface.registered).toEqual(['file_write']);
  });

  it('counts a trial only when its sink has kept the promise, which trials may share', async () => {
    const { suite, agents } = await answers(5);
    const counted: string[] = [];
    const appended: string[] = [];
    let keep: () => void = () => undefined;
    const stored = new Promise<void>((resolve) => (keep = resolve));
    const running = runSuite({
      suite,
      agents,
      sink: {
        append(trial) {
          appended.push(trial.caseId);
          return stored;
        },
      },
      onEvent: (event) => {
        if (event.type === 'trial-end') counted.push(event.trial.caseId);
      },
    });
    await setImmediate();
    expect(appended).toEqual(['c1', 'c2', 'c3', 'c4', 'c5']);
    expect(counted).toEqual([]);
    keep();
    expect((await running).totals).toMatchObject({ cases: 5, passed: 5 });
    expect(counted).toEqual(appended);
  });

  it('hears of an interrupt though none of its trials waits for anything', async () => {
    const stop = new AbortController();
    const running = runSuite({ ...(await answers(2000)), stop: stop.signal });
    // As a signal of the operating system would: from outside of what runs.
    setTimeout(() => stop.abort(), 0);
    const report = await running;
    expect(report).toMatchObject({ interrupted: true, outcome: 'inconclusive' });
    expect(report.totals.notRun).toBeGreaterThan(0);
  });

  it('hears of an interrupt between trials that each take long and wait for nothing', async () => {
    const { suite, agents } = await answers(20);
    const stop = new AbortController();
    const seen: string[] = [];
    const busy: RunOptions['agents'] = {
      ...agents,
      prepare(tested, trial) {
        seen.push(tested.id);
        const until = performance.now() + 60;
        while (performance.now() < until);
        return agents.prepare(tested, trial);
      },
    };
    setTimeout(() => stop.abort(), 1);
    const report = await runSuite({ suite, agents: busy, stop: stop.signal, concurrency: 8 });
    expect(report.interrupted).toBe(true);
    expect(seen.length).toBeLessThan(5);
  });

  it('has its sink store at once what decides whether the run goes on', async () => {
    const { suite, agents } = await answers(3);
    let keep: () => void = () => undefined;
    const sink = {
      append: () => new Promise<void>((resolve) => (keep = resolve)),
      flush: () => {
        keep();
        return Promise.resolve();
      },
    };
    const report = await runSuite({ suite, agents, sink, failFast: true });
    expect(report.totals).toMatchObject({ cases: 3, passed: 3 });
  });

  it('makes an error of a trial whose session breaks where nobody expects it, and runs the others', async () => {
    const { suite, agents } = await answers(2);
    const broken: RunOptions['agents'] = {
      ...agents,
      prepare: (tested, trial) => {
        if (tested.id === 'c2') return agents.prepare(tested, trial);
        return {
          open: () => ({
            turn: () => Promise.resolve('yes'),
            close: () => Promise.resolve(),
            observed: () => {
              throw new Error('nothing seen');
            },
          }),
        };
      },
    };
    const report = await runSuite({ suite, agents: broken });
    expect(report.totals).toMatchObject({ cases: 2, passed: 1, errored: 1 });
    expect(report.cases[0]?.errors).toEqual({ setup: 1 });
  });

  it('ends with the fault of a sink, and counts nothing that was not stored', async () => {
    const { suite, agents } = await answers(3);
    const counted: string[] = [];
    const running = runSuite({
      suite,
      agents,
      sink: {
        append: ({ caseId }) =>
          caseId === 'c2' ? Promise.reject(new Error('disk full')) : Promise.resolve(),
      },
      onEvent: (event) => {
        if (event.type === 'trial-end') counted.push(event.trial.caseId);
      },
    });
    await expect(running).rejects.toThrow('disk full');
    expect(counted).not.toContain('c2');
  });

  it('ends with the fault of a listener, such as a report that cannot be written', async () => {
    const { suite, agents } = await answers(3);
    const running = runSuite({
      suite,
      agents,
      sink: { append: () => Promise.resolve() },
      onEvent: (event) => {
        if (event.type === 'trial-end') throw new Error('report lost');
      },
    });
    await expect(running).rejects.toThrow('report lost');
  });

  it.each([0, -1, Number.NaN])('refuses the time limit %d before anything runs', async (turnTimeoutMs) => {
    const { trials, given } = await options();
    await expect(runSuite({ ...given, turnTimeoutMs })).rejects.toThrow(RangeError);
    expect(trials).toEqual([]);
  });

  it('holds trials to limits of its own where cases set none', async () => {
    const { trials, given } = await options();
    expect((await runSuite({ ...given, limits: { tool_calls: 0 } })).outcome).toBe('error');
    expect(trials[0]?.error).toMatchObject({ kind: 'limit' });
    const own = await options({ tool_calls: 1 });
    expect((await runSuite({ ...own.given, limits: { tool_calls: 0 } })).outcome).toBe('passed');
  });

  it('redacts what is kept after it was graded', async () => {
    const { trials, given } = await options();
    const report = await runSuite({ ...given, redact: (text) => text.replaceAll('Done', 'Gone') });
    expect(report.outcome).toBe('passed');
    expect(trials[0]?.recording?.turns[0]?.text).toBe('Gone.');
    expect(trials[0]?.recording?.turns[0]?.user).toBe('go');
  });

  it('starts no trial once it is exhausted, and says why', async () => {
    const { trials, given } = await options();
    const report = await runSuite({ ...given, exhausted: () => 'no money is left' });
    expect(trials).toEqual([]);
    expect(report.outcome).toBe('inconclusive');
    expect(report.reason).toContain('no money is left');
  });
});
