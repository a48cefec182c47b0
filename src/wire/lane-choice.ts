import { parseJson, type Message } from '../core/index.js';
import { rootOf } from './conversation.js';
import type { Exchange } from './exchange.js';
import { matchesRequest, namesSender } from './lane-match.js';
import { brings, type LaneState } from './lane-state.js';
import { firstUserText, offeredNames, squeeze, userText } from './messages.js';
import type { NeutralRequest } from './neutral.js';
import { stepsOf, type WireScript } from './script.js';

/** Where a request belongs. `takenBack` is set when the default lane must first take back what it gave. */
export type LaneChoice =
  | { type: 'lane'; lane: LaneState; takenBack: boolean }
  | { type: 'side'; text: string | undefined }
  | { type: 'unmatched' };

/** What is known of a request when its lane is chosen. */
export interface Asking {
  request: NeutralRequest;
  parent: Exchange | null;
  fresh: Message[];
  /** The same request is waiting for its answer right now. */
  twin: boolean;
}

/** Of several lanes that want a conversation: its own, else a free one, else one with something left. */
function pick(lanes: readonly LaneState[], asking: Asking): LaneState | null {
  const root = rootOf(asking.request);
  const own = asking.twin ? undefined : lanes.find((lane) => lane.roots.has(root));
  return (
    own ??
    lanes.find((lane) => !lane.isBound && lane.hasItems) ??
    lanes.find((lane) => lane.hasItems) ??
    lanes[0] ??
    null
  );
}

/**
 * Whether a tool-less request can be the main conversation: it must bring the user's text, the script must have no
 * tool calls, and a request for JSON must either bring that text alone or be answered with JSON.
 */
function canBeMainWithoutTools(lane: LaneState, asking: Asking): boolean {
  if (stepsOf(lane.script.items).some((step) => step.type === 'tool_calls')) return false;
  const user = lane.expectedUser ?? lane.currentUser;
  if (user !== null && !brings(asking.fresh, user)) return false;
  const next = lane.nextStep;
  if (asking.request.output.type === 'text' || next?.type !== 'text' || parseJson(next.content).ok)
    return true;
  return user !== null && squeeze(userText(asking.fresh)) === squeeze(user);
}

/** Agents that send the whole conversation as one growing text have a new beginning every time. */
function growsFrom(lane: LaneState, request: NeutralRequest): boolean {
  const opening = firstUserText(request.messages);
  return lane.openings.some((earlier) => earlier.trim() !== '' && opening.startsWith(earlier));
}

/** Whether the default lane takes the beginning of a conversation. */
function defaultTakes(lane: LaneState, asking: Asking): boolean {
  const { request, fresh } = asking;
  const withTools = offeredNames(request).length > 0;
  if (!lane.isBound) {
    if (lane.nextStep === null && !lane.hasItems) return false;
    return withTools || canBeMainWithoutTools(lane, asking);
  }
  if (lane.hasTools === true && !withTools) return false;
  const user = lane.openingUser;
  if (user !== null && squeeze(user) !== '' && brings(fresh, user)) return true;
  return lane.roots.has(rootOf(request)) || growsFrom(lane, request);
}

/**
 * Whether the default lane was taken by a tool-less request that turns out to have been a side request, because now
 * the same user text comes with tools.
 */
function mustTakeBack(lane: LaneState, asking: Asking, given: readonly Exchange[]): boolean {
  if (lane.hasTools !== false || given.length !== 1 || offeredNames(asking.request).length === 0)
    return false;
  const user = lane.currentUser;
  return user !== null && brings(asking.fresh, user);
}

/**
 * Chooses the lane of a request, by the strongest thing it says: headers that name the sender, the answer it
 * follows, what the script says of side requests, what the lanes match, and last the default lane. A tool-less
 * request that nothing claims is a side request; one with tools is unmatched.
 * @param given the steps that the default lane has given so far
 */
export function chooseLane(
  script: WireScript,
  lanes: readonly LaneState[],
  asking: Asking,
  given: readonly Exchange[],
): LaneChoice {
  const { request, parent } = asking;
  const own = lanes.find((lane) => lane.script.name === parent?.lane);
  const wanting = lanes.filter(
    (lane) => lane.script.match !== undefined && matchesRequest(lane.script.match, request),
  );
  const named = wanting.filter((lane) => lane.script.match !== undefined && namesSender(lane.script.match));
  const sender = own !== undefined && named.includes(own) ? own : pick(named, asking);
  if (sender !== null) return { type: 'lane', lane: sender, takenBack: false };
  if (own !== undefined) return { type: 'lane', lane: own, takenBack: false };
  const side = (script.sideAnswers ?? []).find((answer) => matchesRequest(answer.match, request));
  if (side !== undefined) return { type: 'side', text: side.text };
  if (parent !== null) return { type: 'side', text: undefined };
  const matched = pick(wanting, asking);
  if (matched !== null) return { type: 'lane', lane: matched, takenBack: false };
  const main = lanes.find((lane) => lane.script.match === undefined);
  if (main !== undefined) {
    if (mustTakeBack(main, asking, given)) return { type: 'lane', lane: main, takenBack: true };
    if (defaultTakes(main, asking)) return { type: 'lane', lane: main, takenBack: false };
  }
  return offeredNames(request).length === 0 ? { type: 'side', text: undefined } : { type: 'unmatched' };
}
