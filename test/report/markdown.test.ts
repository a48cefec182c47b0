import { describe, expect, test } from 'vitest';
import { AssayError, type RunSummary } from '../../src/core/index.js';
import { createReporter, stringOutput } from '../../src/report/index.js';
import { check, erroredTrial, events, failedTrial, report, sampleCase, trial } from './samples.js';

const assertion: Partial<RunSummary> = {
  suite: 'dispositions',
  format: 'assertion',
  gate: 'pass^k',
  threshold: 0.75,
  outcome: 'failed',
  reason: 'pass^k is too low',
  directory: '.assay/runs/dispositions/run_1_abcdef',
};

describe('the Markdown report', () => {
  test('is a table of suites and a table of what needs a look', () => {
    const cases = [
      sampleCase('solid_one', [trial(), trial()]),
      sampleCase('flaky', [trial(), failedTrial()]),
      sampleCase('down', [erroredTrial(), trial()]),
    ];
    expect(report('markdown', events(cases, assertion))).toBe(
      [
        '### Assay',
        '',
        '| suite | result | cases passed | pass^k | mean score | errors |',
        '| --- | --- | --- | --- | --- | --- |',
        // pass^k 1 and 0: Wilson's interval of 1 of 2. Scores 1 and 0.5: t(1) interval, cut to 0..1.
        '| <code>dispositions</code> | **REGRESSED** | 1 of 3 | 50% [9.5%, 90.5%] over 2 cases, k=2 | 0.833 [0.000, 1.000] over 2 cases | 1 |',
        '',
        'Intervals are 95 %. Errors are trials that could not be scored; they are in no rate.',
        '',
        '<code>dispositions</code>: <code>pass^k is too low</code>',
        '',
        '#### Needs a look in <code>dispositions</code>',
        '',
        '| case | outcome | trials passed | why |',
        '| --- | --- | --- | --- |',
        '| <code>flaky</code> | failed | 1 of 2 [9.5%, 90.5%] | <code>response_contains("hello")</code>: <code>not in "bye"</code> |',
        '| <code>down</code> | error | 1 of 1 [20.7%, 100.0%] | <code>1 of 2 trials completed, pass^2 not established&#58; turn 1 asked for more than the script holds</code> |',
        '',
      ].join('\n'),
    );
  });

  test('a passing suite is one row and nothing else', () => {
    const text = report('markdown', events([sampleCase('a', [trial()]), sampleCase('b', [trial()])]));
    expect(text).toContain('| <code>regression</code> | **PASSED** | 2 of 2 |');
    expect(text).not.toContain('Needs a look');
  });

  test('hostile text is inert: no markup, table border, link, mention or new line', () => {
    const evil =
      '|`</code><img src=x onerror=1>@team [a](http://x) www.evil.example ![i](//y)\n# h $x$ *b* :tada:';
    const checks = [check({ label: evil, outcome: 'fail', evidence: evil })];
    const text = report('markdown', events([sampleCase(evil, [failedTrial({ checks })])], { suite: evil }));
    const rows = text.split('\n').filter((line) => line.startsWith('| <code>'));
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      const inside = row.replace(/^\| | \|$/g, '').split(' | ');
      expect(inside.length).toBeGreaterThanOrEqual(4);
      for (const cell of inside.filter((one) => one.startsWith('<code>'))) {
        expect(cell).toMatch(/^<code>[^<>|`@[\]*$]*<\/code>(: <code>[^<>|`@[\]*$]*<\/code>)?$/);
      }
    }
    expect(text).not.toContain('www.evil');
    expect(text).not.toContain('http:');
    expect(text).not.toContain('\n# h');
  });

  test('a hundred failures are twenty rows and a pointer', () => {
    const cases = Array.from({ length: 100 }, (_, index) => sampleCase(`case${index}`, [failedTrial()]));
    const text = report('markdown', events(cases, assertion));
    expect(text.match(/^\| <code>case/gm)).toHaveLength(20);
    expect(text).toContain('\nand 80 more: <code>assay show run_1_abcdef &#45;&#45;failed</code>\n');
  });

  test('a refused run lists its problems', () => {
    const output = stringOutput();
    const reporter = createReporter('markdown', output, { color: false, suites: 1 });
    const problem = {
      file: 'a.json',
      line: 3,
      column: 5,
      key: 'turns',
      message: 'is empty',
      fix: 'write a turn',
    };
    reporter.finish(new AssayError('SUITE_INVALID', 'the suite does not load', { problems: [problem] }));
    expect(output.text()).toBe(
      [
        '### Assay',
        '',
        '**Could not run:** <code>the suite does not load</code>',
        '',
        '- <code>a.json&#58;3</code> <code>turns&#58; is empty</code>',
        '',
      ].join('\n'),
    );
  });

  test('nothing run is said', () => {
    expect(report('markdown', [])).toContain('**1 suite not run.**');
  });
});
