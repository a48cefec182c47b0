import { quote, type CheckSpec, type Recording, type ToolCall } from '../core/index.js';
import { ordinal, withCalls, type Mutant } from './mutant.js';
import { payloadMutants } from './mutate-payload.js';

/** A call as mutants name it: by its tool and its number among the calls to that tool. */
export interface CallPlace {
  /** Among all calls. */
  index: number;
  /** Among the calls to its tool. */
  nth: number;
  /** `call:echo[1]`. */
  id: string;
  /** `the second call to echo`; without the number when it is the only one. */
  shown: string;
}

/** The places of all calls, in dispatch order. */
export function callPlaces(calls: readonly ToolCall[]): CallPlace[] {
  const totals = new Map<string, number>();
  for (const { name } of calls) totals.set(name, (totals.get(name) ?? 0) + 1);
  const counts = new Map<string, number>();
  return calls.map(({ name }, index) => {
    const nth = counts.get(name) ?? 0;
    counts.set(name, nth + 1);
    const which = totals.get(name) === 1 ? 'the call' : `the ${ordinal(nth)} call`;
    return { index, nth, id: `call:${name}[${nth}]`, shown: `${which} to ${shownTool(name)}` };
  });
}

/** A tool's name in a sentence. */
export function shownTool(name: string): string {
  return /^[\w.:/@-]+$/.test(name) ? `\`${name}\`` : quote(name);
}

/** A name that no tool of the recording has. */
function otherToolName(calls: readonly ToolCall[]): string {
  let name = 'another_tool';
  while (calls.some((call) => call.name === name)) name += '_';
  return name;
}

function replaced(recording: Recording, index: number, calls: readonly ToolCall[]): Recording {
  const { toolCalls } = recording;
  return withCalls(recording, [...toolCalls.slice(0, index), ...calls, ...toolCalls.slice(index + 1)]);
}

function* faultsOfCall(recording: Recording, call: ToolCall, place: CallPlace): Generator<Mutant> {
  const { index, id, shown } = place;
  const fault = (kind: string, claim: string, calls: readonly ToolCall[]): Mutant => ({
    id: `${id}:${kind}`,
    claim: `${shown} ${claim}`,
    facet: 'calls',
    recording: replaced(recording, index, calls),
  });
  yield fault('dropped', 'never happened', []);
  yield fault('doubled', 'was made twice', [call, call]);
  yield fault('renamed', 'went to another tool', [{ ...call, name: otherToolName(recording.toolCalls) }]);
  yield call.ok
    ? fault('failed', 'failed', [{ ...call, ok: false, result: 'error: the tool failed' }])
    : fault('succeeded', 'succeeded', [{ ...call, ok: true }]);
}

function* reordered(recording: Recording, places: readonly CallPlace[]): Generator<Mutant> {
  const { toolCalls } = recording;
  for (let index = 0; index + 1 < toolCalls.length; index += 1) {
    const [first, second] = toolCalls.slice(index, index + 2);
    const [firstPlace, secondPlace] = places.slice(index, index + 2);
    if (first === undefined || second === undefined || !firstPlace || !secondPlace) return;
    yield {
      id: `${firstPlace.id}:reordered`,
      claim: `${firstPlace.shown} came after ${secondPlace.shown}`,
      facet: 'calls',
      // Each keeps the turn of the place it moves to.
      recording: withCalls(recording, [
        ...toolCalls.slice(0, index),
        { ...second, turn: first.turn },
        { ...first, turn: second.turn },
        ...toolCalls.slice(index + 2),
      ]),
    };
  }
}

function insertedCall(recording: Recording, name: string, ok: boolean): Recording {
  const last = recording.turns.length - 1;
  const call: ToolCall = {
    id: 'inserted',
    name,
    arguments: '{}',
    result: ok ? 'done' : `error: unknown tool ${name}`,
    ok,
    turn: Math.max(0, last),
    startedAt: recording.durationMs,
    durationMs: 0,
  };
  return withCalls(recording, [...recording.toolCalls, call]);
}

/** Tools that some check of the case forbids. */
export function forbiddenTools(checks: readonly CheckSpec[]): string[] {
  const names = checks.flatMap((check) => {
    if (check.type === 'tool-not-used' && !check.negated) return check.tools;
    return check.type === 'tool-used' && check.negated ? check.tools : [];
  });
  return [...new Set(names)];
}

/** Faults in what the agent did: calls dropped, doubled, renamed, failed, reordered and added, payloads changed. */
export function* callMutants(recording: Recording, checks: readonly CheckSpec[]): Generator<Mutant> {
  const { toolCalls } = recording;
  const places = callPlaces(toolCalls);
  for (const [index, call] of toolCalls.entries()) {
    const place = places[index];
    if (place === undefined) continue;
    yield* faultsOfCall(recording, call, place);
    yield* payloadMutants(call, place, (changed) => replaced(recording, index, [changed]));
  }
  yield* reordered(recording, places);
  for (const name of forbiddenTools(checks)) {
    yield {
      id: `call:${name}:inserted`,
      claim: `the forbidden tool ${shownTool(name)} was called`,
      facet: 'calls',
      recording: insertedCall(recording, name, true),
    };
  }
  yield {
    id: 'call:unknown:inserted',
    claim: 'one more call was made, to a tool that does not exist',
    facet: 'calls',
    recording: insertedCall(recording, otherToolName(toolCalls), false),
  };
}
