import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { array, assert as assertProperty, asyncProperty, constantFrom } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ToolOutcome } from '../../src/tool/index.js';
import { call, place, type Place } from './support.js';

/** Tries every tool that takes a path; all of them must refuse, and nothing outside may have changed. */
async function expectRefused({ root, outside }: Place, path: string, why: RegExp): Promise<void> {
  const before = listing(outside);
  for (const [name, input] of [
    ['file_read', { path }],
    ['file_write', { path, content: 'owned' }],
    ['file_edit', { path, old_string: 'the', new_string: 'my' }],
  ] as const) {
    const outcome = await call(root, name, input);
    expect(outcome, `${name} ${JSON.stringify(path)}`).toMatchObject({ ok: false });
    expect(outcome.text).toMatch(why);
    expect(outcome.text).not.toContain('the secret');
  }
  expect(listing(outside)).toEqual(before);
}

/** Puts something at a name again and again until it is free: a tool may have made a file there in that moment. */
function putAt(path: string, put: () => void): void {
  for (;;) {
    try {
      put();
      return;
    } catch (error) {
      if (!['EEXIST', 'ENOTEMPTY', 'ENOTDIR', 'EISDIR'].includes(codeOf(error))) throw error;
      rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 1 });
    }
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function listing(directory: string): [string, string][] {
  return readdirSync(directory)
    .toSorted()
    .map((name) => [name, readFileSync(join(directory, name), 'utf8')]);
}

