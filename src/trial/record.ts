import { setTimeout as wait } from 'node:timers/promises';
import {
  AssayError,
  errorAdvice,
  errorMessage,
  type ErrorKind,
  type Receipt,
  type Recording,
  type Source,
  type TrialError,
  type TrialLimits,
  type TurnRecord,
} from '../core/index.js';
import { AgentError, type AgentSession, type Observed, type TrialClock } from '../agent/index.js';
import { isModelError, ScriptError, trialErrorKind } from '../model/index.js';
import type { Case } from '../suite/index.js';
import { ToolSourceError } from '../tool/index.js';
import { GradedPlace } from './graded-place.js';
import { TrialMeter } from './meter.js';
import { TrialStop } from './stop.js';
import { recordedUser, type UserSide } from './user-side.js';
import { Workspace } from './workspace.js';

/** Milliseconds a session may take to end what it started; the programs in it have shorter bounds of their own. */
const CLOSE_MS = 20_000;

/** What a session may use of its trial. */
export interface SessionContext {
  clock: TrialClock;
  /** Absolute path of the trial's workspace, made on first use. */
  workspace(): string;
  /** Absolute path of the trial's own home directory. */
  home(): string;
  /** The whole environment of what the session starts. */
  environment(): { [name: string]: string };
  /** Fires when the trial is to end. */
  signal: AbortSignal;
  /** Counts model and tool calls, and ends the trial at its limits. */
  meter: TrialMeter;
}

/** An agent made ready for one trial. */
export interface PreparedAgent {
  /** Opens the conversation. */
  open(context: SessionContext): AgentSession | Promise<AgentSession>;
  /** Called after each turn; throws when a script and the agent disagree. */
  endTurn?(turn: number): void;
  /** The workspace is made before the agent starts, with the files of the case in it. */
  workspace?: boolean;
  /** Goes instead of the machine's clock: a replay takes as long as its script says. */
  clock?: TrialClock;
  /** The answer to the one turn of the case, where it is there already; `recordAnswer` takes it without a session. */
  answer?: string;
  /** An earlier recording that is gone through again: its receipt, duration and workspace stay what they were. */
  recorded?: Recording;
}

/** One attempt at one case, ready to run. */
export interface TrialPlan {
  case: Case;
  receipt: Receipt;
  source: Source;
  agent: PreparedAgent;
  /** Who speaks to the agent in a scenario; the written turns of the case when absent. */
  user?: UserSide;
  /** Milliseconds a turn may take; null for no limit. */
  turnTimeoutMs: number | null;
  /** Ends the trial from outside; null when nobody does. */
  signal: AbortSignal | null;
  /** Limits for what the case does not limit itself. */
  limits?: TrialLimits;
  /** Leave the trial's directory where it is. Default false. */
  keepWorkspace?: boolean;
  /** The files that checks compare with may change during the trial, because this run rewrites them. Default false. */
  goldenMayChange?: boolean;
}

/** A finished attempt, not yet graded. The workspace lives until `dispose`. */
export interface RecordedTrial {
  /** What was recorded; after an error, up to it. Null when nothing had been. */
  recording: Recording | null;
  error: TrialError | null;
  startedAt: string;
  /** Looks at the files of the graders once more, after the checks; changes the recording when one was tampered with. */
  lookAgain?(): Promise<void>;
  dispose(): void;
}

function kindOf(error: unknown): ErrorKind {
  if (error instanceof AgentError) return error.kind;
  if (error instanceof ScriptError) return 'script';
  if (error instanceof ToolSourceError) return 'setup';
  if (isModelError(error)) return trialErrorKind(error);
  if (AssayError.isInstance(error)) {
    if (error.code === 'MODEL' || error.code === 'JUDGE') return 'model';
    if (error.code === 'SCRIPT') return 'script';
    if (error.code === 'LIMIT') return 'limit';
    if (error.code === 'INPUT') return 'setup';
  }
  return 'agent';
}

/**
 * Runs one attempt: a private workspace, a fresh conversation, every turn in order. Never throws: what goes wrong
 * becomes the trial's error, with everything recorded up to then.
 */
