import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answered, graded, spec, temporaryDirectory } from './support.js';

function workspace() {
  const base = temporaryDirectory();
  const root = join(base, 'workspace');
  const outside = join(base, 'outside');
  mkdirSync(join(root, 'docs'), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(root, 'docs', 'report.md'), '\ufeffSummary: größe\n');
  writeFileSync(join(root, 'binary'), Buffer.from([0x53, 0xff, 0xfe]));
  writeFileSync(join(outside, 'secret.txt'), 'Summary');
  const recording = answered('done', { workspace: { root } });
  return {
    root,
    outside,
    exists: (path: string, negated = false) => graded(spec('file-exists', { path }, { negated }), recording),
    absent: (path: string, negated = false) => graded(spec('file-absent', { path }, { negated }), recording),
    contains: (path: string, needle: string, negated = false) =>
      graded(spec('file-contains', { path, needle }, { negated }), recording),
  };
}

describe('file-exists', () => {
  it('passes on a regular file and fails on a directory or nothing', () => {
    const { exists } = workspace();
    expect(exists('docs/report.md')).toMatchObject({
      outcome: 'pass',
      evidence: '"docs/report.md" is a regular file',
    });
    expect(exists('./docs/./report.md').outcome).toBe('pass');
    expect(exists('docs')).toMatchObject({ outcome: 'fail', evidence: '"docs" is not a regular file' });
    expect(exists('none.md')).toMatchObject({ outcome: 'fail', evidence: '"none.md" is missing' });
    expect(exists('docs/report.md/x').outcome).toBe('fail');
    expect(exists('none.md', true).outcome).toBe('pass');
  });
});

describe('file-absent', () => {
  it('passes on nothing at all and fails on a file, a directory or a dangling link', () => {
    const { absent, root } = workspace();
    symlinkSync('nowhere', join(root, 'dangling'));
    expect(absent('none.md')).toMatchObject({ outcome: 'pass', evidence: 'nothing is at "none.md"' });
    expect(absent('none/deeper.md').outcome).toBe('pass');
    expect(absent('docs')).toMatchObject({ outcome: 'fail', evidence: '"docs" is unexpectedly present' });
    expect(absent('docs/report.md').outcome).toBe('fail');
    expect(absent('dangling').outcome).toBe('fail');
    expect(absent('.').outcome).toBe('fail');
  });
});

describe('file-contains', () => {
  it('passes on a substring of the text', () => {
    const { contains } = workspace();
    expect(contains('docs/report.md', 'größe')).toMatchObject({
      outcome: 'pass',
      evidence: '"docs/report.md" contains "größe"',
    });
    expect(contains('docs/report.md', 'Größe')).toMatchObject({
      outcome: 'fail',
      evidence: '"Größe" is not in "docs/report.md" (20 bytes)',
    });
    expect(contains('docs/report.md', 'Größe', true).outcome).toBe('pass');
  });

  it('fails on what cannot be read, in either polarity', () => {
    const { contains } = workspace();
    for (const negated of [false, true]) {
      expect(contains('binary', 'S', negated)).toMatchObject({
        outcome: 'fail',
        evidence: 'cannot read "binary": it is not UTF-8',
      });
      expect(contains('docs', 'S', negated).evidence).toBe('cannot read "docs": it is not a regular file');
      expect(contains('none', 'S', negated)).toMatchObject({
        outcome: 'fail',
        evidence: 'cannot read "none": it is missing',
      });
    }
  });

  it('does not wait for a pipe', () => {
    const { contains, exists, root } = workspace();
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect(contains('pipe', 'x').outcome).toBe('fail');
    expect(exists('pipe').outcome).toBe('fail');
  });
});

describe('a path that leaves the workspace', () => {
  it.each([
    '',
    '/etc/passwd',
    '../outside/secret.txt',
    'docs/../../outside/secret.txt',
    '..',
    'C:\\x',
    'C:x',
    '\\x',
    'a\\..\\b',
    'a\0b',
  ])('%j fails in both polarities without being read', (path) => {
    const { exists, absent, contains } = workspace();
    for (const negated of [false, true]) {
      for (const check of [
        exists(path, negated),
        absent(path, negated),
        contains(path, 'Summary', negated),
      ]) {
        expect(check).toMatchObject({ outcome: 'fail', score: 0 });
        expect(check.evidence).toContain('path escapes workspace');
      }
    }
  });

  it('is noticed behind links of files and of directories', () => {
    const { exists, absent, contains, root, outside } = workspace();
    symlinkSync(join(outside, 'secret.txt'), join(root, 'file-link'));
    symlinkSync(outside, join(root, 'directory-link'));
    for (const negated of [false, true]) {
      expect(exists('file-link', negated).evidence).toContain('path escapes workspace');
      expect(contains('file-link', 'Summary', negated).evidence).toContain('path escapes workspace');
      expect(contains('directory-link/secret.txt', 'Summary', negated)).toMatchObject({ outcome: 'fail' });
      expect(absent('directory-link/none', negated)).toMatchObject({ outcome: 'fail' });
    }
    // The link itself stands in the workspace, so it is present there.
    expect(absent('file-link').evidence).toBe('"file-link" is unexpectedly present');
  });

  it('is not taken for one whose link stays inside, nor for a sibling with the same beginning', () => {
    const { contains, root } = workspace();
    symlinkSync(join(root, 'docs', 'report.md'), join(root, 'inside-link'));
    expect(contains('inside-link', 'Summary').outcome).toBe('pass');
    mkdirSync(`${root}-other`);
    writeFileSync(join(`${root}-other`, 'x'), 'Summary');
    symlinkSync(join(`${root}-other`, 'x'), join(root, 'sibling-link'));
    expect(contains('sibling-link', 'Summary').evidence).toContain('path escapes workspace');
  });

  it('is judged against the real root when the workspace itself is reached through a link', () => {
    const { root } = workspace();
    symlinkSync(root, `${root}-link`);
    const recording = answered('x', { workspace: { root: `${root}-link` } });
    expect(graded(spec('file-exists', { path: 'docs/report.md' }), recording).outcome).toBe('pass');
  });
});

describe('without a workspace', () => {
  it('everything is as in an empty one', () => {
    const recording = answered('x');
    expect(graded(spec('file-exists', { path: 'a' }), recording).outcome).toBe('fail');
    expect(graded(spec('file-absent', { path: 'a' }), recording).outcome).toBe('pass');
    expect(graded(spec('file-contains', { path: 'a', needle: 'x' }), recording).outcome).toBe('fail');
    expect(graded(spec('file-absent', { path: '../a' }), recording).outcome).toBe('fail');
  });
});
