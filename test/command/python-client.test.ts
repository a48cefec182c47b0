import { describe, expect, it } from 'vitest';
import { call, fixture, IS_LINUX, PYTHON, PYTHON_CLIENT, replayOne, say } from './support.js';

const agent = { command: [PYTHON ?? 'python3', PYTHON_CLIENT, '{{prompt}}'] };

describe.runIf(PYTHON === null)('a machine without Python', () => {
  it('cannot try an agent in another language: install python3 to run these tests', () => {
    expect(PYTHON).toBeNull();
  });
});

describe.runIf(PYTHON !== null)('an agent in the standard library of Python', () => {
  it('writes a file in two steps', async () => {
    const trial = await replayOne(
      fixture('write', {
        agent,
        steps: [call(['w', 'write_file', { path: 'out.txt', content: 'grüße 🐍' }]), say('all done')],
        expects: {
          response_contains: ['all done'],
          tools_used: ['write_file'],
          workspace: { file_contains: { 'out.txt': ['grüße 🐍'] } },
        },
      }),
    );
    expect(trial.error).toBeNull();
    expect(trial.status).toBe('passed');
  });

  it('takes its prompt from standard input as well', async () => {
    const trial = await replayOne(
      fixture('stdin', {
        agent: { command: agent.command.slice(0, 2), stdin: '{{prompt}}' },
        steps: [say('done')],
      }),
    );
    expect(trial.status).toBe('passed');
  });

  it.each([
    ['too many requests', { fault: 'status', status: 429, retry_after: 0 }],
    ['an overloaded model', { fault: 'status', status: 529 }],
    ['a dropped connection', { fault: 'drop' }],
    ['a cut answer', { fault: 'cut', after_events: 1 }],
  ])('tries again after %s, with nothing of the script used up', async (_name, fault) => {
    const trial = await replayOne(
      fixture('fault', {
        agent,
        steps: [call(['s', 'shell', { command: 'echo hi >> log' }]), say('done')],
        expects: {
          response_contains: ['done'],
          exact_tool_calls: 1,
          workspace: { file_contains: { log: ['hi'] } },
        },
        more: { faults: [{ ...fault, step: 1 }] },
      }),
    );
    expect(trial.error).toBeNull();
    expect(trial.status).toBe('passed');
    expect(trial.recording?.llmCalls).toBe(2);
  });

  it('is told clearly that the script is at its end, and the trial is an error', async () => {
    const trial = await replayOne(
      fixture('short', { agent, steps: [call(['s', 'shell', { command: 'true' }])] }),
    );
    expect(trial.error?.kind).toBe('script');
    expect(trial.error?.message).toContain('exhausted');
    expect(trial.error?.message).toContain('model error 400');
  });

  it.runIf(IS_LINUX)('returns the error of a tool whose arguments are wrong, and goes on', async () => {
    const trial = await replayOne(
      fixture('wrong', {
        agent,
        steps: [call(['w', 'write_file', { file: 'x' }]), say('done')],
        expects: {
          tool_results_contain: [{ tool: 'write_file', needle: 'KeyError' }],
          response_contains: ['done'],
        },
      }),
    );
    expect(trial.status).toBe('passed');
  });
});
