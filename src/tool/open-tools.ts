import { isBuiltInTool, quote, type BuiltInTool, type ToolSource } from '../core/index.js';
import { echoTool } from './echo.js';
import { workspaceTools } from './file-tools.js';
import { connectServer, type ConnectedServer, type ServerSurroundings } from './mcp-server.js';
import { ToolSourceError } from './tool-source-error.js';
import type { Tool } from './tool.js';

/** The tools of one trial, ready to be called. */
export interface OpenedTools {
  tools: Tool[];
  /** Ends what was started for them. */
  close(): Promise<void>;
}

/** A tool that comes with Assay. */
export function builtInTool(name: BuiltInTool): Tool {
  const tool = name === 'echo' ? echoTool : workspaceTools.get(name);
  if (tool === undefined) throw new Error(`the tool ${name} is named and not there`);
  return tool;
}

/**
 * Makes the tools of one trial ready: those that come with Assay, and those of servers, which are started. A name that
 * nothing answers to is left out.
 * @throws ToolSourceError when a server cannot be had, or two tools have one name
 */
export async function openTools(
  sources: readonly ToolSource[],
  surroundings: ServerSurroundings,
): Promise<OpenedTools> {
  const tools: Tool[] = [];
  const servers: ConnectedServer[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.close()));
  };
  try {
    for (const source of sources) {
      if (typeof source === 'string') {
        if (isBuiltInTool(source)) tools.push(builtInTool(source));
        continue;
      }
      const server = await connectServer(source, surroundings);
      servers.push(server);
      tools.push(...server.tools);
    }
    const names = new Set<string>();
    for (const { name } of tools) {
      if (names.has(name)) {
        throw new ToolSourceError(
          `two tools are called ${quote(name)}`,
          'leave one out with tools: [NAME, …]',
        );
      }
      names.add(name);
    }
    return { tools, close };
  } catch (error) {
    await close();
    throw error;
  }
}
