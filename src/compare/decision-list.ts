import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AssayError, parseJson } from '../core/index.js';
import type { listRuns } from '../store/index.js';
import { columns } from './comparison-table.js';

/** Name of the file in a run's directory that holds what its comparison came to. */
export const COMPARISON_FILE = 'comparison.json';

/** What of a result is listed; the rest of the file is for `assay show` and for programs. */
const recorded = z.object({
  schema: z.literal('assay/comparison-job/v1'),
  job: z.object({ kind: z.enum(['prompts', 'models', 'ablate']), suite: z.string(), hypothesis: z.string() }),
  decision: z.object({
    take: z.string().nullable(),
    hypothesis: z.enum(['supported', 'refuted', 'open']),
    cheapest: z.string().nullable(),
    reason: z.string(),
    confidence: z.number(),
  }),
});

/** One comparison that was run, as it was decided. */
export interface DecisionEntry {
  runId: string;
  name: string;
  /** ISO time. */
  startedAt: string;
  kind: 'prompts' | 'models' | 'ablate' | null;
  suite: string | null;
  hypothesis: string | null;
  /** Null while it is not decided: the run was interrupted, or its result cannot be read. */
  decision: z.output<typeof recorded>['decision'] | null;
  /** Why there is no decision; null when there is one. */
  problem: string | null;
}

type Listed = ReturnType<typeof listRuns>['runs'][number];

function read(path: string): z.output<typeof recorded> | string {
  if (!existsSync(path)) return 'not decided yet: resume it';
  try {
    const parsed = parseJson(readFileSync(path, 'utf8'));
    const checked = parsed.ok ? recorded.safeParse(parsed.value) : null;
    return checked?.success === true ? checked.data : 'its result cannot be read: resume it';
  } catch (error) {
    return AssayError.isInstance(error) ? error.message : 'its result cannot be read';
  }
}

/** What the comparison of a stored run came to; null for a run that compares nothing. */
export function decisionOf({ runId, directory, header }: Listed): DecisionEntry | null {
  if (header.settings?.['comparison'] === undefined) return null;
  const base = { runId, name: header.suite, startedAt: header.startedAt };
  const found = read(join(directory, COMPARISON_FILE));
  if (typeof found === 'string') {
    return { ...base, kind: null, suite: null, hypothesis: null, decision: null, problem: found };
  }
  const { kind, suite, hypothesis } = found.job;
  return { ...base, kind, suite, hypothesis, decision: found.decision, problem: null };
}

/** Comparisons and what they came to, one a line, in the given order. */
export function comparisonList(entries: readonly DecisionEntry[]): string {
  if (entries.length === 0) return 'no comparisons';
  const rows = entries.map(({ startedAt, name, kind, decision, hypothesis, problem, runId }) => [
    startedAt,
    name,
    kind ?? '',
    decision?.hypothesis ?? '',
    decision === null ? '' : (decision.take ?? 'undecided'),
    decision?.cheapest ?? '',
    runId,
    problem ?? hypothesis ?? '',
  ]);
  const head = ['started', 'comparison', 'of', 'it is', 'take', 'cheapest', 'run', 'hypothesis'];
  return columns([head, ...rows]).join('\n');
}
