import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mutantsOf, type Mutant, type MutantSet } from '../../src/curate/index.js';
import type { Recording } from '../../src/index.js';
import { call, directoryOf, firstCase, recording, yamlSuite } from './support.js';

const LOOP = `
  - id: sample
    agent: loop
    prompt: question
    assert: [{ type: tool-not-used, value: delete }, { type: contains, value: x }]
`;

async function mutate(original: Recording, yaml = LOOP): Promise<MutantSet> {
  return mutantsOf(firstCase(await yamlSuite(yaml)), original);
}

function byId(set: MutantSet, id: string): Mutant {
  const found = set.mutants.find((mutant) => mutant.id === id);
  if (found === undefined)
    throw new Error(`no mutant ${id} among ${set.mutants.map((one) => one.id).join(', ')}`);
  return found;
}

function text(set: MutantSet, id: string): string | undefined {
  return byId(set, id).recording.turns.at(-1)?.text;
}

function calls(set: MutantSet, id: string): string[] {
  return byId(set, id).recording.toolCalls.map(
    ({ name, arguments: given, ok }) => `${name}${given}${ok ? '' : '!'}`,
  );
}

describe('Mutants of the answer', () => {
  const answer = "In 2024 the river Seine rose 1.5 m. It isn't safe.";

  it('empty it, cut it, refuse and change the subject', async () => {
    const set = await mutate(recording([answer]));
    expect(text(set, 'text:empty')).toBe('');
    expect(text(set, 'text:truncated')).toBe(answer.slice(0, Math.floor(answer.length / 2)));
    expect(text(set, 'text:refused')).toMatch(/can't help/);
    expect(text(set, 'text:unrelated')).not.toContain('river');
    expect(byId(set, 'text:truncated').claim).toBe('the answer broke off half-way');
  });

  it('go along where the answer declines, since another refusal would be right', async () => {
    const set = await mutate(recording(["I can't do that."]));
    expect(set.mutants.map(({ id }) => id)).toContain('text:complied');
    expect(set.mutants.map(({ id }) => id)).not.toContain('text:refused');
  });

  it('change every number, keeping its form', async () => {
    const set = await mutate(recording([answer]));
    expect(text(set, 'text:number:2024')).toContain('In 2025 the');
    expect(text(set, 'text:number:1.5')).toContain('rose 1.6 m');
    expect(byId(set, 'text:number:2024').claim).toBe('the answer said "2025" instead of "2024"');
  });

  it('change a number wherever it stands, and no longer number that holds it', async () => {
    const set = await mutate(recording(['7 of 77, then 7 again']));
    expect(text(set, 'text:number:7')).toBe('8 of 77, then 8 again');
    expect(text(set, 'text:number:77')).toBe('7 of 78, then 7 again');
  });

  it('change names, and not the words that begin sentences', async () => {
    const set = await mutate(recording(['The capital is Paris. It has `Louvre` inside. Ask Ann-Marie.']));
    const names = set.mutants.flatMap(({ id }) => (id.startsWith('text:name:') ? [id.slice(10)] : []));
    expect(names).toEqual(['Paris', '`Louvre`', 'Ann-Marie']);
    expect(text(set, 'text:name:Paris')).toContain('The capital is Cnevf.');
  });

  it.each([
    ["It isn't safe.", "text:negation:isn't", 'It is safe.'],
    ["I won't go.", "text:negation:won't", 'I will go.'],
    ["I can't go.", "text:negation:can't", 'I can go.'],
    ['You cannot go.', 'text:negation:cannot', 'You can go.'],
    ['It is not safe.', 'text:negation:not', 'It is safe.'],
    ['There is no way.', 'text:negation:no', 'There is some way.'],
    ['It works without keys.', 'text:negation:without', 'It works with keys.'],
  ])('take the negation out of "%s"', async (before, id, after) => {
    expect(text(await mutate(recording([before])), id)).toBe(after);
  });

  it('put a negation in where there is none, after the verb', async () => {
    const set = await mutate(recording(['It is safe and was tested.']));
    expect(text(set, 'text:negation:is')).toBe('It is not safe and was tested.');
  });

  it('number negations that read the same', async () => {
    const set = await mutate(recording(['not here, not there']));
    expect(text(set, 'text:negation:not')).toBe('here, not there');
    expect(text(set, 'text:negation:not#2')).toBe('not here, there');
  });

  it('take no half of a single letter', async () => {
    const set = await mutate(recording(['a']));
    expect(set.mutants.map(({ id }) => id)).not.toContain('text:truncated');
  });

  it('cut between code points', async () => {
    const set = await mutate(recording(['🌍🌍']));
    expect(text(set, 'text:truncated')).toBe('🌍');
  });
});

describe('Mutants of a JSON answer', () => {
  it('drop and change every value, at any depth', async () => {
    const set = await mutate(recording(['{"name":"heron","sizes":[1,2],"wild":true,"a/b":null}']));
    expect(text(set, 'json:/name:dropped')).toBe('{"sizes":[1,2],"wild":true,"a/b":null}');
    expect(text(set, 'json:/name:changed')).toBe('{"name":"ureba","sizes":[1,2],"wild":true,"a/b":null}');
    expect(text(set, 'json:/sizes/0:dropped')).toBe('{"name":"heron","sizes":[2],"wild":true,"a/b":null}');
    expect(text(set, 'json:/sizes:dropped')).toBe('{"name":"heron","wild":true,"a/b":null}');
    expect(text(set, 'json:/wild:changed')).toContain('"wild":false');
    expect(text(set, 'json:/a~1b:dropped')).not.toContain('a/b');
  });

  it('keep the fence and the layout around it', async () => {
    const set = await mutate(recording(['Here:\n```json\n{\n  "a": 1,\n  "b": 2\n}\n```\nDone.']));
    expect(text(set, 'json:/a:dropped')).toBe('Here:\n```json\n{\n  "b": 2\n}\n```\nDone.');
  });

  it('are not made of text, numbers and broken JSON', async () => {
    for (const answer of ['plain', '42', '{"a":', '```\nnot json\n```']) {
      const set = await mutate(recording([answer]));
      expect(set.mutants.filter(({ id }) => id.startsWith('json:'))).toEqual([]);
    }
  });
});

describe('Mutants of the turns', () => {
  it('swap the answers of every two turns', async () => {
    const set = await mutate(recording(['one', 'two', 'three']));
    expect(byId(set, 'turns:swapped:0-2').recording.turns.map((turn) => turn.text)).toEqual([
      'three',
      'two',
      'one',
    ]);
    expect(byId(set, 'turns:swapped:0-1').claim).toBe(
      'the answers of the first and the second turn were swapped',
    );
  });

  it('know that two equal answers cannot be told apart', async () => {
    const set = await mutate(recording(['same', 'same']));
    expect(set.equivalent).toContain('turns:swapped:0-1');
  });

  it('change the text of an earlier turn only where a check looks at it', async () => {
    const turns = `
  - id: sample
    turns:
      - { prompt: a, assert: [{ type: contains, value: one }] }
      - { prompt: b }
      - { prompt: c }
    assert: [{ type: contains, value: three }]
`;
    const set = await mutate(recording(['one', 'two', 'three']), turns);
    expect(byId(set, 'turn[0]:empty').recording.turns.map((turn) => turn.text)).toEqual(['', 'two', 'three']);
    expect(set.mutants.some(({ id }) => id.startsWith('turn[1]'))).toBe(false);
  });
});

describe('Mutants of tool calls', () => {
  const two = recording(['ok'], {
    toolCalls: [
      call('search', { query: 'herons', limit: 5 }),
      call('read', { path: 'a.txt' }, { result: '{"size":3}' }),
    ],
  });

  it('drop, double, rename and fail each one', async () => {
    const set = await mutate(two);
    expect(calls(set, 'call:search[0]:dropped')).toEqual(['read{"path":"a.txt"}']);
    expect(calls(set, 'call:read[0]:doubled')).toHaveLength(3);
    expect(calls(set, 'call:read[0]:renamed')[1]).toBe('another_tool{"path":"a.txt"}');
    expect(calls(set, 'call:search[0]:failed')[0]).toBe('search{"query":"herons","limit":5}!');
    expect(byId(set, 'call:search[0]:dropped').claim).toBe('the call to `search` never happened');
  });

  it('name one of several calls to a tool by its number', async () => {
    const set = await mutate(
      recording(['ok'], { toolCalls: [call('echo', { m: 1 }), call('echo', { m: 2 })] }),
    );
    expect(byId(set, 'call:echo[1]:dropped').claim).toBe('the second call to `echo` never happened');
  });

  it('let a failed call succeed', async () => {
    const failed = recording(['ok'], { toolCalls: [call('read', {}, { ok: false })] });
    expect(calls(await mutate(failed), 'call:read[0]:succeeded')).toEqual(['read{}']);
  });

  it('reorder neighbours', async () => {
    const set = await mutate(two);
    expect(calls(set, 'call:search[0]:reordered').map((one) => one.slice(0, 4))).toEqual(['read', 'sear']);
  });

  it('know that identical calls have no order, and that dropping either leaves the same', async () => {
    const same = recording(['ok'], {
      toolCalls: [call('echo', { m: 1 }, { id: 'a' }), call('echo', { m: 1 }, { id: 'b' })],
    });
    const set = await mutate(same);
    expect(set.equivalent).toContain('call:echo[0]:reordered');
    expect(set.repeated).toContain('call:echo[1]:dropped');
    expect(set.mutants.map(({ id }) => id)).toContain('call:echo[0]:dropped');
  });

  it('change, empty and flip every argument', async () => {
    const set = await mutate(two);
    expect(calls(set, 'call:search[0]:argument:/query:changed')[0]).toBe(
      'search{"limit":5,"query":"urebaf"}',
    );
    expect(calls(set, 'call:search[0]:argument:/query:emptied')[0]).toBe('search{"limit":5,"query":""}');
    expect(calls(set, 'call:search[0]:argument:/query:flipped')[0]).toBe(
      'search{"limit":5,"query":["herons"]}',
    );
    expect(calls(set, 'call:search[0]:argument:/limit:changed')[0]).toBe(
      'search{"limit":6,"query":"herons"}',
    );
    expect(calls(set, 'call:search[0]:argument:/limit:emptied')[0]).toBe(
      'search{"limit":0,"query":"herons"}',
    );
    expect(calls(set, 'call:search[0]:argument:/limit:flipped')[0]).toBe(
      'search{"limit":"5","query":"herons"}',
    );
  });

  it('change arguments that are not JSON, and JSON that is no object', async () => {
    const odd = recording(['ok'], {
      toolCalls: [call('run', 'ls -l'), call('sum', '[1]'), call('say', '"hi"')],
    });
    const set = await mutate(odd);
    expect(calls(set, 'call:run[0]:argument::emptied')[0]).toBe('run');
    expect(calls(set, 'call:sum[0]:argument:/0:changed')[1]).toBe('sum[2]');
    expect(calls(set, 'call:say[0]:argument::flipped')[2]).toBe('say["hi"]');
  });

  it('change and empty every result, and flip the type of one that has a type', async () => {
    const set = await mutate(two);
    const results = (id: string): string[] => byId(set, id).recording.toolCalls.map(({ result }) => result);
    expect(results('call:search[0]:result:changed')).toEqual(['qbar', '{"size":3}']);
    expect(results('call:search[0]:result:emptied')[0]).toBe('');
    expect(results('call:read[0]:result:changed')[1]).toBe('{"size":4}');
    expect(results('call:read[0]:result:flipped')[1]).toBe('[{"size":3}]');
    expect(set.mutants.some(({ id }) => id === 'call:search[0]:result:flipped')).toBe(false);
  });

  it('insert a forbidden and an unknown call', async () => {
    const set = await mutate(two);
    expect(calls(set, 'call:delete:inserted').at(-1)).toBe('delete{}');
    expect(calls(set, 'call:unknown:inserted').at(-1)).toBe('another_tool{}!');
  });

  it('insert none where the agent has no tools', async () => {
    const prompt = '\n  - { id: sample, prompt: q, assert: [{ type: contains, value: x }] }\n';
    const set = await mutate(recording(['ok']), prompt);
    expect(set.mutants.some(({ facet }) => facet === 'calls')).toBe(false);
  });

  it('are not made of stored outputs, of which only the text is known', async () => {
    const outputs = recording(['ok']);
    outputs.receipt.mode = 'outputs';
    const set = await mutate(outputs);
    expect(new Set(set.mutants.map(({ facet }) => facet))).toEqual(new Set(['text']));
  });
});

describe('Mutants of the workspace', () => {
  it('remove, empty and change every file, and follow no link', async () => {
    const root = directoryOf({ 'a.txt': 'alpha', 'deep/b.txt': '', '.git/config': 'x' });
    const set = await mutate(recording(['ok'], { workspace: { root } }));
    const files = set.mutants.flatMap(({ id, file }) =>
      file === undefined ? [] : [[id, file.content?.toString()]],
    );
    expect(files).toEqual([
      ['file:a.txt:removed', undefined],
      ['file:a.txt:emptied', ''],
      ['file:a.txt:changed', 'nycun'],
      ['file:deep/b.txt:removed', undefined],
    ]);
  });
});

describe('Mutants of what is used up', () => {
  const BOUNDED = `
  - id: sample
    agent: loop
    prompt: q
    assert: [{ type: tokens, value: 500 }, { type: latency, value: 2000 }]
`;

  it('multiply what the case bounds and leave the rest unclaimed', async () => {
    const set = await mutate(recording(['ok']), BOUNDED);
    expect(byId(set, 'usage:input_tokens').recording.usage.inputTokens).toBe(1000);
    expect(byId(set, 'usage:output_tokens').recording.usage.outputTokens).toBe(100);
    expect(byId(set, 'usage:duration').recording.durationMs).toBe(10_000);
    expect(set.unclaimed).toEqual(['usage:model_requests', 'usage:cost']);
  });

  it('know that ten times nothing is nothing', async () => {
    const set = await mutate(recording(['ok'], { durationMs: 0 }), BOUNDED);
    expect(set.equivalent).toContain('usage:duration');
  });
});

describe('All mutants', () => {
  const json = fc.jsonValue().map((value) => JSON.stringify(value));
  const anyCall = fc.record({
    name: fc.constantFrom('echo', 'read', 'a b', ''),
    given: fc.oneof(json, fc.string()),
    result: fc.oneof(json, fc.string()),
    ok: fc.boolean(),
  });
  const anyRecording = fc
    .record({
      texts: fc.array(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), json), {
        minLength: 1,
        maxLength: 3,
      }),
      calls: fc.array(anyCall, { maxLength: 4 }),
    })
    .map(({ texts, calls: made }) =>
      recording(texts, {
        toolCalls: made.map(({ name, given, result, ok }) => call(name, given, { result, ok })),
      }),
    );

  it('record something else than the original and than each other, under ids of their own, twice the same', async () => {
    const tested = firstCase(await yamlSuite(LOOP));
    fc.assert(
      fc.property(anyRecording, (original) => {
        const facts = ({ turns, toolCalls, usage }: Recording): string =>
          JSON.stringify([turns, toolCalls.map(({ id: _id, startedAt: _at, ...rest }) => rest), usage]);
        const set = mutantsOf(tested, original);
        const seen = set.mutants.map((mutant) => facts(mutant.recording));
        expect(new Set([facts(original), ...seen]).size).toBe(seen.length + 1);
        const ids = [...set.mutants.map(({ id }) => id), ...set.equivalent, ...set.repeated];
        expect(new Set(ids).size).toBe(ids.length);
        expect(mutantsOf(tested, original)).toEqual(set);
      }),
      { numRuns: 300 },
    );
  });

  it('of one kind are tried up to a number, and the rest is counted', async () => {
    const many = Array.from({ length: 700 }, (_, index) => `${index + 1000}`).join(' ');
    const set = await mutate(recording([many]));
    const numbers = set.mutants.filter(({ id }) => id.startsWith('text:'));
    expect(numbers).toHaveLength(500);
    expect(set.leftOut).toBeGreaterThan(200);
  });

  it('touch nothing of the recording they are made of', async () => {
    const root = directoryOf({ 'a.txt': 'alpha' });
    mkdirSync(join(root, 'sub'));
    writeFileSync(join(root, 'sub/b.txt'), 'beta');
    const original = recording(['The answer is 42.'], {
      toolCalls: [call('echo', { m: 1 })],
      workspace: { root },
    });
    const before = JSON.stringify(original);
    await mutate(original);
    expect(JSON.stringify(original)).toBe(before);
  });
});
