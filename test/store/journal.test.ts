import { appendFileSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  readJournal,
  resumeIndex,
  type RunStore,
  trialText,
  type JournalEntry,
} from '../../src/store/index.js';
import {
  createRun,
  entries,
  erroredTrial,
  failure,
  header,
  summary,
  temporaryDirectory,
  trial,
} from './builders.js';

/** A finished journal of three trials. */
async function journal(): Promise<{ path: string; store: RunStore; bytes: Buffer }> {
  const store = await createRun(temporaryDirectory(), { caseIds: ['a', 'b ü 🚀'] });
  for (const one of [trial('a', 1), erroredTrial('a', 2), trial('b ü 🚀', 1)]) await store.append(one);
  await store.end(summary(store));
  const path = join(store.directory, 'journal.jsonl');
  return { path, store, bytes: readFileSync(path) };
}

function types(read: readonly JournalEntry[]): string[] {
  return read.map((entry) => entry.type);
}

/** The journal with line `number` (1-based) replaced. */
function replaceLine(bytes: Buffer, number: number, line: string | Buffer): Buffer {
  const lines: Buffer[] = [];
  let from = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
    lines.push(bytes.subarray(from, end));
    from = end + 1;
  }
  lines[number - 1] = Buffer.from(line);
  return Buffer.concat(lines.flatMap((one) => [one, Buffer.from('\n')]));
}

