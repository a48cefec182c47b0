import { z } from 'zod';
import { AssayError } from '../core/index.js';
import { parseYamlDocument, placeProblem, schemaProblems, type RuleProblem } from '../suite/index.js';
import { DEFAULT_TOLERANCE } from './compare-runs.js';
import { earlyStop, type EarlyStop } from './early-stop.js';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const name = z.string().regex(NAME, 'must be letters, digits, dots, dashes or underscores');
const text = z.string().trim().min(1);
const share = z.number().gt(0).lt(1);

const arm = z.strictObject({
  name: name.describe('How the arm is called in reports.'),
  system: text.optional().describe('System text; without it, that of each case.'),
  model: text.optional().describe('Model, such as claude-cli:sonnet; without it, that of the suite.'),
});

const weight = z.number().min(0).finite().default(0);

const weights = z
  .strictObject({
    quality: weight.describe('Weight of the pass rate.'),
    cost: weight.describe('Weight of the cost of a trial.'),
    latency: weight.describe('Weight of the time of a trial.'),
  })
  .describe('What the choice between arms is weighed by; only their proportion counts.');

const limits = z
  .strictObject({
    cost: z.number().gt(0).optional().describe('US dollars a trial may cost on average.'),
    latency_ms: z.number().gt(0).optional().describe('Milliseconds a trial may take on average.'),
  })
  .describe('What an arm must keep to be chosen.');

const job = z.strictObject({
  name: name.describe('Name under which the comparison is stored.'),
  suite: text.describe('Suite: name, file or directory.'),
  hypothesis: text.describe('What is expected, before anything is asked.'),
  success: text.describe('What result would make it true.'),
  refuted_by: text.describe('What result would prove it wrong; a hypothesis that nothing refutes is none.'),
  difference: share.describe('Smallest difference that matters, as a share: 0.05 is 5 points.'),
  tolerance: z.number().min(0).lt(1).default(DEFAULT_TOLERANCE),
  alpha: share.default(0.05),
  trials: z.int().min(1).max(1000).default(1),
  early_stop: z
    .boolean()
    .default(false)
    .describe('End the comparison once every arm is decided, looking after every 8 cases.'),
  weights: weights.optional(),
  limits: limits.optional(),
  arms: z.array(arm).min(2).max(20).optional().describe('The first is the baseline.'),
  parts: z
    .record(name, text)
    .optional()
    .describe('For ablation: named parts of the system text, joined; each arm leaves one out.'),
  pairwise: z.strictObject({ criteria: text.describe('What the judge compares two answers by.') }).optional(),
  judge: text.optional().describe('Model of the judge.'),
});

/** One arm of a comparison. */
export interface Arm {
  name: string;
  /** Replaces the system text of every case; null keeps it. */
  system: string | null;
  /** Null is the suite's own. */
  model: string | null;
}

/** Shares of quality, cost and time in the choice between arms, 0..1. */
export interface ChoiceWeights {
  quality: number;
  cost: number;
  latency: number;
}

/** A comparison as it was set down before the first call. */
export interface CompareJob {
  kind: 'prompts' | 'models' | 'ablate';
  name: string;
  suite: string;
  hypothesis: string;
  success: string;
  refutedBy: string;
  difference: number;
  tolerance: number;
  alpha: number;
  trials: number;
  /** When it ends before its last case; null when it does not. */
  earlyStop: EarlyStop | null;
  /** Shares that add up to 1; null where the choice is not weighed. */
  weights: ChoiceWeights | null;
  /** Means of a trial that an arm must keep to be chosen: US dollars, milliseconds; null for no bound. */
  limits: { cost: number | null; latencyMs: number | null };
  arms: Arm[];
  /** Criteria of pairwise judging; null for none. */
  criteria: string | null;
  judge: string | null;
}

type Written = z.output<typeof job>;

function armsOf(written: Written): Arm[] {
  const parts = Object.entries(written.parts ?? {});
  if (parts.length === 0) {
    return (written.arms ?? []).map((one) => ({
      name: one.name,
      system: one.system ?? null,
      model: one.model ?? null,
    }));
  }
  const joined = (without: string | null): string =>
    parts
      .filter(([part]) => part !== without)
      .map(([, content]) => content)
      .join('\n\n');
  return [
    { name: 'all', system: joined(null), model: null },
    ...parts.map(([part]) => ({ name: `without-${part}`, system: joined(part), model: null })),
  ];
}

