import { jsonEqual, type JsonObject, type JsonValue, type Message } from '../core/index.js';
import type { NeutralRequest, NeutralTool, Protocol } from './neutral.js';

/**
 * A request as it is kept for comparing: what is new since the step before. `system`, `tools` and `parameters` are
 * null where they are the same as before, so that a long run does not repeat a long prompt.
 */
export interface RecordedRequest {
  protocol: Protocol;
  model: string;
  system: string | null;
  tools: RecordedTool[] | null;
  parameters: JsonObject | null;
  messages: Message[];
}

/** A tool as it is kept for comparing. */
export interface RecordedTool {
  name: string;
  description: string;
  /** JSON Schema; null when there was none. */
  schema: JsonValue;
}

/** What `recordRequests` needs of an exchange. */
export interface Recordable {
  request: NeutralRequest;
  fresh: readonly Message[];
}

function recordedTool(tool: NeutralTool): RecordedTool {
  const name = tool.namespace === null ? tool.name : `${tool.namespace}.${tool.name}`;
  return { name, description: tool.description, schema: tool.schema };
}

function toolsJson(tools: readonly RecordedTool[]): JsonValue {
  return tools.map((tool) => ({ ...tool }));
}

/** Keeps what is needed to compare the requests of one conversation with those of a later run. */
export function recordRequests(exchanges: readonly Recordable[]): RecordedRequest[] {
  let before: { system: string; tools: RecordedTool[]; parameters: JsonObject } | null = null;
  return exchanges.map(({ request, fresh }) => {
    const now = {
      system: request.system,
      tools: request.tools.map(recordedTool),
      parameters: request.parameters,
    };
    const last = before;
    before = now;
    return {
      protocol: request.protocol,
      model: request.model,
      system: last?.system === now.system ? null : now.system,
      tools: last !== null && jsonEqual(toolsJson(last.tools), toolsJson(now.tools)) ? null : now.tools,
      parameters: last !== null && jsonEqual(last.parameters, now.parameters) ? null : now.parameters,
      messages: [...fresh],
    };
  });
}

/** The same requests with what was left out put back. */
export function expandRequests(recorded: readonly RecordedRequest[]): FullRequest[] {
  let system = '';
  let tools: RecordedTool[] = [];
  let parameters: JsonObject = {};
  return recorded.map((request) => {
    system = request.system ?? system;
    tools = request.tools ?? tools;
    parameters = request.parameters ?? parameters;
    return { ...request, system, tools, parameters };
  });
}

/** A recorded request with nothing left out. */
export interface FullRequest {
  protocol: Protocol;
  model: string;
  system: string;
  tools: RecordedTool[];
  parameters: JsonObject;
  messages: Message[];
}
