import type { Case } from '../suite/index.js';
import type { Exchange, ScriptedServer, WireTrial } from '../wire/index.js';
import type { ScriptPlaces } from './wire-script.js';

/** How the script of a case is served by itself. */
export interface ServeOptions {
  /** 0 for any free port. */
  port: number;
  /** Sends every answer that many bytes at a time. */
  writeBytes?: number;
  /** What `{{workspace}}` and `{{home}}` in the script stand for. */
  places: ScriptPlaces;
  onExchange: (exchange: Exchange) => void;
}

/**
 * Serves the script of one case, for an agent that is run by hand.
 * @throws AssayError when the port cannot be had or the script cannot be played
 */
export async function serveCase(
  tested: Case,
  options: ServeOptions,
): Promise<{ server: ScriptedServer; trial: WireTrial }> {
  const [{ startScriptedServer }, { wireScript }] = await Promise.all([
    import('../wire/index.js'),
    import('./wire-script.js'),
  ]);
  const script = wireScript(tested, options.places);
  const server = await startScriptedServer({
    port: options.port,
    ...(options.writeBytes === undefined ? {} : { writeBytes: options.writeBytes }),
    onExchange: (_trial, exchange) => options.onExchange(exchange),
  });
  try {
    return { server, trial: server.openTrial({ id: tested.id, script }) };
  } catch (error) {
    await server.close();
    throw error;
  }
}