function sharesOf(written: Written['weights']): ChoiceWeights | null {
  if (written === undefined) return null;
  const { quality, cost, latency } = written;
  const total = quality + cost + latency;
  return { quality: quality / total, cost: cost / total, latency: latency / total };
}

/** What a schema cannot say: which keys a kind of comparison needs. */
function rulesOf(kind: CompareJob['kind'], written: Written): RuleProblem[] {
  const problems: RuleProblem[] = [];
  const add = (path: RuleProblem['path'], message: string, fix: string): void => {
    problems.push({ path, message, fix });
  };
  const arms = written.arms ?? [];
  const { weights: weighed, limits: bounds } = written;
  if (weighed !== undefined && weighed.quality === 0) {
    add(['weights'], 'quality has no weight', 'give quality some: without it the worst arm wins');
  }
  if (bounds !== undefined && bounds.cost === undefined && bounds.latency_ms === undefined) {
    add(['limits'], 'no limit is set', 'write cost, latency_ms or both, or leave limits out');
  }
  if (weighed !== undefined && written.early_stop) {
    const message = 'a weighed choice needs all cases, and early_stop may leave some out';
    add(['weights'], message, 'leave weights or early_stop out');
  }
  if (kind === 'ablate') {
    if (written.arms !== undefined) add(['arms'], 'ablation makes its own arms', 'write parts instead');
    if (Object.keys(written.parts ?? {}).length < 2)
      add([], 'parts is missing or has fewer than two', 'name two parts or more');
    return problems;
  }
  if (written.parts !== undefined)
    add(['parts'], 'parts belong to assay compare ablate', 'write arms instead');
  if (written.arms === undefined)
    add([], 'arms is missing', 'list two arms or more; the first is the baseline');
  const seen = new Set<string>();
  for (const [index, one] of arms.entries()) {
    if (seen.has(one.name))
      add(['arms', index, 'name'], `the name ${one.name} is used twice`, 'give each arm its own');
    seen.add(one.name);
    if (kind === 'models' && one.model === undefined)
      add(['arms', index], 'the arm names no model', 'add model');
  }
  const distinct = new Set(arms.map((one) => JSON.stringify([one.system ?? null, one.model ?? null])));
  if (distinct.size < arms.length)
    add(['arms'], 'two arms are the same', 'let each differ in system or model');
  if (kind === 'prompts' && arms.every((one) => one.system === undefined)) {
    add(['arms'], 'no arm has a system text', 'add system to the arms that are to differ');
  }
  return problems;
}

/**
 * A comparison from the text of its file (YAML or JSON).
 * @param file as the user would name it, for messages
 * @throws AssayError `INPUT` with every problem of the file
 */
export function parseCompareJob(kind: CompareJob['kind'], file: string, source: string): CompareJob {
  const parsed = parseYamlDocument(file, source);
  const invalid = (problems: AssayError['problems']): AssayError =>
    new AssayError('INPUT', `${file} is not a comparison that can be run`, { problems });
  if (!parsed.ok) throw invalid(parsed.problems);
  const { document } = parsed;
  const value = document.value ?? {};
  const checked = job.safeParse(value);
  if (!checked.success) {
    throw invalid(schemaProblems(checked.error, job, value).map((one) => placeProblem(document, one)));
  }
  const written = checked.data;
  const broken = rulesOf(kind, written);
  if (broken.length > 0) throw invalid(broken.map((one) => placeProblem(document, one)));
  const arms = armsOf(written);
  return {
    kind,
    name: written.name,
    suite: written.suite,
    hypothesis: written.hypothesis,
    success: written.success,
    refutedBy: written.refuted_by,
    difference: written.difference,
    tolerance: written.tolerance,
    alpha: written.alpha,
    trials: written.trials,
    earlyStop: written.early_stop ? earlyStop(written.alpha, written.tolerance, arms.length - 1) : null,
    weights: sharesOf(written.weights),
    limits: { cost: written.limits?.cost ?? null, latencyMs: written.limits?.latency_ms ?? null },
    arms,
    criteria: written.pairwise?.criteria ?? null,
    judge: written.judge ?? null,
  };
}
