import { describe, expect, test } from 'vitest';
import { AssayError } from '../../src/core/index.js';
import { createReporter, stringOutput } from '../../src/report/index.js';
import { check, erroredTrial, events, failedTrial, report, sampleCase, trial } from './samples.js';

function lines(...text: string[]): string {
  return `${text.join('\n')}\n`;
}

describe('the table of a trace suite', () => {
  test('shows passed, failed and errored cases and counts them', () => {
    const checks = [
      check(),
      check({ label: 'max_tool_calls(1)', outcome: 'fail', evidence: '3 calls' }),
      check({ label: 'judge:tone', outcome: 'fail', diagnostic: true, evidence: 'curt' }),
    ];
    const cases = [
      sampleCase('greets', [trial()]),
      sampleCase('calls_once', [failedTrial({ checks })]),
      sampleCase('broken', [erroredTrial()]),
    ];
    expect(report('table', events(cases, { reason: '1 case could not be scored in full' }))).toBe(
      lines(
        '',
        '✓ greets (greets.json) 1/1 checks',
        '✗ calls_once (calls_once.json) 1/3 checks',
        '    ✗ max_tool_calls(1): 3 calls',
        '    ✗ judge:tone (diagnostic, does not gate): curt',
        '! broken (broken.json) script: turn 1 asked for more than the script holds',
        '',
        '1/3 cases passed (2 failed, 1 of them could not be scored)',
        'error: 1 case could not be scored in full',
      ),
    );
  });

  test('ends with a tick when every case passed', () => {
    expect(report('table', events([sampleCase('a', [trial()]), sampleCase('b', [trial()])]))).toBe(
      lines('', '✓ a (a.json) 1/1 checks', '✓ b (b.json) 1/1 checks', '', '2/2 cases passed ✓'),
    );
  });

  test('a failing diagnostic of a passing case is shown and changes nothing', () => {
    const checks = [
      check(),
      check({ label: 'judge:tone', outcome: 'unknown', diagnostic: true, evidence: 'no answer' }),
    ];
    expect(report('table', events([sampleCase('a', [trial({ checks })])]))).toBe(
      lines(
        '',
        '✓ a (a.json) 1/2 checks',
        '    ? judge:tone (diagnostic, does not gate, could not be determined): no answer',
        '',
        '1/1 cases passed ✓',
      ),
    );
  });

  test('shows the repeats of a case, its flips, and the error bar of the suite with its basis', () => {
    const cases = [
      sampleCase('flaky', [trial(), failedTrial(), trial()]),
      sampleCase('solid', [trial(), trial(), trial()]),
      sampleCase('down', [trial(), erroredTrial(), trial()]),
    ];
    // Units 2/3 and 1: mean 0.8333, SEM 0.1667, t(1) = 12.706, cut to 0..1.
    expect(
      report('table', events(cases, { mode: 'live', outcome: 'failed', reason: '1 case of 3 failed' })),
    ).toBe(
      lines(
        '',
        '✗ flaky (flaky.json) 0/1 checks',
        '    repeats: 2 of 3 passed [20.8%, 93.9%], pass@3 yes, pass^3 no, flips: response_contains("hello")×1',
        '    tokens 15 ± 0, duration 20 ms ± 0 ms',
        '    ✗ response_contains("hello"): not in "bye"',
        '✓ solid (solid.json) 1/1 checks',
        '    repeats: 3 of 3 passed [43.9%, 100.0%], pass@3 yes, pass^3 yes',
        '    tokens 15 ± 0, duration 20 ms ± 0 ms',
        '! down (down.json) script: 2 of 3 trials completed, pass^3 not established: turn 1 asked for more than the script holds',
        '    repeats: 2 of 2 passed [34.2%, 100.0%] (2 of 3 completed), pass@3 yes, pass^3 no',
        '    tokens 15 ± 0, duration 20 ms ± 0 ms',
        '',
        '1/3 cases passed (2 failed, 1 of them could not be scored)',
        'repeated-case pass rate 83.3% [0.0%, 100.0%], 95 %, 2 independent units, for few units [0.0%, 100.0%]; 2 of 3 cases have complete repeat statistics',
      ),
    );
  });

  test('one repeated case gives no error bar', () => {
    const text = report('table', events([sampleCase('only', [trial(), trial()])]));
    expect(text).toContain(
      'repeated-case pass rate: insufficient independent units (1 of 1 case have complete repeat statistics)',
    );
  });

  test.each([
    [
      20,
      'suspect: 0 of 20 passed, true rate at most 13.9% (one-sided 95 %); inspect the task before the agent',
    ],
    [19, 'low signal: 0 of 19 passed, true rate at most 14.6% (one-sided 95 %); run more trials'],
    [5, 'low signal: 0 of 5 passed, true rate at most 45.1% (one-sided 95 %); run more trials'],
  ])('never passing in %d trials is remarked on', (count, remark) => {
    const never = Array.from({ length: count }, () => failedTrial());
    expect(report('table', events([sampleCase('never', never)]))).toContain(`\n    ${remark}\n`);
  });

  test('never passing in four trials is not remarked on yet', () => {
    const never = Array.from({ length: 4 }, () => failedTrial());
    expect(report('table', events([sampleCase('never', never)]))).not.toMatch(/suspect|low signal/);
  });

  test('an interrupted run says what was not run and why', () => {
    const text = report(
      'table',
      events([sampleCase('a', [trial()])], {
        outcome: 'inconclusive',
        reason: 'interrupted: 3 cases not finished',
        interrupted: true,
        totals: {
          cases: 4,
          passed: 1,
          failed: 0,
          errored: 0,
          notRun: 3,
          trials: 1,
          scoredTrials: 1,
          passedTrials: 1,
          reusedTrials: 0,
        },
      }),
    );
    expect(text).toBe(
      lines(
        '',
        '✓ a (a.json) 1/1 checks',
        '',
        '3 cases not run',
        '1/4 cases passed',
        'inconclusive: interrupted: 3 cases not finished',
      ),
    );
  });

  test('a suite of fifty lists its passing cases, a suite of fifty-one does not', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        sampleCase(`case${index}`, [index === 3 ? failedTrial() : trial()]),
      );
    const fifty = report('table', events(many(50)));
    expect(fifty.match(/^✓/gm)).toHaveLength(49);
    expect(fifty).not.toContain('not listed');
    const more = report('table', events(many(51)));
    expect(more).not.toMatch(/^✓/m);
    expect(more).toContain('✗ case3 (case3.json) 0/1 checks');
    expect(more).toContain('\n50 passing cases not listed\n');
  });

  test('twenty failures are shown in full, the others by pointer', () => {
    const cases = Array.from({ length: 57 }, (_, index) =>
      sampleCase(`case${index}`, [index < 2 ? trial() : index > 54 ? erroredTrial() : failedTrial()]),
    );
    const stored = report('table', events(cases, { directory: '/store/run_1_abcdef' }));
    expect(stored.match(/^✗/gm)).toHaveLength(20);
    expect(stored).toContain(
      'and 35 more (33 failed, 2 could not be scored): assay show run_1_abcdef --failed\n',
    );
    expect(stored).toContain('2 passing cases not listed\n');
    expect(stored).toContain('2/57 cases passed (55 failed, 2 of them could not be scored)\n');
    expect(report('table', events(cases))).toContain('and 35 more (33 failed, 2 could not be scored)\n');
  });

  test('quiet leaves out what passed and nothing else', () => {
    const cases = [sampleCase('good', [trial()]), sampleCase('bad', [failedTrial()])];
    expect(report('table', events(cases), { quiet: true })).toBe(
      lines(
        '',
        '✗ bad (bad.json) 0/1 checks',
        '    ✗ response_contains("hello"): not in "bye"',
        '1 passing case not listed',
        '',
        '1/2 cases passed (1 failed)',
      ),
    );
  });

  test('long evidence keeps its head and its tail', () => {
    const evidence = `begin ${'x'.repeat(5000)} end`;
    const checks = [check({ label: 'c', outcome: 'fail', evidence })];
    const text = report('table', events([sampleCase('long', [failedTrial({ checks })])]));
    const line = text.split('\n').find((one) => one.includes('begin')) ?? '';
    // 600 characters are kept of 5010: 450 from the head, 150 from the tail.
    expect(line).toBe(
      `    ✗ c: begin ${'x'.repeat(444)}… (4,410 characters left out) …${'x'.repeat(146)} end`,
    );
  });

  test('a cut never falls inside a character', () => {
    const checks = [
      check({ label: 'c', outcome: 'fail', evidence: `${'x'.repeat(449)}${'😀'.repeat(200)}y` }),
    ];
    const text = report('table', events([sampleCase('long', [failedTrial({ checks })])]));
    expect(text).not.toMatch(/\p{Cs}/u);
  });

  test('evidence of many lines is cut to six', () => {
    const evidence = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join('\n');
    const checks = [check({ label: 'c', outcome: 'fail', evidence })];
    expect(report('table', events([sampleCase('long', [failedTrial({ checks })])]))).toContain(
      [
        '    ✗ c: line 1',
        '        line 2',
        '        line 3',
        '        line 4',
        '        … (35 lines left out)',
        '        line 40',
        '',
      ].join('\n'),
    );
  });

  test('hostile names and evidence cannot drive the terminal or fake a line', () => {
    const evil = '\u001b[2Jx\r\n✓ fake (fake.json) 1/1 checks\u202e';
    const checks = [check({ label: evil, outcome: 'fail', evidence: evil })];
    const text = report('table', events([sampleCase(evil, [failedTrial({ checks })], { source: evil })]));
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(text).not.toMatch(/^✓/m);
    expect(text).toContain('✗ \\u{1b}[2Jx\\u{d}\\n✓ fake (fake.json) 1/1 checks\\u{202e} (');
  });

  test('colours only when asked', () => {
    const cases = events([sampleCase('a', [trial()]), sampleCase('b', [failedTrial()])]);
    expect(report('table', cases)).not.toContain('\u001b');
    const colored = report('table', cases, { color: true });
    expect(colored).toContain('\u001b[32m✓\u001b[39m');
    expect(colored).toContain('\u001b[31m✗\u001b[39m');
    expect(colored.replace(/\u001b\[\d+m/g, '')).toBe(report('table', cases));
  });

  test('several suites are told apart by their names, and the time taken comes last', () => {
    const happened = [
      ...events([sampleCase('a', [trial()])], { suite: 'one' }),
      ...events([sampleCase('b', [trial()])], { suite: 'two' }),
    ];
    expect(report('table', happened, { suites: 2, wallMs: () => 1234 })).toBe(
      lines(
        '',
        'one',
        '✓ a (a.json) 1/1 checks',
        '',
        '1/1 cases passed ✓',
        '',
        'two',
        '✓ b (b.json) 1/1 checks',
        '',
        '1/1 cases passed ✓',
        'in 1.2 s',
      ),
    );
  });

  test('a suite that broke off says so', () => {
    const output = stringOutput();
    const reporter = createReporter('table', output, { color: false, suites: 1, wallMs: () => 5 });
    for (const event of events([sampleCase('a', [trial()])]).slice(0, -1)) reporter.event(event);
    reporter.finish(new AssayError('STORE', 'the disk is full'));
    expect(output.text()).toBe('\nregression: the run broke off after 1 cases: the disk is full\n');
  });
});