export async function recordTrial(plan: TrialPlan): Promise<RecordedTrial> {
  const { case: tested, source } = plan;
  const limits: TrialLimits = Object.assign({}, plan.limits, tested.limits);
  const workspace = new Workspace(tested.setupFiles);
  const graded = new GradedPlace(plan, workspace);
  const startedAt = new Date(source.now()).toISOString();
  const began = source.monotonic();
  const clock = plan.agent.clock ?? { elapsed: () => source.monotonic() - began };
  const meter = new TrialMeter(limits);
  const stop = new TrialStop({ outer: plan.signal, limits });
  const turns: TurnRecord[] = [];
  let session: AgentSession | null = null;
  let error: TrialError | null = null;
  let user: UserSide | null = null;
  const fail = (thrown: unknown, kind: ErrorKind = kindOf(thrown)): void => {
    // The advice of a model's error is for the person who set it up, and said where models are made ready.
    error ??= { kind, message: kind === 'model' ? errorMessage(thrown) : errorAdvice(thrown) };
  };
  try {
    const context: SessionContext = {
      clock,
      workspace: () => workspace.root(),
      home: () => workspace.home(),
      environment: () => workspace.environment(),
      meter,
      get signal() {
        return stop.signal;
      },
    };
    user = userOf(plan);
    if (plan.agent.workspace === true) workspace.root();
    const opening = plan.agent.open(context);
    session = opening instanceof Promise ? await openWithin(opening, stop) : opening;
    for (let current = 0; ; current += 1) {
      const words: Pick<TurnRecord, 'user' | 'simulated'> | undefined =
        user === null ? tested.turns[current] : await nextWords(user, turns, session, stop);
      if (words === undefined) break;
      const said = words.user;
      const text = await stop.within(session.turn(said, current), plan.turnTimeoutMs, `turn ${current}`);
      turns.push(words.simulated === true ? { user: said, text, simulated: true } : { user: said, text });
      if (!meter.idle) meter.checkObserved(session.observed());
      plan.agent.endTurn?.(current);
    }
  } catch (thrown) {
    fail(thrown);
  }
  stop.close();
  const durationMs = clock.elapsed();
  try {
    await closeSession(session, plan);
  } catch (thrown) {
    fail(new Error(`the agent did not end cleanly: ${errorMessage(thrown)}`), 'agent');
  }
  const recording = session === null ? null : recordingOf(plan, session.observed(), turns, durationMs);
  if (recording !== null && user !== null) recording.simulation = user.simulation();
  if (recording !== null) {
    try {
      await graded.addTo(recording, error === null);
    } catch (thrown) {
      fail(new Error(`the workspace cannot be graded: ${errorMessage(thrown)}`), 'grader');
    }
  }
  return {
    recording,
    error,
    startedAt,
    ...(recording === null || !graded.mustLookAgain ? {} : { lookAgain: () => graded.lookAgain(recording) }),
    dispose: () => {
      if (plan.keepWorkspace !== true) workspace.dispose();
    },
  };
}

/** Who speaks to the agent; null where the turns of the case are written. Throws AgentError `setup` when nobody does. */
function userOf({ case: tested, agent, user }: TrialPlan): UserSide | null {
  if (tested.scenario === undefined) return null;
  if (agent.recorded !== undefined) return recordedUser(agent.recorded);
  if (user !== undefined) return user;
  throw new AgentError(
    'setup',
    'the case is a scenario, and this run was not made ready for a simulated user',
  );
}

/** The user's next words; undefined when the conversation is over. */
async function nextWords(
  user: UserSide,
  turns: readonly TurnRecord[],
  session: AgentSession,
  stop: TrialStop,
): Promise<Pick<TurnRecord, 'user' | 'simulated'> | undefined> {
  const asking = user.next(turns, session.observed(), stop.signal);
  const words = await stop.within(asking, null, 'the simulated user');
  if (words === null) return undefined;
  return words.simulated ? { user: words.text, simulated: true } : { user: words.text };
}

/** A session that opens after all although the trial was given up is ended as well. */
async function openWithin(opening: Promise<AgentSession>, stop: TrialStop): Promise<AgentSession> {
  try {
    return await stop.within(opening, null, 'the start of the agent');
  } catch (error) {
    opening.then(
      (late) => late.close(),
      () => undefined,
    );
    throw error;
  }
}

/** Ends a session, but does not wait for ever: what hangs in it must not hold the run. */
async function closeSession(session: AgentSession | null, plan: TrialPlan): Promise<void> {
  if (session === null) return;
  if (plan.agent.workspace !== true && plan.turnTimeoutMs === null) return session.close();
  const done = new AbortController();
  const late = wait(CLOSE_MS, 'late', { signal: done.signal }).catch(() => null);
  const ended = await Promise.race([session.close(), late]);
  done.abort();
  if (ended === 'late') throw new Error(`it was still at work after ${CLOSE_MS / 1000} s`);
}

/** What a session did, as it stands now: what a session that was given up does later is no part of it. */
function recordingOf(plan: TrialPlan, seen: Observed, turns: TurnRecord[], durationMs: number): Recording {
  const { servedModel, registeredTools } = seen;
  let { receipt } = plan;
  // Copied only where it differs, for a run may make a hundred thousand of them.
  if (servedModel !== null && servedModel !== receipt.servedModel) receipt = { ...receipt, servedModel };
  if (registeredTools !== undefined) {
    receipt = { ...receipt, toolSurface: { ...receipt.toolSurface, registered: registeredTools } };
  }
  const recording: Recording = {
    receipt,
    turns,
    messages: [...seen.messages],
    toolCalls: [...seen.toolCalls],
    usage: { inputTokens: seen.inputTokens, outputTokens: seen.outputTokens, cost: seen.cost },
    llmCalls: seen.llmCalls,
    durationMs,
  };
  if (seen.notes.length > 0) recording.notes = seen.notes;
  if (seen.extra !== undefined) recording.extra = seen.extra;
  const { recorded } = plan.agent;
  if (recorded !== undefined) {
    recording.receipt = recorded.receipt;
    recording.durationMs = recorded.durationMs;
    if (recorded.workspace !== undefined) recording.workspace = recorded.workspace;
  }
  return recording;
}
