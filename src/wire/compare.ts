import { createPatch } from 'diff';
import { canonicalJson, clip, type JsonValue, type Message } from '../core/index.js';
import { Normaliser, type CompareRules } from './normalise.js';
import {
  expandRequests,
  type FullRequest,
  type RecordedRequest,
  type RecordedTool,
} from './recorded-request.js';

/** What kind of thing differs. */
export type DivergenceKind = 'prompt' | 'tool_schema' | 'arguments' | 'results' | 'order' | 'parameters';

/** One difference between a recorded request and the one that came. */
export interface Divergence {
  kind: DivergenceKind;
  /** What it is about: `system`, `messages[2]`, `tools.bash`, `parameters.temperature`, `model`. */
  where: string;
  /** Both sides after normalising; '' where there is nothing. */
  recorded: string;
  actual: string;
  /** The difference as a unified diff, shortened when long. */
  diff: string;
}

const MOST_EDITS = 2000;
const LONGEST_DIFF = 8000;

function diffText(recorded: string, actual: string): string {
  const patch = createPatch('request', recorded, actual, 'recorded', 'actual', {
    context: 2,
    maxEditLength: MOST_EDITS,
  });
  const lines = (
    patch ?? `--- recorded\n+++ actual\n- ${clip(recorded, 500)}\n+ ${clip(actual, 500)}\n`
  ).split('\n');
  const from = lines.findIndex((line) => line.startsWith('--- '));
  return clip(lines.slice(Math.max(0, from)).join('\n'), LONGEST_DIFF);
}

function divergence(kind: DivergenceKind, where: string, recorded: string, actual: string): Divergence {
  return { kind, where, recorded, actual, diff: diffText(recorded, actual) };
}

function pretty(value: JsonValue | undefined, normaliser: Normaliser): string {
  if (value === undefined) return '';
  const sorted: JsonValue = JSON.parse(canonicalJson(value));
  return normaliser.text(typeof sorted === 'string' ? sorted : JSON.stringify(sorted, null, 2));
}

/** A message as text to compare, by what of it may differ for different reasons. */
interface Shown {
  kind: DivergenceKind;
  text: string;
}

function shownMessage(message: Message, normaliser: Normaliser): Shown[] {
  if (message.role === 'tool') {
    const call =
      message.toolCallId === undefined ? (message.toolName ?? '') : normaliser.id(message.toolCallId);
    const flag = message.isError === true ? ' (error)' : '';
    return [{ kind: 'results', text: `result of ${call}${flag}\n${normaliser.text(message.text)}` }];
  }
  const words = { kind: 'prompt' as const, text: `${message.role}\n${normaliser.text(message.text)}` };
  const calls = (message.toolCalls ?? []).map((call) => ({
    kind: 'arguments' as const,
    text: `call ${call.id === '' ? '' : normaliser.id(call.id)} ${call.name}\n${normaliser.text(call.arguments)}`,
  }));
  return [words, ...calls];
}

function shownMessages(request: FullRequest, normaliser: Normaliser): Shown[] {
  return request.messages.flatMap((message) => shownMessage(message, normaliser));
}

function sameInOtherOrder(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false;
  const sorted = right.toSorted();
  return left.toSorted().every((text, index) => text === sorted[index]);
}

/** Ids are numbered by appearance, so messages in another order are compared without them. */
function withoutIds(shown: readonly Shown[]): string[] {
  return shown.map(({ text }) => text.replace(/<id \d+>/g, '<id>'));
}

function compareMessages(recorded: FullRequest, actual: FullRequest, sides: Sides): Divergence[] {
  const before = shownMessages(recorded, sides.recorded);
  const now = shownMessages(actual, sides.actual);
  const differs = before.length !== now.length || before.some(({ text }, index) => text !== now[index]?.text);
  if (!differs) return [];
  if (sameInOtherOrder(withoutIds(before), withoutIds(now))) {
    const joined = (list: readonly Shown[]): string => list.map(({ text }) => text).join('\n');
    return [divergence('order', 'messages', joined(before), joined(now))];
  }
  const found: Divergence[] = [];
  for (let index = 0; index < Math.max(before.length, now.length); index += 1) {
    const left = before[index];
    const right = now[index];
    if (left?.text === right?.text) continue;
    const kind = left?.kind ?? right?.kind ?? 'prompt';
    found.push(divergence(kind, `messages[${index}]`, left?.text ?? '', right?.text ?? ''));
  }
  return found;
}

