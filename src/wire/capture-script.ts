import type { Capture, CapturedExchange } from './capture.js';
import { captureLanes, type CapturedLane } from './capture-lanes.js';
import type { FinishReason, NeutralReply } from './neutral.js';
import type { LaneScript, WireItem, WireScript, WireStep } from './script.js';

function usualFinish(step: WireStep): FinishReason {
  if (step.type === 'tool_calls') return 'tool_calls';
  return step.type === 'refusal' ? 'refusal' : 'stop';
}

/** A reply as the scripted step that gives it again. */
export function stepFromReply(reply: NeutralReply): WireStep {
  const { usage } = reply;
  const extras = {
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    ...(reply.reasoning === null ? {} : { reasoning: reply.reasoning }),
    ...(usage.cachedInputTokens === 0 ? {} : { cachedInputTokens: usage.cachedInputTokens }),
    ...(usage.reasoningTokens === 0 ? {} : { reasoningTokens: usage.reasoningTokens }),
  };
  const toolCalls = reply.toolCalls.map((call) => ({
    id: call.id,
    name: call.name,
    arguments: call.arguments,
  }));
  const words = reply.text === null ? {} : { content: reply.text };
  const step: WireStep =
    toolCalls.length > 0
      ? { type: 'tool_calls', toolCalls, ...words, ...extras }
      : reply.refusal === null
        ? { type: 'text', content: reply.text ?? '', ...extras }
        : { type: 'refusal', content: reply.refusal, ...extras };
  return reply.finishReason === usualFinish(step) ? step : { ...step, finishReason: reply.finishReason };
}

/** True for a request that begins a user turn: by what the driver said, else by a user message that no result comes with. */
function beginsTurn(exchange: CapturedExchange, before: CapturedExchange | undefined): boolean {
  if (before === undefined) return true;
  if (exchange.turn !== null || before.turn !== null) return exchange.turn !== before.turn;
  if ((before.reply?.toolCalls.length ?? 0) > 0) return false;
  return exchange.fresh.some((message) => message.role === 'user');
}

/** One user turn of a captured conversation. */
export interface CapturedTurn {
  user: string;
  exchanges: CapturedExchange[];
}

/** Cuts the main conversation into user turns. */
export function captureTurns(lane: CapturedLane, users: readonly string[]): CapturedTurn[] {
  const turns: CapturedTurn[] = [];
  lane.exchanges.forEach((exchange, index) => {
    const current = turns.at(-1);
    if (current !== undefined && !beginsTurn(exchange, lane.exchanges[index - 1])) {
      current.exchanges.push(exchange);
      return;
    }
    const said = exchange.fresh.findLast((message) => message.role === 'user')?.text ?? '';
    turns.push({ user: users[exchange.turn ?? -1] ?? said, exchanges: [exchange] });
  });
  return turns;
}

function itemsOf(exchanges: readonly CapturedExchange[]): WireItem[] {
  return exchanges.flatMap((exchange) => (exchange.reply === null ? [] : [stepFromReply(exchange.reply)]));
}

/**
 * The script that gives a captured run again: the main conversation as the default lane, turn by turn, and a lane for
 * each conversation beside it. Errors of the provider and repeated tries are left out.
 */
export function scriptFromCapture(capture: Capture): WireScript {
  const { main, others } = captureLanes(capture);
  if (main === null) return { lanes: [] };
  const turns = captureTurns(main, capture.users);
  const items = turns.flatMap(({ user, exchanges }): WireItem[] => [
    { type: 'turn', user },
    ...itemsOf(exchanges),
  ]);
  const lanes: LaneScript[] = others.map(({ name, match, exchanges }) => ({
    name,
    ...(match === null ? {} : { match }),
    items: itemsOf(exchanges),
  }));
  return { lanes: [{ name: main.name, items }, ...lanes] };
}
