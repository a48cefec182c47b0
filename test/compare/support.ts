import { sha256, type TrialResult } from '../../src/core/index.js';
import { readSide, type ComparedCase, type ComparedRun } from '../../src/compare/index.js';
import { seededRandom } from '../../src/stats/index.js';
import { readRun, type RunHeader } from '../../src/store/index.js';
import { createRun, header, summary, temporaryDirectory, trial } from '../store/builders.js';

/** Outcomes of the trials of one case: 1 passed, 0 failed, null errored. */
export type Outcomes = readonly (0 | 1 | null)[];

/** What a stored run is made of. */
export interface RunPlan {
  cases: Readonly<Record<string, Outcomes>>;
  header?: Partial<RunHeader>;
  /** Changes every trial. */
  change?: (trial: TrialResult) => Partial<TrialResult>;
  /** The content of every case differs from that of other runs. */
  content?: string;
  unfinished?: boolean;
}

/** Draws passed or failed with a chance, `count` times. */
export function draw(random: () => number, chance: number, count: number): Outcomes {
  return Array.from({ length: count }, () => (random() < chance ? 1 : 0));
}

function trialOf(id: string, number: number, outcome: 0 | 1 | null, plan: RunPlan): TrialResult {
  const hash = sha256(`${id}${plan.content ?? ''}`);
  const plain = trial(id, number, { caseHash: hash });
  const base: TrialResult = {
    ...plain,
    receipt: { ...plain.receipt, caseHash: hash },
    status: outcome === null ? 'error' : outcome === 1 ? 'passed' : 'failed',
    score: outcome,
    error: outcome === null ? { kind: 'model', message: 'the model did not answer' } : null,
  };
  return { ...base, ...plan.change?.(base) };
}

/** Writes a run through the real store and returns its directory. */
export async function storeRun(plan: RunPlan, root = temporaryDirectory()): Promise<string> {
  const trials = Math.max(1, ...Object.values(plan.cases).map((outcomes) => outcomes.length));
  const store = await createRun(root, {
    header: header({ mode: 'live', trials, cases: Object.keys(plan.cases).length, ...plan.header }),
  });
  for (const [id, outcomes] of Object.entries(plan.cases)) {
    for (const [index, outcome] of outcomes.entries())
      await store.append(trialOf(id, index + 1, outcome, plan));
  }
  if (plan.unfinished === true) await store.close();
  else await store.end(summary(store));
  return store.directory;
}

/** A side read back from a stored run. */
export async function storedSide(plan: RunPlan, label?: string): Promise<ComparedRun> {
  return readSide(readRun(await storeRun(plan)), label === undefined ? {} : { label });
}

/** A case with c of n passed, without a store. */
export function countedCase(id: string, passed: number, scored: number): ComparedCase {
  return {
    key: id,
    id,
    cluster: null,
    scored,
    passed,
    errored: 0,
    rate: scored === 0 ? null : passed / scored,
    stopped: false,
    score: scored === 0 ? null : passed / scored,
    spending: {
      inputTokens: null,
      outputTokens: null,
      cost: null,
      durationMs: null,
      judgeTokens: 0,
      judgeCost: 0,
    },
    judged: false,
    verdicts: { pass: 0, fail: 0, unknown: 0, error: 0 },
    environment: '',
    dimensions: new Map(),
  };
}

/** A side of counted cases, without a store: for simulations. */
export function countedSide(label: string, cases: readonly ComparedCase[]): ComparedRun {
  return {
    label,
    suite: 'demo',
    mode: 'live',
    agentModel: 'model',
    judgeModel: null,
    promptHash: null,
    assayVersion: '0',
    commit: null,
    startedAt: '2026-03-01T10:00:00.000Z',
    limits: new Map(),
    notRun: 0,
    incomplete: null,
    cases,
  };
}

/** Names c0, c1, ... */
export function ids(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `c${index}`);
}

export { seededRandom };
