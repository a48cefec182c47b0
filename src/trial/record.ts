import {
  AssayError,
  errorMessage,
  type ErrorKind,
  type Receipt,
  type Recording,
  type Source,
  type TrialError,
  type TurnRecord,
} from '../core/index.js';
import { AgentError, nothingObserved, type AgentSession, type TrialClock } from '../agent/index.js';
import { ScriptError } from '../model/index.js';
import type { Case } from '../suite/index.js';
import { Workspace } from './workspace.js';

/** What a session may use of its trial. */
export interface SessionContext {
  clock: TrialClock;
  workspace(): string;
  signal: AbortSignal;
}

/** An agent made ready for one trial. */
export interface PreparedAgent {
  /** Opens the conversation. */
  open(context: SessionContext): AgentSession | Promise<AgentSession>;
  /** Called after each turn; throws when a script and the agent disagree. */
  endTurn?(turn: number): void;
  /** An earlier recording that is gone through again: its receipt, duration and workspace stay what they were. */
  recorded?: Recording;
}

/** One attempt at one case, ready to run. */
export interface TrialPlan {
  case: Case;
  receipt: Receipt;
  source: Source;
  agent: PreparedAgent;
  /** Milliseconds a turn may take; null for no limit. */
  turnTimeoutMs: number | null;
  /** Ends the trial from outside; null when nobody does. */
  signal: AbortSignal | null;
}

/** A finished attempt, not yet graded. The workspace lives until `dispose`. */
export interface RecordedTrial {
  /** What was recorded; after an error, up to it. Null when nothing had been. */
  recording: Recording | null;
  error: TrialError | null;
  startedAt: string;
  dispose(): void;
}

function kindOf(error: unknown): ErrorKind {
  if (error instanceof AgentError) return error.kind;
  if (error instanceof ScriptError) return 'script';
  if (AssayError.isInstance(error)) {
    if (error.code === 'MODEL' || error.code === 'JUDGE') return 'model';
    if (error.code === 'SCRIPT') return 'script';
    if (error.code === 'LIMIT') return 'limit';
    if (error.code === 'INPUT') return 'setup';
  }
  return 'agent';
}

/** Ends a wait when time is up or the trial is cancelled, whatever the waited-for code does. */
async function bounded<Value>(
  work: Promise<Value>,
  limitMs: number | null,
  describe: string,
  abort: () => AbortController,
  outer: AbortSignal | null,
): Promise<Value> {
  if (limitMs === null && outer === null) return work;
  return new Promise<Value>((resolve, reject) => {
    const stop = (error: AgentError): void => {
      abort().abort(error);
      reject(error);
    };
    const timer =
      limitMs === null
        ? null
        : setTimeout(
            () => stop(new AgentError('timeout', `${describe} timed out after ${limitMs / 1000} s`)),
            limitMs,
          );
    const onAbort = (): void => stop(new AgentError('cancelled', `${describe} was cancelled`));
    if (outer?.aborted === true) onAbort();
    outer?.addEventListener('abort', onAbort, { once: true });
    const settle = (): void => {
      if (timer !== null) clearTimeout(timer);
      outer?.removeEventListener('abort', onAbort);
    };
    work.then(
      (value) => {
        settle();
        resolve(value);
      },
      (error: unknown) => {
        settle();
        reject(error instanceof Error ? error : new Error(errorMessage(error)));
      },
    );
  });
}

/**
 * Runs one attempt: a private workspace, a fresh conversation, every turn in order. Never throws: what goes wrong
 * becomes the trial's error, with everything recorded up to then.
 */
export async function recordTrial(plan: TrialPlan): Promise<RecordedTrial> {
  const { case: tested, source } = plan;
  const workspace = new Workspace(tested.setupFiles);
  const startedAt = new Date(source.now()).toISOString();
  const began = source.monotonic();
  // Made on first use: most replays never need to be given up.
  let controller: AbortController | null = null;
  const abort = (): AbortController => (controller ??= new AbortController());
  const turns: TurnRecord[] = [];
  let session: AgentSession | null = null;
  let error: TrialError | null = null;
  let current = 0;
  try {
    const context: SessionContext = {
      clock: { elapsed: () => source.monotonic() - began },
      workspace: () => workspace.root(),
      get signal() {
        return abort().signal;
      },
    };
    const opened = plan.agent.open(context);
    session = opened instanceof Promise ? await opened : opened;
    for (; current < tested.turns.length; current += 1) {
      const user = tested.turns[current]?.user ?? '';
      const text = await bounded(
        session.turn(user, current),
        plan.turnTimeoutMs,
        `turn ${current}`,
        abort,
        plan.signal,
      );
      turns.push({ user, text });
      plan.agent.endTurn?.(current);
    }
  } catch (thrown) {
    error = { kind: kindOf(thrown), message: errorMessage(thrown) };
  }
  const durationMs = source.monotonic() - began;
  const seen = session?.observed() ?? nothingObserved();
  try {
    await session?.close();
  } catch (thrown) {
    error ??= { kind: 'agent', message: `the agent did not end cleanly: ${errorMessage(thrown)}` };
  }
  let recording: Recording | null = null;
  if (session !== null) {
    const { servedModel } = seen;
    recording = {
      receipt:
        servedModel === null || servedModel === plan.receipt.servedModel
          ? plan.receipt
          : { ...plan.receipt, servedModel },
      turns,
      messages: seen.messages,
      toolCalls: seen.toolCalls,
      usage: { inputTokens: seen.inputTokens, outputTokens: seen.outputTokens, cost: seen.cost },
      llmCalls: seen.llmCalls,
      durationMs,
    };
    const { recorded } = plan.agent;
    if (recorded !== undefined) {
      recording.receipt = recorded.receipt;
      recording.durationMs = recorded.durationMs;
      if (recorded.workspace !== undefined) recording.workspace = recorded.workspace;
    }
    if (workspace.exists) recording.workspace = { root: workspace.root() };
    if (seen.notes.length > 0) recording.notes = seen.notes;
  }
  return {
    recording,
    error,
    startedAt,
    dispose: () => workspace.dispose(),
  };
}
