import {
  isAgentPreset,
  isJsonObject,
  presetFacts,
  quote,
  TOOL_ROLES,
  type JsonObject,
  type JsonValue,
  type KeyPath,
  type RoleTool,
} from '../core/index.js';
import type { RuleProblem } from './document.js';

/** Keys under which fixtures and assertions name tools. */
const TOOL_KEYS: ReadonlySet<string> = new Set(['tool', 'tools_used', 'tools_not_used']);
/** Keys that hold values to compare with, never the name of a tool. */
const OPAQUE_KEYS: ReadonlySet<string> = new Set(['response_json', 'value', 'schema', 'args']);
/** Assertions whose `value` names tools. */
const TOOL_VALUES = /^(?:not-)?tool-(?:not-)?used$/;

/** The agent's own tools by `@role`; null for an agent that has no roles. */
function rolesOf(fixture: JsonObject): Map<string, RoleTool> | null {
  const { agent } = fixture;
  const preset = isJsonObject(agent) ? agent['preset'] : undefined;
  if (typeof preset !== 'string' || !isAgentPreset(preset)) return null;
  const { tools } = presetFacts(preset);
  const roles = new Map<string, RoleTool>();
  for (const role of TOOL_ROLES) {
    const tool = tools[role];
    if (tool !== undefined) roles.set(`@${role}`, tool);
  }
  return roles;
}

class Resolver {
  readonly problems: RuleProblem[] = [];
  private readonly roles: Map<string, RoleTool> | null;

  constructor(roles: Map<string, RoleTool> | null) {
    this.roles = roles;
  }

  name(written: JsonValue, path: KeyPath): JsonValue {
    if (Array.isArray(written)) return written.map((each, index) => this.name(each, [...path, index]));
    if (typeof written !== 'string' || !written.startsWith('@')) return written;
    return this.role(written, path)?.tool ?? written;
  }

  /** A scripted call: the agent's own name, and its own names for the arguments. */
  call(written: JsonObject, path: KeyPath): JsonObject {
    const { name, arguments: given } = written;
    if (typeof name !== 'string' || !name.startsWith('@')) return written;
    const role = this.role(name, [...path, 'name']);
    if (role === null) return written;
    if (!isJsonObject(given)) return { ...written, name: role.tool };
    const renamed = Object.entries(given).map(([key, value]) => [
      Object.hasOwn(role.arguments, key) ? (role.arguments[key] ?? key) : key,
      value,
    ]);
    return { ...written, name: role.tool, arguments: { ...role.fixed, ...Object.fromEntries(renamed) } };
  }

  private role(written: string, path: KeyPath): RoleTool | null {
    const found = this.roles?.get(written) ?? null;
    if (found === null) {
      this.problems.push({
        path,
        message:
          this.roles === null
            ? `${quote(written)} is a role, and only the agent of a preset has roles`
            : `the agent has no tool for ${quote(written)}`,
        fix:
          this.roles === null || this.roles.size === 0
            ? 'write the agent’s own name of the tool'
            : `write ${[...this.roles.keys()].join(' or ')}, or the agent’s own name of the tool`,
      });
    }
    return found;
  }

  walk(value: JsonValue, path: KeyPath): JsonValue {
    if (Array.isArray(value)) return value.map((each, index) => this.walk(each, [...path, index]));
    if (!isJsonObject(value)) return value;
    const kind = value['type'];
    const namesInValue = typeof kind === 'string' && TOOL_VALUES.test(kind);
    const walked: JsonObject = {};
    for (const [key, member] of Object.entries(value)) {
      const inner = [...path, key];
      if (key === 'tool_calls' && Array.isArray(member)) {
        walked[key] = member.map((call, index) =>
          isJsonObject(call) ? this.call(call, [...inner, index]) : call,
        );
      } else if (TOOL_KEYS.has(key) || (key === 'value' && namesInValue))
        walked[key] = this.name(member, inner);
      else walked[key] = OPAQUE_KEYS.has(key) ? member : this.walk(member, inner);
    }
    return walked;
  }
}

/**
 * Writes the agent's own tool names for the roles `@shell` and `@write`, in the script and in the expectations. A role
 * that the agent has no tool for is a problem.
 */
export function resolveToolRoles(fixture: JsonValue): { value: JsonValue; problems: RuleProblem[] } {
  if (!isJsonObject(fixture) || !('agent' in fixture)) return { value: fixture, problems: [] };
  const resolver = new Resolver(rolesOf(fixture));
  const value: JsonObject = { ...fixture };
  for (const key of ['turns', 'lanes', 'expects'] as const) {
    const member = fixture[key];
    if (member !== undefined) value[key] = resolver.walk(member, [key]);
  }
  return { value, problems: resolver.problems };
}
