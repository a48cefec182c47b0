import { describe, expect, it } from 'vitest';
import { gradeRecording, type GradeContext } from '../../src/grade/index.js';
import { answered, spec } from './support.js';

const rubric = {
  ...spec('llm-rubric', { rubric: 'x', threshold: 0.6, includeTranscript: false }),
  weight: 2,
};
const text = spec('contains', { value: 'yes', trim: true });

/** A context whose judge passes everything and counts how often it is asked. */
function counting(more: Partial<GradeContext>): { context: GradeContext; asked: () => number } {
  let asked = 0;
  return {
    context: {
      emptyText: 'fail',
      judge: () => {
        asked += 1;
        return Promise.resolve({ outcome: 'pass', evidence: 'fine', score: 1 });
      },
      ...more,
    },
    asked: () => asked,
  };
}

describe('a judge', () => {
  it('is not asked when a required check has failed, and the reason is recorded', async () => {
    const { context, asked } = counting({ decide: { rule: 'weighted', threshold: 0.1 } });
    const checks = await gradeRecording([rubric, { ...text, required: true }], answered('no'), context);
    expect(asked()).toBe(0);
    expect(checks[0]).toMatchObject({ outcome: 'unknown', score: 0 });
    expect(checks[0]?.evidence).toContain('skipped: decided');
  });

  it('is not asked when even full marks cannot reach the threshold, and is when they can', async () => {
    const hopeless = counting({ decide: { rule: 'weighted', threshold: 0.9 } });
    await gradeRecording([rubric, text], answered('no'), hopeless.context);
    expect(hopeless.asked()).toBe(0);
    const open = counting({ decide: { rule: 'weighted', threshold: 2 / 3 } });
    await gradeRecording([rubric, text], answered('no'), open.context);
    expect(open.asked()).toBe(1);
  });

  it('is asked about everything without the rule', async () => {
    const { context, asked } = counting({});
    await gradeRecording([rubric, { ...text, required: true }], answered('no'), context);
    expect(asked()).toBe(1);
  });

  it('is not asked after a failed program where every check must pass', async () => {
    const { context, asked } = counting({ decide: { rule: 'all' } });
    const failing = spec('command', {
      command: [process.execPath, '-e', 'process.exit(3)'],
      exitCode: 0,
      timeoutMs: 10_000,
    });
    await gradeRecording([rubric, failing], answered('yes'), context);
    expect(asked()).toBe(0);
  });
});
