import type { ServerResponse } from 'node:http';
import { errorBody } from './error-reply.js';
import type { Exchange } from './exchange.js';
import { jsonBody } from './frames.js';
import type { ReplyBody } from './neutral.js';
import { writeReply } from './protocols.js';
import type { WireFault } from './script.js';
import { pause, send, type Breakage } from './send.js';
import type { Decision } from './trial-state.js';

/** How answers are sent. */
export interface AnswerSettings {
  /** Bytes a write; null for as many as fit. */
  writeBytes: number | null;
  /** Ends every wait. */
  signal: AbortSignal;
  /** Names the request in the answer's headers. */
  requestId: string;
}

function breakageOf(fault: WireFault | null): Breakage | null {
  if (fault?.fault !== 'cut' && fault?.fault !== 'malformed') return null;
  return { how: fault.fault, afterEvents: fault.afterEvents };
}

function headersOf(exchange: Exchange, requestId: string): { [name: string]: string } {
  const name = exchange.request.protocol === 'anthropic' ? 'request-id' : 'x-request-id';
  const headers: { [name: string]: string } = { [name]: requestId };
  const { fault, error } = exchange;
  if (fault?.fault === 'status' && fault.retryAfter !== undefined) {
    headers['retry-after'] = String(Math.ceil(fault.retryAfter));
    headers['retry-after-ms'] = String(Math.round(fault.retryAfter * 1000));
  }
  // The script is at its end, or never began: asking again cannot help.
  if (error !== null && fault === null) headers['x-should-retry'] = 'false';
  return headers;
}

function bodyOf(exchange: Exchange, requestId: string): ReplyBody | null {
  const { error, reply, request } = exchange;
  if (error !== null) return jsonBody(errorBody(request.protocol, error, requestId));
  return reply === null ? null : writeReply(reply, request);
}

/** Waits before the first byte, unless the client leaves or the trial ends. */
async function waitFor(response: ServerResponse, milliseconds: number, signal: AbortSignal): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  await pause(milliseconds, AbortSignal.any([signal, left.signal]));
}

/** Sends what was decided. Resolves to whether the client got all of a whole answer. */
export async function sendDecision(
  response: ServerResponse,
  decision: Decision,
  settings: AnswerSettings,
): Promise<boolean> {
  const { exchange } = decision;
  if (decision.delayMs > 0) await waitFor(response, decision.delayMs, settings.signal);
  const body = bodyOf(exchange, settings.requestId);
  if (settings.signal.aborted || body === null || response.destroyed) {
    response.destroy();
    return false;
  }
  const breakage = breakageOf(exchange.fault);
  await send(response, {
    status: exchange.error?.status ?? 200,
    headers: headersOf(exchange, settings.requestId),
    body,
    breakage,
    writeBytes: settings.writeBytes,
  });
  return breakage === null && (await finished(response));
}

/** Waits until an answer is handed over to the system, or its connection is gone. */
function finished(response: ServerResponse): Promise<boolean> {
  if (response.writableFinished) return Promise.resolve(true);
  if (response.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    response.once('finish', () => resolve(true));
    response.once('close', () => resolve(response.writableFinished));
  });
}
