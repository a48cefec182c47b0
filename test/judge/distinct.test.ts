import { describe, expect, it } from 'vitest';
import { assertDistinct, type Distinctness } from '../../src/judge/index.js';

function compare(
  agentRef: string,
  judgeRef: string,
  served: [string | null, string | null] = [null, null],
  override = false,
): Distinctness {
  const [agentServed, judgeServed] = served;
  return assertDistinct({ agentRef, judgeRef, agentServed, judgeServed, override });
}

describe('the judge and the agent', () => {
  it.each([
    ['claude-cli:sonnet', 'claude-cli:sonnet'],
    ['claude-cli:sonnet', 'Claude-CLI: Sonnet '],
    ['claude-cli:claude-sonnet-4-5', 'anthropic:claude-sonnet-4-5'],
    ['anthropic:claude-sonnet-4-5-20250929', 'anthropic:claude-sonnet-4-5'],
    ['anthropic:claude-sonnet-4-5@20250929', 'anthropic:claude-sonnet-4-5-latest'],
    ['openai:gpt-4o', 'codex-cli:gpt-4o-2024-08-06'],
    ['google:models/gemini-2.5-pro', 'gemini-cli:gemini-2.5-pro'],
    [
      'openai-compatible:llama3@http://localhost:11434/v1',
      'openai-compatible:llama3:latest@http://localhost:11434/v1/',
    ],
    [
      'openai-compatible:llama3@http://localhost:11434/v1',
      'openai-compatible:LLAMA3@http://127.0.0.1:11434/v1',
    ],
    ['openai-compatible:openai/gpt-4.1@https://h/v1', 'openai-compatible:gpt-4-1:free@https://h/v1'],
    ['claude-cli:sonnet[1m]', 'claude-cli:sonnet'],
    ['module:./model.ts', 'module:./model.ts'],
  ])('are the same as %s and %s', (agentRef, judgeRef) => {
    const found = compare(agentRef, judgeRef);
    expect(found).toMatchObject({ status: 'same', message: expect.any(String), fix: expect.any(String) });
  });

  it.each([
    ['claude-cli:sonnet', 'claude-cli:opus'],
    ['claude-cli:sonnet', 'openai:sonnet'],
    ['openai:gpt-4o-2024-05-13', 'openai:gpt-4o-2024-08-06'],
    ['openai:gpt-4o', 'openai:gpt-4o-mini'],
    ['openai-compatible:local@http://localhost:1', 'openai-compatible:local@http://localhost:2'],
    ['module:./a.ts', 'module:./A.ts'],
    ['scripted', 'scripted'],
    ['outputs:a.jsonl', 'claude-cli:opus'],
  ])('are distinct as %s and %s', (agentRef, judgeRef) => {
    expect(compare(agentRef, judgeRef).status).toBe('distinct');
  });

  it('are the same when an alias and a full name were served by one model', () => {
    const id = 'claude-sonnet-4-5-20250929';
    expect(compare('claude-cli:sonnet', 'anthropic:claude-sonnet-4-5').status).toBe('distinct');
    expect(compare('claude-cli:sonnet', 'anthropic:claude-sonnet-4-5', [id, id]).status).toBe('same');
    expect(compare('claude-cli:sonnet', 'claude-cli:opus', [id, `us.anthropic.${id}-v1:0`]).status).toBe(
      'same',
    );
  });

  it('are the same when one was served by what the other is named', () => {
    const id = 'claude-sonnet-4-5-20250929';
    expect(compare('claude-cli:sonnet', 'anthropic:claude-sonnet-4-5', [id, null]).status).toBe('same');
    expect(compare('anthropic:claude-sonnet-4-5', 'claude-cli:opus', [null, id]).status).toBe('same');
    expect(compare('claude-cli:sonnet', 'anthropic:claude-opus-4-1', [id, null]).status).toBe('distinct');
  });

  it('stay the same by name even when other models were served', () => {
    expect(
      compare('claude-cli:sonnet', 'claude-cli:sonnet', ['claude-haiku-4-5', 'claude-opus-4-1']).status,
    ).toBe('same');
  });

  it('may be the same when overridden, and then there is a mark for the report', () => {
    const found = compare('claude-cli:sonnet', 'claude-cli:sonnet', [null, null], true);
    expect(found).toMatchObject({ status: 'overridden', mark: expect.stringContaining('claude-cli:sonnet') });
    expect(compare('claude-cli:sonnet', 'openai:gpt-5', [null, null], true)).toEqual({
      status: 'distinct',
      note: null,
    });
  });

  it('get a note when they are of one family, or an alias may be the other', () => {
    expect(compare('claude-cli:sonnet', 'claude-cli:opus')).toMatchObject({
      note: 'agent and judge are both models of anthropic',
    });
    expect(compare('claude-cli:sonnet', 'anthropic:claude-sonnet-4-5')).toMatchObject({
      note: expect.stringContaining('may be served by one model'),
    });
  });
});
