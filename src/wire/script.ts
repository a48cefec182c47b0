import type { ScriptedStep, ScriptedToolCall } from '../core/index.js';
import type { FinishReason } from './neutral.js';

/** What any scripted reply can have besides its text or calls. */
export interface StepExtras {
  inputTokens: number;
  outputTokens: number;
  /** Shown as a thinking block, reasoning item or thought, where the protocol has one. */
  reasoning?: string;
  /** Absent: `stop` for text, `tool_calls` for calls, `refusal` for a refusal. */
  finishReason?: FinishReason;
  /** Part of `inputTokens` that came from a cache. */
  cachedInputTokens?: number;
  /** Part of `outputTokens` that was reasoning. */
  reasoningTokens?: number;
}

/** One scripted model reply. Every `ScriptedStep` is one. */
export type WireStep =
  | (StepExtras & { type: 'text'; content: string })
  | (StepExtras & {
      type: 'tool_calls';
      toolCalls: ScriptedToolCall[];
      /** Words beside the calls. */
      content?: string;
    })
  | (StepExtras & { type: 'refusal'; content: string });

/**
 * Something that goes wrong on purpose. A fault uses up no step: the request that meets it gets the fault, the next
 * one gets what follows.
 * - `status`: an error answer. `retryAfter` is in seconds. A status that clients may try again (408, 409, 429, 5xx)
 *   is given once; any other is given every time the same request comes, so that a client's own repeat does not
 *   turn an error into a success. `sticky` says otherwise.
 * - `drop`: the connection ends before the first byte.
 * - `cut`: the connection breaks after that many events of the following step (after half of a JSON answer).
 * - `malformed`: after that many events of the following step comes a broken one, then the end.
 * - `slow`: the following step waits that many milliseconds before its first byte.
 */
export type WireFault =
  | {
      type: 'fault';
      fault: 'status';
      status: number;
      retryAfter?: number;
      message?: string;
      sticky?: boolean;
    }
  | { type: 'fault'; fault: 'drop' }
  | { type: 'fault'; fault: 'cut'; afterEvents: number }
  | { type: 'fault'; fault: 'malformed'; afterEvents: number }
  | { type: 'fault'; fault: 'slow'; firstByteMs: number };

/**
 * The beginning of a user turn: what follows answers `user` and nothing else. After the last item of a turn the next
 * request must bring the next turn's user text.
 */
export interface TurnMark {
  type: 'turn';
  user: string;
}

/** One entry of a lane's queue. */
export type WireItem = WireStep | WireFault | TurnMark;

/** What a request must look like; every member that is given must hold. */
export interface LaneMatch {
  /** Text that occurs in what the user said first. White space is compared loosely. */
  firstUser?: string;
  /** Text that occurs in the system prompt. White space is compared loosely. */
  system?: string;
  /** The model's exact name. */
  model?: string;
  /** Tools that are all offered; an empty list means that none is. */
  tools?: string[];
  /** Header name to text that occurs in it, or `true` for any value. */
  header?: { [name: string]: string | true };
  /** `main`, `subagent`, or the name that the agent gives its part in a header. */
  role?: string;
}

/** The script of one conversation. A lane without `match` is the default lane: it takes the main conversation. */
export interface LaneScript {
  name: string;
  match?: LaneMatch;
  items: WireItem[];
}

/** Requests that are no part of the script, however often they come: titles, routing, memory. */
export interface SideAnswer {
  match: LaneMatch;
  /** Absent: a short text, or the smallest JSON that the request's schema allows. */
  text?: string;
}

/** What the model says in one trial. */
export interface WireScript {
  lanes: LaneScript[];
  sideAnswers?: SideAnswer[];
}

/** Name of the lane that `scriptFromTurns` makes. */
export const MAIN_LANE = 'main';

/**
 * The script of a plain fixture: one default lane named `main`, turn by turn.
 * @param turns user text and scripted replies of every turn, in order
 */
export function scriptFromTurns(
  turns: readonly { user: string; steps: readonly (ScriptedStep | WireItem)[] | null }[],
): WireScript {
  const items = turns.flatMap((turn): WireItem[] => [
    { type: 'turn', user: turn.user },
    ...(turn.steps ?? []),
  ]);
  return { lanes: [{ name: MAIN_LANE, items }] };
}

/** The scripted replies among a lane's items. */
export function stepsOf(items: readonly WireItem[]): WireStep[] {
  return items.filter((item) => item.type !== 'fault' && item.type !== 'turn');
}
