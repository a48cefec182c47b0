import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workspaceTools } from '../../src/tool/index.js';
import { call, place } from './support.js';

describe('file_read', () => {
  it('gives the text of a file', async () => {
    const { root } = place({ 'notes/a.txt': 'grüße\n' });
    expect(await call(root, 'file_read', { path: './notes//a.txt' })).toEqual({ ok: true, text: 'grüße\n' });
  });

  it('says what is wrong in words that do not hold the place of the workspace', async () => {
    const { root } = place({ 'a.txt': 'x' });
    expect(await call(root, 'file_read', { path: 'no.txt' })).toEqual({
      ok: false,
      text: '"no.txt" does not exist',
    });
    expect(await call(root, 'file_read', { path: 'a.txt/b' })).toEqual({
      ok: false,
      text: 'a part of "a.txt/b" is not a directory',
    });
  });

  it('cuts a file that is too long and says so, never through a character', async () => {
    const { root } = place({ 'long.txt': `a${'é'.repeat(200_000)}`, 'exact.txt': 'b'.repeat(256 * 1024) });
    const long = await call(root, 'file_read', { path: 'long.txt' });
    expect(long.text).toMatch(/^aé+\n\[cut after 262144 bytes\]$/);
    expect((await call(root, 'file_read', { path: 'exact.txt' })).text).toBe('b'.repeat(256 * 1024));
  });

  it.each([[{}], [{ path: 7 }], [null], ['a.txt'], [[]]])('refuses the arguments %j', async (input) => {
    const { root } = place();
    expect(await call(root, 'file_read', input)).toEqual({
      ok: false,
      text: 'the argument path must be text',
    });
  });
});

describe('file_write', () => {
  it('makes directories and replaces what was there', async () => {
    const { root } = place({ 'a/b.txt': 'a long text that was there' });
    expect(await call(root, 'file_write', { path: 'a/b.txt', content: 'é' })).toEqual({
      ok: true,
      text: 'Wrote 2 bytes to a/b.txt',
    });
    expect(readFileSync(join(root, 'a/b.txt'), 'utf8')).toBe('é');
    expect((await call(root, 'file_write', { path: 'x/y/z.txt', content: '' })).ok).toBe(true);
    expect(readFileSync(join(root, 'x/y/z.txt'), 'utf8')).toBe('');
  });

  it('writes neither over a directory nor through a file', async () => {
    const { root } = place({ 'a/b.txt': 'x' });
    expect((await call(root, 'file_write', { path: 'a', content: 'y' })).ok).toBe(false);
    expect((await call(root, 'file_write', { path: 'a/b.txt/c', content: 'y' })).ok).toBe(false);
    expect(readFileSync(join(root, 'a/b.txt'), 'utf8')).toBe('x');
  });
});

describe('file_edit', () => {
  it('replaces the one place at which the text occurs', async () => {
    const { root } = place({ 'a.txt': 'one two three' });
    const edit = { path: 'a.txt', old_string: 'two', new_string: '$& 2' };
    expect(await call(root, 'file_edit', edit)).toEqual({ ok: true, text: 'Edited a.txt' });
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one $& 2 three');
  });

  it.each([
    ['does not occur', 'four', 'old_string does not occur in a.txt'],
    ['occurs twice', 'o', 'old_string occurs 2 times in a.txt; make it unique'],
    ['is empty', '', 'old_string must not be empty'],
  ])('changes nothing when the text %s', async (_name, old, text) => {
    const { root } = place({ 'a.txt': 'one two three' });
    const edit = { path: 'a.txt', old_string: old, new_string: 'x' };
    expect(await call(root, 'file_edit', edit)).toEqual({ ok: false, text });
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one two three');
  });
});

