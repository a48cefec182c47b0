import { isJsonObject, plural, type JsonValue, type KeyPath } from '../core/index.js';
import { patternFault } from '../match/index.js';
import type { KnownNames } from './assertion-unit.js';
import type { CaseScenario, StopRule } from './case.js';
import type { RuleProblem } from './document.js';
import { insidePath, type PathRoot } from './inside-path.js';
import { DEFAULT_SCENARIO_TURNS, MOST_SCENARIO_TURNS, type ScenarioHead } from './scenario-schema.js';
import { readSimulatorRecording, scenarioIdentity, SIMULATOR_ENDING } from './simulator-recording.js';
import type { Placeholder, Variables } from './template.js';
import { TextField } from './text-field.js';

/** Where a scenario stands. */
export interface ScenarioPlace {
  /** Key path of the `scenario`. */
  path: KeyPath;
  root: PathRoot;
  known: KnownNames;
  /** Recordings are about to be written: they need not exist, and old ones are not looked at. */
  recordingAgain: boolean;
}

type StopField = { type: 'sentence' | StopRule['type']; field: TextField; path: KeyPath };

const RULE_KEYS = ['answer_contains', 'answer_matches', 'tool_used'] as const;

/** User turns that a scenario of any shape has at most. */
export function scenarioTurns(raw: JsonValue): number {
  if (!isJsonObject(raw)) return 1;
  const most = raw['max_turns'];
  if (typeof most === 'number' && Number.isInteger(most) && most > 0)
    return Math.min(most, MOST_SCENARIO_TURNS);
  const { script } = raw;
  if (!Array.isArray(script)) return DEFAULT_SCENARIO_TURNS;
  return Math.max(
    1,
    script.reduce<number>((sum, step) => sum + stepTurns(step), 0),
  );
}

function stepTurns(step: JsonValue): number {
  const turns = isJsonObject(step) ? step['simulate'] : 1;
  return typeof turns === 'number' && Number.isInteger(turns) && turns > 0 ? turns : 1;
}

/** User turns that a scenario has at most. */
export function scenarioLength({ script, max_turns: most }: ScenarioHead): number {
  if (script === undefined) return most ?? DEFAULT_SCENARIO_TURNS;
  return script.reduce((sum, step) => sum + (typeof step === 'string' ? 1 : step.simulate), 0);
}

/** Rules of a scenario's own keys that do not depend on variables. */
export function scenarioRules(head: ScenarioHead, path: KeyPath): RuleProblem[] {
  const problems: RuleProblem[] = [];
  const refuse = (inner: KeyPath, message: string, fix: string, at: 'key' | 'value' = 'value'): void => {
    problems.push({ path: [...path, ...inner], message, fix, at });
  };
  const { script, opening, max_turns: most } = head;
  if (script?.length === 0) refuse(['script'], 'the list is empty', 'add a user turn, or remove the key');
  if (script !== undefined && opening !== undefined) {
    refuse(
      ['opening'],
      'the script says already what comes first',
      'make it the first turn of the script',
      'key',
    );
  }
  const turns = scenarioLength(head);
  const length = script === undefined ? 0 : turns;
  if (most !== undefined && length > most) {
    refuse(
      ['max_turns'],
      `the script has ${plural(length, 'turn')}, more than ${most}`,
      `write ${length}, or remove the key`,
    );
  } else if (most !== undefined && script !== undefined && length > 0 && length < most) {
    refuse(
      ['max_turns'],
      `the script ends after ${plural(length, 'turn')}, so ${most} is never reached`,
      `remove the key, or end the script with { simulate: ${most - length} }`,
    );
  } else if (length > MOST_SCENARIO_TURNS) {
    refuse(
      ['script'],
      `has ${plural(length, 'turn')}, and a scenario at most ${MOST_SCENARIO_TURNS}`,
      'shorten it',
    );
  }
  const simulated =
    script === undefined
      ? opening === undefined || turns > 1
      : script.some((step) => typeof step !== 'string');
  for (const key of ['persona', 'goal'] as const) {
    if (!simulated || head[key] !== undefined) continue;
    refuse(
      [key],
      'missing; the simulated user needs it',
      key === 'persona' ? 'write who it is' : 'write what it wants',
    );
  }
  if (head.recorded !== undefined && !simulated) {
    refuse(['recorded'], 'nothing in this scenario is simulated', 'remove the key', 'key');
  }
  stopProblems(head, simulated, refuse);
  checkpointProblems(head, turns, refuse);
  if (Array.isArray(head.criteria) && head.criteria.length === 0)
    refuse(['criteria'], 'the list is empty, so it tests nothing', 'add a statement, or remove the key');
  return problems;
}

