import { z } from 'zod';
import {
  BUILT_IN_TOOLS,
  didYouMean,
  isBuiltInTool,
  isDeniedTool,
  type KeyPath,
  type McpServer,
  type ToolSource,
} from '../core/index.js';
import { text } from './assertion-text.js';
import type { RuleProblem } from './document.js';

const START_SECONDS = 30;
const CALL_SECONDS = 60;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

const variable = z.string().regex(VARIABLE, { error: 'is not the name of an environment variable' });

const mcpServer = z.strictObject({
  name: text.optional().describe('What messages and receipts call the server; mcp when absent.'),
  command: z
    .array(text)
    .min(1)
    .optional()
    .describe(
      'Program and arguments, started in the workspace without a shell; {{workspace}} and {{suite}} are known.',
    ),
  environment: z.array(variable).optional().describe('Variables that are passed on to the program, by name.'),
  url: text.optional().describe('Address of a server that runs already (streamable HTTP).'),
  token: z
    .strictObject({ environment: variable })
    .optional()
    .describe('Environment variable that holds the bearer token for the address.'),
  tools: z.array(text).min(1).optional().describe('Which of its tools are offered; all when absent.'),
  start_secs: z.number().positive().max(600).default(START_SECONDS),
  call_secs: z.number().positive().max(3600).default(CALL_SECONDS),
});

/** One entry of `agent.loop.tools`. */
export const loopToolSchema = z.union([
  text,
  z.strictObject({ mcp: mcpServer.describe('Tools of a server of the Model Context Protocol.') }),
]);

type WrittenTool = z.output<typeof loopToolSchema>;
type WrittenServer = z.output<typeof mcpServer>;

function nameProblem(name: string, path: KeyPath): RuleProblem | null {
  if (name.trim() === '') return { path, message: 'must not be blank', fix: 'write the name of a tool' };
  if (isBuiltInTool(name)) return null;
  if (isDeniedTool(name)) {
    return {
      path,
      message: `${JSON.stringify(name)} runs programs; no loop is ever given such a tool`,
      fix: 'remove it; an agent that needs a shell is run as agent: { command: […] }',
    };
  }
  const meant = didYouMean(name, BUILT_IN_TOOLS);
  return {
    path,
    message: `there is no tool ${JSON.stringify(name)}`,
    fix:
      meant === null ? `write one of ${BUILT_IN_TOOLS.join(', ')}, or { mcp: … }` : `did you mean ${meant}?`,
  };
}

function transportOf(
  server: WrittenServer,
  path: KeyPath,
  suiteDirectory: string,
  problems: RuleProblem[],
): McpServer['transport'] | null {
  const { command, url } = server;
  const refuse = (inner: KeyPath, message: string, fix: string): null => {
    problems.push({ path: [...path, ...inner], message, fix });
    return null;
  };
  if ((command === undefined) === (url === undefined)) {
    return refuse(
      [],
      command === undefined ? 'names neither a command nor a url' : 'names a command and a url',
      'write command: [program, argument, …] or url: http://…, one of the two',
    );
  }
  if (command !== undefined) {
    if (server.token !== undefined) {
      return refuse(['token'], 'belongs to a url', 'pass a variable on with environment: [NAME]');
    }
    if (command[0]?.trim() === '')
      return refuse(['command', 0], 'must not be blank', 'write the program to start');
    return { type: 'command', command, environment: server.environment ?? [], suiteDirectory };
  }
  if (server.environment !== undefined) {
    return refuse(['environment'], 'belongs to a command', 'give a token with token: { environment: NAME }');
  }
  const address = URL.canParse(url ?? '') ? new URL(url ?? '') : null;
  if (address === null || !/^https?:$/.test(address.protocol)) {
    return refuse(
      ['url'],
      `${JSON.stringify(url)} is not an address of a web server`,
      'write a URL that begins with http:// or https://',
    );
  }
  if (address.username !== '' || address.password !== '') {
    return refuse(['url'], 'must not carry a user name or password', 'use token: { environment: NAME }');
  }
  return { type: 'url', url: address.href, tokenVariable: server.token?.environment ?? null };
}

/** Admits the tools of a loop, none of them for an empty list; what is wrong is noted. */
export function compileLoopTools(
  written: readonly WrittenTool[],
  path: KeyPath,
  suiteDirectory: string,
  problems: RuleProblem[],
): ToolSource[] {
  const seen = new Set<string>();
  return written.flatMap((entry, index): ToolSource[] => {
    const place = [...path, index];
    const name = typeof entry === 'string' ? entry : `mcp:${entry.mcp.name ?? 'mcp'}`;
    if (seen.has(name)) {
      const fix = typeof entry === 'string' ? 'remove one of the two' : 'give each server a name of its own';
      problems.push({ path: place, message: `${name} is listed twice`, fix });
    }
    seen.add(name);
    if (typeof entry === 'string') {
      const problem = nameProblem(entry, place);
      if (problem !== null) problems.push(problem);
      return [entry];
    }
    const server = entry.mcp;
    const transport = transportOf(server, [...place, 'mcp'], suiteDirectory, problems);
    if (transport === null) return [];
    return [
      {
        name: server.name ?? 'mcp',
        transport,
        tools: server.tools ?? null,
        startMs: server.start_secs * 1000,
        callMs: server.call_secs * 1000,
      },
    ];
  });
}

/** Tools as hashes name them: the same for every machine. */
export function portableTools(tools: readonly ToolSource[]): ToolSource[] {
  return tools.map((source) =>
    typeof source === 'string' || source.transport.type === 'url'
      ? source
      : { ...source, transport: { ...source.transport, suiteDirectory: '' } },
  );
}
