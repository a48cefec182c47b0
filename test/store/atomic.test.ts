import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ensurePrivateDirectory, writeFileAtomic } from '../../src/store/index.js';
import { failure, temporaryDirectory } from './builders.js';

describe('writing a file atomically', () => {
  test('leaves the whole text with the mode that was asked for, and nothing beside it', async () => {
    const directory = temporaryDirectory();
    const text = 'ü🚀\n'.repeat(200_000);
    await writeFileAtomic(join(directory, 'file.json'), text, 0o600);
    expect(readFileSync(join(directory, 'file.json'), 'utf8')).toBe(text);
    expect(statSync(join(directory, 'file.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(['file.json']);
  });

  test('replaces a file, and a link itself instead of what it leads to', async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'target'), 'keep');
    symlinkSync(join(directory, 'target'), join(directory, 'link'));
    await writeFileAtomic(join(directory, 'link'), 'new', 0o600);
    expect(readFileSync(join(directory, 'target'), 'utf8')).toBe('keep');
    expect(lstatSync(join(directory, 'link')).isFile()).toBe(true);
    await writeFileAtomic(join(directory, 'link'), 'newer', 0o600);
    expect(readFileSync(join(directory, 'link'), 'utf8')).toBe('newer');
  });

  test('keeps the texts of simultaneous writers apart', async () => {
    const path = join(temporaryDirectory(), 'file');
    const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(50_000));
    await Promise.all(texts.map((text) => writeFileAtomic(path, text, 0o600)));
    expect(texts).toContain(readFileSync(path, 'utf8'));
  });

  test('keeps the old file when the new one cannot be put in its place', async () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'taken', 'inside'), { recursive: true });
    expect(await failure(() => writeFileAtomic(join(directory, 'taken'), 'x', 0o600))).toMatchObject({
      code: 'STORE',
    });
    expect(readdirSync(directory)).toEqual(['taken']);
    expect(await failure(() => writeFileAtomic(join(directory, 'none', 'file'), 'x', 0o600))).toMatchObject({
      code: 'STORE',
    });
  });
});

describe('a private directory', () => {
  test('is made with its parents, for nobody else to read', () => {
    const directory = join(temporaryDirectory(), 'a', 'b');
    ensurePrivateDirectory(directory);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory, '..')).mode & 0o777).toBe(0o700);
  });

  test('is left as it is when it exists', () => {
    const directory = temporaryDirectory();
    chmodSync(directory, 0o750);
    ensurePrivateDirectory(directory);
    expect(statSync(directory).mode & 0o777).toBe(0o750);
  });

  test('is never a link or a file', async () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'real'));
    symlinkSync(join(directory, 'real'), join(directory, 'link'));
    writeFileSync(join(directory, 'file'), 'x');
    for (const name of ['link', 'file', 'file/below']) {
      expect(await failure(() => ensurePrivateDirectory(join(directory, name)))).toMatchObject({
        code: 'STORE',
      });
    }
  });
});
