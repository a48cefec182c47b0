import type { JsonValue } from '../core/index.js';
import { threadPort } from '../thread/index.js';
import { callWorkspaceTool, type WorkspaceTool } from './workspace-calls.js';

/** What a file thread is asked. */
export interface WorkspaceQuestion {
  name: WorkspaceTool;
  root: string;
  input: JsonValue;
}

// Only the pool beside this file sends messages to the thread.
const port = threadPort();
port.onMessage((message) => {
  const { name, root, input } = message as WorkspaceQuestion;
  port.send(callWorkspaceTool(name, root, input));
});
