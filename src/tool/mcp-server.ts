import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import {
  assayVersion,
  didYouMean,
  errorMessage,
  isDeniedTool,
  isMissingPackage,
  MCP_INSTALL,
  quote,
  type JsonObject,
  type JsonValue,
  type McpServer,
} from '../core/index.js';
import { ServerProcess } from './mcp-process.js';
import { argumentsOf, outcomeOfResult } from './mcp-result.js';
import { ToolSourceError } from './tool-source-error.js';
import type { Tool, ToolContext, ToolOutcome } from './tool.js';

/** Names that every provider takes. */
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const MOST_PAGES = 100;
/** Milliseconds that saying goodbye may take; ending a program has bounds of its own below that. */
const LEAVE_MS = 5000;
const REQUEST_TIMED_OUT = -32001;

/** What a server is started in. */
export interface ServerSurroundings {
  /** Absolute path of the trial's workspace. */
  workspace: string;
  /** The trial's environment, which a program gets. */
  environment: { [name: string]: string };
  /** Assay's own environment, from which named variables are passed on. */
  ownEnvironment: { readonly [name: string]: string | undefined };
  /** `loopback`: an address elsewhere is refused. */
  network: 'any' | 'loopback';
  signal: AbortSignal | null;
}

/** A server that runs, and its tools. */
export interface ConnectedServer {
  tools: Tool[];
  close(): Promise<void>;
}

interface Made {
  transport: Transport;
  process: ServerProcess | null;
  /** Says goodbye, where the protocol knows that. */
  leave: () => Promise<void>;
}

interface Protocol {
  client: Client;
  makeTransport: () => Made;
}

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

function variable(name: string, server: McpServer, surroundings: ServerSurroundings): string {
  const value = surroundings.ownEnvironment[name];
  if (value !== undefined && value !== '') return value;
  throw new ToolSourceError(
    `the MCP server ${quote(server.name)} needs the environment variable ${name}`,
    'set it',
  );
}

/** The package is looked for only when a suite names a server. */
async function loadProtocol(server: McpServer, surroundings: ServerSurroundings): Promise<Protocol> {
  const { transport } = server;
  try {
    const { Client: ProtocolClient } = await import('@modelcontextprotocol/sdk/client/index.js');
    const client = new ProtocolClient({ name: 'assay', version: assayVersion() }, { capabilities: {} });
    if (transport.type === 'url') {
      const { StreamableHTTPClientTransport } =
        await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
      const token = transport.tokenVariable;
      return {
        client,
        makeTransport: () => {
          const headers: { [name: string]: string } =
            token === null ? {} : { authorization: `Bearer ${variable(token, server, surroundings)}` };
          const made = new StreamableHTTPClientTransport(new URL(transport.url), {
            requestInit: { headers },
          });
          return { transport: made, process: null, leave: () => made.terminateSession() };
        },
      };
    }
    const codec = await import('@modelcontextprotocol/sdk/shared/stdio.js');
    return {
      client,
      makeTransport: () => {
        const child = new ServerProcess(programOf(transport, server, surroundings), codec);
        return { transport: child, process: child, leave: () => child.close() };
      },
    };
  } catch (error) {
    if (!isMissingPackage(error)) throw error;
    const message = `the MCP server ${quote(server.name)} needs the package @modelcontextprotocol/sdk`;
    throw new ToolSourceError(message, MCP_INSTALL, error);
  }
}

function programOf(
  transport: McpServer['transport'] & { type: 'command' },
  server: McpServer,
  surroundings: ServerSurroundings,
): ConstructorParameters<typeof ServerProcess>[0] {
  const { workspace, environment } = surroundings;
  const passed = transport.environment.map((name) => [name, variable(name, server, surroundings)] as const);
  return {
    command: transport.command.map((part) =>
      part
        .replaceAll('{{workspace}}', () => workspace)
        .replaceAll('{{suite}}', () => transport.suiteDirectory),
    ),
    environment: { ...environment, ...Object.fromEntries(passed) },
    directory: workspace,
  };
}

async function listTools(
  client: Client,
  options: { timeout: number; signal?: AbortSignal },
): Promise<ListedTool[]> {
  const listed: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await client.listTools(cursor === undefined ? {} : { cursor }, options);
    listed.push(...answer.tools);
    cursor = answer.nextCursor;
    if (cursor === undefined) break;
  }
  return listed;
}

