import { isBuiltInTool, isDeniedTool, type ToolSource, type ToolSurface } from '../core/index.js';
import type { AgentSpec, Case } from '../suite/index.js';

/** The built-in loop as an agent. */
export type LoopAgent = Extract<AgentSpec, { type: 'loop' }>;

/** What receipts and allowlists call a source of tools. */
export function sourceName(source: ToolSource): string {
  return typeof source === 'string' ? source : `mcp:${source.name}`;
}

/** The surface of a loop whose tools are granted as they are named. What servers offer is known once they run. */
export function namedSurface(tools: readonly ToolSource[]): ToolSurface {
  const names = tools.map(sourceName).toSorted();
  const registered = tools.filter((source) => typeof source === 'string').toSorted();
  return { requested: names, effective: names, registered };
}

/** The tools of one live trial: what its receipt says of them, and where they come from. */
export interface GrantedTools {
  surface: ToolSurface;
  sources: ToolSource[];
}

/** What live runs may grant. */
export interface Allowlist {
  /** Names of tools, and `mcp:NAME` for servers, in the order in which they are granted. */
  names: readonly string[];
  /**
   * Whether somebody wrote the list. A list nobody wrote grants a fixture's `tools` nothing, as in the reference; it
   * does not stand against the tools that an `agent` names, which were written to be had.
   */
  written: boolean;
}

/**
 * The tools a live case is granted: what the allowlist and the case both name, without what runs programs. With nothing
 * left there is `echo`, which touches nothing. Names that nothing answers to are dropped at last.
 */
export function grantTools(tested: Case, agent: LoopAgent, allowlist: Allowlist): GrantedTools {
  const offered: readonly ToolSource[] = agent.tools ?? tested.tools ?? [];
  const own = agent.tools !== null && !allowlist.written;
  const byName = new Map(offered.map((source) => [sourceName(source), source]));
  const requested = [...new Set(own ? byName.keys() : allowlist.names)].filter((name) => byName.has(name));
  const effective = requested.filter((name) => !isDeniedTool(name));
  const none = effective.length === 0 && !(agent.tools?.length === 0);
  const sources = none
    ? ['echo']
    : effective.flatMap((name): ToolSource[] => {
        const source = byName.get(name);
        return source === undefined || (typeof source === 'string' && !isBuiltInTool(source)) ? [] : [source];
      });
  return {
    sources,
    surface: {
      requested: requested.toSorted(),
      effective: effective.toSorted(),
      registered: sources.filter((source) => typeof source === 'string').toSorted(),
    },
  };
}

/** What is said of a call that the loop was never given: it is refused before it is made. */
export function denial(tool: string, registered: ReadonlySet<string>): string | null {
  if (registered.has(tool)) return null;
  return `Denied by policy: ${tool} is not among the tools of this run, and nobody is there to approve it. Go on without it.`;
}
