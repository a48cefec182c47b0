import type { Capture, CapturedExchange } from './capture.js';
import { captureLanes } from './capture-lanes.js';
import { captureTurns, scriptFromCapture } from './capture-script.js';
import type { Traffic } from './evidence.js';
import type { Exchange } from './exchange.js';

function asExchange(captured: CapturedExchange, lane: string, turn: number): Exchange {
  return {
    number: captured.number,
    outcome: 'step',
    lane,
    turn,
    item: null,
    retryOf: null,
    parent: captured.parent,
    request: captured.request,
    fresh: captured.fresh,
    reply: captured.reply,
    fault: null,
    error: null,
    delivered: true,
    startedAt: captured.startedAt,
    endedAt: captured.startedAt + captured.durationMs,
  };
}

/**
 * A capture as the traffic of a trial, so that a run against a real provider proves what a scripted one does. Side
 * requests, failed tries and repeated answers are no part of it.
 */
export function captureTraffic(capture: Capture): Traffic {
  const { main, others } = captureLanes(capture);
  if (main === null) return { script: { lanes: [] }, exchanges: [] };
  const exchanges = captureTurns(main, capture.users).flatMap((turn, index) =>
    turn.exchanges.map((each) => asExchange(each, main.name, index)),
  );
  for (const lane of others) {
    exchanges.push(...lane.exchanges.map((each) => asExchange(each, lane.name, each.turn ?? 0)));
  }
  return {
    script: scriptFromCapture(capture),
    exchanges: exchanges.toSorted((left, right) => left.number - right.number),
  };
}