/** The tools that are offered: those asked for, without any that run programs. */
function chosen(listed: readonly ListedTool[], server: McpServer): readonly ListedTool[] {
  const which = `the MCP server ${quote(server.name)}`;
  const names = listed.map((tool) => tool.name);
  for (const name of server.tools ?? []) {
    if (isDeniedTool(name))
      throw new ToolSourceError(`${which}: ${quote(name)} runs programs and is never granted`);
    if (names.includes(name)) continue;
    const meant = didYouMean(name, names);
    const fix = meant === null ? `it has ${names.join(', ') || 'none'}` : `did you mean ${meant}?`;
    throw new ToolSourceError(`${which} has no tool ${quote(name)}`, fix);
  }
  const wanted = listed.filter(({ name }) => !isDeniedTool(name) && (server.tools?.includes(name) ?? true));
  for (const { name } of wanted) {
    if (TOOL_NAME.test(name)) continue;
    throw new ToolSourceError(
      `${which} has a tool ${quote(name)}, a name that models do not take`,
      'leave it out with tools: [NAME, …]',
    );
  }
  return wanted;
}

/** One running server: its calls, and whether it still lives. */
class Connection {
  private readonly server: McpServer;
  private readonly client: Client;
  private readonly process: ServerProcess | null;

  constructor(server: McpServer, client: Client, process: ServerProcess | null) {
    this.server = server;
    this.client = client;
    this.process = process;
  }

  /** What to say of a failure that was not the tool's: how the program ended, else the error itself. */
  broken(doing: string, error: unknown): ToolSourceError {
    const how = this.process?.ending ?? errorMessage(error);
    return new ToolSourceError(
      `the MCP server ${quote(this.server.name)} failed while ${doing}: ${how}`,
      '',
      error,
    );
  }

  async call(name: string, input: JsonValue, context: ToolContext): Promise<ToolOutcome> {
    const given = argumentsOf(input);
    if (given === null) return { ok: false, text: `the arguments of ${name} must be an object` };
    const { callMs } = this.server;
    const doing = `it ran ${name}`;
    try {
      const result = await this.client.callTool({ name, arguments: given }, undefined, {
        timeout: callMs,
        maxTotalTimeout: callMs,
        ...(context.signal === null ? {} : { signal: context.signal }),
      });
      return outcomeOfResult(result);
    } catch (error) {
      if (context.signal?.aborted === true) return { ok: false, text: `${name} was stopped` };
      if (this.process !== null && this.process.ending !== null) throw this.broken(doing, error);
      const code = error instanceof Error && 'code' in error ? error.code : null;
      if (code === REQUEST_TIMED_OUT)
        return { ok: false, text: `${name} gave no answer in ${callMs / 1000} s` };
      // An error of the protocol itself is an answer; anything else means that nobody answered.
      if (error instanceof Error && error.name === 'McpError' && code !== -32000) {
        return { ok: false, text: error.message };
      }
      throw this.broken(doing, error);
    }
  }
}

/**
 * Starts a server (or goes to one that runs), and gives its tools.
 * @throws ToolSourceError when it cannot be had in time, or does not have what is asked for
 */
export async function connectServer(
  server: McpServer,
  surroundings: ServerSurroundings,
): Promise<ConnectedServer> {
  const { transport: where, startMs } = server;
  if (where.type === 'url' && surroundings.network === 'loopback' && !isLoopback(where.url)) {
    throw new ToolSourceError(
      `the MCP server ${quote(server.name)} is elsewhere (${new URL(where.url).host}); a replay uses no network`,
      'run it on this machine, or run the case in live mode',
    );
  }
  const { client, makeTransport } = await loadProtocol(server, surroundings);
  const { transport, process, leave } = makeTransport();
  const connection = new Connection(server, client, process);
  const close = async (): Promise<void> => {
    const late = wait(LEAVE_MS, undefined, { ref: false });
    await Promise.race([leave().catch(() => undefined), late]);
    await client.close().catch(() => undefined);
  };
  // One time limit for the start and the listing together.
  const late = AbortSignal.timeout(startMs);
  const signal = surroundings.signal === null ? late : AbortSignal.any([late, surroundings.signal]);
  const options = { timeout: startMs, signal };
  try {
    await client.connect(transport, options);
    const listed = await listTools(client, options);
    const tools = chosen(listed, server).map((tool): Tool => ({
      name: tool.name,
      description: tool.description ?? tool.name,
      parameters: schemaOf(tool),
      execute: (input, context) => connection.call(tool.name, input, context),
    }));
    return { tools, close };
  } catch (error) {
    await close();
    if (error instanceof ToolSourceError) throw error;
    if (late.aborted) {
      const said = `the MCP server ${quote(server.name)} was not ready after ${startMs / 1000} s`;
      throw new ToolSourceError(said, 'raise start_secs, or see what it waits for', error);
    }
    throw connection.broken('it started', error);
  }
}

function schemaOf(tool: ListedTool): JsonObject {
  const schema: JsonObject = JSON.parse(JSON.stringify(tool.inputSchema));
  return schema;
}
