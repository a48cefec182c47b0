import type {
  GraderFileState,
  JsonObject,
  Message,
  Receipt,
  Recording,
  ScenarioEnd,
  Simulation,
  ToolCall,
  Usage,
  WorkspaceSnapshot,
} from '../core/index.js';
import { DerivedText } from './derived-text.js';
import {
  booleanAt,
  has,
  listAt,
  nullableAt,
  numberAt,
  objectAt,
  optionalAt,
  ShapeError,
  textAt,
  textsAt,
  wordAt,
  words,
} from './shape.js';

const ROLES = words<Message['role']>({
  system: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
});

function toolCall(object: JsonObject): ToolCall {
  return {
    id: textAt(object, 'id'),
    name: textAt(object, 'name'),
    arguments: textAt(object, 'arguments'),
    result: textAt(object, 'result'),
    ok: booleanAt(object, 'ok'),
    turn: numberAt(object, 'turn'),
    startedAt: numberAt(object, 'startedAt'),
    durationMs: numberAt(object, 'durationMs'),
  };
}

/** A member as written, or else what it can be derived from. */
function textOr(object: JsonObject, key: string, derived: string | undefined): string {
  if (has(object, key)) return textAt(object, key);
  if (derived === undefined) throw new ShapeError(`\`${key}\` is missing and nothing tells it`);
  return derived;
}

function message(object: JsonObject, derived: DerivedText): Message {
  const role = wordAt(object, 'role', ROLES);
  const answered = optionalAt(object, 'toolCallId', textAt);
  return {
    role,
    text: textOr(object, 'text', derived.next({ role, ...answered })),
    ...optionalAt(object, 'toolCalls', (at, key) =>
      listAt(at, key, (call) => {
        const id = textAt(call, 'id');
        return {
          id,
          name: textAt(call, 'name'),
          arguments: textOr(call, 'arguments', derived.argumentsOf(id)),
        };
      }),
    ),
    ...answered,
    ...optionalAt(object, 'toolName', textAt),
    ...optionalAt(object, 'isError', booleanAt),
    ...optionalAt(object, 'reasoning', textAt),
  };
}

function usageAt(object: JsonObject, key: string): Usage {
  const usage = objectAt(object, key);
  return {
    inputTokens: numberAt(usage, 'inputTokens'),
    outputTokens: numberAt(usage, 'outputTokens'),
    cost: nullableAt(usage, 'cost', numberAt),
  };
}

const FILE_STATES: readonly GraderFileState['state'][] = ['untouched', 'made', 'changed', 'removed'];

function workspaceAt(object: JsonObject, key: string): WorkspaceSnapshot {
  const workspace = objectAt(object, key);
  return {
    root: textAt(workspace, 'root'),
    ...optionalAt(workspace, 'graderFiles', (at, name) =>
      listAt(at, name, (file) => ({ path: textAt(file, 'path'), state: wordAt(file, 'state', FILE_STATES) })),
    ),
  };
}

const ENDS = words<ScenarioEnd>({ goal: 'goal', gave_up: 'gave_up', stop_when: 'stop_when', turns: 'turns' });

function simulationAt(object: JsonObject, key: string): Simulation {
  const simulation = objectAt(object, key);
  return {
    ended: nullableAt(simulation, 'ended', (at, name) => wordAt(at, name, ENDS)),
    reason: textAt(simulation, 'reason'),
    modelRef: nullableAt(simulation, 'modelRef', textAt),
    servedModel: nullableAt(simulation, 'servedModel', textAt),
    replayed: booleanAt(simulation, 'replayed'),
    calls: numberAt(simulation, 'calls'),
    inputTokens: numberAt(simulation, 'inputTokens'),
    outputTokens: numberAt(simulation, 'outputTokens'),
    cost: nullableAt(simulation, 'cost', numberAt),
  };
}

/** A recording from its stored object; `output` is the text of the last turn. Throws ShapeError. */
export function parseRecording(object: JsonObject, output: string, receipt: Receipt): Recording {
  const turns = listAt(object, 'turns', (turn) => ({
    user: textAt(turn, 'user'),
    text: textOr(turn, 'text', output),
    ...(turn['simulated'] === true ? { simulated: true as const } : {}),
  }));
  const toolCalls = listAt(object, 'toolCalls', toolCall);
  const derived = new DerivedText(turns, toolCalls);
  return {
    receipt,
    turns,
    messages: listAt(object, 'messages', (item) => message(item, derived)),
    toolCalls,
    usage: usageAt(object, 'usage'),
    llmCalls: numberAt(object, 'llmCalls'),
    durationMs: numberAt(object, 'durationMs'),
    ...optionalAt(object, 'workspace', workspaceAt),
    ...optionalAt(object, 'simulation', simulationAt),
    ...optionalAt(object, 'notes', textsAt),
    ...optionalAt(object, 'extra', objectAt),
  };
}
