import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  isShortLived,
  readHistory,
  trends,
  writeHistory,
  type HistoryRecord,
} from '../../src/baseline/index.js';
import { formatTrend, sparkline } from '../../src/report/index.js';
import { erroredTrial, failedTrial, sampleCase, summary, trial } from '../report/samples.js';
import { recordOf, temporary } from './support.js';

let place = temporary();
beforeEach(() => (place = temporary()));
afterEach(() => place.remove());

describe('a history directory', () => {
  const record = recordOf([sampleCase('a', [trial()])]);

  it('has one private file for each run, named by time and commit, and overwrites none', () => {
    const commit = recordOf(
      [sampleCase('a', [trial()])],
      {},
      {
        git: { commit: '0123456789abcdef0123', dirty: true },
      },
    );
    writeHistory(place.root, record);
    writeHistory(place.root, record);
    writeHistory(place.root, commit);
    const folder = join(place.root, 'regression');
    expect(readdirSync(folder).toSorted()).toEqual([
      '20260102T030406Z-0123456789ab.json',
      '20260102T030406Z-nogit.json',
      '20260102T030406Z-nogit_1.json',
    ]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, '20260102T030406Z-nogit.json')).mode & 0o777).toBe(0o600);
  });

  it('never takes a commit for a path', () => {
    const hostile = { ...record, git_sha: '../../../../x' };
    expect(writeHistory(place.root, hostile)).toBe(
      join(place.root, 'regression/20260102T030406Z-nogit.json'),
    );
  });

  it('keeps a suite with a hostile name inside', () => {
    const path = writeHistory(place.root, { ...record, suite: '../../out' });
    expect(path.startsWith(`${place.root}/`)).toBe(true);
    expect(readHistory(place.root, '../../out').records).toHaveLength(1);
  });

  it('is not written through a link in place of the suite', () => {
    const elsewhere = join(place.root, 'elsewhere');
    mkdirSync(elsewhere);
    mkdirSync(join(place.root, 'h'));
    symlinkSync(elsewhere, join(place.root, 'h/regression'));
    expect(() => writeHistory(join(place.root, 'h'), record)).toThrow(/symbolic link/);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('is said to be short-lived where build tools clear away', () => {
    expect(isShortLived('/work/target/history')).toBe(true);
    expect(isShortLived('/work/node_modules/x')).toBe(true);
    expect(isShortLived('/work/targets/history')).toBe(false);
  });

  it('is read oldest first, and a file that is not right hides no other', () => {
    writeHistory(place.root, { ...record, recorded_at: '2026-03-01T00:00:00.000Z', run_id: 'late' });
    writeHistory(place.root, { ...record, recorded_at: '2026-02-01T00:00:00.000Z', run_id: 'early' });
    const folder = join(place.root, 'regression');
    writeFileSync(join(folder, 'a.json'), '{');
    writeFileSync(join(folder, 'b.json'), JSON.stringify({ ...record, extra: 1 }));
    writeFileSync(join(folder, 'c.json'), JSON.stringify({ ...record, suite: 'other' }));
    writeFileSync(join(place.root, 'secret.json'), JSON.stringify(record));
    symlinkSync(join(place.root, 'secret.json'), join(folder, 'd.json'));
    writeFileSync(join(folder, '.hidden.json'), '{');
    const { records, problems } = readHistory(place.root, 'regression');
    expect(records.map((one) => one.run_id)).toEqual(['early', 'late']);
    expect(problems.map((one) => one.path.slice(-6))).toEqual(['a.json', 'b.json', 'c.json', 'd.json']);
  });

  it('that does not exist has no runs and no problems', () => {
    expect(readHistory(join(place.root, 'none'), null)).toEqual({ records: [], problems: [] });
  });
});

describe('the trend of a suite', () => {
  const at = (day: number, runId: string): HistoryRecord => ({
    ...recordOf([sampleCase('a', [trial()]), sampleCase('b', [failedTrial()])]),
    recorded_at: `2026-01-0${day}T00:00:00.000Z`,
    run_id: runId,
  });

  it('takes history and stored runs together, each run once, oldest first', () => {
    const stored = summary([sampleCase('a', [trial()])], {
      finishedAt: '2026-01-02T00:00:00.000Z',
      runId: 'stored',
    });
    const both = summary([sampleCase('a', [trial()])], { runId: 'one' });
    const found = trends([at(3, 'three'), at(1, 'one')], [stored, both]);
    expect([...found.keys()]).toEqual(['regression']);
    expect(found.get('regression')?.map((point) => point.runId)).toEqual(['one', 'stored', 'three']);
  });

  it('leaves what could not be scored out of the rate and says how much that is', () => {
    const cases = [sampleCase('a', [trial()]), sampleCase('b', [erroredTrial()])];
    const [point] = trends([], [summary(cases)]).get('regression') ?? [];
    expect(point).toMatchObject({ passed: 1, scored: 1, missing: 1 });
  });

  it('is a table with n and interval of every point, and a line of bars', () => {
    const points = trends([at(1, 'one')], [summary([sampleCase('a', [trial()])], { runId: 'two' })]).get(
      'regression',
    );
    const text = formatTrend('regression', points ?? [], { color: false });
    expect(text).toContain('regression: 2 runs');
    expect(text).toMatch(/2026-01-01T00:00:00\.000Z +failed +50\.0% +\[9\.5%, 90\.5%\] +1\/2/);
    expect(text).toMatch(/2026-01-02T03:04:06\.000Z +passed +100\.0% +\[20\.7%, 100\.0%\] +1\/1/);
    expect(text.trimEnd().split('\n').at(-1)).toBe('▄█');
  });

  it('draws a full bar only for everything, and a dot where nothing was scored', () => {
    expect(sparkline([0, 0.5, 0.999, 1, null, Number.NaN])).toBe('▁▄▇█··');
    expect(sparkline([])).toBe('');
  });

  it('cannot be made to drive a terminal', () => {
    const hostile = { ...at(1, 'one\u001b[2J'), provider_ref: 'a\nb' };
    const points = trends([hostile], []).get('regression') ?? [];
    const text = formatTrend('x\u001b[31m', points, { color: false });
    expect(text).not.toContain('\u001b');
    expect(text.split('\n')).toHaveLength(5);
  });
});
