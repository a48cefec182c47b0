import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Source } from '../core/index.js';
import { readObject, readRaw } from './body.js';
import { makeCapture, outcomeOf, type Capture, type Outcome, type RawExchange } from './capture.js';
import { errorBody } from './error-reply.js';
import { forward, ProviderAnswer, type UpstreamTarget } from './forward.js';
import { protocolUrls } from './ids.js';
import type { Protocol } from './neutral.js';
import type { Redact } from './redact.js';
import { attemptOf, hintsOf, type Route } from './route.js';
import { sendPlain } from './send.js';

/** One address of the recording proxy. */
export interface CaptureHandle {
  readonly id: string;
  /** Without a version. */
  readonly baseUrl: string;
  /** The addresses to configure clients with, version included where that is the custom. */
  readonly urls: { readonly [Name in Protocol]: string };
  /** Says that the user's next turn begins. Optional: without it turns are found by the user messages that come. */
  beginTurn(user: string): void;
  /** What has been captured so far, secrets hidden. */
  capture(): Capture;
  /** Ends the capture: nothing is forwarded any more. */
  close(): Capture;
}

/** What is known of a request as soon as it has been answered. */
export interface PassedExchange extends Outcome {
  protocol: Protocol;
  /** 1-based, in order of arrival. */
  number: number;
}

/** What a capture needs of its proxy. */
export interface CaptureSetting {
  id: string;
  baseUrl: string;
  targets: ReadonlyMap<Protocol, UpstreamTarget>;
  source: Source;
  redact: Redact;
  largestBody: number;
  onExchange: (capture: CaptureHandle, exchange: PassedExchange) => void;
  onClose: () => void;
}

function sendError(response: ServerResponse, protocol: Protocol, status: number, message: string): void {
  sendPlain(response, status, JSON.stringify(errorBody(protocol, { status, code: null, message }, 'req_0')));
}

/** A capture and the proxy's side of it. */
export class ProxyCapture implements CaptureHandle {
  readonly id: string;
  readonly baseUrl: string;
  readonly urls: { readonly [Name in Protocol]: string };
  private readonly setting: CaptureSetting;
  private readonly users: string[] = [];
  private readonly raw: RawExchange[] = [];
  private readonly elapsed: () => number;
  private readonly ended = new AbortController();

  constructor(setting: CaptureSetting) {
    this.id = setting.id;
    this.baseUrl = setting.baseUrl;
    this.urls = protocolUrls(setting.baseUrl);
    this.setting = setting;
    const begun = setting.source.monotonic();
    this.elapsed = () => setting.source.monotonic() - begun;
  }

  beginTurn(user: string): void {
    this.users.push(user);
  }

  capture(): Capture {
    return makeCapture(this.id, this.users, this.raw, this.setting.redact);
  }

  close(): Capture {
    this.ended.abort();
    this.setting.onClose();
    return this.capture();
  }

  /** Passes a request on, and captures it when it asks for a reply. */
  async pass(
    request: IncomingMessage,
    response: ServerResponse,
    route: Route,
    place: { path: string; search: string },
  ): Promise<void> {
    const { largestBody } = this.setting;
    const protocol = route.kind === 'alive' ? this.onlyProtocol() : route.protocol;
    const raw = await readRaw(request, largestBody);
    const target = this.targetFor(route, protocol);
    if (!raw.ok || target === undefined) {
      const message = raw.ok ? `No upstream is configured for ${protocol}.` : raw.error.message;
      sendError(response, protocol, raw.ok ? 404 : raw.error.status, message);
      return;
    }
    const answer = new ProviderAnswer(largestBody);
    const exchange = route.kind === 'generate' ? await this.begin(request, raw.value, route, answer) : null;
    await forward(request, response, raw.value, target, place, answer, this.ended.signal);
    if (answer.status === 0 && !response.headersSent) {
      const reason = answer.failure ?? 'no answer';
      sendError(response, protocol, 502, `The provider could not be reached: ${reason}`);
    }
    if (exchange === null) return;
    exchange.endedAt = this.elapsed();
    const number = this.raw.indexOf(exchange) + 1;
    this.setting.onExchange(this, { ...outcomeOf(exchange), protocol, number });
  }

  private async begin(
    request: IncomingMessage,
    raw: Buffer,
    route: Extract<Route, { kind: 'generate' }>,
    answer: ProviderAnswer,
  ): Promise<RawExchange | null> {
    const { headers } = request;
    const body = await readObject(raw, headers['content-encoding'] ?? '', this.setting.largestBody);
    if (!body.ok) return null;
    const head = { ...route, attempt: attemptOf(headers), hints: hintsOf(headers, []) };
    const exchange: RawExchange = {
      protocol: route.protocol,
      body: body.value,
      head,
      turn: this.users.length === 0 ? null : this.users.length - 1,
      answer,
      startedAt: this.elapsed(),
      endedAt: null,
    };
    this.raw.push(exchange);
    return exchange;
  }

  private onlyProtocol(): Protocol {
    return [...this.setting.targets.keys()][0] ?? 'openai-chat';
  }

  /** A path that belongs to no protocol in particular goes to the one it looks like, else to the first there is. */
  private targetFor(route: Route, protocol: Protocol): UpstreamTarget | undefined {
    const target = this.setting.targets.get(protocol);
    if (target !== undefined || route.kind === 'generate' || route.kind === 'count') return target;
    return this.setting.targets.get(this.onlyProtocol());
  }
}
