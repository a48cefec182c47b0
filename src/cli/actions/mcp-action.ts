import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import { loadConfig } from '../../config/index.js';
import { AssayError, systemSource } from '../../core/index.js';
import { serveHttp, serveStdio, type Surroundings } from '../../mcp/index.js';
import { suiteRoots } from '../open-suites.js';
import { projectRoot } from '../project-root.js';
import { storeRoot } from '../run-store.js';
import type { McpFlags } from '../commands/mcp.js';
import { note, say, writeOut } from '../streams.js';
import { assayCommand } from '../this-program.js';

/** Fires on Ctrl-C or a polite end. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stop.abort());
  return stop.signal;
}

async function surroundingsOf(flags: McpFlags): Promise<Surroundings> {
  const cwd = process.cwd();
  const loaded = await loadConfig(cwd, flags.config);
  const { userDir, projectDirs, bundledDir } = suiteRoots(loaded);
  return {
    program: assayCommand(),
    common: flags.config === undefined ? [] : [`--config=${resolve(cwd, flags.config)}`],
    directory: cwd,
    modelDirectory: loaded.file === null ? cwd : loaded.root,
    store: storeRoot(loaded),
    roots: [projectRoot(loaded, cwd), userDir, ...projectDirs, bundledDir].filter((root) => root !== null),
    environment: process.env,
    source: systemSource(),
    note,
  };
}

/** `assay mcp`. */
export async function mcpAction(flags: McpFlags): Promise<void> {
  if (flags.http !== true && flags.port !== 0) {
    throw new AssayError('USAGE', '--port belongs to --http', { fix: 'add --http, or leave --port out' });
  }
  const stop = stopSignal();
  const surroundings = await surroundingsOf(flags);
  if (flags.http !== true) {
    const output = new Writable({
      decodeStrings: false,
      write(text: string, _, done) {
        writeOut(text);
        done();
      },
    });
    await serveStdio(surroundings, output, stop);
    return;
  }
  const token = process.env['ASSAY_MCP_TOKEN'] ?? '';
  const server = await serveHttp(surroundings, { port: flags.port, token: token === '' ? null : token });
  say(server.url);
  await new Promise<void>((done) => {
    if (stop.aborted) done();
    stop.addEventListener('abort', () => done(), { once: true });
  });
  await server.close();
}
