import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createReporter } from '../../src/report/index.js';
import { check, events, failedTrial, report, sampleCase, trial } from './samples.js';
import { elements, parseXml } from './xml-tree.js';

let directory = '';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'assay-test-'));
  vi.stubEnv('TMPDIR', directory);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true, force: true });
});

/** More than a reporter keeps in memory: about six million characters. */
function large() {
  const evidence = 'é😀'.repeat(1000);
  return events(
    Array.from({ length: 1000 }, (_, index) =>
      sampleCase(`case ${index}`, [
        index % 3 === 0
          ? failedTrial({ checks: [check({ outcome: 'fail', evidence })] })
          : trial({ checks: [check({ evidence })] }),
      ]),
    ),
  );
}

describe('a run that is too large for memory', () => {
  test('takes flat memory for a hundred thousand cases in every form, and leaves no file', () => {
    const child = fileURLToPath(new URL('memory-child.mjs', import.meta.url));
    const run = spawnSync(process.execPath, ['--expose-gc', child, '100000'], {
      encoding: 'utf8',
      env: { ...process.env, TMPDIR: directory },
    });
    expect(run.stderr).toBe('');
    const { measured, left } = JSON.parse(run.stdout);
    expect(measured.map(({ format }: { format: string }) => format)).toEqual([
      'table',
      'json',
      'junit',
      'markdown',
    ]);
    // A hundred bytes a case is what is allowed for; keeping the cases would take several hundred and more.
    for (const { grown } of measured) expect(grown).toBeLessThan(10_000_000);
    const written = Object.fromEntries(
      measured.map((one: { format: string; written: number }) => [one.format, one.written]),
    );
    expect(written['table']).toBeLessThan(10_000);
    expect(written['markdown']).toBeLessThan(10_000);
    expect(written['json']).toBeGreaterThan(10_000_000);
    expect(left).toEqual([]);
  }, 240_000);

  test('loses no case and keeps them in order, through the temporary file', () => {
    const document = JSON.parse(report('json', large()));
    expect(document.cases.map(({ name }: { name: string }) => name)).toEqual(
      Array.from({ length: 1000 }, (_, index) => `case ${index}`),
    );
    expect(document.cases[999].grades[0].detail).toBe('é😀'.repeat(1000));
    const root = parseXml(report('junit', large()));
    expect(elements(root, 'testcase').map(({ attributes }) => attributes['name'])).toEqual(
      Array.from({ length: 1000 }, (_, index) => `case ${index}`),
    );
    expect(readdirSync(directory)).toEqual([]);
  });

  test('several large suites keep their cases apart', () => {
    const document = JSON.parse(report('json', [...large(), ...large()], { suites: 2 }));
    expect(document.suites.map(({ cases }: { cases: unknown[] }) => cases.length)).toEqual([1000, 1000]);
  });

  test('an output that fails leaves no file behind', () => {
    const reporter = createReporter(
      'json',
      {
        write: () => {
          throw new Error('no space left');
        },
      },
      { color: false, suites: 1 },
    );
    for (const event of large()) reporter.event(event);
    expect(() => reporter.finish()).toThrow('no space left');
    expect(readdirSync(directory)).toEqual([]);
  });

  test('is whole without a usable temporary directory', () => {
    const whole = report('json', large());
    vi.stubEnv('TMPDIR', join(directory, 'missing'));
    expect(report('json', large())).toBe(whole);
    chmodSync(directory, 0o500);
    vi.stubEnv('TMPDIR', directory);
    expect(report('json', large())).toBe(whole);
    chmodSync(directory, 0o700);
  });
});