type Refuse = (inner: KeyPath, message: string, fix: string, at?: 'key' | 'value') => void;

function stopProblems(head: ScenarioHead, simulated: boolean, refuse: Refuse): void {
  const { stop_when: stop } = head;
  if (Array.isArray(stop) && stop.length === 0)
    refuse(['stop_when'], 'the list is empty', 'add a condition, or remove the key');
  const list = stop === undefined ? [] : Array.isArray(stop) ? stop : [stop];
  let sentences = 0;
  for (const [index, condition] of list.entries()) {
    const at = Array.isArray(stop) ? ['stop_when', index] : ['stop_when'];
    if (typeof condition === 'string') {
      sentences += 1;
      if (!simulated)
        refuse(
          at,
          'a sentence is for the simulated user, and this scenario has none',
          'write a rule such as { answer_contains: … }',
        );
      else if (sentences > 1) refuse(at, 'there is a second sentence', 'put both into one, with and or or');
      continue;
    }
    const written = RULE_KEYS.filter((key) => condition[key] !== undefined);
    if (written.length !== 1)
      refuse(
        at,
        `has ${written.length === 0 ? 'no rule' : 'several rules'}`,
        `write one of ${RULE_KEYS.join(', ')}; several conditions are a list`,
      );
  }
}

function checkpointProblems(head: ScenarioHead, turns: number, refuse: Refuse): void {
  if (head.checkpoints?.length === 0)
    refuse(['checkpoints'], 'the list is empty', 'add a checkpoint, or remove the key');
  const seen = new Set<number>();
  for (const [index, checkpoint] of (head.checkpoints ?? []).entries()) {
    const at: KeyPath = ['checkpoints', index];
    const { after_turn: turn, criteria, assert } = checkpoint;
    if (turn > turns)
      refuse(
        [...at, 'after_turn'],
        `there is no turn ${turn}: the scenario has at most ${turns}`,
        `write 1 to ${turns}`,
      );
    if (seen.has(turn))
      refuse([...at, 'after_turn'], `there are two checkpoints after turn ${turn}`, 'put both into one');
    seen.add(turn);
    if (criteria === undefined && assert === undefined)
      refuse(at, 'the checkpoint checks nothing', 'add criteria or assert');
    if (assert?.length === 0)
      refuse(
        [...at, 'assert'],
        'the list of assertions is empty, so it tests nothing',
        'add an assertion, or remove the key',
      );
    if (Array.isArray(criteria) && criteria.length === 0)
      refuse(
        [...at, 'criteria'],
        'the list is empty, so it tests nothing',
        'add a statement, or remove the key',
      );
  }
}

/** A scenario, checked once and filled for every set of variables. */
export class ScenarioTexts {
  readonly placeholders: readonly Placeholder[];
  private readonly place: ScenarioPlace;
  private readonly persona: TextField | null;
  private readonly goal: TextField | null;
  /** One entry a user turn; null where it is simulated. */
  private readonly words: readonly (TextField | null)[];
  private readonly stops: readonly StopField[];
  private readonly recorded: TextField | null;

