import type { IncomingMessage, ServerResponse } from 'node:http';
import { AssayError, quote, systemSource, type JsonValue, type Source } from '../core/index.js';
import { LARGEST_BODY } from './body.js';
import { errorBody } from './error-reply.js';
import type { Exchange } from './exchange.js';
import { countAnswer, modelsAnswer } from './fixed-answer.js';
import { splitTrialPath, trialPath, trialToken } from './ids.js';
import { listen, splitTarget, type LoopbackHost } from './listener.js';
import { routeRequest, type Route } from './route.js';
import { admitScript } from './script-rules.js';
import type { WireScript } from './script.js';
import { ScriptedTrial, type WireTrial } from './scripted-trial.js';
import { sendPlain } from './send.js';

/** How a scripted server is started; everything has a default. */
export interface ScriptedServerOptions {
  /** Default 127.0.0.1. */
  host?: LoopbackHost;
  /** Default any free port. */
  port?: number;
  /** Default the machine's own clock. */
  source?: Source;
  /** Sends every answer that many bytes at a time, to try a client's parser. */
  writeBytes?: number;
  /** Largest request body in bytes, before and after decompression. Default 256 MiB. */
  largestBody?: number;
  /** Called after each answer, for showing traffic as it happens. */
  onExchange?: (trial: WireTrial, exchange: Exchange) => void;
}

/** A running scripted server: one for a run, with an address for each trial. */
export interface ScriptedServer {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /**
   * Opens an address at which `script` is played.
   * @param trial `id` names the trial and decides the ids of its replies; it can be used once
   * @throws AssayError `SCRIPT` for a script that cannot be played, with every problem; `INPUT` for an id used before
   */
  openTrial(trial: { id: string; script: WireScript }): WireTrial;
  /** Closes every trial and every connection. */
  close(): Promise<void>;
}

function sendJson(response: ServerResponse, status: number, value: JsonValue): void {
  sendPlain(response, status, JSON.stringify(value));
}

function refuseUpgrade(response: ServerResponse, route: Extract<Route, { kind: 'upgrade' }>): void {
  const message = 'WebSockets are not served; use HTTP.';
  response.setHeader('upgrade', 'HTTP/1.1');
  response.setHeader('connection', 'close');
  sendJson(response, 426, errorBody(route.protocol, { status: 426, code: null, message }, 'req_0'));
}

/** Answers what uses up nothing; false when the request asks for a reply. */
export function answerFixed(response: ServerResponse, route: Route): boolean {
  switch (route.kind) {
    case 'alive':
      sendPlain(response, 200, '');
      return true;
    case 'upgrade':
      refuseUpgrade(response, route);
      return true;
    case 'count':
      sendJson(response, 200, countAnswer(route.protocol));
      return true;
    case 'models':
      sendJson(response, 200, modelsAnswer(route.protocol, route.model));
      return true;
    case 'generate':
    case 'unknown':
      return false;
  }
  return false;
}

/** Says that nothing is served at an address. */
export function sendNotFound(response: ServerResponse, route: Route, message: string): void {
  const protocol = route.kind === 'alive' ? 'openai-chat' : route.protocol;
  response.setHeader('x-should-retry', 'false');
  sendJson(response, 404, errorBody(protocol, { status: 404, code: null, message }, 'req_0'));
}

/**
 * Starts the model server that replays scripts to any agent, in any language, over the protocols of the providers.
 * It accepts any key, looks at no version, and keeps no credential.
 */
export async function startScriptedServer(options: ScriptedServerOptions = {}): Promise<ScriptedServer> {
  const source = options.source ?? systemSource();
  const trials = new Map<string, ScriptedTrial>();
  const used = new Set<string>();

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { path, query } = splitTarget(request.url);
    const named = splitTrialPath(path);
    const trial = named === null ? undefined : trials.get(named.token);
    const route = routeRequest(request.method ?? 'GET', named?.rest ?? path, query, request.headers);
    if (route.kind === 'generate' && trial !== undefined) {
      await trial.answer(request, response, route);
      return;
    }
    request.resume();
    if (answerFixed(response, route)) return;
    trial?.noteOther(named?.rest ?? path);
    sendNotFound(
      response,
      route,
      trial === undefined ? 'No trial is open at this address.' : 'Nothing is served here.',
    );
  };

  const listener = await listen(options.host ?? '127.0.0.1', options.port ?? 0, handle);

  return {
    url: listener.url,
    openTrial({ id, script }) {
      admitScript(script, id);
      const token = trialToken(id);
      if (used.has(token))
        throw new AssayError('INPUT', `The trial id ${quote(id)} was used before on this server.`);
      used.add(token);
      const trial = new ScriptedTrial({
        id,
        baseUrl: `${listener.url}${trialPath(token)}`,
        script,
        source,
        writeBytes: options.writeBytes ?? null,
        largestBody: options.largestBody ?? LARGEST_BODY,
        onExchange: options.onExchange ?? (() => {}),
        onClose: () => trials.delete(token),
      });
      trials.set(token, trial);
      return trial;
    },
    async close() {
      for (const trial of trials.values()) trial.close();
      await listener.close();
    },
  };
}
