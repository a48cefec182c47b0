import { parseJson, type JsonObject, type JsonValue, type Recording, type ToolCall } from '../core/index.js';
import { jsonNodes, onlyAt } from './json-nodes.js';
import type { Candidate } from './suggest-candidates.js';
import { tellingPhrases } from './suggest-text.js';

const LONGEST_NEEDLE = 120;

type Calls = readonly ToolCall[];

function sameTool(calls: Calls, name: string): ToolCall[] {
  return calls.filter((call) => call.name === name);
}

/** Number of the call among those to its tool; left out where there is only one. */
function callIndex(calls: Calls, call: ToolCall): JsonObject {
  const same = sameTool(calls, call.name);
  return same.length < 2 ? {} : { call_index: same.indexOf(call) };
}

function both(assertion: JsonObject): Candidate {
  return { assertion, fixture: { turn: null, expects: { assert: [assertion] } } };
}

function countCandidates(calls: Calls, call: ToolCall | null): Candidate[] {
  const all: Candidate = {
    assertion: { type: 'tool-calls', exact: calls.length },
    fixture: { turn: null, expects: { exact_tool_calls: calls.length } },
  };
  if (call === null) return [all];
  const { name } = call;
  const used: Candidate = {
    assertion: { type: 'tool-used', value: name },
    fixture: { turn: null, expects: { tools_used: [name] } },
  };
  return [used, all, both({ type: 'tool-calls', tool: name, exact: sameTool(calls, name).length })];
}

function payload(
  calls: Calls,
  call: ToolCall,
  kind: 'arguments' | 'results',
  value: JsonValue,
  needle: string,
): Candidate {
  const at = callIndex(calls, call);
  return {
    assertion: { type: `tool-${kind}`, tool: call.name, value, ...at },
    fixture: { turn: null, expects: { [`tool_${kind}_contain`]: [{ tool: call.name, needle, ...at }] } },
  };
}

function argumentCandidates(calls: Calls, call: ToolCall, other: ToolCall): Candidate[] {
  const whole =
    call.arguments === '' ? [] : [payload(calls, call, 'arguments', call.arguments, call.arguments)];
  const parsed = parseJson(call.arguments);
  if (!parsed.ok || typeof parsed.value !== 'object' || parsed.value === null) return whole;
  const parts: Candidate[] = [];
  for (const { path, value } of jsonNodes(parsed.value)) {
    const json = JSON.stringify(value);
    const key = path.at(-1);
    const needle = typeof key === 'string' ? `${JSON.stringify(key)}:${json}` : json;
    if (needle.length > LONGEST_NEEDLE || !call.arguments.includes(needle)) continue;
    if (other.arguments.includes(needle)) continue;
    parts.push(payload(calls, call, 'arguments', onlyAt(parsed.value, path), needle));
  }
  return [...parts, ...whole];
}

function resultCandidates(calls: Calls, call: ToolCall, other: ToolCall): Candidate[] {
  const { result } = call;
  if (result === '') return [];
  const texts = [
    ...(result.length <= LONGEST_NEEDLE ? [result] : []),
    ...tellingPhrases(result, other.result),
  ];
  return texts.map((text) => payload(calls, call, 'results', text, text));
}

function orderCandidates(calls: Calls): Candidate[] {
  if (calls.length > 12) return [];
  const names = calls.map(({ name }) => ({ tool: name }));
  const full = calls.map(({ name, arguments: written }) => {
    const parsed = parseJson(written);
    return { tool: name, ...(parsed.ok ? { arguments: parsed.value } : {}) };
  });
  return [names, full].map((list) => both({ type: 'tool-calls', calls: list, order: 'strict' }));
}

function outcomeCandidates(calls: Calls, other: Calls): Candidate[] {
  const [before, after] = [calls.every((call) => call.ok), other.every((call) => call.ok)];
  if (before === after) return [];
  return [
    {
      assertion: { type: 'tools-succeeded', value: before },
      fixture: { turn: null, expects: { all_tools_succeeded: before } },
    },
  ];
}

/** Checks that tell the calls of one recording from those of another, the most fitting first. */
export function callCandidates(original: Recording, changed: Recording): Candidate[] {
  const [calls, others] = [original.toolCalls, changed.toolCalls];
  const index = calls.findIndex((call, at) => {
    const other = others[at];
    return (
      other === undefined ||
      call.name !== other.name ||
      call.arguments !== other.arguments ||
      call.result !== other.result ||
      call.ok !== other.ok
    );
  });
  const call = calls[index] ?? null;
  const other = others[index] ?? null;
  if (calls.length !== others.length || call === null || other === null) return countCandidates(calls, call);
  const candidates = outcomeCandidates(calls, others);
  if (call.name !== other.name) candidates.push(...countCandidates(calls, call), ...orderCandidates(calls));
  if (call.arguments !== other.arguments) candidates.push(...argumentCandidates(calls, call, other));
  if (call.result !== other.result) candidates.push(...resultCandidates(calls, call, other));
  return [...candidates, ...orderCandidates(calls)];
}
