import { spawnSync } from 'node:child_process';
import { array, assert, constantFrom, property, string, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AssayError, type CaseResult } from '../../src/core/index.js';
import { createReporter, stringOutput } from '../../src/report/index.js';
import {
  check,
  erroredTrial,
  events,
  failedTrial,
  report,
  sampleCase,
  trial,
  type SampleCase,
} from './samples.js';
import { elements, parseXml, type XmlElement } from './xml-tree.js';

const HOSTILE =
  "a\"<b>&'c' ]]> \t\n\r tab\u0000\u0008\u000b\u001b[31m\ud800 \udc00\ufffe\uffff é 😀 --> <!-- <![CDATA[";
const CLEANED =
  "a\"<b>&'c' ]]> \t\n\r tab\ufffd\ufffd\ufffd\ufffd[31m\ufffd \ufffd\ufffd\ufffd é 😀 --> <!-- <![CDATA[";

function junit(cases: readonly SampleCase[], changes: Parameters<typeof events>[1] = {}): XmlElement {
  return parseXml(report('junit', events(cases, changes)));
}

function counters(suite: XmlElement): { [name: string]: number } {
  const { tests, failures, errors, skipped } = suite.attributes;
  return {
    tests: Number(tests),
    failures: Number(failures),
    errors: Number(errors),
    skipped: Number(skipped),
  };
}

function counted(suite: XmlElement): { [name: string]: number } {
  return {
    tests: elements(suite, 'testcase').length,
    failures: elements(suite, 'failure').length,
    errors: elements(suite, 'error').length,
    skipped: elements(suite, 'skipped').length,
  };
}

