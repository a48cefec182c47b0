import { systemSource, type TrialResult } from '../core/index.js';
import { replayAgents } from '../run/index.js';
import type { Case } from '../suite/index.js';
import { recordTrial } from '../trial/index.js';
import { answerReceipt, answerRecording, type HeldRecording } from './answer-recording.js';

/** Where the recording that a proof starts from comes from. */
export type ProofOrigin =
  | { kind: 'replay' }
  | { kind: 'run'; runId: string; trial: number }
  | { kind: 'reference' };

/** A passed trial of a stored run. */
export interface StoredPass {
  runId: string;
  trial: TrialResult;
}

/** Finds the newest stored trial that a case passed with the prompts it has today; null when there is none. */
export type FindStored = (tested: Case) => StoredPass | null;

/** A recording to make mutants of, or why there is none. */
export type ProofRecording =
  | { ok: true; held: HeldRecording; origin: ProofOrigin }
  | { ok: false; reason: string };

const nothing = (): void => undefined;

function isScripted(tested: Case): boolean {
  return tested.turns.every((turn) => turn.steps !== null);
}

/** Milliseconds that one turn of a replayed program may take. */
const TURN_LIMIT_MS = 120_000;

/** True for a replay that starts nothing and takes no time of its own. */
function isInMemory({ agent }: Case): boolean {
  return agent.type === 'loop' && agent.tools === null;
}

async function replayed(tested: Case): Promise<ProofRecording> {
  const agents = replayAgents();
  const receipt = { ...answerReceipt(tested, 'scripted'), mode: agents.mode, servedModel: 'scripted' };
  const inMemory = isInMemory(tested);
  try {
    const preparing = agents.prepare(tested, 1);
    const recorded = await recordTrial({
      case: tested,
      receipt,
      source: inMemory ? { ...systemSource(), monotonic: () => 0 } : systemSource(),
      agent: preparing instanceof Promise ? await preparing : preparing,
      turnTimeoutMs: inMemory ? null : TURN_LIMIT_MS,
      signal: null,
    });
    const { recording, error } = recorded;
    if (error !== null || recording === null) {
      recorded.dispose();
      return {
        ok: false,
        reason: `its replay ends in an error: ${error?.message ?? 'nothing was recorded'}`,
      };
    }
    const dispose = (): void => recorded.dispose();
    return { ok: true, held: { recording, dispose }, origin: { kind: 'replay' } };
  } finally {
    await agents.close();
  }
}

/**
 * The recording that a case is proven with: a replay of its script; without a script the newest passed trial of a
 * stored run, else its reference answer.
 */
export async function proofRecording(tested: Case, find: FindStored | null): Promise<ProofRecording> {
  if (isScripted(tested)) return replayed(tested);
  const stored = find?.(tested) ?? null;
  const recording = stored?.trial.recording ?? null;
  if (stored !== null && recording !== null) {
    const { runId, trial } = stored;
    return {
      ok: true,
      held: { recording, dispose: nothing },
      origin: { kind: 'run', runId, trial: trial.trial },
    };
  }
  const reference = tested.curation?.reference ?? null;
  if (reference === null) {
    return {
      ok: false,
      reason: 'there is no recording: no script, no stored run in which it passed, no reference',
    };
  }
  return { ok: true, held: answerRecording(tested, reference), origin: { kind: 'reference' } };
}
