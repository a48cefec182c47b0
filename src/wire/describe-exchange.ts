import { clip, quote } from '../core/index.js';
import type { Exchange } from './exchange.js';
import { describeRequest } from './trial-words.js';

const SHOWN = 100;

function saidOf({ reply, fault, error }: Exchange): string {
  if (error !== null) return `error ${error.status}: ${clip(error.message, SHOWN)}`;
  if (reply === null) return fault === null ? 'nothing' : `fault ${fault.fault}`;
  const calls = reply.toolCalls.map((call) => `${call.name}(${clip(JSON.stringify(call.arguments), SHOWN)})`);
  const words = reply.refusal ?? reply.text;
  const text = words === null || words === '' ? [] : [quote(clip(words, SHOWN))];
  const said = [...text, ...calls].join(', ');
  return fault === null ? said : `fault ${fault.fault} in ${said}`;
}

/** One exchange as a line for a person: who asked what, and what it was answered. Not made safe for a terminal. */
export function describeExchange(exchange: Exchange): string {
  const { number, request, lane, turn, outcome, retryOf } = exchange;
  const again = retryOf === null ? '' : ` again (as #${retryOf})`;
  const place = lane === null ? outcome : `${lane}, turn ${turn + 1}`;
  return `#${number} ${request.protocol} [${place}]${again} ${describeRequest(request)} -> ${saidOf(exchange)}`;
}
