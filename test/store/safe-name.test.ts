import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../src/core/index.js';
import { safeDirectoryName } from '../../src/store/index.js';

describe('the directory name of a suite', () => {
  test.each(['nightly', 'core-dispositions', 'a_b.v2', 'A', '0', 'x'.repeat(80)])(
    'is the name itself for %j',
    (name) => {
      expect(safeDirectoryName(name)).toBe(name);
    },
  );

  test.each([
    ['a way out', '../../etc/passwd'],
    ['two dots', '..'],
    ['one dot', '.'],
    ['nothing', ''],
    ['a hidden name', '.git'],
    ['an option', '-rf'],
    ['a trailing dot', 'suite.'],
    ['blanks', 'my suite'],
    ['a backslash', 'a\\b'],
    ['an emoji', '🚀'],
    ['control characters', 'a\u0000b\u001b[31m\n'],
    ['a reserved device', 'con'],
    ['a reserved device with an ending', 'NUL.txt'],
    ['300 characters', 'x'.repeat(300)],
    ['one character too many', 'x'.repeat(81)],
    ['300 emoji', '🚀'.repeat(300)],
    ['what a changed name looks like', 'demo-0123456789abcdef'],
  ])('is changed and made unique for %s', (_name, suite) => {
    const safe = safeDirectoryName(suite);
    expect(safe).toMatch(/^[A-Za-z0-9_][A-Za-z0-9._-]*-[0-9a-f]{16}$/);
    expect(safe.length).toBeLessThanOrEqual(98);
    expect(safe.endsWith(sha256(JSON.stringify(suite)).slice(0, 16))).toBe(true);
  });

  test('keeps names apart that differ only in what is replaced', () => {
    const names = ['a/b', 'a\\b', 'a b', 'a_b', 'a?b', 'é', 'e\u0301', '\ud800', '\ud801', '🚀', '🚁'];
    expect(new Set(names.map(safeDirectoryName)).size).toBe(names.length);
  });

  test('never gives two names one directory, not even one that imitates another', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: fc.constantFrom('a', 'A', '.', '/', '-', '_', ' ', 'é', '\ud800') }),
        (one, two) => {
          const first = safeDirectoryName(one);
          if (one !== two) expect(safeDirectoryName(two)).not.toBe(first);
          if (one !== first) expect(safeDirectoryName(first)).not.toBe(first);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('is always one plain component of a path', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        expect(safeDirectoryName(name)).toMatch(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,97}$/);
      }),
    );
  });
});
