import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { admitted, fixture } from './trace-support.js';

const written = {
  model_name: 'sample',
  id: 'one',
  setup: { workspace_files: { 'a.txt': 'text' } },
  tools: ['file_read'],
  repeat: 2,
  cluster: 'family',
  turns: [
    {
      user_input: 'hello',
      steps: [
        {
          response: {
            type: 'tool_calls',
            tool_calls: [
              { id: 'call', name: 'echo', arguments: { message: 'é', list: [1, { b: null, a: true }] } },
            ],
            input_tokens: 3,
            output_tokens: 4,
          },
        },
        { response: { type: 'text', content: 'ok', input_tokens: 5, output_tokens: 6 } },
      ],
    },
  ],
  expects: {
    response_contains: ['ok', 'k'],
    tool_arguments_contain: [{ tool: 'echo', needle: 'é', call_index: 0 }],
    workspace: { file_absent: ['b.txt'] },
    budget: { max_llm_calls: 2 },
    response_json: { '/a': null },
    judge: [{ name: 'tone', rubric: 'kind' }],
  },
};
const text = JSON.stringify(written);
const hashOf = async (source: string): Promise<string> => (await admitted(source)).hash;

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

describe('the hash of a case', () => {
  it('is SHA-256 over compact JSON with sorted keys and every default filled in', async () => {
    // Written out by hand: the whole of the smallest fixture, keys in byte order.
    const canonical =
      '{"cluster":null,"expects":{"all_tools_succeeded":null,"budget":null,"exact_tool_calls":null,' +
      '"judge":[],"max_tool_calls":null,"min_tool_calls":null,"response_contains":["ok"],"response_json":{},' +
      '"response_matches":[],"response_not_contains":[],"tool_arguments_contain":[],"tool_results_contain":[],' +
      '"tools_not_used":[],"tools_used":[],"workspace":null},"id":null,"model_name":"sample","repeat":1,' +
      '"setup":null,"tools":null,"turns":[{"steps":[{"response":{"content":"ok","input_tokens":0,' +
      '"output_tokens":0,"type":"text"}}],"user_input":"hello"}]}';
    expect(await hashOf(fixture())).toBe(createHash('sha256').update(canonical).digest('hex'));
  });

  it('does not depend on layout, key order, escapes or a spelled-out default', async () => {
    const hash = await hashOf(text);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await hashOf(JSON.stringify(written, null, 7))).toBe(hash);
    expect(await hashOf(JSON.stringify(reversed(written)))).toBe(hash);
    expect(await hashOf(text.replaceAll('é', String.raw`\u00e9`))).toBe(hash);
    expect(await hashOf(text.replace('"rubric":"kind"', '"rubric":"kind","threshold":0.70'))).toBe(hash);
    expect(
      await hashOf(text.replace('"expects":{', '"expects":{"tools_used":[],"max_tool_calls":null,')),
    ).toBe(hash);
  });

  it.each([
    ['"model_name":"sample"', '"model_name":"other"'],
    ['"id":"one"', '"id":"two"'],
    ['"a.txt":"text"', '"a.txt":"other"'],
    ['"file_read"', '"file_write"'],
    ['"repeat":2', '"repeat":3'],
    ['"cluster":"family"', '"cluster":null'],
    ['"user_input":"hello"', '"user_input":"hello "'],
    ['"id":"call"', '"id":"call_2"'],
    ['"name":"echo"', '"name":"ecco"'],
    ['"message":"é"', '"message":"e\u0301"'],
    ['[1,{"b"', '[1.5,{"b"'],
    ['"a":true', '"a":1'],
    ['"input_tokens":3', '"input_tokens":4'],
    ['"output_tokens":6', '"output_tokens":7'],
    ['"content":"ok"', '"content":"ok\\n"'],
    ['["ok","k"]', '["k","ok"]'],
    ['["ok","k"]', '["ok"]'],
    ['"call_index":0', '"call_index":null'],
    ['"b.txt"', '"c.txt"'],
    ['"max_llm_calls":2', '"max_llm_calls":3'],
    ['"/a":null', '"/a":0'],
    ['"rubric":"kind"', '"rubric":"kind","threshold":0.5'],
  ])('an edit of %s changes it', async (from, to) => {
    expect(text).toContain(from);
    expect(await hashOf(text.replace(from, to))).not.toBe(await hashOf(text));
  });

  it('keys of our own take part only where they are used', async () => {
    const hash = await hashOf(text);
    const tagged = await hashOf(text.replace('"repeat":2', '"repeat":2,"tags":["a"]'));
    const perTurn = await hashOf(
      text.replace('"user_input"', '"expects":{"response_contains":["o"]},"user_input"'),
    );
    const asserted = await hashOf(
      text.replace('"expects":{', '"expects":{"assert":[{"type":"contains","value":"o"}],'),
    );
    expect(new Set([hash, tagged, perTurn, asserted]).size).toBe(4);
  });

  it('keys of upkeep take no part, since they change nothing that runs', async () => {
    const kept = await hashOf(
      text.replace(
        '"repeat":2',
        '"repeat":2,"owner":"team","reviewed_at":"2031-02-07","lint":{"ignore":[{"id":"stale","reason":"a"}]},' +
          '"accepted_mutants":[{"id":"m","reason":"b"}]',
      ),
    );
    expect(kept).toBe(await hashOf(text));
  });
});
