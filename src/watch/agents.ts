import { homedir } from 'node:os';
import { join } from 'node:path';
import { AssayError, isAgentPreset, quote, type JsonObject } from '../core/index.js';
import type { Environment } from '../model/index.js';

/** Agents whose hooks tell of edited files. */
export const HOOK_AGENTS = ['claude-code', 'codex', 'gemini'] as const;

/** Name of such an agent. */
export type HookAgentName = (typeof HOOK_AGENTS)[number];

/** Whose settings a hook is put into: this project's here, this project's for everybody, or the user's. */
export const HOOK_SCOPES = ['local', 'project', 'user'] as const;

/** Whose settings a hook is put into. */
export type HookScope = (typeof HOOK_SCOPES)[number];

/** What must be known of an agent to give it a hook. */
export interface HookAgent {
  name: HookAgentName;
  /** How people call it. */
  title: string;
  /** Name of the event after a tool was used. */
  event: string;
  /** Scopes it has, the usual one first. */
  scopes: readonly [HookScope, ...HookScope[]];
  /** Its settings file, absolute. */
  file(scope: HookScope, project: string, environment: Environment): string;
  /** What stands in the list of the event. */
  group(command: string): JsonObject;
  /** The payload of an edit, for a probe. */
  payload(edit: { path: string; cwd: string }): JsonObject;
  /** Said after an install; '' for nothing. */
  remark: string;
}

/** Seconds after which an agent may give the hook up; it takes a fraction of one. */
const TIMEOUT_S = 30;

function homeOf(environment: Environment): string {
  return environment['HOME'] ?? environment['USERPROFILE'] ?? homedir();
}

function written(environment: Environment, name: string): string | null {
  const value = environment[name] ?? '';
  return value === '' ? null : value;
}

const CLAUDE: HookAgent = {
  name: 'claude-code',
  title: 'Claude Code',
  event: 'PostToolUse',
  scopes: ['local', 'project', 'user'],
  file(scope, project, environment) {
    if (scope === 'user') {
      const own = written(environment, 'CLAUDE_CONFIG_DIR') ?? join(homeOf(environment), '.claude');
      return join(own, 'settings.json');
    }
    return join(project, '.claude', scope === 'local' ? 'settings.local.json' : 'settings.json');
  },
  group: (command) => ({
    matcher: 'Write|Edit|MultiEdit|NotebookEdit',
    hooks: [{ type: 'command', command, timeout: TIMEOUT_S }],
  }),
  payload: ({ path, cwd }) => ({
    session_id: 'assay-hook-doctor',
    cwd,
    hook_event_name: 'PostToolUse',
    tool_name: 'Edit',
    tool_input: { file_path: path, old_string: 'a', new_string: 'b' },
    tool_response: { filePath: path },
  }),
  remark: 'Sessions that run already may have to be started again to see it.',
};

const CODEX: HookAgent = {
  name: 'codex',
  title: 'Codex',
  event: 'PostToolUse',
  scopes: ['project', 'user'],
  file(scope, project, environment) {
    const user = written(environment, 'CODEX_HOME') ?? join(homeOf(environment), '.codex');
    return join(scope === 'user' ? user : join(project, '.codex'), 'hooks.json');
  },
  group: (command) => ({
    matcher: 'apply_patch|Edit|Write',
    hooks: [{ type: 'command', command, timeout: TIMEOUT_S }],
  }),
  payload: ({ path, cwd }) => ({
    session_id: 'assay-hook-doctor',
    turn_id: 'probe',
    transcript_path: null,
    cwd,
    hook_event_name: 'PostToolUse',
    model: 'none',
    permission_mode: 'default',
    tool_name: 'apply_patch',
    tool_input: { command: `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch\n` },
    tool_response: '',
    tool_use_id: 'probe',
  }),
  remark: 'Codex runs a new hook only after you have trusted it: start codex and open /hooks.',
};

const GEMINI: HookAgent = {
  name: 'gemini',
  title: 'Gemini CLI',
  event: 'AfterTool',
  scopes: ['project', 'user'],
  file(scope, project, environment) {
    const user = written(environment, 'GEMINI_CLI_HOME') ?? homeOf(environment);
    return join(scope === 'user' ? user : project, '.gemini', 'settings.json');
  },
  group: (command) => ({
    matcher: 'write_file|replace',
    hooks: [{ name: 'assay', type: 'command', command, timeout: TIMEOUT_S * 1000 }],
  }),
  payload: ({ path, cwd }) => ({
    session_id: 'assay-hook-doctor',
    transcript_path: '',
    cwd,
    hook_event_name: 'AfterTool',
    timestamp: '1970-01-01T00:00:00.000Z',
    tool_name: 'write_file',
    tool_input: { file_path: path, content: 'b' },
    tool_response: { llmContent: '' },
  }),
  remark: 'Sessions that run already must be started again to see it.',
};

const AGENTS: { [Name in HookAgentName]: HookAgent } = {
  'claude-code': CLAUDE,
  codex: CODEX,
  gemini: GEMINI,
};

function isHookAgent(name: string): name is HookAgentName {
  return HOOK_AGENTS.some((one) => one === name);
}

/**
 * The agent of a name; `claude` and `gemini-cli` are understood too.
 * @throws AssayError `USAGE` for an agent without such a hook
 */
export function hookAgent(name: string): HookAgent {
  const meant = name === 'claude' ? 'claude-code' : name === 'gemini-cli' ? 'gemini' : name;
  if (isHookAgent(meant)) return AGENTS[meant];
  const known = isAgentPreset(meant);
  throw new AssayError(
    'USAGE',
    known
      ? `Assay knows no hook of ${meant} that tells a program which file was edited`
      : `${quote(name)} is no agent that Assay can give a hook`,
    {
      fix: `hooks can be installed for ${HOOK_AGENTS.join(', ')}; assay watch sees the edits of every program`,
    },
  );
}

/**
 * The scope to use for an agent.
 * @throws AssayError `USAGE` for a scope that the agent does not have
 */
export function hookScope(agent: HookAgent, wanted: HookScope | undefined): HookScope {
  if (wanted === undefined) return agent.scopes[0];
  if (agent.scopes.includes(wanted)) return wanted;
  throw new AssayError('USAGE', `${agent.title} has no ${wanted} settings`, {
    fix: `write --scope ${agent.scopes.join(' or --scope ')}`,
  });
}
