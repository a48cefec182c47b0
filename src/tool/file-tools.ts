import type { JsonObject } from '../core/index.js';
import { ThreadPool, type PoolAnswer } from './thread-pool.js';
import type { Tool, ToolOutcome } from './tool.js';
import type { WorkspaceTool } from './workspace-calls.js';

/** Milliseconds one call may take: far more than any of them needs on a disk that works. */
const CALL_MS = 30_000;

const threads = new ThreadPool(new URL('../tool/workspace-thread.js', import.meta.url));

function isOutcome(value: unknown): value is ToolOutcome {
  return typeof value === 'object' && value !== null && 'ok' in value && 'text' in value;
}

function outcomeOf(name: string, answer: PoolAnswer): ToolOutcome {
  switch (answer.kind) {
    case 'answered':
      return isOutcome(answer.value) ? answer.value : { ok: false, text: `${name} gave no outcome` };
    case 'timeout':
      return { ok: false, text: `${name} was stopped after ${CALL_MS / 1000} s` };
    case 'stopped':
      return { ok: false, text: `${name} was stopped` };
    case 'died':
      return { ok: false, text: `${name} failed: ${answer.message}` };
  }
}

/**
 * A tool that works in the workspace. It runs in a thread, so that a disk that hangs holds neither the loop nor the
 * time limits of the trial.
 */
function workspaceTool(
  name: WorkspaceTool,
  description: string,
  properties: JsonObject,
  required: string[],
): Tool {
  return {
    name,
    description,
    parameters: { type: 'object', properties, required, additionalProperties: false },
    async execute(input, context): Promise<ToolOutcome> {
      const question = { name, root: context.workspace(), input };
      return outcomeOf(name, await threads.ask(question, CALL_MS, context.signal));
    },
  };
}

const text: JsonObject = { type: 'string' };
const path: JsonObject = { type: 'string', description: 'Path relative to the workspace.' };

/** The built-in workspace tools, by name. All are confined to the workspace; none starts a program. */
export const workspaceTools: ReadonlyMap<string, Tool> = new Map(
  [
    workspaceTool('file_read', 'Reads a text file of the workspace.', { path }, ['path']),
    workspaceTool(
      'file_write',
      'Writes a text file of the workspace, replacing what was there.',
      { path, content: text },
      ['path', 'content'],
    ),
    workspaceTool(
      'file_edit',
      'Replaces one occurrence of a text in a file; the text must occur exactly once.',
      { path, old_string: text, new_string: text },
      ['path', 'old_string', 'new_string'],
    ),
    workspaceTool(
      'glob_search',
      'Lists files of the workspace whose path matches a glob (** crosses directories).',
      { pattern: text },
      ['pattern'],
    ),
    workspaceTool(
      'content_search',
      'Finds lines that contain a text (exact, case-sensitive) in the files of the workspace.',
      { query: text, pattern: { type: 'string', description: 'Glob of the files to search.' } },
      ['query'],
    ),
  ].map((tool) => [tool.name, tool]),
);
