import type { IncomingMessage, ServerResponse } from 'node:http';
import { AssayError, quote, systemSource, type Source } from '../core/index.js';
import { LARGEST_BODY } from './body.js';
import type { Exchange } from './exchange.js';
import { answerFixed, sendNotFound } from './fixed-answer.js';
import { splitTrialPath, trialPath, trialToken } from './ids.js';
import { listen, splitTarget, type LoopbackHost } from './listener.js';
import { routeRequest } from './route.js';
import { admitScript } from './script-rules.js';
import type { WireScript } from './script.js';
import { ScriptedTrial, type WireTrial } from './scripted-trial.js';

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

function checkCount(name: string, count: number | undefined): void {
  if (count === undefined || (Number.isSafeInteger(count) && count > 0)) return;
  throw new AssayError('INPUT', `${name} is ${count}.`, { fix: 'Write a whole number above 0.' });
}

/**
 * Starts the model server that replays scripts to any agent, in any language, over the protocols of the providers.
 * It accepts any key, looks at no version, and keeps no credential.
 * @throws AssayError `INPUT` for an option out of range, or a port that cannot be had
 */
export async function startScriptedServer(options: ScriptedServerOptions = {}): Promise<ScriptedServer> {
  checkCount('writeBytes', options.writeBytes);
  checkCount('largestBody', options.largestBody);
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
