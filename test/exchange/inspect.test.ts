import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { importInspect, openZip, type RunImport } from '../../src/exchange/index.js';
import { makeZip, type MadeEntry } from './zip-maker.js';
import { SECRET } from '../cases/samples.js';

function file(content: Buffer | string, name = 'log.eval'): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'assay-inspect-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, name), content);
  return join(root, name);
}

const HEADER = {
  version: 2,
  status: 'success',
  eval: { task: 'ports', model: 'openai/gpt-x', created: '2026-01-02T03:04:05+00:00' },
};

function sample(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: 'one',
    epoch: 1,
    input: 'Which port?',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'attachment://0a1b' },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', reasoning: 'hm' },
          { type: 'text', text: 'Looking.' },
        ],
        tool_calls: [{ id: 'c1', function: 'read', arguments: { path: 'a' }, type: 'function' }],
      },
      { role: 'tool', tool_call_id: 'c1', function: 'read', content: `port = 8080 ${SECRET}` },
      { role: 'assistant', content: 'It is 8080.' },
    ],
    attachments: { '0a1b': 'Which port?' },
    scores: { match: { value: 'C', explanation: 'equal' } },
    model_usage: { 'openai/gpt-x': { input_tokens: 30, output_tokens: 4 } },
    total_time: 1.5,
    ...changes,
  };
}

function zipped(samples: readonly Record<string, unknown>[]): Buffer {
  return makeZip([
    { name: 'header.json', text: JSON.stringify(HEADER) },
    { name: 'summaries.json', text: '[]' },
    ...samples.map((one, index) => ({ name: `samples/${index}_epoch_1.json`, text: JSON.stringify(one) })),
  ]);
}

function read(samples: readonly Record<string, unknown>[]): RunImport {
  return importInspect(file(zipped(samples)), 'log.eval', null);
}

describe('Logs of Inspect', () => {
  it.each([
    ['an archive', (): string => file(zipped([sample()]))],
    ['a JSON document', (): string => file(JSON.stringify({ ...HEADER, samples: [sample()] }), 'log.json')],
  ])('are read from %s: conversation, calls, tokens, time and scores', (_, make) => {
    const made = importInspect(make(), 'log', null);
    expect(made.runs).toMatchObject([
      { suite: 'ports', agentModel: 'openai/gpt-x', startedAt: '2026-01-02T03:04:05.000Z' },
    ]);
    expect(made.runs[0]?.trials).toMatchObject([
      {
        caseId: 'one',
        trial: 1,
        status: 'passed',
        score: 1,
        checks: [{ label: 'match', outcome: 'pass', evidence: 'scored "C": equal' }],
        recording: {
          turns: [{ user: 'Which port?', text: 'It is 8080.' }],
          toolCalls: [{ name: 'read', arguments: '{"path":"a"}', ok: true }],
          usage: { inputTokens: 30, outputTokens: 4, cost: null },
          llmCalls: 2,
          durationMs: 1500,
        },
      },
    ]);
    expect(JSON.stringify(made.runs)).not.toContain('SENTINEL');
  });

  it.each([
    ['C', 'passed', 1],
    ['P', 'failed', 0.5],
    ['I', 'failed', 0],
    ['N', 'failed', 0],
    [1, 'passed', 1],
    [0.7, 'failed', 0.7],
    [false, 'failed', 0],
    [7, 'failed', 0],
    [{ a: 1 }, 'failed', 0],
    ['great', 'failed', 0],
  ] as const)('a score of %j is %s', (value, status, score) => {
    const [trial] = read([sample({ scores: { s: { value } } })]).runs[0]?.trials ?? [];
    expect(trial).toMatchObject({ status, score });
  });

  it('a score that is no share is unknown, which is never a pass, and is listed', () => {
    const made = read([sample({ scores: { s: { value: 7 } } })]);
    expect(made.runs[0]?.trials[0]?.checks[0]?.outcome).toBe('unknown');
    expect(made.rows.filter((row) => row.kind === 'score')).toHaveLength(1);
  });

  it('errors and missing scores are errors, not fails', () => {
    const made = read([
      sample({ id: 'broke', error: { message: 'boom' } }),
      sample({ id: 'ungraded', scores: {} }),
      sample({ id: 'long', limit: { type: 'token', limit: 5 } }),
    ]);
    expect(made.runs[0]?.trials.map((trial) => [trial.caseId, trial.status, trial.error?.kind])).toEqual([
      ['broke', 'error', 'agent'],
      ['ungraded', 'error', 'grader'],
      ['long', 'error', 'limit'],
    ]);
  });

  it('epochs are trials; a sample that is there twice counts once', () => {
    const made = read([sample(), sample({ epoch: 2, scores: { match: { value: 'I' } } }), sample()]);
    expect(made.runs[0]?.trials.map((trial) => [trial.trial, trial.status])).toEqual([
      [1, 'passed'],
      [2, 'failed'],
    ]);
    expect(made.rows.filter((row) => row.outcome === 'dropped')).toHaveLength(1);
  });

  it('a log that was cut off is read from its beginning', () => {
    const cut = makeZip([
      { name: '_journal/start.json', text: JSON.stringify(HEADER) },
      { name: 'samples/one_epoch_1.json', text: JSON.stringify(sample()) },
    ]);
    expect(importInspect(file(cut), 'log.eval', null).runs[0]?.trials).toHaveLength(1);
  });

  it.each([
    ['no log', 'is no log of Inspect'],
    ['{}', 'it has no eval'],
    [makeZip([{ name: 'other.json', text: '{}' }]), 'it has no header'],
  ])('%.10j is refused', (content, message) => {
    expect(() => importInspect(file(content), 'log.eval', null)).toThrow(message);
  });
});

