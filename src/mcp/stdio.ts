import type { Writable } from 'node:stream';
import { loadProtocol } from './protocol.js';
import { Runs } from './runs.js';
import { makeServer } from './server.js';
import type { Surroundings } from './surroundings.js';

/**
 * Serves one client over standard input and output, until its input ends, the connection breaks or `stop` fires. Runs
 * that are under way then are stopped; what they finished is kept.
 * @param output where the protocol goes: standard output, to which nothing else may write
 * @throws AssayError `INPUT` when the protocol's package is not installed
 */
export async function serveStdio(
  surroundings: Surroundings,
  output: Writable,
  stop: AbortSignal,
): Promise<void> {
  const protocol = await loadProtocol();
  const runs = new Runs(surroundings);
  const made = makeServer(protocol, surroundings, runs);
  const gone = new Promise<void>((resolve) => {
    Object.assign(made.server, { onclose: resolve });
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    if (stop.aborted) resolve();
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  await made.connect(new protocol.StdioServerTransport(process.stdin, output));
  await gone;
  await runs.close();
  await made.close();
}
