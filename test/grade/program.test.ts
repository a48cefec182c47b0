import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/core/index.js';
import { gradeRecording } from '../../src/grade/index.js';
import { answered, call, gradedFully, spec, temporaryDirectory } from './support.js';

function moduleOf(source: string, name = 'check.mjs') {
  const directory = temporaryDirectory();
  const path = join(directory, name);
  writeFileSync(path, source);
  const made = (exportName: string, timeoutMs = 20_000, parameters?: JsonValue) => ({
    path,
    exportName,
    timeoutMs,
    ...(parameters === undefined ? {} : { parameters }),
  });
  return {
    directory,
    path,
    made,
    ask: (exportName = 'check', more: { negated?: boolean; timeoutMs?: number; text?: string } = {}) =>
      gradedFully(
        spec('program', made(exportName, more.timeoutMs), {
          negated: more.negated ?? false,
          category: 'program',
        }),
        answered(more.text ?? 'the answer'),
      ),
  };
}

const returning = (expression: string) => moduleOf(`export const check = () => (${expression});`).ask();

describe('program', () => {
  it.each([
    ['true', 'pass', 1],
    ['false', 'fail', 0],
    ['1', 'pass', 1],
    ['0.4', 'fail', 0.4],
    ['0', 'fail', 0],
    ['{ pass: true }', 'pass', 1],
    ['{ passed: true, score: 0.5, reason: "half", metadata: {} }', 'pass', 0.5],
    ['{ pass: false, reason: "" }', 'fail', 0],
    ['{ pass: true, score: null, reason: null }', 'pass', 1],
    ['Promise.resolve(true)', 'pass', 1],
  ])('reads %s as a %s', async (expression, outcome, score) => {
    expect(await returning(expression)).toMatchObject({ outcome, score });
  });

  it.each([
    '7',
    '-0.1',
    'NaN',
    'Infinity',
    'undefined',
    'null',
    '"yes"',
    '[]',
    '{}',
    '{ score: 0.5 }',
    '{ pass: "true" }',
    '{ pass: 1 }',
    '{ pass: true, passed: false }',
    '{ pass: true, score: 7 }',
    '{ pass: true, score: "1" }',
    '{ pass: true, reason: 3 }',
    '{ pass: true, reason: () => "good" }',
    '{ pass: true, score: [1] }',
    '{ pass: null }',
    '() => true',
    'Symbol()',
    '10n',
  ])('makes an error of %s', async (expression) => {
    const check = await returning(expression);
    expect(check).toMatchObject({ outcome: 'error', score: 0 });
    expect(check.evidence).toContain('return true or false');
  });

  it('keeps the reason, also under not-, and flips the score', async () => {
    const { ask } = moduleOf('export const check = () => ({ pass: true, score: 0.75, reason: "polite" });');
    expect(await ask()).toMatchObject({
      outcome: 'pass',
      score: 0.75,
      evidence: '"check.mjs" check returned pass with the score 0.75: polite',
    });
    expect(await ask('check', { negated: true })).toMatchObject({
      outcome: 'fail',
      score: 0.25,
      evidence: '"check.mjs" check returned pass with the score 0.75: polite',
    });
  });

  it('keeps an earlier failure when a later one has no reason', async () => {
    const { made } = moduleOf(
      'export const first = () => ({ pass: false, reason: "rude" }); export const second = () => ({ pass: false, reason: "" });',
    );
    const checks = await gradeRecording(
      [spec('program', made('first')), spec('program', made('second'))],
      answered('x'),
      { emptyText: 'fail' },
    );
    expect(checks.map((check) => check.outcome)).toEqual(['fail', 'fail']);
    expect(checks[0]?.evidence).toContain('rude');
  });

  it('hands over the output, the turns, the calls, the usage and the parameters', async () => {
    const { made } = moduleOf(
      'export const check = (input) => ({ pass: true, reason: JSON.stringify(input) });',
    );
    const recording = answered(['one', 'two'], { toolCalls: [call('echo', { a: 1 })] });
    const asked = (turn?: number) =>
      gradedFully(
        spec('program', made('check', 20_000, { limit: 3 }), turn === undefined ? {} : { turn }),
        recording,
      );
    const { evidence } = await asked();
    expect(JSON.parse(evidence.slice(evidence.indexOf('{')))).toEqual({
      output: 'two',
      turns: recording.turns,
      toolCalls: recording.toolCalls,
      usage: recording.usage,
      parameters: { limit: 3 },
    });
    expect((await asked(0)).evidence).toContain('"output":"one"');
    expect(await asked(5)).toMatchObject({ outcome: 'error' });
  });

  it('loads TypeScript as it is', async () => {
    const { directory, ask } = moduleOf(
      `import { words } from './words.ts';
       interface Input { output: string }
       export default ({ output }: Input): boolean => words(output) === 2;`,
      'check.ts',
    );
    writeFileSync(
      join(directory, 'words.ts'),
      'export const words = (text: string): number => text.split(" ").length;',
    );
    expect(await ask('default')).toMatchObject({ outcome: 'pass' });
    expect(await ask('default', { text: 'one' })).toMatchObject({ outcome: 'fail' });
  });

  it('loads CommonJS', async () => {
    const { ask } = moduleOf('exports.check = ({ output }) => output.includes("answer");', 'check.cjs');
    expect(await ask()).toMatchObject({ outcome: 'pass' });
  });

  it('makes an error of a throw and keeps the results of the other checks', async () => {
    const { made } = moduleOf('export const check = () => { throw new Error("broken"); };');
    const checks = await gradeRecording(
      [
        spec('contains', { value: 'answer' }),
        spec('program', made('check')),
        spec('program', made('check'), { negated: true }),
        spec('contains', { value: 'none' }),
      ],
      answered('the answer'),
      { emptyText: 'fail' },
    );
    expect(checks.map((check) => check.outcome)).toEqual(['pass', 'error', 'error', 'fail']);
    expect(checks[1]?.evidence).toBe('"check.mjs" check threw: broken');
  });

  it.each([
    ['an endless loop', 'export const check = () => { for (;;) {} };'],
    ['an endless loop while loading', 'for (;;) {}'],
    ['a runaway expression', 'export const check = () => /(a+)+$/.test("a".repeat(60) + "!");'],
    ['a promise that never settles', 'export const check = () => new Promise(() => {});'],
  ])('stops %s within the limit', async (_name, source) => {
    const check = await moduleOf(source).ask('check', { timeoutMs: 400, negated: true });
    expect(check).toMatchObject({ outcome: 'error', evidence: '"check.mjs" check was stopped after 400 ms' });
  });

  it.each([
    ['an exit', 'export const check = () => process.exit(0);', 'ended with code 0'],
    [
      'an error thrown later',
      'export const check = () => new Promise(() => setTimeout(() => { throw new Error("late"); }, 10));',
      'late',
    ],
    [
      'too much memory',
      'export const check = () => { const all = []; for (;;) all.push(new Array(1e5).fill(0)); };',
      'memory',
    ],
    ['a missing export', 'export const other = () => true;', 'its exports are other'],
    ['an export that is no function', 'export const check = 3;', 'no function "check"'],
    ['a syntax error', 'export const check = ;', 'threw'],
    [
      'a thrown thing without a text',
      'export const check = () => { throw Object.create(null); };',
      'cannot be shown',
    ],
  ])('makes an error of %s', async (_name, source, message) => {
    const check = await moduleOf(source).ask();
    expect(check).toMatchObject({ outcome: 'error', score: 0 });
    expect(check.evidence).toContain(message);
  });

  it('makes an error of a module that is not there', async () => {
    const check = spec('program', {
      path: join(temporaryDirectory(), 'none.mjs'),
      exportName: 'check',
      timeoutMs: 5000,
    });
    expect(await gradedFully(check, answered('x'))).toMatchObject({ outcome: 'error' });
  });

  it('keeps what the module prints away from this process, and keys away from the module', async () => {
    process.env['ASSAY_TEST_API_KEY'] = 'secret';
    const { ask } = moduleOf(
      'export const check = () => { console.log("noise"); return process.env.ASSAY_TEST_API_KEY === undefined; };',
    );
    const check = await ask();
    delete process.env['ASSAY_TEST_API_KEY'];
    expect(check).toMatchObject({ outcome: 'pass' });
  });

  it('takes up a changed module', async () => {
    const { path, ask } = moduleOf('export const check = () => true;');
    expect(await ask()).toMatchObject({ outcome: 'pass' });
    writeFileSync(path, 'export const check = () => false;');
    utimesSync(path, new Date(2030, 0, 1), new Date(2030, 0, 1));
    expect(await ask()).toMatchObject({ outcome: 'fail' });
  });

  it('does not hold a used thread that died against the next question', async () => {
    const { ask } = moduleOf(
      `export const arm = () => { setTimeout(() => process.exit(1), 50); return true; };
       export const slow = () => new Promise((resolve) => setTimeout(() => resolve(true), 400));`,
    );
    expect(await ask('arm')).toMatchObject({ outcome: 'pass' });
    expect(await ask('slow')).toMatchObject({ outcome: 'pass' });
  });

  it('asks a fresh thread after one had to be stopped', async () => {
    const { ask } = moduleOf('export const loop = () => { for (;;) {} }; export const fine = () => true;');
    expect(await ask('loop', { timeoutMs: 300 })).toMatchObject({ outcome: 'error' });
    expect(await ask('fine', { timeoutMs: 5000 })).toMatchObject({ outcome: 'pass' });
  });

  it('answers many questions side by side', async () => {
    const { made } = moduleOf(
      'export const check = ({ output, parameters }) => output === String(parameters);',
    );
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        gradedFully(spec('program', made('check', 20_000, index)), answered(String(index))),
      ),
    );
    expect(results.every((check) => check.outcome === 'pass')).toBe(true);
  });
});