describe('Zip archives', () => {
  const texts = (entries: readonly MadeEntry[], comment = ''): string[] => {
    const archive = openZip(file(makeZip(entries, comment)), 'x.zip');
    try {
      return archive.entries.map((entry) => archive.text(entry));
    } finally {
      archive.close();
    }
  };

  it('give back what was put in, packed or plain, with any comment', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            name: fc.string(),
            text: fc.string({ unit: 'grapheme' }),
            method: fc.constantFrom(0, 8),
          }),
          { maxLength: 5 },
        ),
        fc.string({ maxLength: 30 }),
        (entries, comment) => {
          expect(texts(entries, comment)).toEqual(entries.map((entry) => entry.text));
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each<[string, MadeEntry, string]>([
    ['a bomb', { name: 'a', text: 'x'.repeat(1_000_000), size: 10 }, 'a:'],
    ['a wrong checksum', { name: 'a', text: 'x', crc: 1 }, 'is damaged'],
    ['an encrypted entry', { name: 'a', text: 'x', flags: 1 }, 'is encrypted'],
    ['an unknown way of packing', { name: 'a', text: 'x', method: 93 }, 'packed by method 93'],
    ['an impossible size', { name: 'a', text: 'x', size: 0x7fffffff }, 'larger than 512 MB'],
  ])('refuse %s', (_, entry, message) => {
    expect(() => texts([entry])).toThrow(message);
  });

  it('refuse archives that were cut anywhere, and never hang or crash', () => {
    const whole = makeZip([{ name: 'a', text: 'hello' }]);
    for (let length = 0; length < whole.length; length += 1) {
      expect(() => {
        const archive = openZip(file(whole.subarray(0, length)), 'x.zip');
        archive.close();
      }).toThrow('no zip archive');
    }
  });

  it('refuse or read any damage to single bytes, with no other error', () => {
    const whole = makeZip([{ name: 'a', text: 'hello hello hello' }]);
    for (let at = 0; at < whole.length; at += 1) {
      const spoiled = Buffer.from(whole);
      spoiled.writeUInt8((spoiled.readUInt8(at) + 0x55) & 0xff, at);
      const path = file(spoiled);
      try {
        const archive = openZip(path, 'x.zip');
        for (const entry of archive.entries) archive.text(entry);
        archive.close();
      } catch (error) {
        expect(error).toMatchObject({ name: 'AssayError', code: 'INPUT' });
      }
    }
  });
});
