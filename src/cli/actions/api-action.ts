import { loadConfig } from '../../config/index.js';
import { AssayError, errorMessage, systemSource } from '../../core/index.js';
import { serveEvals, type EvalsApi } from '../../view/index.js';
import type { ApiFlags } from '../commands/api.js';
import { storeRoot } from '../run-store.js';
import { note, say } from '../streams.js';
import { untilStopped } from '../watch-context.js';

function originOf(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text).origin;
  throw new AssayError('USAGE', `${text} is not the origin of a page`, {
    fix: 'write one such as http://127.0.0.1:5173; all pages at once are not allowed',
  });
}

async function served(flags: ApiFlags, root: string): Promise<EvalsApi> {
  const { port, allowOrigin = [] } = flags;
  const allowOrigins = allowOrigin.map(originOf);
  try {
    return await serveEvals({ port, storeRoot: root, allowOrigins, source: systemSource() });
  } catch (error) {
    throw new AssayError('INPUT', `port ${port} cannot be used: ${errorMessage(error)}`, {
      fix: 'name another with --port, or 0 for any free one',
    });
  }
}

/** `assay api`. */
export async function apiAction(flags: ApiFlags): Promise<void> {
  const loaded = await loadConfig(process.cwd(), flags.config);
  const { signal, release } = untilStopped();
  const api = await served(flags, storeRoot(loaded));
  if (flags.json === true) say(JSON.stringify({ type: 'ready', url: api.url }));
  else say(api.url);
  note('Ctrl-C ends it');
  await new Promise<void>((done) => {
    if (signal.aborted) done();
    signal.addEventListener('abort', () => done(), { once: true });
  });
  await api.close();
  release();
}
