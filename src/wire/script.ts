import type { LaneMatch, ScriptedFault, ScriptedStep } from '../core/index.js';

export type { LaneMatch, StepExtras } from '../core/index.js';

/** One scripted model reply. */
export type WireStep = ScriptedStep;

/** Something that goes wrong on purpose. */
export type WireFault = ScriptedFault;

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