function shownTool(tool: RecordedTool | undefined, normaliser: Normaliser): string {
  if (tool === undefined) return '';
  return `${normaliser.text(tool.description)}\n${pretty(tool.schema, normaliser)}`;
}

function compareTools(recorded: FullRequest, actual: FullRequest, sides: Sides): Divergence[] {
  const before = recorded.tools.map((tool) => tool.name);
  const now = actual.tools.map((tool) => tool.name);
  const found = [...new Set([...before, ...now])].flatMap((name): Divergence[] => {
    const left = shownTool(
      recorded.tools.find((tool) => tool.name === name),
      sides.recorded,
    );
    const right = shownTool(
      actual.tools.find((tool) => tool.name === name),
      sides.actual,
    );
    const missing = before.includes(name) !== now.includes(name);
    return left === right && !missing ? [] : [divergence('tool_schema', `tools.${name}`, left, right)];
  });
  const moved = found.length === 0 && before.join('\n') !== now.join('\n');
  return moved ? [divergence('order', 'tools', before.join('\n'), now.join('\n'))] : found;
}

function compareParameters(
  recorded: FullRequest,
  actual: FullRequest,
  rules: CompareRules,
  sides: Sides,
): Divergence[] {
  const overlooked = rules.parameters ?? [];
  const names = new Set([...Object.keys(recorded.parameters), ...Object.keys(actual.parameters)]);
  const pairs: [string, string, string][] = [
    ['protocol', recorded.protocol, actual.protocol],
    ['model', recorded.model, actual.model],
    ...[...names]
      .toSorted()
      .map((name): [string, string, string] => [
        `parameters.${name}`,
        pretty(recorded.parameters[name], sides.recorded),
        pretty(actual.parameters[name], sides.actual),
      ]),
  ];
  return pairs
    .filter(
      ([where, left, right]) => left !== right && !overlooked.includes(where.replace('parameters.', '')),
    )
    .map(([where, left, right]) => divergence('parameters', where, left, right));
}

interface Sides {
  recorded: Normaliser;
  actual: Normaliser;
}

/**
 * Compares two requests after normalising both, and says what differs and of what kind it is.
 * @returns every difference: prompt and messages first, then tools, then parameters; empty when they agree
 */
export function compareRequests(
  recorded: FullRequest,
  actual: FullRequest,
  rules: CompareRules = {},
): Divergence[] {
  const sides = { recorded: new Normaliser(rules), actual: new Normaliser(rules) };
  const before = sides.recorded.text(recorded.system);
  const now = sides.actual.text(actual.system);
  const prompt = before === now ? [] : [divergence('prompt', 'system', before, now)];
  return [
    ...prompt,
    ...compareMessages(recorded, actual, sides),
    ...compareTools(recorded, actual, sides),
    ...compareParameters(recorded, actual, rules, sides),
  ];
}

/** The first step at which a run leaves its recording. */
export interface FirstDivergence {
  /** 0-based step. */
  step: number;
  divergences: Divergence[];
}

/**
 * Compares the requests of a conversation with the recorded ones, step by step.
 * @returns the first step that differs; a step that came at another's place is an `order` divergence, and so is one
 * that is missing or too many; null when all agree
 */
export function firstDivergence(
  recorded: readonly RecordedRequest[],
  actual: readonly RecordedRequest[],
  rules: CompareRules = {},
): FirstDivergence | null {
  const before = expandRequests(recorded);
  const now = expandRequests(actual);
  for (let step = 0; step < Math.max(before.length, now.length); step += 1) {
    const left = before[step];
    const right = now[step];
    if (left === undefined || right === undefined) {
      const counts = [`${before.length} requests`, `${now.length} requests`] as const;
      return { step, divergences: [divergence('order', `requests[${step}]`, ...counts)] };
    }
    const divergences = compareRequests(left, right, rules);
    if (divergences.length === 0) continue;
    const elsewhere = before.findIndex(
      (other, index) => index > step && compareRequests(other, right, rules).length === 0,
    );
    if (elsewhere === -1) return { step, divergences };
    return {
      step,
      divergences: [
        divergence('order', `requests[${step}]`, `request ${step + 1}`, `request ${elsewhere + 1}`),
      ],
    };
  }
  return null;
}
