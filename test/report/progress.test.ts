import { describe, expect, test } from 'vitest';
import type { RunEvent, TrialResult } from '../../src/core/index.js';
import { createProgress, type ProgressOptions } from '../../src/report/index.js';
import { erroredTrial, failedTrial, recording, sampleCase, summary, trial } from './samples.js';

const CLEAR = '\r\u001b[2K';

/** Drives a progress display with a clock that the test moves. */
function stage(options: Partial<ProgressOptions> & { columns?: number } = {}) {
  const writes: string[] = [];
  let time = 1_000_000;
  const { columns, ...rest } = options;
  const stream = {
    write: (text: string) => writes.push(text),
    ...(columns === undefined ? {} : { columns }),
  };
  const progress = createProgress(stream, { isTTY: true, now: () => time, ...rest });
  return {
    progress,
    writes,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    start: (cases: number, trials = 1) =>
      progress.event({ type: 'run-start', suite: 'suite', cases, trials, directory: null }),
    end: (done: TrialResult, reused = false) => progress.event({ type: 'trial-end', trial: done, reused }),
    last: () => (writes.at(-1) ?? '').replace(CLEAR, ''),
  };
}

const over: RunEvent = { type: 'run-end', summary: summary([sampleCase('a', [trial()])]) };

describe('progress on a terminal', () => {
  test('is one line with counts, rate and the time that is left, redrawn in place', () => {
    const { start, end, pass, last, writes } = stage();
    start(10);
    expect(last()).toBe('0/10 trials, 0 passed, 0 failed, 0 errors');
    pass(2000);
    end(trial());
    pass(2000);
    end(failedTrial());
    // Two of ten in four seconds: 0.5 a second, sixteen seconds for the other eight.
    expect(last()).toBe('2/10 trials, 1 passed, 1 failed, 0 errors, 0.5/s, about 16.0 s left');
    pass(4000);
    end(erroredTrial());
    expect(last()).toBe('3/10 trials, 1 passed, 1 failed, 1 errors, 0.4/s, about 18.7 s left');
    for (const text of writes) expect(text.startsWith(CLEAR)).toBe(true);
    expect(writes.join('')).not.toContain('\n');
  });

  test('shows what the run has cost, as a lower bound when some of it is unknown', () => {
    const priced = trial({
      recording: recording({ usage: { inputTokens: 1, outputTokens: 1, cost: 0.25 } }),
    });
    const { start, end, pass, last } = stage();
    start(4);
    pass(200);
    end(priced);
    expect(last()).toBe('1/4 trials, 1 passed, 0 failed, 0 errors, $0.2500');
    pass(200);
    end(trial());
    expect(last()).toBe('2/4 trials, 2 passed, 0 failed, 0 errors, at least $0.2500');
  });

  test('trials taken over from an earlier run count as done and not for the rate', () => {
    const { start, end, pass, last } = stage();
    start(10);
    for (let index = 0; index < 5; index += 1) end(trial(), true);
    pass(2000);
    end(trial());
    // One fresh trial in two seconds, four left.
    expect(last()).toBe('6/10 trials, 6 passed, 0 failed, 0 errors, 0.5/s, about 8.0 s left');
  });

  test('counts several trials a case, and learns when a case has its own number', () => {
    const { progress, start, end, pass, last } = stage();
    start(3, 5);
    expect(last()).toBe('0/15 trials, 0 passed, 0 failed, 0 errors');
    const single = sampleCase('single', [trial()]);
    end(trial());
    progress.event({ type: 'case-end', result: single.result, trials: single.trials });
    pass(500);
    end(trial());
    expect(last()).toContain('2/11 trials');
  });

  test('is never longer than the terminal is wide', () => {
    const { start, end, pass, writes } = stage({ columns: 30 });
    start(1_000_000);
    pass(1000);
    end(trial());
    for (const text of writes) expect(text.replace(CLEAR, '').length).toBeLessThan(30);
  });

  test('is whole on a terminal that does not know its width', () => {
    const { start, end, pass, writes } = stage({ columns: 0 });
    start(10);
    pass(1000);
    end(trial());
    expect(writes.at(-1)).toContain('1/10 trials');
  });

  test('is drawn at most ten times a second', () => {
    const { start, end, pass, writes } = stage();
    start(1000);
    for (let index = 0; index < 1000; index += 1) {
      pass(1);
      end(trial());
    }
    expect(writes.length).toBeLessThanOrEqual(11);
  });

  test('is gone at the end', () => {
    const { progress, start, writes } = stage();
    start(1);
    progress.event(over);
    expect(writes.at(-1)).toBe(CLEAR);
    progress.stop();
    progress.refresh();
    expect(writes.at(-1)).toBe(CLEAR);
    expect(writes).toHaveLength(2);
  });

  test('a note does not tear the line', () => {
    const { progress, start, writes } = stage();
    start(1);
    progress.note('the judge is slow');
    expect(writes.slice(1)).toEqual([
      CLEAR,
      'the judge is slow\n',
      `${CLEAR}0/1 trials, 0 passed, 0 failed, 0 errors`,
    ]);
  });
});

describe('progress that is piped', () => {
  test('is a plain line for every tenth, at most one a second', () => {
    const { start, end, pass, writes } = stage({ isTTY: false });
    start(20);
    for (let index = 0; index < 20; index += 1) {
      pass(600);
      end(trial());
    }
    expect(writes).toHaveLength(10);
    expect(writes[0]).toBe('suite: 2/20 trials, 2 passed, 0 failed, 0 errors, 1.7/s, about 10.8 s left\n');
    expect(writes.join('')).not.toContain('\u001b');
  });

  test('a fast run says nothing', () => {
    const { progress, start, end, writes } = stage({ isTTY: false });
    start(1000);
    for (let index = 0; index < 1000; index += 1) end(trial());
    progress.event(over);
    expect(writes).toEqual([]);
  });

  test('a slow run says something every ten seconds', () => {
    const { start, end, pass, writes } = stage({ isTTY: false });
    start(1000);
    for (let index = 0; index < 6; index += 1) {
      pass(5000);
      end(trial());
    }
    expect(writes).toHaveLength(3);
  });

  test('a hostile suite name stays on its line', () => {
    const writes: string[] = [];
    let time = 0;
    const stream = { write: (text: string) => writes.push(text) };
    const progress = createProgress(stream, { isTTY: false, now: () => time });
    progress.event({ type: 'run-start', suite: 'a\n\u001b[31mb', cases: 2, trials: 1, directory: null });
    time = 20_000;
    progress.event({ type: 'trial-end', trial: trial(), reused: false });
    expect(writes.join('')).toMatch(/^a\\n\\u\{1b\}\[31mb: 1\/2 trials[^\n]*\n$/);
  });
});

test('quiet progress shows nothing, but notes still get through', () => {
  for (const isTTY of [true, false]) {
    const { progress, start, end, pass, writes } = stage({ isTTY, quiet: true });
    start(1);
    pass(60_000);
    end(trial());
    progress.refresh();
    progress.event(over);
    expect(writes).toEqual([]);
    progress.note('disk almost full');
    expect(writes).toEqual(['disk almost full\n']);
  }
});
