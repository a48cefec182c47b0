/** Names of the tools that come with Assay. `echo` gives its message back; the others work in the trial's workspace. */
export const BUILT_IN_TOOLS = [
  'echo',
  'file_read',
  'file_write',
  'file_edit',
  'glob_search',
  'content_search',
] as const;

/** Name of a tool that comes with Assay. */
export type BuiltInTool = (typeof BUILT_IN_TOOLS)[number];

/** True for the name of a tool that comes with Assay. */
export function isBuiltInTool(name: string): name is BuiltInTool {
  return BUILT_IN_TOOLS.some((tool) => tool === name);
}

// What the output of a program holds goes to a provider, and nothing here limits what a program can read.
const RUNS_PROGRAMS: ReadonlySet<string> = new Set([
  'bash',
  'cmd',
  'codeexecution',
  'command',
  'exec',
  'execcommand',
  'execute',
  'executecommand',
  'localshell',
  'powershell',
  'process',
  'python',
  'pwsh',
  'run',
  'runcommand',
  'runprogram',
  'runscript',
  'runshellcommand',
  'runterminalcmd',
  'runterminalcommand',
  'sh',
  'shell',
  'spawn',
  'terminal',
  'unifiedexec',
  'zsh',
]);

/** True for a tool that runs programs, by its name in any spelling: it is denied whatever a case or configuration says. */
export function isDeniedTool(name: string): boolean {
  return RUNS_PROGRAMS.has(name.toLowerCase().replace(/[^a-z0-9]/g, ''));
}

/** A server of the Model Context Protocol whose tools the built-in loop offers. */
export interface McpServer {
  /** What messages and receipts call it; unique in its agent. */
  name: string;
  /** How it is reached: a program to start in the workspace, without a shell, or the address of one that runs. */
  transport:
    | {
        type: 'command';
        /** `{{workspace}}` and `{{suite}}` in it stand for the trial's workspace and the suite's directory. */
        command: string[];
        /** Names of variables of Assay's own environment that are passed on. */
        environment: string[];
        /** Absolute; what `{{suite}}` stands for. */
        suiteDirectory: string;
      }
    | {
        type: 'url';
        url: string;
        /** Name of the environment variable that holds its bearer token; null when it needs none. */
        tokenVariable: string | null;
      };
  /** Which of its tools are offered; null for all of them. */
  tools: string[] | null;
  /** Milliseconds it may take to start and to list its tools. */
  startMs: number;
  /** Milliseconds one call may take. */
  callMs: number;
}

/** Something a loop can call: a tool that comes with Assay, by name, or the tools of a server. */
export type ToolSource = string | McpServer;
