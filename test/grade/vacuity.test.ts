import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { idleRecording, type CheckSpec } from '../../src/core/index.js';
import { idleSatisfied, provenIdle, type Verdict } from '../../src/grade/index.js';
import { receipt, spec, temporaryDirectory } from './support.js';

const idle = idleRecording(receipt, ['hello', 'bye']);
const not = { negated: true };

const satisfiedByNothing: CheckSpec[] = [
  spec('contains', { value: 'x' }, not),
  spec('regex', { pattern: 'x', flags: '', dialect: 're2' }, not),
  spec('max-length', { limit: 10 }),
  spec('is-json', {}, not),
  spec('tool-not-used', { tools: ['shell'] }),
  spec('tool-calls', { max: 0 }),
  spec('tool-calls', { exact: 0 }),
  spec('tools-succeeded', { expected: true }),
  spec('file-absent', { path: 'a' }),
  spec('budget', { metric: 'total_tokens', limit: 10 }),
  spec('budget', { metric: 'cost', limit: 1 }),
  spec('json-pointer', { pointer: '/a', value: 1 }, not),
  spec('contains', { value: 'x' }, { ...not, turn: 0 }),
];

const needSomething: CheckSpec[] = [
  spec('contains', { value: 'x' }),
  spec('min-length', { limit: 1 }),
  spec('tool-used', { tools: ['echo'] }),
  spec('tool-calls', { min: 1 }),
  spec('tools-succeeded', { expected: false }),
  spec('file-exists', { path: 'a' }),
  spec('file-contains', { path: 'a', needle: 'x' }),
  spec('file-contains', { path: 'a', needle: 'x' }, not),
  spec('json-pointer', { pointer: '/a', value: 1 }),
  spec('contains', { value: 'x' }, { turn: 1 }),
];

describe('idleSatisfied', () => {
  it.each(satisfiedByNothing.map((one) => [one.label, one] as const))('names a lone %s', (_label, one) => {
    expect(idleSatisfied([one], idle)).toMatchObject([{ label: one.label, outcome: 'pass' }]);
  });

  it.each(needSomething.map((one) => [one.label, one] as const))('accepts a case with %s', (_label, one) => {
    expect(idleSatisfied([one], idle)).toBeNull();
    expect(idleSatisfied([...satisfiedByNothing, one], idle)).toBeNull();
  });

  it('names all checks that doing nothing satisfies', () => {
    expect(idleSatisfied(satisfiedByNothing, idle)).toHaveLength(satisfiedByNothing.length);
  });

  it('does not count a diagnostic judge in either direction', () => {
    const judge = spec(
      'trace-judge',
      { name: 'tone', rubric: 'kind?', threshold: 0.7, includeTranscript: false },
      { diagnostic: true },
    );
    expect(idleSatisfied([spec('contains', { value: 'x' }, not), judge], idle)).toHaveLength(1);
    expect(idleSatisfied([spec('contains', { value: 'x' }), judge], idle)).toBeNull();
  });

  it('does not refuse what only a program or a judge can decide', () => {
    const rubric = spec('llm-rubric', { rubric: 'kind?', threshold: 0.6, includeTranscript: false });
    expect(idleSatisfied([spec('max-length', { limit: 9 }), rubric], idle)).toBeNull();
  });

  it('finds nothing in a case without checks, which fails anyway', () => {
    expect(idleSatisfied([], idle)).toBeNull();
  });

  it('follows the weights where the case does', () => {
    const half = [
      spec('contains', { value: 'x' }, { ...not, label: 'idle' }),
      spec('contains', { value: 'x' }),
    ];
    expect(idleSatisfied(half, idle, { rule: 'weighted', threshold: 0.5 })).toMatchObject([
      { label: 'idle' },
    ]);
    expect(idleSatisfied(half, idle, { rule: 'weighted', threshold: 0.6 })).toBeNull();
  });
});

describe('provenIdle', () => {
  const command = (exitCode: number) =>
    spec('command', { command: [process.execPath, '-e', ''], exitCode, timeoutMs: 30_000 });

  it('runs commands and programs on the idle run', async () => {
    expect(await provenIdle([command(0)], idle, {})).toHaveLength(1);
    expect(await provenIdle([command(1)], idle, {})).toBeNull();
    const path = join(temporaryDirectory(), 'check.mjs');
    writeFileSync(path, 'export const check = ({ output }) => output === "";');
    const program = spec('program', { path, exportName: 'check', timeoutMs: 20_000 });
    expect(await provenIdle([program], idle, {})).toHaveLength(1);
  });

  it('asks the judge, and takes no judge for no pass', async () => {
    const rubric = spec('llm-rubric', { rubric: 'kind?', threshold: 0.6, includeTranscript: false });
    const judge = async (): Promise<Verdict> => ({ outcome: 'pass', evidence: 'kind' });
    expect(await provenIdle([rubric], idle, { judge })).toHaveLength(1);
    expect(await provenIdle([rubric], idle, {})).toBeNull();
  });
});
