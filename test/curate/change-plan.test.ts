import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  applyPlan,
  findCase,
  planGraduateCases,
  planRetire,
  type PlanContext,
} from '../../src/curate/index.js';
import { loadSuite } from '../../src/index.js';
import { directoryOf } from './support.js';

const SUITE = `type: capability
cases:
  - id: a
    prompt: q
    assert: [{ type: contains, value: heron }]
  - id: b
    prompt: r
    assert: [{ type: contains, value: owl }]
`;

function contextOf(cwd: string): PlanContext {
  return {
    roots: { userDir: null, projectDirs: [join(cwd, 'evals')], bundledDir: null },
    cwd,
    now: '2026-05-01T12:00:00.000Z',
  };
}

describe('A planned change', () => {
  it('changes nothing until it is applied', async () => {
    const cwd = directoryOf({ 'evals/Capability/birds.yaml': SUITE });
    const suite = await loadSuite('evals/Capability/birds.yaml', { cwd });
    const plan = planGraduateCases(
      suite,
      { cases: [findCase(suite, 'a')], into: null, details: {} },
      contextOf(cwd),
    );
    expect(plan.files.map(({ path }) => path)).toEqual([
      join(cwd, 'evals/Regression/birds-regression.yaml'),
      join(cwd, 'evals/Capability/birds.yaml'),
    ]);
    expect(readFileSync(suite.path, 'utf8')).toBe(SUITE);
    await applyPlan(plan);
    expect(readFileSync(suite.path, 'utf8')).not.toContain('id: a');
    expect(JSON.parse(readFileSync(join(cwd, 'evals/_history.jsonl'), 'utf8'))).toEqual({
      at: '2026-05-01T12:00:00.000Z',
      action: 'graduate',
      suite: 'birds',
      cases: ['a'],
      details: { to: 'Regression/birds-regression.yaml' },
    });
  });

  it('that cannot write the new file leaves the old one as it was', async () => {
    const cwd = directoryOf({ 'evals/Capability/birds.yaml': SUITE, 'evals/Capability/_retired': 'a file' });
    const suite = await loadSuite('evals/Capability/birds.yaml', { cwd });
    const plan = planRetire(suite, [findCase(suite, 'a')], 'too easy', contextOf(cwd));
    await expect(applyPlan(plan)).rejects.toThrow();
    expect(readFileSync(suite.path, 'utf8')).toBe(SUITE);
    expect(existsSync(join(cwd, 'evals/_history.jsonl'))).toBe(false);
  });

  it('notes no path of the machine in the history', async () => {
    const cwd = directoryOf({ 'evals/Capability/birds.yaml': SUITE });
    const suite = await loadSuite('evals/Capability/birds.yaml', { cwd });
    await applyPlan(planRetire(suite, [findCase(suite, 'b')], 'too easy', contextOf(cwd)));
    expect(readFileSync(join(cwd, 'evals/_history.jsonl'), 'utf8')).not.toContain(cwd);
  });

  it('with a reason of several lines keeps it on one', async () => {
    const cwd = directoryOf({ 'evals/Capability/birds.yaml': SUITE });
    const suite = await loadSuite('evals/Capability/birds.yaml', { cwd });
    await applyPlan(planRetire(suite, [findCase(suite, 'b')], 'too easy\nassert: []', contextOf(cwd)));
    const text = readFileSync(join(cwd, 'evals/Capability/_retired/birds.yaml'), 'utf8');
    expect(text).toContain('# retired 2026-05-01: too easy assert: []\n');
    expect(
      [...(await loadSuite('evals/Capability/_retired/birds.yaml', { cwd })).cases].map(({ id }) => id),
    ).toEqual(['b']);
  });
});
