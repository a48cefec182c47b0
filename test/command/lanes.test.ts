import { describe, expect, it } from 'vitest';
import { call, fixture, nodeAgent, replayOne, say } from './support.js';

describe('an agent with conversations beside the main one', () => {
  const lanes = ['alpha', 'beta'].map((name) => ({
    name,
    match: { first_user: `child ${name}` },
    steps: [call([`c-${name}`, 'shell', { command: `echo ${name} > ${name}` }]), say(`${name} is done`)],
  }));

  it('has a lane for each, whatever order they race in', async () => {
    const trial = await replayOne(
      fixture('children', {
        agent: nodeAgent('anthropic', 'stream', { env: { CHILDREN: 'child alpha,child beta' } }),
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
  });

  it('does not use up a step with the request for a title', async () => {
    const trial = await replayOne(
      fixture('title', {
        agent: nodeAgent('openai-chat', 'json', { env: { WITH_TITLE: '1' } }),
        steps: [call(['a', 'shell', { command: 'true' }]), say('done')],
      }),
    );
    expect(trial.error).toBeNull();
    expect(trial.status).toBe('passed');
    expect(trial.recording?.llmCalls).toBe(2);
    expect(trial.recording?.notes).toContainEqual(expect.stringContaining('Side request'));
  });

  it('fails when a lane is never asked for', async () => {
    const trial = await replayOne(
      fixture('idle lane', { agent: nodeAgent(), steps: [say('done')], more: { lanes: lanes.slice(0, 1) } }),
    );
    expect(trial.error?.kind).toBe('script');
    expect(trial.error?.message).toContain('alpha');
  });
});
