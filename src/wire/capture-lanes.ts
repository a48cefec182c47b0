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

/** Of several tries at the same answer the last one counts: it is the one that was acted on. */
function answered(capture: Capture): CapturedExchange[] {
  const last = new Map<string, CapturedExchange>();
  for (const exchange of capture.exchanges) if (exchange.reply !== null) last.set(exchange.state, exchange);
  return capture.exchanges.filter((exchange) => last.get(exchange.state) === exchange);
}

function groupOf(groups: readonly Group[], exchange: CapturedExchange): Group | undefined {
  const followed = groups.find((group) => group.exchanges.some((each) => each.number === exchange.parent));
  return (
    followed ?? (exchange.parent === null ? groups.find((group) => group.root === exchange.root) : undefined)
  );
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
