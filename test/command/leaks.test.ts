import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { closeNetwork } from '../../src/agent/index.js';
import { AGENTS, fixture, IS_LINUX, nodeAgent, NODE_CLIENT, replayOne, say, temporary } from './support.js';

const DAEMON = join(AGENTS, 'daemon.mjs');

function alive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe.runIf(IS_LINUX)('a program that leaves a daemon behind', () => {
  it('does not keep it: it is found by its home, ended and reported', async () => {
    const outside = await temporary();
    const trial = await replayOne(
      fixture('daemon', {
        agent: {
          command: [process.execPath, DAEMON, NODE_CLIENT, '{{prompt}}'],
          env: { PID_FILE: join(outside, 'pid') },
        },
        steps: [say('done')],
      }),
    );
    expect(trial.error).toBeNull();
    expect(trial.status).toBe('passed');
    const pid = Number(readFileSync(join(outside, 'pid'), 'utf8'));
    expect(pid).toBeGreaterThan(1);
    expect(alive(pid)).toBe(false);
    expect(trial.recording?.notes).toContainEqual(
      expect.stringMatching(/^turn 1: the agent left a process running, now ended: node/),
    );
  });
});

describe('a program', () => {
  it('finds a home, a workspace and an environment of its own', async () => {
    process.env['ASSAY_TEST_SECRET'] = 'not for agents';
    process.env['ASSAY_TEST_PASSED'] = 'for this agent';
    const outside = await temporary();
    const trial = await replayOne(
      fixture('environment', {
        agent: {
          command: [process.execPath, join(AGENTS, 'environment.mjs'), join(outside, 'seen.json')],
          env: { OWN: 'at {{workspace}}' },
          environment: ['ASSAY_TEST_PASSED'],
          stdin: 'said: {{prompt}}',
        },
        steps: [say('done')],
      }),
    );
    delete process.env['ASSAY_TEST_SECRET'];
    delete process.env['ASSAY_TEST_PASSED'];
    expect(trial.error?.kind).toBe('script');
    const seen: { directory: string; input: string; environment: { [name: string]: string } } = JSON.parse(
      readFileSync(join(outside, 'seen.json'), 'utf8'),
    );
    expect(seen.input).toBe('said: Please do it');
    expect(seen.environment['ASSAY_TEST_SECRET']).toBeUndefined();
    expect(seen.environment['ASSAY_TEST_PASSED']).toBe('for this agent');
    expect(seen.environment['OWN']).toBe(`at ${seen.directory}`);
    expect(seen.environment['HOME']).not.toBe(process.env['HOME']);
    expect(existsSync(seen.environment['HOME'] ?? '/')).toBe(false);
  });

  it('that is not there is an error of the set-up and not a failed case', async () => {
    const trial = await replayOne(
      fixture('missing', { agent: { command: ['no-such-program-at-all'] }, steps: [say('done')] }),
    );
    expect(trial.error).toEqual({ kind: 'setup', message: 'no-such-program-at-all was not found on PATH' });
  });

  it('that hangs is ended when its turn is over time', async () => {
    const trial = await replayOne(
      fixture('hang', {
        agent: { command: [process.execPath, '-e', 'setInterval(() => {}, 1000)'] },
        steps: [say('done')],
      }),
      { turnTimeoutMs: 500 },
    );
    expect(trial.error?.kind).toBe('timeout');
  });

  it('is told apart from a shell: its arguments reach it as they are', async () => {
    const trial = await replayOne(
      fixture('words', {
        agent: nodeAgent('openai-chat', 'json'),
        turns: [{ user_input: '$(touch owned) `x` "y" \\ ; \'z\'', steps: [say('done')] }],
        expects: { workspace: { file_absent: ['owned'] }, response_contains: ['done'] },
      }),
    );
    expect(trial.status).toBe('passed');
  });
});

describe('the network of a program in replay', () => {
  it('is closed, and the record says how', async () => {
    const network = await closeNetwork('http://127.0.0.1:9');
    const { state } = network;
    await network.close();
    const trial = await replayOne(fixture('closed', { agent: nodeAgent(), steps: [say('done')] }));
    expect(trial.recording?.extra).toMatchObject({ agent: { network: state, exits: [0] } });
  });

  it('holds no way out where there is a namespace', async () => {
    const outside = await temporary();
    const trial = await replayOne(
      fixture('interfaces', {
        agent: { command: [process.execPath, join(AGENTS, 'interfaces.mjs'), join(outside, 'seen.json')] },
        steps: [say('done')],
      }),
    );
    const seen: { interfaces: string[]; proxy: string } = JSON.parse(
      readFileSync(join(outside, 'seen.json'), 'utf8'),
    );
    expect(seen.proxy).toBe('http://127.0.0.1:9');
    const network = trial.recording?.extra?.['agent'];
    expect(network).toBeDefined();
    if (JSON.stringify(network).includes('namespace')) expect(seen.interfaces).toEqual(['lo']);
  });

  it('is open where the case says so', async () => {
    const trial = await replayOne(
      fixture('open', { agent: nodeAgent('openai-chat', 'json', { network: 'open' }), steps: [say('done')] }),
    );
    expect(trial.recording?.extra).toMatchObject({ agent: { network: 'open' } });
    expect(trial.status).toBe('passed');
  });
});
