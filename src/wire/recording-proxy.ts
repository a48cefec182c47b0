import type { IncomingMessage, ServerResponse } from 'node:http';
import { AssayError, quote, systemSource, type Source } from '../core/index.js';
import { LARGEST_BODY } from './body.js';
import { ProxyCapture, type CaptureHandle, type PassedExchange } from './proxy-capture.js';
import type { UpstreamTarget } from './forward.js';
import { splitTrialPath, trialPath, trialToken } from './ids.js';
import { listen, splitTarget, type LoopbackHost } from './listener.js';
import { PROTOCOLS, type Protocol } from './neutral.js';
import { redactSecrets, type Redact } from './redact.js';
import { routeRequest } from './route.js';
import { answerFixed, sendNotFound } from './fixed-answer.js';

/** How a recording proxy is started. */
export interface RecordingProxyOptions {
  /** Where each protocol is forwarded to; requests of a protocol without an address are refused. */
  upstreams: { [Name in Protocol]?: string | UpstreamTarget };
  /** Default 127.0.0.1. */
  host?: LoopbackHost;
  /** Default any free port. */
  port?: number;
  /** Default the machine's own clock. */
  source?: Source;
  /** Hides more than the well-known shapes of keys, which are always hidden. */
  redact?: Redact;
  /** Largest body in bytes that is accepted from the agent, and kept of an answer. Default 256 MiB. */
  largestBody?: number;
  /** Called after each answer. */
  onExchange?: (capture: CaptureHandle, exchange: PassedExchange) => void;
}

/** A running recording proxy. */
export interface RecordingProxy {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /**
   * Opens an address whose traffic is captured.
   * @throws AssayError `INPUT` for an id used before
   */
  openCapture(capture: { id: string }): CaptureHandle;
  /** Closes every capture and every connection. */
  close(): Promise<void>;
}

function targetsOf(upstreams: RecordingProxyOptions['upstreams']): Map<Protocol, UpstreamTarget> {
  const targets = new Map<Protocol, UpstreamTarget>();
  for (const protocol of PROTOCOLS) {
    const given = upstreams[protocol];
    if (given === undefined) continue;
    const target = typeof given === 'string' ? { url: given } : given;
    const scheme = URL.canParse(target.url) ? new URL(target.url).protocol : '';
    if (scheme !== 'http:' && scheme !== 'https:') {
      throw new AssayError('INPUT', `The upstream of ${protocol} is not an address: ${quote(target.url)}.`, {
        fix: 'Write one that begins with https:// or http://.',
      });
    }
    targets.set(protocol, target);
  }
  if (targets.size === 0) {
    throw new AssayError('INPUT', 'The recording proxy has no provider to forward to.', {
      fix: `Give an upstream for one of ${PROTOCOLS.join(', ')}.`,
    });
  }
  return targets;
}

/**
 * Starts a proxy that stands between an agent and a real provider: it passes everything on as it comes and captures
 * every model request and reply, secrets hidden.
 * @throws AssayError `INPUT` when no upstream is given or one is not an address
 */
export async function startRecordingProxy(options: RecordingProxyOptions): Promise<RecordingProxy> {
  const targets = targetsOf(options.upstreams);
  const source = options.source ?? systemSource();
  const captures = new Map<string, ProxyCapture>();
  const used = new Set<string>();
  const more = options.redact ?? ((text: string): string => text);

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { path, search, query } = splitTarget(request.url);
    const named = splitTrialPath(path);
    const capture = named === null ? undefined : captures.get(named.token);
    const route = routeRequest(request.method ?? 'GET', named?.rest ?? path, query, request.headers);
    if (capture === undefined || named === null || route.kind === 'upgrade') {
      request.resume();
      if (route.kind === 'upgrade' || route.kind === 'alive') answerFixed(response, route);
      else sendNotFound(response, route, 'No recording is open at this address.');
      return;
    }
    await capture.pass(request, response, route, { path: named.rest, search });
  };

  const listener = await listen(options.host ?? '127.0.0.1', options.port ?? 0, handle);

  return {
    url: listener.url,
    openCapture({ id }) {
      const token = trialToken(id);
      if (used.has(token))
        throw new AssayError('INPUT', `The id ${quote(id)} was used before on this proxy.`);
      used.add(token);
      const capture = new ProxyCapture({
        id,
        baseUrl: `${listener.url}${trialPath(token)}`,
        targets,
        source,
        redact: (text) => more(redactSecrets(text)),
        largestBody: options.largestBody ?? LARGEST_BODY,
        onExchange: options.onExchange ?? (() => {}),
        onClose: () => captures.delete(token),
      });
      captures.set(token, capture);
      return capture;
    },
    async close() {
      for (const capture of captures.values()) capture.close();
      await listener.close();
    },
  };
}
