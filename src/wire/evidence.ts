import { canonicalJson, type Message, type ToolCall, type TurnRecord, type Usage } from '../core/index.js';
import type { Exchange } from './exchange.js';
import { offeredNames, replyMessage } from './messages.js';
import { recordRequests, type RecordedRequest } from './recorded-request.js';
import type { WireScript } from './script.js';

/** A tool call as it was seen on the wire: asked for in a reply, its result in a later request. */
export interface WireToolCall extends ToolCall {
  lane: string;
  /** The agent listed the tool in the request that was answered with the call. */
  offered: boolean;
  /** A result came back. */
  answered: boolean;
  /** Offered and answered: as far as the wire can tell, it was run. */
  executed: boolean;
}

/** What the traffic of a trial proves. */
export interface WireEvidence {
  /** Every user turn of the main lane and the last text it was answered. */
  turns: TurnRecord[];
  /** The conversation of the main lane: the default lane, else the first. */
  messages: Message[];
  /** The conversation of every lane that was used, in the order of the script. */
  lanes: { name: string; messages: Message[] }[];
  /** By turn, then by lane in the order of the script, then in order of dispatch. */
  toolCalls: WireToolCall[];
  /** Summed over the steps given; a retry counts once. */
  usage: Usage;
  /** Steps given, each counted once. */
  llmCalls: number;
}

/** The traffic of one trial: what `wireEvidence` needs of it. */
export interface Traffic {
  script: WireScript;
  exchanges: readonly Exchange[];
}

function isStep(exchange: Exchange): boolean {
  return exchange.outcome === 'step' && exchange.retryOf === null;
}

/** The lane of the main conversation: the default lane, else the first. */
function mainLane(script: WireScript): string {
  return (script.lanes.find((lane) => lane.match === undefined) ?? script.lanes[0])?.name ?? '';
}

function laneMessages(exchanges: readonly Exchange[], lane: string): Message[] {
  const steps = exchanges.filter((exchange) => isStep(exchange) && exchange.lane === lane);
  const system = steps[0]?.request.system ?? '';
  const messages: Message[] = system === '' ? [] : [{ role: 'system', text: system }];
  for (const { fresh, reply } of steps) {
    messages.push(...fresh);
    if (reply !== null) messages.push(replyMessage(reply));
  }
  return messages;
}

function callsOf(exchange: Exchange): WireToolCall[] {
  const offered = offeredNames(exchange.request);
  return (exchange.reply?.toolCalls ?? []).map((call) => ({
    id: call.id,
    name: call.name,
    arguments: canonicalJson(call.arguments),
    result: '',
    ok: false,
    turn: exchange.turn,
    startedAt: exchange.endedAt ?? exchange.startedAt,
    durationMs: 0,
    lane: exchange.lane ?? '',
    offered: offered.includes(call.name),
    answered: false,
    executed: false,
  }));
}

/** The call that a tool message answers: by id, else the first open one of that name in the lane, else the first open. */
function answeredCall(
  calls: readonly WireToolCall[],
  message: Message,
  lane: string | null,
): WireToolCall | undefined {
  const { toolCallId, toolName } = message;
  const byId = calls.find((call) => call.id === toolCallId);
  if (byId !== undefined) return byId;
  const open = calls.filter((call) => call.lane === lane && !call.answered);
  if (toolName !== undefined) return open.find((call) => call.name === toolName);
  return open[0];
}

function takeResults(
  calls: readonly WireToolCall[],
  exchange: Exchange,
  scrub: (text: string) => string,
): void {
  for (const message of exchange.fresh) {
    if (message.role !== 'tool') continue;
    const call = answeredCall(calls, message, exchange.lane);
    if (call === undefined || call.answered) continue;
    call.answered = true;
    call.executed = call.offered;
    call.result = scrub(message.text);
    call.ok = call.offered && message.isError !== true;
    call.durationMs = Math.max(0, exchange.startedAt - call.startedAt);
  }
}

function toolCalls(traffic: Traffic, scrub: (text: string) => string): WireToolCall[] {
  const calls: WireToolCall[] = [];
  for (const exchange of traffic.exchanges) {
    if (exchange.lane === null) continue;
    takeResults(calls, exchange, scrub);
    if (isStep(exchange)) calls.push(...callsOf(exchange));
  }
  const order = traffic.script.lanes.map((lane) => lane.name);
  return calls.toSorted(
    (left, right) => left.turn - right.turn || order.indexOf(left.lane) - order.indexOf(right.lane),
  );
}

function turnsOf(traffic: Traffic, main: string): TurnRecord[] {
  const items = traffic.script.lanes.find((lane) => lane.name === main)?.items ?? [];
  const users = items.filter((item) => item.type === 'turn').map((item) => item.user);
  const texts = new Map<number, string>();
  for (const exchange of traffic.exchanges) {
    if (!isStep(exchange) || exchange.lane !== main || exchange.reply === null) continue;
    texts.set(exchange.turn, exchange.reply.toolCalls.length > 0 ? '' : replyMessage(exchange.reply).text);
  }
  const count = Math.max(users.length, ...[...texts.keys()].map((turn) => turn + 1));
  return Array.from({ length: count }, (_, turn) => ({
    user: users[turn] ?? '',
    text: texts.get(turn) ?? '',
  }));
}

/**
 * Turns traffic into what graders read. Whether a call was run is judged by the wire alone: its tool was offered and
 * a result came back. Only some protocols flag a failed tool; where none is flagged, `ok` says no more than that.
 * Calls of lanes that race are put in the order of the script, so that two runs give the same list.
 * @param scrub hides credentials in tool results before they are recorded
 */
export function wireEvidence(
  traffic: Traffic,
  scrub: (text: string) => string = (text) => text,
): WireEvidence {
  const { lanes } = traffic.script;
  const main = mainLane(traffic.script);
  const steps = traffic.exchanges.filter(isStep);
  const conversations = lanes
    .map(({ name }) => ({ name, messages: laneMessages(traffic.exchanges, name) }))
    .filter((lane) => lane.messages.length > 0);
  const usages = steps.map((exchange) => exchange.reply?.usage);
  return {
    turns: turnsOf(traffic, main),
    messages: conversations.find((lane) => lane.name === main)?.messages ?? [],
    lanes: conversations,
    toolCalls: toolCalls(traffic, scrub),
    usage: {
      inputTokens: usages.reduce((sum, usage) => sum + (usage?.inputTokens ?? 0), 0),
      outputTokens: usages.reduce((sum, usage) => sum + (usage?.outputTokens ?? 0), 0),
      cost: null,
    },
    llmCalls: steps.length,
  };
}

/**
 * The requests that got the steps of a lane, one a step, for comparing them with recorded ones.
 * @param lane absent: the lane of the main conversation
 */
export function laneRequests(traffic: Traffic, lane: string = mainLane(traffic.script)): RecordedRequest[] {
  return recordRequests(traffic.exchanges.filter((exchange) => isStep(exchange) && exchange.lane === lane));
}
