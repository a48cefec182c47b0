import type { Command } from 'commander';
import { wholeNumber } from '../values.js';

/** Options of `assay mcp`. */
export interface McpFlags {
  http?: boolean;
  port: number;
  config?: string;
}

const EXPLAINED = `
Over stdio, stdout carries the protocol alone, and the server ends with its input. With --http it prints its address,
serves 127.0.0.1 alone, and refuses other hosts and origins; with ASSAY_MCP_TOKEN set, clients must send it as a bearer
token. Needs the package @modelcontextprotocol/sdk. docs/mcp.md lists the tools.

Example:
  claude mcp add assay -- assay mcp`;

/** Adds `assay mcp`. */
export function addMcp(program: Command): void {
  program
    .command('mcp')
    .description('serve suites, runs and drafts to agents over the Model Context Protocol')
    .option('--http', 'over streamable HTTP on the loopback address, instead of stdio')
    .option('--port <n>', 'with --http: port on 127.0.0.1; 0 for any free one', wholeNumber, 0)
    .option('--config <file>', 'configuration file')
    .addHelpText('after', EXPLAINED)
    .action(async (flags: McpFlags) => {
      const { mcpAction } = await import('../actions/mcp-action.js');
      await mcpAction(flags);
    });
}
