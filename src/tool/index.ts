/** Tools: what the built-in loop can call. */
export type { Tool, ToolContext, ToolOutcome } from './tool.js';
export { echoTool } from './echo.js';
export { scrubCredentials, TRIGGER as CREDENTIAL_TRIGGER } from './scrub.js';
export { workspaceTools } from './file-tools.js';
export { builtInTool, openTools, type OpenedTools } from './open-tools.js';
export type { ServerSurroundings } from './mcp-server.js';
export { ToolSourceError } from './tool-source-error.js';
