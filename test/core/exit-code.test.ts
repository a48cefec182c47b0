import { describe, expect, test } from 'vitest';
import type { RunSummary } from '../../src/core/index.js';
import { exitCodeOf } from '../../src/core/index.js';
import { erroredTrial, failedTrial, sampleCase, summary, trial } from '../report/samples.js';

const passed = sampleCase('a', [trial()]);
const failed = sampleCase('b', [failedTrial()]);
const errored = sampleCase('c', [erroredTrial()]);
const capability: Partial<RunSummary> = { kind: 'capability' };

describe('the exit code', () => {
  test.each<[string, RunSummary[], 0 | 1]>([
    ['a passed regression suite', [summary([passed])], 0],
    ['a failed regression suite', [summary([passed, failed])], 1],
    ['an errored regression suite', [summary([passed, errored])], 1],
    ['an undecided gate', [summary([passed], { outcome: 'inconclusive' })], 1],
    ['an interrupted run, whatever it came to', [summary([passed], { interrupted: true })], 1],
    ['a run of no cases, whatever it says', [summary([], { outcome: 'passed' })], 1],
    ['no runs at all', [], 1],
    ['one failed suite among passed ones', [summary([passed]), summary([failed]), summary([passed])], 1],
    ['several passed suites', [summary([passed]), summary([passed])], 0],
    ['a capability trace suite with failures', [summary([passed, failed], capability)], 0],
    ['a capability trace suite with an error', [summary([passed, errored], capability)], 1],
    [
      'a capability trace suite in which a trial of a failed case broke',
      [summary([sampleCase('d', [failedTrial(), erroredTrial()])], capability)],
      1,
    ],
    [
      'a capability trace suite of which a case was not run',
      [summary([failed], { ...capability, totals: { ...summary([failed]).totals, cases: 2, notRun: 1 } })],
      1,
    ],
    [
      'a capability assertion suite below its bar',
      [summary([failed], { ...capability, format: 'assertion' })],
      1,
    ],
    [
      'a weighted suite whose gate passed with a failing case',
      [summary([failed], { gate: 'mean', outcome: 'passed' })],
      0,
    ],
  ])('of %s', (_, summaries, code) => {
    expect(exitCodeOf(summaries)).toBe(code);
  });
});
