import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { scriptFromTurns, wireEvidence } from '../../src/wire/index.js';
import { calls, text, trialOf } from '../wire/support.js';
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

  it('runs parallel calls, a failing tool and one it does not have, and each result is recorded', async () => {
    const trial = await replayOne(
      fixture('parallel', {
        agent,
        steps: [
          call(
            ['a', 'shell', { command: 'echo one' }],
            ['b', 'shell', { command: 'echo two' }],
            ['c', 'no_such_tool', {}],
            ['d', 'fail', {}],
          ),
          say('done'),
        ],
      }),
    );
    expect(trial.status).toBe('passed');
    expect(trial.recording?.toolCalls.map(({ name, result }) => [name, result.trim()])).toEqual([
      ['shell', 'one'],
      ['shell', 'two'],
      ['no_such_tool', 'error: unknown tool no_such_tool'],
      ['fail', "error: RuntimeError('this tool always fails')"],
    ]);
  });

  it('goes through a run of twelve calls', async () => {
    const steps = Array.from({ length: 12 }, (_, at) =>
      call([`c${at}`, 'shell', { command: 'echo x >> log' }]),
    );
    const trial = await replayOne(
      fixture('twelve', {
        agent,
        steps: [...steps, say('done')],
        expects: { response_contains: ['done'], exact_tool_calls: 12, tools_used: ['shell'] },
      }),
    );
    expect(trial.error).toBeNull();
    expect(trial.status).toBe('passed');
    expect(trial.recording?.llmCalls).toBe(13);
  });

  it('reads surrogate pairs at any place, at one byte a write', async () => {
    const emoji = `é 👩‍👩‍👧‍👦 ${'😀'.repeat(30)}`;
    const steps = [
      calls(
        ['c1', 'shell', { command: `printf %s '${emoji}'` }],
        ['c2', 'shell', { command: `printf %s 'x${emoji}'` }],
      ),
      text(`Done ${emoji}`),
    ];
    const trial = await trialOf(scriptFromTurns([{ user: 'Say hi', steps }]), { writeBytes: 1 });
    const environment = { PATH: process.env['PATH'] ?? '', OPENAI_BASE_URL: trial.urls['openai-chat'] };
    const { stdout } = await promisify(execFile)(PYTHON ?? 'python3', [PYTHON_CLIENT, 'Say hi'], {
      env: { ...environment, PYTHONIOENCODING: 'utf-8' },
    });
    expect(stdout).toBe(`Done ${emoji}\n`);
    expect(wireEvidence(trial).toolCalls.map((each) => each.result)).toEqual([emoji, `x${emoji}`]);
    expect(trial.close()).toMatchObject({ problems: [], requests: 2 });
  });

  it('uses up no step with the request for a title, and its sub-agents have lanes of their own', async () => {
    const lanes = ['alpha', 'beta'].map((name) => ({
      name,
      match: { first_user: `child ${name}` },
      steps: [call([`c-${name}`, 'shell', { command: `echo ${name} > ${name}` }]), say(`${name} is done`)],
    }));
    const trial = await replayOne(
      fixture('family', {
        agent: { ...agent, env: { WITH_TITLE: '1', CHILDREN: 'child alpha,child beta' } },
        steps: [call(['m', 'shell', { command: 'echo main > main' }]), say('done')],
        expects: {
          response_contains: ['done'],
          exact_tool_calls: 3,
          workspace: { file_exists: ['main', 'alpha', 'beta'] },
        },
        more: { lanes },
      }),
    );
    expect(trial.error).toBeNull();
    expect(trial.status).toBe('passed');
    expect(trial.recording?.toolCalls.map((each) => each.id)).toEqual(['m', 'c-alpha', 'c-beta']);
    expect(trial.recording?.notes).toContainEqual(expect.stringContaining('Side request'));
  });
});