describe('glob_search', () => {
  it.each([
    ['*', 'a.md'],
    ['*.md', 'a.md'],
    ['**/*.md', 'a.md\ndocs/b.md\ndocs/deep/er/c.md'],
    ['docs/**', 'docs/b.md\ndocs/deep/er/c.md\ndocs/x.ts'],
    ['docs/?.md', 'docs/b.md'],
    ['**/deep/**/c.*', 'docs/deep/er/c.md'],
    ['**', 'a.md\ndocs/b.md\ndocs/deep/er/c.md\ndocs/x.ts'],
    ['docs/**/b.md', 'docs/b.md'],
    ['**/**/b.md', 'docs/b.md'],
    ['docs', 'No file matches docs'],
    ['docs/*/c.md', 'No file matches docs/*/c.md'],
  ])('finds with %s', async (pattern, text) => {
    const { root } = place({ 'a.md': '', 'docs/b.md': '', 'docs/x.ts': '', 'docs/deep/er/c.md': '' });
    expect(await call(root, 'glob_search', { pattern })).toEqual({ ok: true, text });
  });

  it('lists the first 2000 files only, and says so', async () => {
    const { root } = place();
    for (let index = 0; index < 2001; index += 1) writeFileSync(join(root, `f${index}`), '');
    const { text } = await call(root, 'glob_search', { pattern: 'f*' });
    expect(text.split('\n')).toHaveLength(2001);
    expect(text).toContain('[only the first 2000 are listed]');
  });

  it('refuses patterns that are empty or endless', async () => {
    const { root } = place();
    expect((await call(root, 'glob_search', { pattern: '' })).ok).toBe(false);
    expect((await call(root, 'glob_search', { pattern: '*'.repeat(1025) })).ok).toBe(false);
  });
});

describe('content_search', () => {
  it('gives file, line and text, in order', async () => {
    const { root } = place({ 'b.txt': 'no\nyes here\n', 'a/c.md': 'yes', 'd.md': 'YES' });
    expect(await call(root, 'content_search', { query: 'yes' })).toEqual({
      ok: true,
      text: 'a/c.md:1: yes\nb.txt:2: yes here',
    });
    expect((await call(root, 'content_search', { query: 'yes', pattern: '*.txt' })).text).toBe(
      'b.txt:2: yes here',
    );
    expect((await call(root, 'content_search', { query: 'never' })).text).toBe('No line contains the text');
  });

  it('stops after 200 lines and says so', async () => {
    const { root } = place({ 'a.txt': 'x\n'.repeat(300) });
    const { text } = await call(root, 'content_search', { query: 'x' });
    expect(text.split('\n')).toHaveLength(201);
    expect(text).toContain('[the search was cut short]');
  });

  it('refuses an empty query', async () => {
    const { root } = place({ 'a.txt': 'x' });
    expect((await call(root, 'content_search', { query: '' })).ok).toBe(false);
  });
});

describe('the file tools', () => {
  it('answer many calls at once, each its own', async () => {
    const { root } = place();
    const names = Array.from({ length: 40 }, (_, index) => `file-${index}.txt`);
    await Promise.all(names.map((path) => call(root, 'file_write', { path, content: path })));
    const read = await Promise.all(names.map((path) => call(root, 'file_read', { path })));
    expect(read.map((outcome) => outcome.text)).toEqual(names);
  });

  it('give up a call when the trial ends, and go on working', async () => {
    const { root } = place({ 'a.txt': 'x' });
    const controller = new AbortController();
    controller.abort();
    const tool = workspaceTools.get('file_read');
    const context = { workspace: () => root, signal: controller.signal };
    expect(await tool?.execute({ path: 'a.txt' }, context)).toEqual({
      ok: false,
      text: 'file_read was stopped',
    });
    expect((await call(root, 'file_read', { path: 'a.txt' })).ok).toBe(true);
  });

  it('say in their schema what they take', () => {
    for (const tool of workspaceTools.values()) {
      expect(tool.parameters).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.description).not.toBe('');
    }
    expect([...workspaceTools.keys()]).toEqual([
      'file_read',
      'file_write',
      'file_edit',
      'glob_search',
      'content_search',
    ]);
  });
});
