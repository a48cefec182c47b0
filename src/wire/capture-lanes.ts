import type { Capture, CapturedExchange } from './capture.js';
import { matchesRequest, rolesOf } from './lane-match.js';
import { brings } from './lane-state.js';
import { offeredNames, squeeze } from './messages.js';
import { MAIN_LANE, type LaneMatch } from './script.js';

/** One conversation of a capture, each answer once. */
export interface CapturedLane {
  name: string;
  /** Null for the main conversation. */
  match: LaneMatch | null;
  exchanges: CapturedExchange[];
}

/** A capture sorted into conversations. */
export interface CapturedLanes {
  main: CapturedLane | null;
  /** Conversations beside the main one, such as sub-agents, in order of appearance. */
  others: CapturedLane[];
  /** Requests without tools beside a conversation that has tools: titles, routing. They are not replayed. */
  sides: CapturedExchange[];
}

interface Group {
  root: string;
  hasTools: boolean;
  exchanges: CapturedExchange[];
}

/** True for an answer that was asked for again after it had come, and that nobody acted on. */
function isSuperseded(exchange: CapturedExchange, all: readonly CapturedExchange[]): boolean {
  const ended = exchange.startedAt + exchange.durationMs;
  const askedAgain = all.some(
    (other) =>
      other.state === exchange.state &&
      other.number > exchange.number &&
      other.reply !== null &&
      other.startedAt >= ended,
  );
  return askedAgain && !all.some((other) => other.parent === exchange.number);
}

/** The exchanges whose replies count: of several tries at one answer, the one that was acted on. */
function answered(capture: Capture): CapturedExchange[] {
  const { exchanges } = capture;
  return exchanges.filter((exchange) => exchange.reply !== null && !isSuperseded(exchange, exchanges));
}

function groupOf(groups: readonly Group[], exchange: CapturedExchange): Group | undefined {
  const followed = groups.find((group) => group.exchanges.some((each) => each.number === exchange.parent));
  if (followed !== undefined || exchange.parent !== null) return followed;
  // The same beginning twice is two conversations: retries have been left out before.
  const isTwin = (group: Group): boolean => group.exchanges.some((each) => each.state === exchange.state);
  return groups.find((group) => group.root === exchange.root && !isTwin(group));
}

function grouped(capture: Capture): Group[] {
  const groups: Group[] = [];
  for (const exchange of answered(capture)) {
    const group = groupOf(groups, exchange);
    if (group === undefined) {
      const hasTools = offeredNames(exchange.request).length > 0;
      groups.push({ root: exchange.root, hasTools, exchanges: [exchange] });
    } else group.exchanges.push(exchange);
  }
  return groups;
}

/** The conversation that the user began: with tools if any has some, and with the user's words if they are known. */
function mainGroup(groups: readonly Group[], users: readonly string[]): Group | undefined {
  const withTools = groups.filter((group) => group.hasTools);
  const able = withTools.length > 0 ? withTools : groups;
  const user = users[0];
  return able.find((group) => user !== undefined && brings(group.exchanges[0]?.fresh ?? [], user)) ?? able[0];
}

/** An agent that keeps no history begins a new conversation for every turn of the user. */
function continuesMain(group: Group, main: Group, users: readonly string[]): boolean {
  const [first] = group.exchanges;
  if (first === undefined || first.turn === null || group.hasTools !== main.hasTools) return false;
  const user = users[first.turn];
  return first.turn > 0 && user !== undefined && squeeze(user) !== '' && brings(first.fresh, user);
}

const SHOWN = 200;

/** The beginning of a text, by code points. */
function beginning(text: string): string {
  return Array.from(squeeze(text).slice(0, SHOWN * 2))
    .slice(0, SHOWN)
    .join('');
}

/** The user's last words before the first answer: some agents say the same things before every prompt. */
function openingWords(exchange: CapturedExchange): string {
  const { messages } = exchange.request;
  const answer = messages.findIndex((message) => message.role === 'assistant');
  const opening = answer === -1 ? messages : messages.slice(0, answer);
  return beginning(opening.findLast((message) => message.role === 'user')?.text ?? '');
}

/** What tells a conversation from the main one: its first prompt, its part, and where that is not enough its system prompt. */
function matchFor(first: CapturedExchange, main: CapturedExchange): LaneMatch {
  const { request } = first;
  const match: LaneMatch = {};
  const words = openingWords(first);
  const system = beginning(request.system);
  if (words !== '') match.firstUser = words;
  if (rolesOf(request).includes('subagent')) match.role = 'subagent';
  if (matchesRequest(match, main.request) && system !== '') match.system = system;
  if (Object.keys(match).length === 0) match.model = request.model;
  return match;
}

/** Sorts a capture into the main conversation, those beside it, and side requests. */
export function captureLanes(capture: Capture): CapturedLanes {
  const groups = grouped(capture);
  const main = mainGroup(groups, capture.users);
  if (main === undefined) return { main: null, others: [], sides: [] };
  const others: CapturedLane[] = [];
  const sides: CapturedExchange[] = [];
  const mainExchanges = [...main.exchanges];
  for (const group of groups) {
    const [first] = group.exchanges;
    const [start] = main.exchanges;
    if (group === main || first === undefined || start === undefined) continue;
    if (continuesMain(group, main, capture.users)) mainExchanges.push(...group.exchanges);
    else if (main.hasTools && !group.hasTools) sides.push(...group.exchanges);
    else
      others.push({
        name: `lane-${others.length + 2}`,
        match: matchFor(first, start),
        exchanges: group.exchanges,
      });
  }
  mainExchanges.sort((left, right) => left.number - right.number);
  return { main: { name: MAIN_LANE, match: null, exchanges: mainExchanges }, others, sides };
}