describe('reading a journal', () => {
  test('gives header, plan, trials and end in the order they were written', async () => {
    const { path, store } = await journal();
    const read = entries(path);
    expect(types(read)).toEqual(['run', 'plan', 'trial', 'trial', 'trial', 'end']);
    expect(read[0]).toEqual({
      type: 'run',
      line: 1,
      header: { ...header(), runId: store.runId, suite: 'demo' },
    });
    expect(read[1]).toEqual({ type: 'plan', line: 2, caseIds: ['a', 'b ü 🚀'] });
    expect(read[2]).toMatchObject({ line: 3, trial: trial('a', 1) });
    expect(read[3]).toMatchObject({ line: 4, trial: erroredTrial('a', 2) });
    expect(read[5]).toEqual({
      type: 'end',
      line: 6,
      summary: summary(store, { directory: store.directory }),
    });
  });

  test('says where each trial stands, in bytes', async () => {
    const { path, bytes } = await journal();
    const found = entries(path).flatMap((entry) => (entry.type === 'trial' ? [entry] : []));
    expect(
      found.map((entry) => bytes.subarray(entry.offset, entry.offset + entry.length).toString()),
    ).toEqual([trial('a', 1), erroredTrial('a', 2), trial('b ü 🚀', 1)].map(trialText));
  });

  test('works for every prefix: whole lines are read, the torn rest is reported and nothing else', async () => {
    const { path, bytes } = await journal();
    const whole = types(entries(path));
    writeFileSync(path, '');
    let lines = 0;
    expect(entries(path)).toEqual([]);
    for (const byte of bytes) {
      appendFileSync(path, Buffer.from([byte]));
      if (byte === 10) lines += 1;
      expect(types(entries(path))).toEqual([...whole.slice(0, lines), ...(byte === 10 ? [] : ['torn'])]);
    }
    expect(lines).toBe(whole.length);
  });

  test('reports a torn last line with its place', async () => {
    const { path, bytes } = await journal();
    appendFileSync(path, '{"type":"tri');
    expect(entries(path).at(-1)).toEqual({ type: 'torn', line: 7, offset: bytes.length, length: 12 });
    expect(resumeIndex(readJournal(path)).problems).toEqual([
      { line: 7, message: expect.stringContaining('cut off') },
    ]);
  });

  test.each([
    ['is not JSON', '{"type":"trial",', /not JSON/],
    ['is not an object', '[]', /not an object/],
    ['has no type', '{}', /`type` must be text/],
    ['is a trial without its case', '{"type":"trial"}', /`case` must be text/],
    ['is empty', '', /not JSON/],
    ['is not UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), /not UTF-8/],
    ['is full of zeros, as after a power failure', Buffer.alloc(500), /not JSON/],
  ])('reports a line in the middle that %s and keeps the others', async (_name, line, message) => {
    const { path, bytes } = await journal();
    writeFileSync(path, replaceLine(bytes, 4, line));
    const read = entries(path);
    expect(types(read)).toEqual(['run', 'plan', 'trial', 'broken', 'trial', 'end']);
    expect(read[3]).toMatchObject({ line: 4, message: expect.stringMatching(message) });
  });

  test('keeps the trials when the header is broken', async () => {
    const { path, bytes } = await journal();
    writeFileSync(path, replaceLine(bytes, 1, '{"type":"run"'));
    expect(types(entries(path))).toEqual(['broken', 'plan', 'trial', 'trial', 'trial', 'end']);
  });

  test('passes over keys and kinds of lines that it does not know', async () => {
    const { path, bytes } = await journal();
    writeFileSync(path, replaceLine(bytes, 4, '{"type":"later","x":1}'));
    expect(entries(path)[3]).toEqual({ type: 'unknown', line: 4, name: 'later' });
  });

  test('refuses a journal of another version by its schema', async () => {
    const { path, bytes } = await journal();
    writeFileSync(path, bytes.toString().replace('assay/journal/v1', 'assay/journal/v2'));
    expect(await failure(() => entries(path))).toMatchObject({
      code: 'STORE',
      message: expect.stringContaining('"assay/journal/v2"'),
      fix: expect.stringContaining('another version'),
    });
  });

  test('says that there is no journal', async () => {
    const path = join(temporaryDirectory(), 'journal.jsonl');
    expect(await failure(() => entries(path))).toMatchObject({ code: 'RUN_NOT_FOUND' });
  });

  test('refuses a link and a directory in its place', async () => {
    const directory = temporaryDirectory();
    symlinkSync('/etc/passwd', join(directory, 'journal.jsonl'));
    expect(await failure(() => entries(join(directory, 'journal.jsonl')))).toMatchObject({ code: 'STORE' });
    mkdirSync(join(directory, 'there'));
    expect(await failure(() => entries(join(directory, 'there')))).toMatchObject({ code: 'STORE' });
  });

  test('reads lines that are longer than any buffer', async () => {
    const store = await createRun(temporaryDirectory());
    const long = trial('long');
    const text = 'ü'.repeat(1_500_000);
    if (long.recording) long.recording.turns = [{ user: 'x', text }];
    await store.append(long);
    await store.append(trial('after'));
    await store.close();
    const read = entries(join(store.directory, 'journal.jsonl'));
    expect(types(read)).toEqual(['run', 'trial', 'trial']);
    expect(read[1]).toMatchObject({ trial: long });
  });

  test('stops reading when the reader stops', async () => {
    const { path } = await journal();
    const reader = readJournal(path);
    expect(reader.next().value).toMatchObject({ type: 'run' });
    reader.return();
    truncateSync(path, 0);
    expect(reader.next().done).toBe(true);
  });
});

describe('several lines for one trial', () => {
  test.each([
    ['a later score replaces an earlier one', ['failed', 'passed'], 'passed'],
    ['a later score replaces an error', ['error', 'failed'], 'failed'],
    ['an error never replaces a score', ['passed', 'error'], 'passed'],
    ['a later error replaces an earlier one', ['error', 'error'], 'error'],
  ] as const)('%s', async (_name, statuses, kept) => {
    const store = await createRun(temporaryDirectory());
    for (const status of statuses) {
      await store.append(status === 'error' ? erroredTrial('a') : trial('a', 1, { status }));
    }
    await store.close();
    const index = resumeIndex(readJournal(join(store.directory, 'journal.jsonl')));
    expect(index.cases.get('a')?.map((one) => one.status)).toEqual([kept]);
  });
});
