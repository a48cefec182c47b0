import { describe, expect, it } from 'vitest';
import { PROTOCOLS } from '../../src/core/index.js';
import { call, fixture, nodeAgent, NODE_CLIENT, replayOne, say } from './support.js';

const MODES = PROTOCOLS.flatMap((protocol) => ['json', 'stream'].map((mode) => [protocol, mode] as const));

describe.each(MODES)('an agent of one’s own over %s, %s', (protocol, mode) => {
  const agent = nodeAgent(protocol, mode);

  it('really writes the file that its scripted model asks for', async () => {
    const trial = await replayOne(
      fixture('write', {
        agent,
        steps: [call(['w1', 'write_file', { path: 'hello.txt', content: 'héllo 👋' }]), say('all done')],
        expects: {
          response_contains: ['all done'],
          tools_used: ['write_file'],
          exact_tool_calls: 1,
          tool_arguments_contain: [{ tool: 'write_file', needle: '"content":"héllo 👋"' }],
          tool_results_contain: [{ tool: 'write_file', needle: 'wrote hello.txt' }],
          all_tools_succeeded: true,
          workspace: { file_contains: { 'hello.txt': ['héllo 👋'] } },
          budget: { max_llm_calls: 2, max_total_tokens: 42 },
        },
      }),
    );
    expect(trial.error).toBeNull();
    expect(trial.checks.filter((check) => check.outcome !== 'pass')).toEqual([]);
    expect(trial.status).toBe('passed');
    expect(trial.recording?.llmCalls).toBe(2);
  });

  it('runs parallel calls, a failing tool and a tool it does not have, and each result is recorded', async () => {
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
    const calls = trial.recording?.toolCalls ?? [];
    expect(calls.map(({ name, result }) => [name, result.trim()])).toEqual([
      ['shell', 'one'],
      ['shell', 'two'],
      ['no_such_tool', 'error: there is no tool no_such_tool'],
      ['fail', 'error: this tool always fails'],
    ]);
    expect(calls[2]?.ok).toBe(false);
    expect(trial.recording?.notes).toContainEqual(
      expect.stringContaining('no_such_tool (c) was called and not executed: the agent did not offer it'),
    );
  });
});

describe('an agent of one’s own', () => {
  it('makes twelve calls in a row', async () => {
    const steps = Array.from({ length: 12 }, (_, index) =>
      call([`c${index}`, 'shell', { command: `echo line ${index} >> log` }]),
    );
    const trial = await replayOne(
      fixture('twelve', {
        agent: nodeAgent('anthropic', 'stream'),
        steps: [...steps, say('done')],
        expects: { exact_tool_calls: 12, workspace: { file_contains: { log: ['line 0\n', 'line 11\n'] } } },
      }),
    );
    expect(trial.status).toBe('passed');
  });

  it('is started once a turn, in one workspace', async () => {
    const trial = await replayOne(
      fixture('turns', {
        agent: nodeAgent(),
        turns: [
          {
            user_input: 'first',
            steps: [call(['a', 'shell', { command: 'echo 1 > kept' }]), say('written')],
          },
          { user_input: 'second', steps: [call(['b', 'shell', { command: 'cat kept' }]), say('read')] },
        ],
        expects: {
          response_contains: ['read'],
          tool_results_contain: [{ tool: 'shell', needle: '1', call_index: 1 }],
        },
      }),
    );
    expect(trial.error).toBeNull();
    expect(trial.recording?.turns).toEqual([
      { user: 'first', text: 'written' },
      { user: 'second', text: 'read' },
    ]);
    expect(trial.recording?.toolCalls.map((each) => each.turn)).toEqual([0, 1]);
    expect(trial.status).toBe('passed');
  });

  it('fails the trial when it asks for less than the script holds, whatever its exit code', async () => {
    const trial = await replayOne(fixture('left', { agent: { command: ['true'] }, steps: [say('done')] }));
    expect(trial.error).toMatchObject({ kind: 'script' });
    expect(trial.error?.message).toContain('never asked for');
  });

  it('fails the trial when it asks for more than the script holds', async () => {
    const trial = await replayOne(
      fixture('more', { agent: nodeAgent(), steps: [call(['a', 'shell', { command: 'true' }])] }),
    );
    expect(trial.error?.kind).toBe('script');
    expect(trial.error?.message).toMatch(/exit code 1/);
  });

  it('replays the same twice although it says where it works', async () => {
    const trial = await replayOne(
      fixture('place', {
        agent: nodeAgent('anthropic', 'json'),
        steps: [call(['p', 'shell', { command: 'pwd; echo $HOME; echo {{workspace}}' }]), say('done')],
      }),
      { verifyDeterminism: true },
    );
    expect(trial.error).toBeNull();
    const [told, , filled] = trial.recording?.toolCalls[0]?.result.trim().split('\n') ?? [];
    expect(filled).toBe(told);
  });

  it('is judged by the wire and not by an exit code', async () => {
    const trial = await replayOne(
      fixture('code', {
        agent: {
          command: ['sh', '-c', `"$0" "$1" openai-chat json x; exit 3`, process.execPath, NODE_CLIENT],
        },
        steps: [say('done')],
      }),
    );
    expect(trial.status).toBe('passed');
    expect(trial.recording?.notes).toContainEqual('turn 1: the program ended with exit code 3');
  });
});