describe('a path is refused by its words', () => {
  it.each([
    ['empty', '', /is empty/],
    ['absolute', '/etc/passwd', /must be relative/],
    ['absolute in another system', '\\\\server\\share', /must be relative/],
    ['on a drive', 'C:\\secret.txt', /must be relative/],
    ['on a drive without a slash', 'c:secret.txt', /must be relative/],
    ['in the home directory', '~/secret.txt', /must be relative/],
    ['upwards', '../outside/secret.txt', /leaves the workspace/],
    ['upwards on the way', 'a/../../outside/secret.txt', /leaves the workspace/],
    ['upwards and back in', '../workspace/a.txt', /leaves the workspace/],
    ['upwards with backslashes', '..\\outside\\secret.txt', /leaves the workspace/],
    ['upwards with mixed slashes', 'a\\../b', /leaves the workspace/],
    ['with a backslash', 'a\\b.txt', /holds a backslash/],
    ['a zero byte', 'a.txt\0.png', /control characters/],
    ['a line feed', 'a\nb', /control characters/],
    ['an escape sequence', 'a\u001b[2J', /control characters/],
    ['a turned text', 'a\u202etxt.exe', /invisible characters/],
    ['an invisible letter', 'a\u200b.txt', /invisible characters/],
    ['half a character', 'a\ud800.txt', /invisible characters/],
    ['dots that only look like dots', '\uff0e\uff0e/outside/secret.txt', /looks like \. or \//],
    ['two dots in one', '\u2025/outside/secret.txt', /looks like \. or \//],
    ['a slash that only looks like one', '..\uff0foutside\uff0fsecret.txt', /looks like \. or \//],
    ['a slash inside a letter', 'a\u2100b', /looks like \. or \//],
    ['a dot at the end', 'a/.../b', /ends in a dot or a space/],
    ['a space at the end', 'a/.. /b', /ends in a dot or a space/],
    ['a device', 'NUL', /name of a device/],
    ['a device with an ending', 'a/Com1.txt', /name of a device/],
    ['a name of 256 bytes', 'é'.repeat(128), /name that is too long/],
    ['a path of 1025 characters', 'a/'.repeat(512) + 'b', /is too long/],
    ['the workspace itself', '.', /is the workspace itself/],
    ['the workspace itself, with slashes', './/', /is the workspace itself/],
  ])('%s', async (_name, path, why) => {
    await expectRefused(place(), path, why);
  });

  it.each([
    ['two dots inside a name', 'a..b'],
    ['a hidden file', '.hidden'],
    ['a name of 255 bytes', 'n'.repeat(255)],
    ['a space inside', 'my notes.txt'],
    ['another script', 'заметки/日本語.txt'],
    ['a joined emoji', '👩\u200d🚀.txt'],
    ['a device with more letters', 'console.txt'],
    ['a dash first', '-rf'],
    ['a percent escape', '%2e%2e%2fa'],
  ])('but not for %s', async (_name, path) => {
    const { root } = place();
    expect(await call(root, 'file_write', { path, content: 'x' })).toMatchObject({ ok: true });
    expect(await call(root, 'file_read', { path })).toEqual({ ok: true, text: 'x' });
  });

  it('whatever it is made of, nothing is ever written outside', async () => {
    const { root, outside } = place({ 'a/b.txt': 'x' });
    symlinkSync(outside, join(root, 'link'));
    const part = constantFrom(
      '..',
      '.',
      'a',
      'b.txt',
      'link',
      '',
      '\\',
      '~',
      'C:',
      '\u2025',
      'secret.txt',
      '...',
    );
    const before = listing(outside);
    await assertProperty(
      asyncProperty(array(part, { maxLength: 6 }), constantFrom('/', '\\'), async (parts, separator) => {
        await call(root, 'file_write', { path: parts.join(separator), content: 'owned' });
        expect(listing(outside)).toEqual(before);
        expect(readdirSync(join(root, '..')).toSorted()).toEqual(['outside', 'workspace']);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a symbolic link', () => {
  it('to a file outside is refused', async () => {
    const made = place();
    symlinkSync(join(made.outside, 'secret.txt'), join(made.root, 'link.txt'));
    await expectRefused(made, 'link.txt', /through a symbolic link/);
  });

  it('to a directory outside is refused, and nothing is made in it', async () => {
    const made = place();
    symlinkSync(made.outside, join(made.root, 'link'));
    await expectRefused(made, 'link/secret.txt', /through a symbolic link/);
    await expectRefused(made, 'link/new/deep.txt', /through a symbolic link|does not exist/);
    expect(existsSync(join(made.outside, 'new'))).toBe(false);
  });

  it('that goes up by a relative path, or through others, is refused', async () => {
    const made = place({ 'a/b.txt': 'x' });
    symlinkSync('../../outside', join(made.root, 'a', 'up'));
    symlinkSync('a/up', join(made.root, 'hop'));
    await expectRefused(made, 'a/up/secret.txt', /through a symbolic link/);
    await expectRefused(made, 'hop/secret.txt', /through a symbolic link/);
  });

  it('that leads nowhere is refused, so that nobody decides later where a write lands', async () => {
    const made = place();
    symlinkSync(join(made.outside, 'later.txt'), join(made.root, 'link.txt'));
    await expectRefused(made, 'link.txt', /broken symbolic link/);
    symlinkSync('round', join(made.root, 'round'));
    await expectRefused(made, 'round', /broken symbolic link/);
  });

  it('that stays inside is followed', async () => {
    const { root } = place({ 'real/a.txt': 'x' });
    symlinkSync('real', join(root, 'link'));
    symlinkSync(join(root, 'real', 'a.txt'), join(root, 'a.txt'));
    expect(await call(root, 'file_read', { path: 'link/a.txt' })).toEqual({ ok: true, text: 'x' });
    expect(await call(root, 'file_write', { path: 'a.txt', content: 'y' })).toMatchObject({ ok: true });
    expect(readFileSync(join(root, 'real', 'a.txt'), 'utf8')).toBe('y');
  });

  it('is not followed by the searches', async () => {
    const { root, outside } = place({ 'a.txt': 'the open text' });
    symlinkSync(outside, join(root, 'link'));
    symlinkSync(join(outside, 'secret.txt'), join(root, 'secret.txt'));
    expect((await call(root, 'glob_search', { pattern: '**' })).text).toBe('a.txt');
    expect((await call(root, 'content_search', { query: 'the' })).text).toBe('a.txt:1: the open text');
  });

  it('swapped in while tools work leads nowhere', async () => {
    const { root, outside } = place({ 'real/secret.txt': 'harmless', 'file.txt': 'harmless' });
    const deadline = performance.now() + 1500;
    let rounds = 0;
    const outcomes: ToolOutcome[] = [];
    while (rounds < 60 && performance.now() < deadline) {
      rounds += 1;
      const asked = Promise.all([
        call(root, 'file_read', { path: 'real/secret.txt' }),
        call(root, 'file_write', { path: 'real/made/by.txt', content: 'owned' }),
        call(root, 'file_read', { path: 'file.txt' }),
        call(root, 'file_write', { path: 'file.txt', content: 'owned' }),
        call(root, 'content_search', { query: 'secret' }),
      ]);
      // The tools run in threads of their own: every step here is one they may meet half-way.
      for (let swap = 0; swap < 10; swap += 1) {
        renameSync(join(root, 'real'), join(root, 'kept'));
        putAt(join(root, 'real'), () => {
          symlinkSync(outside, join(root, 'real'));
        });
        rmSync(join(root, 'file.txt'));
        putAt(join(root, 'file.txt'), () => {
          symlinkSync(join(outside, 'secret.txt'), join(root, 'file.txt'));
        });
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        rmSync(join(root, 'real'));
        putAt(join(root, 'real'), () => {
          renameSync(join(root, 'kept'), join(root, 'real'));
        });
        rmSync(join(root, 'file.txt'));
        writeFileSync(join(root, 'file.txt'), 'harmless');
      }
      outcomes.push(...(await asked));
    }
    expect(outcomes.filter(({ text }) => text.includes('the secret'))).toEqual([]);
    expect(listing(outside)).toEqual([['secret.txt', 'the secret']]);
    expect(outcomes.some(({ ok }) => ok)).toBe(true);
  });
});

describe('a hard link', () => {
  it('to a file outside is refused', async () => {
    const made = place();
    linkSync(join(made.outside, 'secret.txt'), join(made.root, 'hard.txt'));
    await expectRefused(made, 'hard.txt', /is a hard link/);
    expect((await call(made.root, 'content_search', { query: 'secret' })).text).toBe(
      'No line contains the text',
    );
  });
});

describe('a name that another system would take for one that is there', () => {
  it.each([
    ['in another case', 'Notes.txt', 'notes.TXT'],
    ['with another form of a letter', 'cafe\u0301.txt', 'caf\u00e9.txt'],
    ['with a sharp s', 'stra\u00dfe', 'STRASSE'],
    ['with wide letters', 'abc', '\uff41\uff42\uff43'],
  ])('is refused %s', async (_name, there, asked) => {
    const { root } = place({ [there]: 'x', [`in/${there}/deep`]: 'x' });
    const write = await call(root, 'file_write', { path: asked, content: 'owned' });
    expect(write).toMatchObject({ ok: false });
    expect(write.text).toMatch(/is spelled/);
    const deep = await call(root, 'file_write', { path: `in/${asked}/other`, content: 'owned' });
    expect(deep.text).toMatch(/is spelled/);
    expect(readdirSync(root).toSorted()).toEqual(['in', there].toSorted());
    expect(readFileSync(join(root, there), 'utf8')).toBe('x');
  });
});

describe('what is no regular file', () => {
  it('is refused, and a pipe makes nobody wait', async () => {
    const made = place();
    mkdirSync(join(made.root, 'directory'));
    execFileSync('mkfifo', [join(made.root, 'pipe')]);
    await expectRefused(made, 'directory', /is a directory|not a regular file/);
    await expectRefused(made, 'pipe', /not a regular file/);
    expect((await call(made.root, 'content_search', { query: 'x' })).ok).toBe(true);
  });
});
