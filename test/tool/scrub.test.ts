import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scrubCredentials } from '../../src/tool/index.js';

describe('scrubCredentials', () => {
  it.each([
    ['token=abcdefgh', 'token=abcd*[REDACTED]'],
    ['api_key: "placeholder-value"', 'api_key: "plac*[REDACTED]"'],
    ["password: 'placeholder value'", "password: 'plac*[REDACTED]'"],
    ['Authorization: Bearer placeholder-token', 'Authorization: Bearer plac*[REDACTED]'],
    ['{"secret":"placeholder"}', '{"secret":"plac*[REDACTED]"}'],
    [String.raw`{\"token\":\"placeholder\"}`, String.raw`{\"token\":\"plac*[REDACTED]\"}`],
    ['cookie = placeholder; path=/', 'cookie = plac*[REDACTED]; path=/'],
    [`password: "it's placeholder"`, `password: "it's*[REDACTED]"`],
    ['password: "unterminated', 'password: "unte*[REDACTED]'],
    ['password: пароль-пароль', 'password: паро*[REDACTED]'],
    ['password: "abc😀efghij"', 'password: "abc😀*[REDACTED]"'],
    ['token=aaaaaaaa token=bbbbbbbb', 'token=aaaa*[REDACTED] token=bbbb*[REDACTED]'],
  ])('hides the value in %s', (text, hidden) => {
    expect(scrubCredentials(text)).toBe(hidden);
  });

  it.each(['token=short12', 'the token is not here', 'password', 'secret: ""', 'keyboard: mechanical'])(
    'leaves %s alone',
    (text) => {
      expect(scrubCredentials(text)).toBe(text);
    },
  );

  it('never throws, never leaves a value behind, and is quick on hostile text', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9]{8,40}$/), (value) => {
        expect(scrubCredentials(`x token: ${value} y`)).not.toContain(value);
      }),
    );
    const hostile = `token=${'\\'.repeat(100_000)}"`;
    expect(scrubCredentials(hostile)).toBe(hostile);
  });
});
