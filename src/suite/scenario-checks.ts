import {
  isJsonObject,
  type CheckSpec,
  type JsonObject,
  type JsonValue,
  type KeyPath,
} from '../core/index.js';
import { assertionUnit, type AssertionUnit, type KnownNames } from './assertion-unit.js';
import { labelTexts, type AssertionPlace } from './check-maker.js';
import type { RuleProblem } from './document.js';

/** Criteria as they stand in a case that may be of any shape. */
interface WrittenCriteria {
  value: JsonValue;
  path: KeyPath;
  /** 0-based turn of the checkpoint; null for the whole conversation. */
  turn: number | null;
}

/** The checkpoints of a case that may be of any shape, with the 0-based turns they come after. */
export function checkpointsIn(
  rawCase: JsonValue,
  path: KeyPath,
): { checkpoint: JsonObject; turn: number; path: KeyPath }[] {
  const scenario = isJsonObject(rawCase) ? rawCase['scenario'] : undefined;
  const list = isJsonObject(scenario) ? scenario['checkpoints'] : undefined;
  if (!Array.isArray(list)) return [];
  return list.flatMap((checkpoint, index) => {
    if (!isJsonObject(checkpoint)) return [];
    const after = checkpoint['after_turn'];
    const turn = typeof after === 'number' && after >= 1 ? after - 1 : 0;
    return [{ checkpoint, turn, path: [...path, 'scenario', 'checkpoints', index] }];
  });
}

function criteriaIn(rawCase: JsonValue, path: KeyPath): WrittenCriteria[] {
  const found: WrittenCriteria[] = [];
  for (const { checkpoint, turn, path: at } of checkpointsIn(rawCase, path)) {
    const value = checkpoint['criteria'];
    if (value !== undefined) found.push({ value, path: [...at, 'criteria'], turn });
  }
  const scenario = isJsonObject(rawCase) ? rawCase['scenario'] : undefined;
  const value = isJsonObject(scenario) ? scenario['criteria'] : undefined;
  if (value !== undefined) found.push({ value, path: [...path, 'scenario', 'criteria'], turn: null });
  return found;
}

/** A check of statements made to look at the conversation instead of one answer. */
function ofConversation(check: CheckSpec | null): CheckSpec | null {
  if (check === null || check.type !== 'llm-assert') return check;
  const shown = `criteria(${labelTexts(check.statements)})`;
  const label = check.turn === undefined ? shown : `turns[${check.turn}].${shown}`;
  return { ...check, label, conversation: true };
}

/**
 * The criteria of a scenario and of its checkpoints as checks: each list is one question to the judge, which must find
 * every statement true.
 */
export function criteriaUnits(
  rawCase: JsonValue,
  path: KeyPath,
  frame: Pick<AssertionPlace, 'turnCount' | 'allowEmpty' | 'root' | 'goldenFilesMayBeMissing' | 'sourceAt'>,
  known: KnownNames,
  problems: RuleProblem[],
): AssertionUnit[] {
  return criteriaIn(rawCase, path).flatMap((written) => {
    // What is wrong is said of the list as it stands, not of the assertion made of it.
    const asWritten = (at: KeyPath): KeyPath => [
      ...written.path,
      ...at.slice(written.path.length).filter((key, index) => index > 0 || key !== 'value'),
    ];
    const relocated = (found: readonly RuleProblem[]): void => {
      problems.push(...found.map((problem) => ({ ...problem, path: asWritten(problem.path) })));
    };
    const assertion = { type: 'llm-assert', value: written.value, include_transcript: true, required: true };
    const place: AssertionPlace = {
      ...frame,
      path: written.path,
      key: 'scenario.criteria',
      turn: written.turn,
      sourceAt: (at) => frame.sourceAt(asWritten(at)),
    };
    // An empty list and a wrong shape have been reported with the keys of the scenario.
    if (!isStatements(written.value)) return [];
    const found: RuleProblem[] = [];
    const unit = assertionUnit(assertion, place, known, found);
    relocated(found);
    if (unit === null) return [];
    return [
      {
        fixed: ofConversation(unit.fixed),
        placeholders: unit.placeholders.map((one) => ({ ...one, path: asWritten(one.path) })),
        make(variables, outer) {
          const later: RuleProblem[] = [];
          const check = ofConversation(unit.make(variables, later));
          outer.push(...later.map((problem) => ({ ...problem, path: asWritten(problem.path) })));
          return check;
        },
      },
    ];
  });
}

function isStatements(value: JsonValue): boolean {
  const isText = (item: JsonValue): boolean => typeof item !== 'object' && item !== null;
  return Array.isArray(value) ? value.length > 0 && value.every(isText) : isText(value);
}
