import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactSecrets } from '../../src/store/index.js';

const PEM = [
  '-----BEGIN RSA PRIVATE KEY-----',
  'Proc-Type: 4,ENCRYPTED',
  '',
  'MIIEpAIBAAKCAQEAx0+abc/def=',
  '-----END RSA PRIVATE KEY-----',
].join('\n');

// Made up; the shapes are those the providers document.
const SECRETS: [string, string][] = [
  ['a model provider key', 'sk-ant-api03-AbCdEf0123456789_-AbCdEf'],
  ['a project key', 'sk-proj-abcdefghijklmnop0'],
  ['a payment key', 'sk_live_abcdefghij0123456789'],
  ['a code host token', 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'],
  ['a fine-grained code host token', 'github_pat_11ABCDEFG0abcdefghij_klmnopqrstuvwxyz'],
  ['a second code host token', 'glpat-abcdefghij0123456789'],
  ['a cloud access key', 'AKIAIOSFODNN7EXAMPLE'],
  ['a temporary cloud key', 'ASIAIOSFODNN7EXAMPLE'],
  ['a chat token', 'xoxb-123456789012-abcdefghijkl'],
  ['a search key', 'AIzaSyA-abcdefghijklmnopqrstuvwxyz012345'],
  ['a package registry token', 'npm_abcdefghijklmnopqrstuvwxyz0123456789'],
  ['a web token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-DEF_123'],
  ['a bearer header', 'Bearer abcdefghijklmnopqrst'],
  ['a short bearer header with a digit', 'bearer abc123def456'],
  ['a private key', PEM],
];

describe('redacting secrets', () => {
  test.each(SECRETS)('removes %s from text and leaves the rest', (_name, secret) => {
    expect(redactSecrets(`before ${secret}\nafter`)).toBe('before [redacted]\nafter');
    expect(redactSecrets(`"${secret}"`)).toBe('"[redacted]"');
    expect(redactSecrets(secret)).toBe('[redacted]');
  });

  test.each(SECRETS)(
    'removes %s from JSON text, also right after an escape, and leaves JSON',
    (_name, secret) => {
      for (const lead of ['', '\n', '\t', '\u0001', '\\', 'key=', '"', '(']) {
        const redacted: unknown = JSON.parse(redactSecrets(JSON.stringify({ text: `${lead}${secret}"x` })));
        expect(redacted).toEqual({ text: `${lead}[redacted]"x` });
      }
    },
  );

  test.each([
    ['hyphenated words', 'a task-runner and sk-learn-pipelines-everywhere'],
    ['a word that ends like a prefix', 'risk-Assessment1234567890'],
    ['a short rest', 'sk-Abc1'],
    ['prose about bearers', 'the bearer of bad news, Bearer token'],
    ['a public key', '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----'],
    ['a hash', 'a'.repeat(64)],
    ['an identifier with an underscore', 'tool_calls npm_config gh_token'],
  ])('leaves %s alone', (_name, text) => {
    expect(redactSecrets(text)).toBe(text);
  });

  test('redacts a private key whose end is missing', () => {
    expect(redactSecrets('-----BEGIN PRIVATE KEY-----\nMIIEabc')).toBe('[redacted]');
  });

  test('never mistakes the letter of an escape for the start of a key', () => {
    const text = JSON.stringify('\npm_abcdefghijklmnopqrstuvwxyz0123456789 \bearer abcdefghijklmnopqrst');
    expect(JSON.parse(redactSecrets(text))).toBe(JSON.parse(text));
  });

  test('leaves valid JSON and no secret behind in any text around it', () => {
    const around = fc.string({
      unit: fc.constantFrom('a', ' ', '\n', '\t', '"', '\\', '-', '_', '.', '/', '='),
      maxLength: 8,
    });
    const secret = fc.constantFrom(...SECRETS.map(([, value]) => value));
    fc.assert(
      fc.property(around, secret, around, (before, value, after) => {
        const redacted: unknown = JSON.parse(redactSecrets(JSON.stringify([`${before} ${value} ${after}`])));
        expect(JSON.stringify(redacted)).not.toContain(JSON.stringify(value).slice(1, -1));
      }),
    );
  });

  test.each([
    ['sk-', 'sk-'.repeat(200_000)],
    ['web tokens', `.eyJ ${'eyJ'.repeat(200_000)}`],
    ['dotted web tokens', 'eyJaaaaaa.'.repeat(60_000)],
    ['bearers', 'Bearer '.repeat(90_000)],
    ['key blocks', '-----BEGIN PRIVATE KEY-----'.repeat(20_000)],
    ['openings of key blocks', '-----BEGIN A '.repeat(40_000)],
    ['code host tokens', 'ghp_'.repeat(150_000)],
    ['chat tokens', 'xoxb-'.repeat(120_000)],
    ['backslashes', `${'\\'.repeat(300_000)}sk-Abcdefghijklmnop1`],
  ])(
    'takes linear time on a long run of %s',
    (_name, text) => {
      // Quadratic work on these half-million characters would run into the time limit of the test.
      expect(redactSecrets(text).length).toBeLessThanOrEqual(text.length);
    },
    10_000,
  );
});