describe('the JUnit report', () => {
  test('writes one suite exactly as a reader expects it', () => {
    const cases = [
      sampleCase('greets', [trial()]),
      sampleCase('refuses', [failedTrial()]),
      sampleCase('broken', [erroredTrial()]),
    ];
    expect(report('junit', events(cases))).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="regression" tests="3" failures="1" errors="1" skipped="0" time="0.040">
<testcase name="greets" classname="greets.json" time="0.020"/>
<testcase name="refuses" classname="refuses.json" time="0.020"><failure message="response_contains(&quot;hello&quot;)">response_contains("hello"): not in "bye"</failure></testcase>
<testcase name="broken" classname="broken.json" time="0.000"><error message="turn 1 asked for more than the script holds" type="script">script: turn 1 asked for more than the script holds</error></testcase>
</testsuite>
`,
    );
  });

  test('names the first gating check that failed and lists every one in order', () => {
    const checks = [
      check({ label: 'judge:tone', outcome: 'fail', diagnostic: true, evidence: 'rude' }),
      check({ label: 'tools_used("a")' }),
      check({ label: 'tools_used("b")', outcome: 'fail', evidence: 'called: none' }),
      check({ label: 'tools_used("c")', outcome: 'error', evidence: 'the grader broke' }),
    ];
    const root = junit([sampleCase('many', [failedTrial({ checks })])]);
    const [failure] = elements(root, 'failure');
    expect(failure?.attributes['message']).toBe('tools_used("b")');
    expect(failure?.text).toBe('tools_used("b"): called: none\ntools_used("c") [error]: the grader broke');
    expect(elements(root, 'system-out')[0]?.text).toBe('diagnostic: judge:tone: rude');
  });

  test('a passing case with a failing diagnostic is no failure', () => {
    const checks = [
      check(),
      check({ label: 'judge:tone', outcome: 'fail', diagnostic: true, evidence: 'rude' }),
    ];
    const root = junit([sampleCase('polite', [trial({ checks })])]);
    expect(counters(root)).toEqual({ tests: 1, failures: 0, errors: 0, skipped: 0 });
    expect(counted(root)).toEqual(counters(root));
    expect(elements(root, 'system-out')[0]?.text).toBe('diagnostic: judge:tone: rude');
  });

  test('cases that were not run are skipped, and an interrupted run is not green', () => {
    const root = junit([sampleCase('done', [trial()])], {
      outcome: 'inconclusive',
      reason: 'interrupted: 2 cases not finished',
      interrupted: true,
      totals: {
        cases: 3,
        passed: 1,
        failed: 0,
        errored: 0,
        notRun: 2,
        trials: 1,
        scoredTrials: 1,
        passedTrials: 1,
        reusedTrials: 0,
      },
    });
    expect(elements(root, 'skipped').map(({ attributes }) => attributes['message'])).toEqual([
      'not run: the run was interrupted',
      'not run: the run was interrupted',
    ]);
    expect(elements(root, 'error').map(({ attributes }) => attributes)).toEqual([
      { message: 'interrupted: 2 cases not finished', type: 'interrupted' },
    ]);
    expect(counters(root)).toEqual({ tests: 4, failures: 0, errors: 1, skipped: 2 });
    expect(counted(root)).toEqual(counters(root));
  });

  test('a case whose trials were all called off is skipped', () => {
    const cancelled = erroredTrial({ error: { kind: 'cancelled', message: 'interrupted' } });
    const root = junit([sampleCase('stopped', [cancelled, cancelled])]);
    expect(elements(root, 'skipped')).toHaveLength(1);
  });

  test('a case of which one trial was called off and one broke is an error', () => {
    const cancelled = erroredTrial({ error: { kind: 'cancelled', message: 'interrupted' } });
    const root = junit([sampleCase('stopped', [cancelled, erroredTrial()])]);
    expect(counters(root)).toEqual({ tests: 1, failures: 0, errors: 1, skipped: 0 });
  });

  test('a case that is expected to fail is skipped when it fails', () => {
    const root = junit([sampleCase('later', [failedTrial()], { expectedFailing: true })], {
      outcome: 'passed',
      reason: 'all 1 case passed',
    });
    expect(elements(root, 'skipped')[0]?.attributes['message']).toBe(
      'expected to fail: response_contains("hello")',
    );
    expect(counters(root)).toEqual({ tests: 1, failures: 0, errors: 0, skipped: 1 });
  });

  test('a suite that misses its gate without a failing case still has a failure', () => {
    const root = junit([sampleCase('fine', [trial()])], {
      outcome: 'failed',
      reason: 'mean score is below 90 %',
    });
    expect(elements(root, 'failure')[0]?.attributes['message']).toBe('mean score is below 90 %');
    expect(counters(root)).toEqual({ tests: 2, failures: 1, errors: 0, skipped: 0 });
  });

  test('shows the trials of a repeated case under their numbers', () => {
    const root = junit([sampleCase('flaky', [trial(), failedTrial(), erroredTrial()])]);
    expect(elements(root, 'failure')[0]?.text).toBe(
      [
        'trial 2 of 3:',
        'response_contains("hello"): not in "bye"',
        'trial 3 of 3:',
        'script: turn 1 asked for more than the script holds',
      ].join('\n'),
    );
    expect(elements(root, 'system-out')[0]?.text).toBe(
      '1 of 2 scored trials passed, 95 % interval [9.5%, 90.5%]\nflips: response_contains("hello")×1',
    );
  });

  test('puts several suites under one root whose counters add up', () => {
    const happened = [
      ...events([sampleCase('a', [trial()]), sampleCase('b', [failedTrial()])], { suite: 'one' }),
      ...events([sampleCase('c', [erroredTrial()])], { suite: 'two' }),
    ];
    const root = parseXml(report('junit', happened, { suites: 2 }));
    expect(root.name).toBe('testsuites');
    expect(root.children.map(({ attributes }) => attributes['name'])).toEqual(['one', 'two']);
    expect(counters(root)).toEqual({ tests: 3, failures: 1, errors: 1, skipped: 0 });
    expect(counted(root)).toEqual(counters(root));
    for (const suite of root.children) expect(counted(suite)).toEqual(counters(suite));
  });

  test('hostile text survives a strict reader, with illegal characters replaced', () => {
    const checks = [check({ label: HOSTILE, outcome: 'fail', evidence: HOSTILE })];
    const root = junit([sampleCase(HOSTILE, [failedTrial({ checks })], { source: HOSTILE })], {
      suite: HOSTILE,
    });
    expect(root.attributes['name']).toBe(CLEANED);
    expect(elements(root, 'testcase')[0]?.attributes).toMatchObject({ name: CLEANED, classname: CLEANED });
    expect(elements(root, 'failure')[0]?.attributes['message']).toBe(CLEANED);
    expect(elements(root, 'failure')[0]?.text).toBe(`${CLEANED}: ${CLEANED}`);
  });

  test('any text at all gives a document with the same text, and counters equal to the elements', () => {
    const text = string({ unit: 'binary', maxLength: 40 });
    const outcome = constantFrom<CaseResult['outcome']>('passed', 'failed', 'error');
    assert(
      property(array(tuple(text, text, outcome), { minLength: 1, maxLength: 6 }), (rows) => {
        const cases = rows.map(([id, evidence, wanted]) => {
          if (wanted === 'passed') return sampleCase(id, [trial()]);
          if (wanted === 'error')
            return sampleCase(id, [erroredTrial({ error: { kind: 'agent', message: evidence } })]);
          return sampleCase(id, [failedTrial({ checks: [check({ label: id, outcome: 'fail', evidence })] })]);
        });
        const root = junit(cases);
        expect(counted(root)).toEqual(counters(root));
        const legal = (value: string): string =>
          value.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd');
        expect(elements(root, 'testcase').map(({ attributes }) => attributes['name'])).toEqual(
          rows.map(([id]) => legal(id)),
        );
        expect(elements(root, 'error').map(({ attributes }) => attributes['message'])).toEqual(
          rows.filter(([, , wanted]) => wanted === 'error').map(([, evidence]) => legal(evidence)),
        );
      }),
      { numRuns: 200 },
    );
  });

  test('a run that was refused is a document with one error for each problem', () => {
    const output = stringOutput();
    const reporter = createReporter('junit', output, { color: false, suites: 1 });
    const problem = {
      file: 'a.json',
      line: 3,
      column: 5,
      key: 'turns',
      message: 'is empty',
      fix: 'write a turn',
    };
    reporter.finish(new AssayError('SUITE_INVALID', 'the suite does not load', { problems: [problem] }));
    const root = parseXml(output.text());
    expect(elements(root, 'error')[0]?.text).toBe('a.json:3:5 turns: is empty; write a turn');
    expect(elements(root, 'testcase')[0]?.attributes).toMatchObject({ name: 'turns', classname: 'a.json' });
    expect(counters(elements(root, 'testsuite')[0] ?? root)).toEqual({
      tests: 1,
      failures: 0,
      errors: 1,
      skipped: 0,
    });
  });

  test('a suite that broke off keeps its finished cases and is an error', () => {
    const output = stringOutput();
    const reporter = createReporter('junit', output, { color: false, suites: 1 });
    for (const event of events([sampleCase('done', [trial()])]).slice(0, -1)) reporter.event(event);
    reporter.finish();
    const root = parseXml(output.text());
    expect(counters(root)).toEqual({ tests: 2, failures: 0, errors: 1, skipped: 0 });
  });

  test('nothing run is an error, not an empty green document', () => {
    expect(counters(parseXml(report('junit', [])))).toEqual({ tests: 1, failures: 0, errors: 1, skipped: 0 });
  });
});

const python = spawnSync('python3', ['--version']).status === 0;

describe.runIf(python)('an independent XML parser', () => {
  test('reads the same names and texts', () => {
    const checks = [check({ label: HOSTILE, outcome: 'fail', evidence: HOSTILE })];
    const text = report('junit', events([sampleCase(HOSTILE, [failedTrial({ checks })])]));
    const program = [
      'import json, sys, xml.etree.ElementTree as tree',
      'root = tree.fromstring(sys.stdin.buffer.read())',
      'failure = root.find("testcase/failure")',
      'print(json.dumps([root.tag, root.find("testcase").get("name"), failure.get("message"), failure.text]))',
    ].join('\n');
    const read = spawnSync('python3', ['-c', program], { input: text, encoding: 'utf8' });
    expect(read.stderr).toBe('');
    expect(JSON.parse(read.stdout)).toEqual(['testsuite', CLEANED, CLEANED, `${CLEANED}: ${CLEANED}`]);
  });
});
