import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BaselineDraft, checkBaselineTarget, readBaseline } from '../../src/baseline/index.js';
import { AssayError } from '../../src/core/index.js';
import { erroredTrial, failedTrial, sampleCase, trial } from '../report/samples.js';
import { temporary } from './support.js';

let place = temporary();
beforeEach(() => (place = temporary()));
afterEach(() => place.remove());

const path = (name = 'base.json'): string => join(place.root, name);

async function caught(work: () => unknown): Promise<AssayError> {
  try {
    await work();
  } catch (error) {
    if (AssayError.isInstance(error)) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

function draftOf(...cases: ReturnType<typeof sampleCase>[]): BaselineDraft {
  const draft = new BaselineDraft('regression');
  for (const one of cases) draft.add(one.result, one.trials);
  return draft;
}

const ENTRY = {
  case_id: 'a',
  case_hash: 'a'.repeat(64),
  mode: 'replay',
  provider_ref: 'scripted',
  tool_surface: { requested: [], effective: [], registered: ['echo'] },
  sandbox: { autonomy: 'supervised', workspace_only: false },
  verdict: 'pass',
  checks: [{ check: 'x', passed: true, category: 'response', diagnostic: false }],
  total_tokens: 10,
  score: 1,
  judge_ref: null,
  repeat: { k: 1, passes: 1 },
};
const file = (...entries: unknown[]): unknown => ({ schema: 'assay/baseline/v1', suite: 's', entries });

function write(content: unknown): void {
  writeFileSync(path(), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
}

describe('writing a baseline', () => {
  it('gives a private file that reads back as what was written, ids in order', async () => {
    const draft = draftOf(sampleCase('b', [failedTrial()]), sampleCase('a', [trial(), trial()]));
    await draft.write(path('new/base.json'), 'new/base.json', 0);
    expect(statSync(path('new/base.json')).mode & 0o777).toBe(0o600);
    const read = readBaseline(path('new/base.json'));
    expect([...read.entries.keys()]).toEqual(['a', 'b']);
    expect(read.entries.get('a')).toMatchObject({ verdict: 'pass', repeat: { k: 2, passes: 2 } });
    expect(read.entries.get('b')).toMatchObject({ verdict: 'fail' });
    expect(read.suite).toBe('regression');
  });

  it('gives the same bytes whatever order the cases came in', () => {
    const [one, other] = [sampleCase('b', [trial()]), sampleCase('a', [trial()])];
    expect(draftOf(one, other).text()).toBe(draftOf(other, one).text());
  });

  it('refuses cases that could not be scored, lists them, and leaves what is there alone', async () => {
    write('what was there');
    const draft = draftOf(
      sampleCase('fine', [trial()]),
      sampleCase('broken', [erroredTrial()]),
      sampleCase('half', [trial(), erroredTrial()]),
    );
    const error = await caught(() => draft.write(path(), 'base.json', 0));
    expect(error.message).toContain('2 cases could not be scored in full: "broken", "half"');
    expect(readFileSync(path(), 'utf8')).toBe('what was there');
    expect(readdirSync(place.root)).toEqual(['base.json']);
  });

  it('refuses when cases were not run, or none was', async () => {
    expect((await caught(() => draftOf(sampleCase('a', [trial()])).write(path(), 'b', 3))).message).toContain(
      '3 cases not run',
    );
    expect((await caught(() => draftOf().write(path(), 'b', 0))).message).toContain('no case was run');
    expect(existsSync(path())).toBe(false);
  });

  it('replaces a link itself, never what it leads to', async () => {
    writeFileSync(path('precious'), 'precious');
    symlinkSync(path('precious'), path());
    await draftOf(sampleCase('a', [trial()])).write(path(), 'base.json', 0);
    expect(readFileSync(path('precious'), 'utf8')).toBe('precious');
    expect(readBaseline(path()).entries.size).toBe(1);
  });

  it('is refused before the run when the target is a directory or lies under a file', async () => {
    mkdirSync(path('dir'));
    writeFileSync(path('plain'), '');
    expect((await caught(() => checkBaselineTarget(path('dir'), 'dir'))).message).toContain('is a directory');
    expect((await caught(() => checkBaselineTarget(path('plain/x/y.json'), 'y'))).message).toContain(
      'is a file',
    );
    checkBaselineTarget(path('not/there/yet.json'), 'yet.json');
    expect(existsSync(path('not'))).toBe(false);
  });
});

describe('reading a baseline', () => {
  it('takes one that is as Assay writes them, also an empty one', () => {
    write(file(ENTRY));
    expect(readBaseline(path()).entries.get('a')?.checks).toEqual(ENTRY.checks);
    write(file());
    expect(readBaseline(path()).entries.size).toBe(0);
  });

  const faults: [string, unknown, string][] = [
    ['an unknown key at the top', { ...(file(ENTRY) as object), extra: 1 }, 'extra: unknown key'],
    ['an unknown key of an entry', file({ ...ENTRY, verdikt: 'pass' }), 'entries[0].verdikt: unknown key'],
    [
      'an unknown key of a tool surface',
      file({ ...ENTRY, tool_surface: { ...ENTRY.tool_surface, other: [] } }),
      'entries[0].tool_surface.other: unknown key',
    ],
    [
      'an unknown key of a sandbox',
      file({ ...ENTRY, sandbox: { ...ENTRY.sandbox, network: true } }),
      'entries[0].sandbox.network: unknown key',
    ],
    [
      'an unknown key of a check',
      file({ ...ENTRY, checks: [{ ...ENTRY.checks[0], detail: 'x' }] }),
      'entries[0].checks[0].detail: unknown key',
    ],
    [
      'an unknown key of a repeat',
      file({ ...ENTRY, repeat: { k: 1, passes: 1, n: 1 } }),
      'entries[0].repeat.n',
    ],
    ['a missing key', file({ ...ENTRY, verdict: undefined }), 'entries[0].verdict'],
    ['an empty id', file({ ...ENTRY, case_id: '' }), 'entries[0].case_id: must not be empty'],
    ['a blank id', file({ ...ENTRY, case_id: '  ' }), 'entries[0].case_id: must not be blank'],
    ['an id that stands twice', file(ENTRY, ENTRY), 'entries[1].case_id: the case "a" stands here twice'],
    ['a hash that is none', file({ ...ENTRY, case_hash: 'abc' }), 'must be 64 hexadecimal digits'],
    ['a verdict that is none', file({ ...ENTRY, verdict: 'passed' }), 'entries[0].verdict'],
    ['a score above 1', file({ ...ENTRY, score: 1.5 }), 'entries[0].score'],
    ['negative tokens', file({ ...ENTRY, total_tokens: -1 }), 'entries[0].total_tokens'],
    ['more passes than trials', file({ ...ENTRY, repeat: { k: 1, passes: 2 } }), '2 of 1 cannot have passed'],
    ['a pass with a failing trial', file({ ...ENTRY, repeat: { k: 2, passes: 1 } }), 'when all 2 trials do'],
    ['a fail with passing trials', file({ ...ENTRY, verdict: 'fail' }), 'fails although all 1 trials passed'],
    ['a list', [], 'must be an object'],
    [
      'a key that is written twice',
      '{"schema":"assay/baseline/v1","suite":"s","suite":"t","entries":[]}',
      'written twice',
    ],
    ['text that is no JSON', '{', 'not valid JSON'],
    ['an empty file', '', 'not valid JSON'],
  ];
  it.each(faults)('refuses %s, with its place', async (_, content, message) => {
    write(content);
    const error = await caught(() => readBaseline(path(), 'base.json'));
    expect(error.describe()).toContain(message);
    expect(error.problems[0]).toMatchObject({ file: 'base.json' });
    expect(error.problems[0]?.line).toBeGreaterThan(0);
  });

  it('refuses another schema and says how to make a new one', async () => {
    for (const schema of ['assay/baseline/v2', 'assay/journal/v1', undefined, 7]) {
      write({ schema, suite: 's', entries: [] });
      const error = await caught(() => readBaseline(path(), 'base.json'));
      expect(error.describe()).toContain('regenerate');
      expect(error.describe()).toContain('--write-baseline');
    }
  });

  it('lists every problem at once', async () => {
    write(file({ ...ENTRY, verdikt: 1 }, { ...ENTRY, case_id: 'b', score: 7 }));
    expect((await caught(() => readBaseline(path()))).problems).toHaveLength(2);
  });

  it('refuses what is not there, and a directory', async () => {
    expect((await caught(() => readBaseline(path('none')))).message).toContain('cannot read the baseline');
    expect((await caught(() => readBaseline(place.root))).message).toContain('it is not a file');
  });

  it('keeps ids that are names of the language apart from them', () => {
    write(file({ ...ENTRY, case_id: '__proto__' }, { ...ENTRY, case_id: 'constructor' }));
    expect([...readBaseline(path()).entries.keys()]).toEqual(['__proto__', 'constructor']);
  });
});

describe('a baseline of the reference harness', () => {
  const { repeat: _repeat, checks: _checks, ...entry } = ENTRY;
  const reference = (changes: object = {}): unknown => ({
    schema: 'zeroclaw-eval/baseline/v1',
    entries: [
      {
        ...entry,
        checks: { 'response_contains("x")': true, 'tools_used("e")': false },
        verdict: 'fail',
        ...changes,
      },
    ],
  });

  it('is read', () => {
    write(reference());
    expect(readBaseline(path()).entries.get('a')).toMatchObject({
      verdict: 'fail',
      checks: [
        { check: 'response_contains("x")', passed: true },
        { check: 'tools_used("e")', passed: false },
      ],
      repeat: { k: 1, passes: 0 },
    });
  });

  it('may leave out what later versions added, and nothing else', async () => {
    write(reference({ total_tokens: undefined, score: undefined, judge_ref: undefined }));
    expect(readBaseline(path()).entries.get('a')).toMatchObject({ total_tokens: null, judge_ref: null });
    write(reference({ repeat: { k: 1, passes: 1 } }));
    expect((await caught(() => readBaseline(path()))).describe()).toContain('repeat: unknown key');
  });
});
