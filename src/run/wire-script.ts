import type { JsonValue, ScriptedStep } from '../core/index.js';
import { isJsonObject, quote } from '../core/index.js';
import { scriptDisagreement } from '../agent/index.js';
import type { Case } from '../suite/index.js';
import { MAIN_LANE, type LaneScript, type WireItem, type WireScript } from '../wire/index.js';

/** What may stand in the script of a case, and what it stands for in one trial. */
export interface ScriptPlaces {
  workspace: string;
  home: string;
}

const PLACE = /\{\{\s*(workspace|home)\s*\}\}/g;

function filledText(text: string, places: ScriptPlaces): string {
  return text.includes('{{')
    ? text.replace(PLACE, (_whole, name: string) => (name === 'home' ? places.home : places.workspace))
    : text;
}

function filled(value: JsonValue, places: ScriptPlaces): JsonValue {
  if (typeof value === 'string') return filledText(value, places);
  if (Array.isArray(value)) return value.map((member) => filled(member, places));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, filled(member, places)]));
}

function filledStep(step: ScriptedStep, places: ScriptPlaces): ScriptedStep {
  if (step.type !== 'tool_calls') return { ...step, content: filledText(step.content, places) };
  return {
    ...step,
    toolCalls: step.toolCalls.map((call) => ({ ...call, arguments: filled(call.arguments, places) })),
    ...(step.content === undefined ? {} : { content: filledText(step.content, places) }),
  };
}

/** Steps with the faults that come before each of them, and those after the last. */
function withFaults(
  tested: Case,
  lane: string | null,
  turn: number,
  steps: readonly ScriptedStep[],
  places: ScriptPlaces,
): WireItem[] {
  const faultsAt = (step: number): WireItem[] =>
    (tested.faults ?? [])
      .filter((each) => each.lane === lane && each.turn === turn && each.step === step)
      .map((each) => each.fault);
  return [
    ...steps.flatMap((step, index): WireItem[] => [...faultsAt(index), filledStep(step, places)]),
    ...faultsAt(steps.length),
  ];
}

/**
 * The script of a case for the model server. Where an agent works with absolute paths, `{{workspace}}` and `{{home}}`
 * in replies and arguments stand for the trial's own.
 * @throws AgentError of kind `script` for a turn without replies
 */
export function wireScript(tested: Case, places: ScriptPlaces): WireScript {
  const main: LaneScript = {
    name: MAIN_LANE,
    items: tested.turns.flatMap(({ user, steps }, index): WireItem[] => {
      if (steps === null || steps.length === 0) {
        throw scriptDisagreement([
          `case ${quote(tested.id)}, turn ${index + 1}: no scripted steps; replay needs at least one model reply per turn`,
        ]);
      }
      return [{ type: 'turn', user }, ...withFaults(tested, null, index, steps, places)];
    }),
  };
  const lanes = (tested.lanes ?? []).map(({ name, match, steps }): LaneScript => ({
    name,
    match,
    items: withFaults(tested, name, 0, steps, places),
  }));
  return { lanes: [main, ...lanes] };
}