  constructor(head: ScenarioHead, place: ScenarioPlace, problems: RuleProblem[]) {
    this.place = place;
    const field = (text: string, inner: KeyPath): TextField =>
      new TextField(text, [...place.path, ...inner], 'not-blank', place.known, problems);
    const optional = (text: string | undefined, key: string): TextField | null =>
      text === undefined ? null : field(text, [key]);
    this.persona = optional(head.persona, 'persona');
    this.goal = optional(head.goal, 'goal');
    this.recorded = optional(head.recorded, 'recorded');
    this.words = wordFields(head, field);
    const { stop_when: stop } = head;
    const list = stop === undefined ? [] : Array.isArray(stop) ? stop : [stop];
    this.stops = list.flatMap((condition, index): StopField[] => {
      const at = Array.isArray(stop) ? ['stop_when', index] : ['stop_when'];
      if (typeof condition === 'string') {
        return [{ type: 'sentence', field: field(condition, at), path: [...place.path, ...at] }];
      }
      return RULE_KEYS.flatMap((key): StopField[] => {
        const text = condition[key];
        if (text === undefined) return [];
        return [{ type: key, field: field(text, [...at, key]), path: [...place.path, ...at, key] }];
      });
    });
    this.placeholders = [
      this.persona,
      this.goal,
      ...this.words,
      ...this.stops.map((stop) => stop.field),
      this.recorded,
    ].flatMap((text) => text?.placeholders ?? []);
  }

  /** The scenario for these variables; `id` is that of its case, null where it has none of its own; notes what is wrong with it. */
  fill(variables: Variables, id: string | null, problems: RuleProblem[]): CaseScenario {
    const filled = (text: TextField | null): string | null => text?.fill(variables, problems) ?? null;
    const stopRules: StopRule[] = [];
    let stopSentence: string | null = null;
    for (const { type, field, path } of this.stops) {
      const value = field.fill(variables, problems);
      if (type === 'sentence') stopSentence = value;
      else stopRules.push({ type, value });
      const fault = type === 'answer_matches' ? patternFault(value, '', 'javascript') : null;
      if (fault !== null)
        problems.push({ path, message: `is no regular expression: ${fault}`, fix: 'correct the pattern' });
    }
    const said = {
      persona: filled(this.persona),
      goal: filled(this.goal),
      words: this.words.map(filled),
      stopSentence,
      stopRules,
    };
    const recorded = filled(this.recorded);
    return { ...said, recorded: recorded === null ? null : this.recording(recorded, said, id, problems) };
  }

  private recording(
    written: string,
    said: Omit<CaseScenario, 'recorded'>,
    id: string | null,
    problems: RuleProblem[],
  ): CaseScenario['recorded'] {
    const { path, root, recordingAgain } = this.place;
    const refuse = (message: string, fix: string): null => {
      problems.push({ path: [...path, 'recorded'], message, fix });
      return null;
    };
    const again = 'record it with assay scenario run --record';
    const found = insidePath(written, root);
    if (!found.ok) return refuse(`${JSON.stringify(written)} ${found.message}`, found.fix);
    if (!written.endsWith(SIMULATOR_ENDING))
      return refuse(
        `${written} does not end in ${SIMULATOR_ENDING}`,
        `write a name such as recordings/refund${SIMULATOR_ENDING}`,
      );
    if (recordingAgain) return { path: found.path, recording: null };
    if (!found.exists) return refuse(`there is no file ${written}`, again);
    const read = readSimulatorRecording(found.path);
    if (!read.ok) return refuse(`${written} ${read.message}`, again);
    if (id !== null && read.recording.case !== id)
      return refuse(
        `${written} was recorded for the case ${JSON.stringify(read.recording.case)}`,
        'give every scenario a recording of its own',
      );
    if (read.recording.scenario !== scenarioIdentity(said))
      return refuse(`${written} was recorded before persona, goal, script or stop_when changed`, again);
    return { path: found.path, recording: read.recording };
  }
}

function wordFields(
  head: ScenarioHead,
  field: (text: string, inner: KeyPath) => TextField,
): (TextField | null)[] {
  const { script, opening, max_turns: most } = head;
  if (script !== undefined) {
    return script.flatMap((step, index) =>
      typeof step === 'string'
        ? [field(step, ['script', index])]
        : Array.from({ length: step.simulate }, () => null),
    );
  }
  const words: (TextField | null)[] = Array.from({ length: most ?? DEFAULT_SCENARIO_TURNS }, () => null);
  if (opening !== undefined) words[0] = field(opening, ['opening']);
  return words;
}
