import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAssertionSuite } from '../../src/suite/index.js';
import { caseText, casesOf, directoryOf, load, onlyCase, type Files } from './assertion-support.js';

const LINES = 'prompt: Hello\nassert: [{ type: contains, value: ok }, { type: max-length, value: 9 }]';

function hashOf(lines: string, top = '', files: Files = {}): string {
  return onlyCase(load(caseText(lines, top), files)).hash;
}

describe('the hash of a case', () => {
  it('is a SHA-256 that two loads agree on', () => {
    expect(hashOf(LINES)).toMatch(/^[0-9a-f]{64}$/);
    expect(hashOf(LINES)).toBe(hashOf(LINES));
  });

  it.each([
    ['defaults written out', `${LINES}\nthreshold: 0.75\nnegative: false\nallow_empty: false`, ''],
    [
      'another layout',
      'assert:\n  - value: ok\n    type: contains\n  - threshold: 9\n    type: max-length\nprompt: "Hello"',
      '',
    ],
    [
      'trials, tags, owner, cluster and expectation',
      `${LINES}\ntrials: 9\ntags: [a]\nowner: b\ncluster: c\nexpected: failing`,
      'tags: [d]\ntrials: 2',
    ],
    ['title, levels and models of the suite', LINES, 'name: x\nagent_level: low\njudge_model: scripted'],
    ['the same threshold from the suite', LINES, 'pass_threshold: 0.75'],
    ['variables with the same outcome', LINES.replace('Hello', '"{{x}}"').concat('\nvars: { x: Hello }'), ''],
  ])('stays the same for %s', (_what, lines, top) => {
    expect(hashOf(lines, top)).toBe(hashOf(LINES));
  });

  it.each([
    ['id', LINES.concat('\nid: two'), ''],
    ['prompt', LINES.replace('Hello', 'Hallo'), ''],
    ['value of an assertion', LINES.replace('ok', 'no'), ''],
    ['polarity of an assertion', LINES.replace('contains', 'not-contains'), ''],
    ['weight of an assertion', LINES.replace('value: 9', 'value: 9, weight: 2'), ''],
    ['required assertion', LINES.replace('value: 9', 'value: 9, required: true'), ''],
    ['threshold', LINES.concat('\nthreshold: 1'), ''],
    ['threshold of the suite', LINES, 'pass_threshold: 1'],
    ['system prompt', LINES, 'system_prompt: Be brief.'],
    ['agent', LINES, 'agent: loop'],
    ['setup', LINES.concat('\nsetup: { workspace_files: { a: b } }'), ''],
    ['tools', LINES.concat('\ntools: []'), ''],
    ['permission of an empty answer', LINES.concat('\nallow_empty: true'), ''],
    [
      'order of assertions',
      'prompt: Hello\nassert: [{ type: max-length, value: 9 }, { type: contains, value: ok }]',
      '',
    ],
  ])('changes with the %s', (_what, lines, top) => {
    expect(hashOf(lines, top)).not.toBe(hashOf(LINES));
  });

  it('does not depend on where the suite lies, and does on the content of the files it compares with', () => {
    const lines = 'assert: [{ type: matches-file, value: golden.txt }, { type: program, value: grade.ts }]';
    const files = { 'golden.txt': 'a', 'grade.ts': 'b' };
    const hash = hashOf(lines, '', files);
    expect(hashOf(lines, '', files)).toBe(hash);
    expect(hashOf(lines, '', { ...files, 'golden.txt': 'c' })).not.toBe(hash);
    expect(hashOf(lines, '', { ...files, 'grade.ts': 'c' })).not.toBe(hash);
  });

  it('is the same for a case from a row as for the case written out', () => {
    const template =
      'cases:\n  from: rows.csv\n  template: { id: "{{id}}", prompt: "{{q}}", assert: [{ type: contains, value: "{{a}}" }, { type: max-length, value: 9 }] }';
    const [row] = casesOf(load(template, { 'rows.csv': 'id,q,a\none,Hello,ok\n' }));
    expect(row?.hash).toBe(hashOf(LINES));
  });

  it('is told apart for rows that name different golden files', () => {
    const template =
      'cases:\n  from: rows.csv\n  template: { prompt: "{{q}}", assert: [{ type: matches-file, value: "{{f}}" }] }';
    const cwd = directoryOf({ 'sample.yaml': template, 'rows.csv': 'q,f\nHi,a.txt\n', 'a.txt': 'one' });
    const before = casesOf(loadAssertionSuite('sample.yaml', { cwd }))[0]?.hash;
    writeFileSync(join(cwd, 'a.txt'), 'two');
    expect(casesOf(loadAssertionSuite('sample.yaml', { cwd }))[0]?.hash).not.toBe(before);
  });
});
