/** Tools: what the built-in loop can call. */
export type { Tool, ToolContext, ToolOutcome } from './tool.js';
export { echoTool } from './echo.js';
export { scrubCredentials } from './scrub.js';
export { workspaceTools } from './file-tools.js';
