import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { AssayError, isMissingPackage, MCP_INSTALL } from '../core/index.js';

/** The parts of the protocol's package that a server needs. */
export interface Protocol {
  McpServer: typeof McpServer;
  StdioServerTransport: typeof StdioServerTransport;
  StreamableHTTPServerTransport: typeof StreamableHTTPServerTransport;
  CallToolRequestSchema: typeof CallToolRequestSchema;
  ListToolsRequestSchema: typeof ListToolsRequestSchema;
}

/** Loads the protocol's package, which is optional. Throws AssayError `INPUT` with what to install. */
export async function loadProtocol(): Promise<Protocol> {
  try {
    const [server, stdio, http, types] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/mcp.js'),
      import('@modelcontextprotocol/sdk/server/stdio.js'),
      import('@modelcontextprotocol/sdk/server/streamableHttp.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ]);
    return {
      McpServer: server.McpServer,
      StdioServerTransport: stdio.StdioServerTransport,
      StreamableHTTPServerTransport: http.StreamableHTTPServerTransport,
      CallToolRequestSchema: types.CallToolRequestSchema,
      ListToolsRequestSchema: types.ListToolsRequestSchema,
    };
  } catch (error) {
    if (!isMissingPackage(error)) throw error;
    throw new AssayError('INPUT', 'assay mcp needs the package @modelcontextprotocol/sdk', {
      fix: MCP_INSTALL,
      cause: error,
    });
  }
}
