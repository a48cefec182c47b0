import { clip, plural, quote } from '../core/index.js';
import type { WireError } from './error-reply.js';
import type { LaneState } from './lane-state.js';
import { firstUserText, offeredNames } from './messages.js';
import type { NeutralRequest, Protocol } from './neutral.js';
import { stepsOf } from './script.js';

const SHOWN = 80;

/** What a client is told when its lane has no reply left for it. */
export function exhaustedMessage(lane: LaneState): string {
  const name = quote(lane.script.name);
  const expected = lane.expectedUser;
  if (expected === null) {
    const steps = plural(stepsOf(lane.script.items).length, 'step');
    return `Script exhausted: lane ${name} holds ${steps} and all are used; the agent asked for one more.`;
  }
  return `Script exhausted: turn ${lane.turn + 1} of lane ${name} has no more steps, and the request does not bring the next user text ${quote(clip(expected, SHOWN))}.`;
}

/** A request in one line, for messages and lists. */
export function describeRequest(request: NeutralRequest): string {
  const tools = offeredNames(request);
  const offered = tools.length === 0 ? 'no tools' : plural(tools.length, 'tool');
  return `model ${quote(clip(request.model, SHOWN))}, ${offered}, first user text ${quote(clip(firstUserText(request.messages), SHOWN))}`;
}

/** What a client is told when no lane wants its request. */
export function unmatchedMessage(request: NeutralRequest, lanes: readonly LaneState[]): string {
  const names = lanes.map((lane) => quote(lane.script.name)).join(', ');
  return `The script has no lane for this request (${describeRequest(request)}); its lanes are ${names}.`;
}

/** The error for a continuation of a reply that was never given here. */
export function unknownReply(protocol: Protocol, id: string): WireError {
  const shown = quote(clip(id, SHOWN));
  if (protocol === 'anthropic') {
    return {
      status: 404,
      code: 'thread_not_found',
      message: `There is no message ${shown} to continue from.`,
    };
  }
  return {
    status: 400,
    code: 'previous_response_not_found',
    message: `Previous response with id ${shown} not found.`,
  };
}
