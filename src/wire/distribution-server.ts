import type { IncomingMessage, ServerResponse } from 'node:http';
import { AssayError, sha256, systemSource, type Source } from '../core/index.js';
import { sendDecision } from './answer.js';
import { LARGEST_BODY, readObject, readRaw } from './body.js';
import type { Exchange } from './exchange.js';
import { answerFixed, sendNotFound } from './fixed-answer.js';
import { protocolUrls } from './ids.js';
import { listen, splitTarget, type LoopbackHost } from './listener.js';
import { emptyRequest, firstUserText } from './messages.js';
import type { NeutralRequest, Protocol } from './neutral.js';
import { readRequest } from './protocols.js';
import { ReplyMaker } from './reply-maker.js';
import { attemptOf, hintsOf, routeRequest, type Route } from './route.js';
import type { WireStep } from './script.js';

/** One of several answers to the same step. */
export interface WeightedStep {
  /** Above 0; how often it is given is its share of the sum. */
  weight: number;
  step: WireStep;
}

/** How a model is played whose answers vary. */
export interface DistributionOptions {
  /** The answers to the first request of a conversation, to the second, and so on; none empty. */
  steps: readonly (readonly WeightedStep[])[];
  /** The same seed and the same requests give the same answers. */
  seed: number;
  host?: LoopbackHost;
  port?: number;
  source?: Source;
  onExchange?: (exchange: Exchange) => void;
}

/** A running model whose answers vary. */
export interface DistributionServer {
  readonly url: string;
  readonly urls: { readonly [Name in Protocol]: string };
  close(): Promise<void>;
}

/** A number from 0 up to 1 that is decided by a text. */
function drawn(text: string): number {
  return Number.parseInt(sha256(text).slice(0, 12), 16) / 16 ** 12;
}

function choose(options: readonly WeightedStep[], share: number): WireStep | null {
  const total = options.reduce((sum, option) => sum + option.weight, 0);
  let rest = share * total;
  for (const option of options) {
    rest -= option.weight;
    if (rest < 0) return option.step;
  }
  return options.at(-1)?.step ?? null;
}

/**
 * Draws answers. Which one a request gets depends on the seed, on what the conversation is, and on how often the very
 * same state has come before, and not on what other conversations ask meanwhile.
 */
class Answers {
  private readonly options: DistributionOptions;
  private readonly times = new Map<string, number>();

  constructor(options: DistributionOptions) {
    this.options = options;
  }

  for(request: NeutralRequest): WireStep | null {
    const said = request.messages.filter((message) => message.role === 'assistant');
    const options = this.options.steps[said.length];
    if (options === undefined) return null;
    const history = said.map((message) => `${message.text}\u0000${JSON.stringify(message.toolCalls ?? [])}`);
    const key = sha256([firstUserText(request.messages), ...history].join('\u0001'));
    const times = this.times.get(key) ?? 0;
    this.times.set(key, times + 1);
    return choose(options, drawn(`${this.options.seed}\u0000${key}\u0000${times}`));
  }
}

/**
 * Starts a model server that gives one of several weighted answers to each step, drawn by a seed: a model that is
 * right only now and then, for trying out repeated trials without one. It keeps no memory of conversations; which step
 * a request is at is the number of answers in it.
 * @throws AssayError `INPUT` when a step has no answer or a weight is not above 0
 */
export async function startDistributionServer(options: DistributionOptions): Promise<DistributionServer> {
  const bad = options.steps.findIndex(
    (step) => step.length === 0 || step.some(({ weight }) => !(weight > 0 && Number.isFinite(weight))),
  );
  if (bad >= 0) throw new AssayError('INPUT', `Step ${bad + 1} needs answers, each with a weight above 0.`);
  const source = options.source ?? systemSource();
  const begun = source.monotonic();
  const maker = new ReplyMaker('drawn', () => Math.floor(source.now() / 1000));
  const answers = new Answers(options);
  const ended = new AbortController();
  let count = 0;

  const exchangeFor = (request: NeutralRequest): Exchange => {
    count += 1;
    const step = answers.for(request);
    const error = {
      status: 400,
      code: 'script_exhausted',
      message: `The distribution has ${options.steps.length} steps and this conversation asks for another.`,
    };
    return {
      number: count,
      outcome: step === null ? 'exhausted' : 'step',
      lane: 'main',
      turn: 0,
      item: null,
      retryOf: null,
      parent: null,
      request,
      fresh: [],
      // A fresh object each time: the ids of its calls are new in every conversation.
      reply: step === null ? null : maker.make({ ...step }, request, String(count)),
      fault: null,
      error: step === null ? error : null,
      delivered: null,
      startedAt: source.monotonic() - begun,
      endedAt: null,
    };
  };

  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
    route: Extract<Route, { kind: 'generate' }>,
  ): Promise<void> => {
    const raw = await readRaw(request, LARGEST_BODY);
    const encoding = request.headers['content-encoding'] ?? '';
    const body = raw.ok ? await readObject(raw.value, encoding, LARGEST_BODY) : raw;
    const head = { ...route, attempt: attemptOf(request.headers), hints: hintsOf(request.headers, []) };
    const exchange = exchangeFor(
      body.ok ? readRequest(route.protocol, body.value, head, new Map()) : emptyRequest(route.protocol),
    );
    if (!body.ok) Object.assign(exchange, { outcome: 'refused', reply: null, error: body.error });
    const settings = { writeBytes: null, signal: ended.signal, requestId: `req_drawn_${exchange.number}` };
    exchange.delivered = await sendDecision(response, { exchange, delayMs: 0 }, settings);
    exchange.endedAt = source.monotonic() - begun;
    options.onExchange?.(exchange);
  };

  const listener = await listen(options.host ?? '127.0.0.1', options.port ?? 0, async (request, response) => {
    const { path, query } = splitTarget(request.url);
    const route = routeRequest(request.method ?? 'GET', path, query, request.headers);
    if (route.kind === 'generate') return answer(request, response, route);
    request.resume();
    if (!answerFixed(response, route)) sendNotFound(response, route, 'Nothing is served here.');
  });
  return {
    url: listener.url,
    urls: protocolUrls(listener.url),
    close() {
      ended.abort();
      return listener.close();
    },
  };
}
