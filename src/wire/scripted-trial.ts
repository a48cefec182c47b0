import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorMessage, type JsonObject, type Source } from '../core/index.js';
import { sendDecision } from './answer.js';
import { readObject, readRaw } from './body.js';
import type { WireError } from './error-reply.js';
import type { Exchange } from './exchange.js';
import { protocolUrls, trialMark } from './ids.js';
import { matchedHeaders } from './lane-match.js';
import type { Protocol } from './neutral.js';
import { readRequest } from './protocols.js';
import { reportTraffic, type TrialWireReport } from './report.js';
import { attemptOf, hintsOf, type RequestHead, type Route } from './route.js';
import type { WireScript } from './script.js';
import { TrialState, type Decision } from './trial-state.js';

/** One trial at the scripted server. */
export interface WireTrial {
  readonly id: string;
  /** Where its model is, without a version: `http://127.0.0.1:PORT/t/...`. */
  readonly baseUrl: string;
  /** The addresses to configure clients with, version included where that is the custom. */
  readonly urls: { readonly [Name in Protocol]: string };
  readonly script: WireScript;
  /** What has crossed the wire so far. */
  readonly exchanges: readonly Exchange[];
  /** 0-based user turn that is being answered. */
  readonly turn: number;
  /**
   * Says that the user's turn is over. Optional: without it a turn begins when its user text comes. With it, what the
   * turn has left is left over and the next request begins the next turn whatever its text.
   */
  endTurn(): void;
  /** Ends the trial: no request is answered any more. Closing again gives the same report. */
  close(): TrialWireReport;
}

/** What a trial needs of its server. */
export interface TrialSetting {
  id: string;
  baseUrl: string;
  script: WireScript;
  source: Source;
  writeBytes: number | null;
  largestBody: number;
  onExchange: (trial: WireTrial, exchange: Exchange) => void;
  onClose: () => void;
}

/** A trial and the server's side of it. */
export class ScriptedTrial implements WireTrial {
  readonly id: string;
  readonly baseUrl: string;
  readonly urls: { readonly [Name in Protocol]: string };
  private readonly setting: TrialSetting;
  private readonly state: TrialState;
  private readonly headers: readonly string[];
  private readonly ended = new AbortController();
  private readonly open = new Set<ServerResponse>();
  private readonly otherPaths: string[] = [];
  private report: TrialWireReport | null = null;

  constructor(setting: TrialSetting) {
    const { id, baseUrl, script, source } = setting;
    this.id = id;
    this.baseUrl = baseUrl;
    this.urls = protocolUrls(baseUrl);
    this.setting = setting;
    const begun = source.monotonic();
    this.state = new TrialState(script, trialMark(id), {
      elapsed: () => source.monotonic() - begun,
      seconds: () => Math.floor(source.now() / 1000),
    });
    const matches = [
      ...script.lanes.flatMap((lane) => lane.match ?? []),
      ...(script.sideAnswers ?? []).map((side) => side.match),
    ];
    this.headers = matchedHeaders(matches);
  }

  get script(): WireScript {
    return this.setting.script;
  }

  get exchanges(): readonly Exchange[] {
    return this.state.exchanges;
  }

  get turn(): number {
    return this.state.turn;
  }

  endTurn(): void {
    this.state.endTurn();
  }

  close(): TrialWireReport {
    if (this.report !== null) return this.report;
    this.ended.abort();
    for (const response of this.open) response.destroy();
    for (const exchange of this.state.exchanges) this.state.settle(exchange, false);
    const leftovers = this.state.lanes.flatMap((lane) => lane.leftovers());
    this.report = reportTraffic(this.id, this.state.exchanges, leftovers, this.otherPaths);
    this.setting.onClose();
    return this.report;
  }

  /** Notes a path that is not served. */
  noteOther(path: string): void {
    this.otherPaths.push(path);
  }

  /** Answers a request for a reply. */
  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    route: Extract<Route, { kind: 'generate' }>,
  ): Promise<void> {
    this.open.add(response);
    response.once('close', () => this.open.delete(response));
    const raw = await readRaw(request, this.setting.largestBody);
    const encoding = request.headers['content-encoding'] ?? '';
    const body = raw.ok ? await readObject(raw.value, encoding, this.setting.largestBody) : raw;
    if (this.report !== null) {
      response.destroy();
      return;
    }
    const { headers } = request;
    const head = { ...route, attempt: attemptOf(headers), hints: hintsOf(headers, this.headers) };
    const decision = body.ok
      ? this.decide(route.protocol, body.value, head)
      : this.refusal(route.protocol, body.error);
    const { exchange } = decision;
    const delivered = await sendDecision(response, decision, {
      writeBytes: this.setting.writeBytes,
      signal: this.ended.signal,
      requestId: `req_${trialMark(this.id)}_${exchange.number}`,
    });
    this.state.settle(exchange, delivered);
    this.setting.onExchange(this, exchange);
  }

  /** A request that cannot be understood fails the trial and nothing else. */
  private decide(protocol: Protocol, body: JsonObject, head: RequestHead): Decision {
    try {
      return this.state.decide(readRequest(protocol, body, head, this.state.items));
    } catch (error) {
      const message = `The request could not be understood: ${errorMessage(error)}`;
      return this.refusal(protocol, { status: 400, code: null, message });
    }
  }

  private refusal(protocol: Protocol, error: WireError): Decision {
    return { exchange: this.state.refuse(protocol, error), delayMs: 0 };
  }
}
