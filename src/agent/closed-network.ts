import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, runProgram } from '../model/index.js';

/** What keeps an agent from the network: a namespace with nothing but loopback, or addresses that lead nowhere. */
export type NetworkState = 'namespace' | 'proxies' | 'open';

/** A way to start programs that reach one address on this machine and, as far as it goes, nothing else. */
export interface ClosedNetwork {
  readonly state: NetworkState;
  /** Variables that such a program needs. */
  readonly environment: { readonly [name: string]: string };
  /** The program to start instead. */
  wrap(program: string, words: readonly string[]): { program: string; arguments: string[] };
  close(): Promise<void>;
}

/** Nothing listens on the discard port, so that whatever is sent there is refused at once. */
const NOWHERE = 'http://127.0.0.1:9';

const PROXIES: { readonly [name: string]: string } = {
  HTTP_PROXY: NOWHERE,
  HTTPS_PROXY: NOWHERE,
  ALL_PROXY: NOWHERE,
  http_proxy: NOWHERE,
  https_proxy: NOWHERE,
  all_proxy: NOWHERE,
  NO_PROXY: '127.0.0.1,localhost,::1',
  no_proxy: '127.0.0.1,localhost,::1',
};

/**
 * Runs inside the namespace: brings loopback up, listens at the server's own address, and passes every connection on
 * over a socket file, which is the only thing both sides can reach. Then it starts the agent and ends as the agent does.
 */
const BRIDGE = `
const net = require('node:net');
const { spawn, spawnSync } = require('node:child_process');
const [ip, socket, port, program, ...words] = process.argv.slice(1);
spawnSync(ip, ['link', 'set', 'lo', 'up']);
const server = net.createServer({ allowHalfOpen: true }, (inner) => {
  const outer = net.connect({ path: socket, allowHalfOpen: true });
  inner.on('error', () => outer.destroy());
  outer.on('error', () => inner.destroy());
  inner.on('close', () => outer.destroy());
  outer.on('close', () => inner.destroy());
  inner.pipe(outer);
  outer.pipe(inner);
});
server.listen(Number(port), '127.0.0.1', () => {
  const child = spawn(program, words, { stdio: 'inherit' });
  child.on('error', (error) => { console.error(error.message); process.exit(127); });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.kill(process.pid, signal === 'SIGKILL' ? 'SIGKILL' : 'SIGTERM');
  });
});
process.on('SIGTERM', () => {});
`;

interface Tools {
  unshare: string;
  flags: string[];
  ip: string;
}

async function findTools(): Promise<Tools | null> {
  if (process.platform !== 'linux') return null;
  const environment = { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin:/usr/bin:/bin` };
  const unshare = await findProgram('unshare', environment);
  const ip = await findProgram('ip', environment);
  if (unshare === null || ip === null) return null;
  for (const flags of [['--net'], ['--net', '--map-root-user']]) {
    const tried = await runProgram({
      program: unshare,
      arguments: [...flags, ip, 'link', 'set', 'lo', 'up'],
      environment: {},
      directory: tmpdir(),
      input: '',
    });
    if (tried.ending === 'exited' && tried.code === 0) return { unshare, flags, ip };
  }
  return null;
}

let tools: Promise<Tools | null> | null = null;

/** Joins two sockets until both have ended. */
function joinSockets(left: Socket, right: Socket): void {
  left.on('error', () => right.destroy());
  right.on('error', () => left.destroy());
  left.on('close', () => right.destroy());
  right.on('close', () => left.destroy());
  left.pipe(right);
  right.pipe(left);
}

async function listenAt(path: string, port: number, open: Set<Socket>): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const inner = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    for (const each of [socket, inner]) {
      open.add(each);
      each.once('close', () => open.delete(each));
    }
    joinSockets(socket, inner);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => resolve());
  });
  return server;
}

/**
 * Closes the network for programs: where the machine allows it, by a network namespace that holds loopback only and
 * one way to `url`; else by proxies that lead nowhere.
 * @param url `http://127.0.0.1:PORT`, the one address that stays reachable; null for none
 */
export async function closeNetwork(url: string | null): Promise<ClosedNetwork> {
  tools ??= findTools();
  const found = await tools;
  const proxies: ClosedNetwork = {
    state: 'proxies',
    environment: PROXIES,
    wrap: (program, words) => ({ program, arguments: [...words] }),
    close: () => Promise.resolve(),
  };
  if (found === null || url === null) return proxies;
  const directory = mkdtempSync(join(tmpdir(), 'assay-net-'));
  const path = join(directory, 'model');
  const { port } = new URL(url);
  const open = new Set<Socket>();
  const server = await listenAt(path, Number(port), open);
  server.unref();
  return {
    state: 'namespace',
    environment: PROXIES,
    wrap: (program, words) => ({
      program: found.unshare,
      arguments: [
        ...found.flags,
        process.execPath,
        '-e',
        BRIDGE,
        '--',
        found.ip,
        path,
        port,
        program,
        ...words,
      ],
    }),
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => {
          rmSync(directory, { recursive: true, force: true });
          resolve();
        });
      }),
  };
}

/** The network as it is. */
export const OPEN_NETWORK: ClosedNetwork = {
  state: 'open',
  environment: {},
  wrap: (program, words) => ({ program, arguments: [...words] }),
  close: () => Promise.resolve(),
};
