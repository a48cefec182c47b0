import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { loadSuite, replayAgents, runSuite, type RunOptions, type TrialResult } from '../../src/index.js';

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

describe('running a suite from code', () => {
  it('drives real tools and gives every trial its receipt', async () => {
    const { trials, given } = await options();
    const report = await runSuite(given);
    expect(report.outcome).toBe('passed');
    expect(trials[0]?.receipt).toMatchObject({ mode: 'replay', sandbox: { workspaceOnly: true } });
    expect(trials[0]?.recording?.receipt.toolSurface.registered).toEqual(['file_write']);
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
