import { isJsonObject, quote, type JsonValue } from '../core/index.js';
import { patternFault } from '../match/index.js';
import type { RuleProblem } from './document.js';
import { asksOverWire } from './trace-script.js';

const MAIN = 'main';

function listAt(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function wireOnly(fixture: { [key: string]: JsonValue }): RuleProblem[] {
  if (asksOverWire(fixture)) return [];
  return ['lanes', 'faults', 'recorded']
    .filter((key) => key in fixture)
    .map((key) => ({
      path: [key],
      at: 'key' as const,
      message: 'needs an agent that asks its model over the wire; nothing would ever read it here',
      fix: 'add agent: { command: […] }, { preset: … } or { http: … }, or remove the key',
    }));
}

function laneProblems(lanes: readonly JsonValue[]): RuleProblem[] {
  const names = new Set<JsonValue>([MAIN]);
  return lanes.flatMap((lane, index): RuleProblem[] => {
    const name = isJsonObject(lane) ? lane['name'] : undefined;
    if (typeof name !== 'string') return [];
    const known = names.has(name);
    names.add(name);
    const path = ['lanes', index, 'name'];
    if (name === MAIN) {
      return [{ path, message: 'main is the conversation of the turns', fix: 'give the lane another name' }];
    }
    return known
      ? [{ path, message: `${quote(name)} is used twice`, fix: 'give each lane a name of its own' }]
      : [];
  });
}

/** Steps of the turn or lane a fault names; null when there is none of that name. */
function stepsOf(fixture: { [key: string]: JsonValue }, lane: JsonValue, turn: JsonValue): number | null {
  const found =
    typeof lane === 'string'
      ? listAt(fixture['lanes']).find((each) => isJsonObject(each) && each['name'] === lane)
      : typeof turn === 'number'
        ? listAt(fixture['turns'])[turn]
        : undefined;
  return isJsonObject(found) ? listAt(found['steps']).length : null;
}

function faultProblems(fixture: { [key: string]: JsonValue }): RuleProblem[] {
  return listAt(fixture['faults']).flatMap((fault, index): RuleProblem[] => {
    if (!isJsonObject(fault)) return [];
    const { lane = null, turn = 0, step = 0 } = fault;
    const steps = stepsOf(fixture, lane, turn);
    const path = ['faults', index];
    if (steps === null) {
      return typeof lane === 'string'
        ? [{ path: [...path, 'lane'], message: `there is no lane ${quote(lane)}`, fix: 'name a lane' }]
        : [
            {
              path: [...path, 'turn'],
              message: `there is no turn ${JSON.stringify(turn)}`,
              fix: 'count from 0',
            },
          ];
    }
    if (typeof lane === 'string' && turn !== 0)
      return [{ path: [...path, 'turn'], message: 'a lane has no turns', fix: 'remove the key' }];
    const spoils = ['cut', 'malformed', 'slow'].some((kind) => kind === fault['fault']);
    const most = spoils ? steps - 1 : steps;
    if (typeof step === 'number' && step > most) {
      return [
        {
          path: [...path, 'step'],
          message: `there is no step ${step}${spoils ? ' for it to spoil' : ''}; there are ${steps}`,
          fix: `write 0 to ${Math.max(0, most)}`,
        },
      ];
    }
    return [];
  });
}

function maskProblems(recorded: JsonValue | undefined): RuleProblem[] {
  const overlook = isJsonObject(recorded) ? recorded['overlook'] : undefined;
  return listAt(isJsonObject(overlook) ? overlook['mask'] : undefined).flatMap((mask, index) => {
    const fault = typeof mask === 'string' ? patternFault(mask, '', 're2') : null;
    return fault === null
      ? []
      : [
          {
            path: ['recorded', 'overlook', 'mask', index],
            message: `the regular expression does not compile: ${fault}`,
            fix: 'use linear-time syntax: no look-around, no back-references',
          },
        ];
  });
}

/** The rules of lanes, faults and recorded requests that span several keys. */
export function scriptRules(fixture: { [key: string]: JsonValue }): RuleProblem[] {
  if (!('lanes' in fixture || 'faults' in fixture || 'recorded' in fixture)) return [];
  return [
    ...wireOnly(fixture),
    ...laneProblems(listAt(fixture['lanes'])),
    ...faultProblems(fixture),
    ...maskProblems(fixture['recorded']),
  ];
}
