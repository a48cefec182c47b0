import type { Protocol } from './script.js';

/** What a tool is for, whatever an agent calls it. A fixture writes `@shell` and `@write`. */
export const TOOL_ROLES = ['shell', 'write'] as const;

/** What a tool is for. `shell` takes `command`, `write` takes `path` and `content`. */
export type ToolRole = (typeof TOOL_ROLES)[number];

/** An agent's own tool for a role: its name, and its own names for the arguments of the role. */
export interface RoleTool {
  tool: string;
  /** Argument of the role to argument of the tool. */
  arguments: { [name: string]: string };
  /** Arguments that the tool requires besides. */
  fixed?: { [name: string]: string };
}

/** What a fixture must know of a well-known agent: how it may be spoken to, and what its tools are called. */
export interface PresetFacts {
  /** Protocols it speaks, the usual one first. */
  protocols: readonly [Protocol, ...Protocol[]];
  tools: { [Role in ToolRole]?: RoleTool };
}

const COMMAND = { command: 'command' };

/** The well-known agents, by the name a suite gives them. */
export const AGENT_PRESETS = {
  'claude-code': {
    protocols: ['anthropic'],
    tools: {
      shell: { tool: 'Bash', arguments: COMMAND },
      write: { tool: 'Write', arguments: { path: 'file_path', content: 'content' } },
    },
  },
  codex: {
    protocols: ['openai-responses'],
    tools: { shell: { tool: 'exec_command', arguments: { command: 'cmd' } } },
  },
  pi: {
    protocols: ['anthropic', 'openai-chat', 'openai-responses', 'gemini'],
    tools: {
      shell: { tool: 'bash', arguments: COMMAND },
      write: { tool: 'write', arguments: { path: 'path', content: 'content' } },
    },
  },
  opencode: {
    protocols: ['openai-chat', 'openai-responses', 'anthropic'],
    tools: {
      shell: { tool: 'bash', arguments: COMMAND },
      write: { tool: 'write', arguments: { path: 'filePath', content: 'content' } },
    },
  },
  'gemini-cli': {
    protocols: ['gemini'],
    tools: {
      shell: { tool: 'run_shell_command', arguments: COMMAND },
      write: { tool: 'write_file', arguments: { path: 'file_path', content: 'content' } },
    },
  },
  'qwen-code': {
    protocols: ['openai-chat'],
    tools: {
      shell: { tool: 'run_shell_command', arguments: COMMAND },
      write: { tool: 'write_file', arguments: { path: 'file_path', content: 'content' } },
    },
  },
  copilot: {
    protocols: ['openai-chat', 'openai-responses', 'anthropic'],
    tools: {
      shell: { tool: 'bash', arguments: COMMAND, fixed: { description: 'Run a command' } },
      write: { tool: 'create', arguments: { path: 'path', content: 'file_text' } },
    },
  },
  continue: {
    protocols: ['openai-chat'],
    tools: {
      shell: { tool: 'Bash', arguments: COMMAND },
      write: { tool: 'Write', arguments: { path: 'filepath', content: 'content' } },
    },
  },
} as const satisfies { [name: string]: PresetFacts };

/** Name of a well-known agent. */
export type AgentPreset = keyof typeof AGENT_PRESETS;

/** True for the name of a well-known agent. */
export function isAgentPreset(name: string): name is AgentPreset {
  return Object.hasOwn(AGENT_PRESETS, name);
}

/** What is known of a well-known agent. */
export function presetFacts(preset: AgentPreset): PresetFacts {
  return AGENT_PRESETS[preset];
}

/** What `{{…}}` may stand for in the command, the environment and the input of an agent. */
export const AGENT_PLACEHOLDERS = [
  'model_url',
  'model_base',
  'workspace',
  'home',
  'prompt',
  'suite',
] as const;

/** What a placeholder of an agent stands for. */
export type AgentPlaceholder = (typeof AGENT_PLACEHOLDERS)[number];
