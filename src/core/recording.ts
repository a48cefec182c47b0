import type { JsonValue } from './json.js';

/** One tool call as it crossed the dispatch boundary. The list of these is the only source of tool facts. */
export interface ToolCall {
  id: string;
  name: string;
  /** Canonical JSON text of the arguments, or the raw text when it was not JSON. Never scrubbed. */
  arguments: string;
  /** What the tool gave back, with credentials scrubbed; '' when nothing came back. */
  result: string;
  ok: boolean;
  /** 0-based turn in which it was dispatched. */
  turn: number;
  /** Milliseconds since the trial began. */
  startedAt: number;
  durationMs: number;
}

/** One message of the conversation, as the model saw it. */
export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool';
  text: string;
  /** Calls asked for by an assistant message. */
  toolCalls?: { id: string; name: string; arguments: string }[];
  /** The call that a tool message answers. */
  toolCallId?: string;
  toolName?: string;
  /** True when a tool message reports a failure. */
  isError?: boolean;
  reasoning?: string;
}

/** One user turn and the text the agent ended it with. */
export interface TurnRecord {
  user: string;
  text: string;
  /** Present when a simulated user said it; words that somebody wrote have no mark. */
  simulated?: true;
}

/**
 * Why a conversation of a scenario ended. `goal`: the simulated user had what it wanted; `gave_up`: it saw that it would
 * not get it; `stop_when`: a rule of the case held; `turns`: all turns were had.
 */
export type ScenarioEnd = 'goal' | 'gave_up' | 'stop_when' | 'turns';

/** The user's side of a scenario: how it ended and what simulating it took. */
export interface Simulation {
  /** Null when the conversation broke off. */
  ended: ScenarioEnd | null;
  /** In a sentence, or what the simulated user gave as its reason; '' when it broke off. */
  reason: string;
  /** The simulator as named; null when no model was asked. */
  modelRef: string | null;
  /** The simulator as served, when known. */
  servedModel: string | null;
  /** The words came from an earlier recording. */
  replayed: boolean;
  /** Calls of the simulator. */
  calls: number;
  inputTokens: number;
  outputTokens: number;
  /** US dollars; null when some call's cost is not known. */
  cost: number | null;
}

/** Tokens of a trial, summed over its model calls. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  /** US dollars; null when nobody said what it cost. */
  cost: number | null;
}

/** The files of a workspace after the agent stopped: what workspace checks look at. */
export interface WorkspaceSnapshot {
  /** Absolute path of the directory while it still exists; checks that read files need it. */
  root: string;
  /** What became of the places of the graders' files; absent when the case has none. */
  graderFiles?: GraderFileState[];
}

/**
 * One file that the graders rely on. `made`, `changed` and `removed` say what the agent (or what the checks started)
 * did to it or to its place.
 */
export interface GraderFileState {
  path: string;
  state: 'untouched' | 'made' | 'changed' | 'removed';
}

/** Which tools a trial asked for, was granted, and really had; each sorted. */
export interface ToolSurface {
  requested: string[];
  effective: string[];
  registered: string[];
}

/** Where a recording comes from; written before anything runs, so that an error has one too. */
export interface Receipt {
  schema: 'assay/recording/v1';
  caseId: string;
  caseHash: string;
  /** 1-based. */
  trial: number;
  mode: 'replay' | 'live' | 'record' | 'outputs';
  /** The model as named: `scripted`, `claude-cli:sonnet`, ... */
  modelRef: string;
  /** The model as served, when known. */
  servedModel: string | null;
  toolSurface: ToolSurface;
  sandbox: { autonomy: string; workspaceOnly: boolean };
  /** The judge as named, when the case has judged checks. */
  judgeRef: string | null;
  /** SHA-256 of the system prompt, when there is one. */
  promptHash: string | null;
}

/** Everything that is known of one trial. Grading is a pure function of it. */
export interface Recording {
  receipt: Receipt;
  turns: TurnRecord[];
  messages: Message[];
  toolCalls: ToolCall[];
  usage: Usage;
  llmCalls: number;
  durationMs: number;
  workspace?: WorkspaceSnapshot;
  /** The user's side, when the case is a scenario. */
  simulation?: Simulation;
  /** Notes of adapters: side requests, retries, downgrades. */
  notes?: string[];
  /** Adapter-specific facts that no check reads. */
  extra?: { [key: string]: JsonValue };
}

/** The text of the last turn: the answer. '' when there was none. */
export function finalText(recording: Recording): string {
  return recording.turns.at(-1)?.text ?? '';
}

/**
 * The recording of an agent that did nothing: no text, no calls, all counters 0, an empty workspace. A case that it
 * passes proves nothing.
 */
export function idleRecording(receipt: Receipt, users: readonly string[]): Recording {
  return {
    receipt,
    turns: users.map((user) => ({ user, text: '' })),
    messages: [],
    toolCalls: [],
    usage: { inputTokens: 0, outputTokens: 0, cost: 0 },
    llmCalls: 0,
    durationMs: 0,
  };
}
