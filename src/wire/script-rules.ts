import { AssayError, didYouMean, quote, type Problem } from '../core/index.js';
import { FINISH_REASONS } from './neutral.js';
import { isCredentialHeader } from './route.js';
import {
  stepsOf,
  type LaneMatch,
  type LaneScript,
  type WireFault,
  type WireItem,
  type WireScript,
  type WireStep,
} from './script.js';

type Report = (key: string, message: string, fix: string) => void;

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function checkFault(fault: WireFault, key: string, report: Report): void {
  switch (fault.fault) {
    case 'status':
      if (!Number.isSafeInteger(fault.status) || fault.status < 400 || fault.status > 599) {
        report(`${key}.status`, `${fault.status} is not an error status`, 'write a number from 400 to 599');
      }
      if (fault.retryAfter !== undefined && !(Number.isFinite(fault.retryAfter) && fault.retryAfter >= 0)) {
        report(`${key}.retryAfter`, 'not a number of seconds', 'write a number of 0 or more');
      }
      return;
    case 'cut':
    case 'malformed':
      if (!isCount(fault.afterEvents)) {
        report(`${key}.afterEvents`, 'not a count of events', 'write a whole number of 0 or more');
      }
      return;
    case 'slow':
      if (!(Number.isFinite(fault.firstByteMs) && fault.firstByteMs >= 0)) {
        report(`${key}.firstByteMs`, 'not a number of milliseconds', 'write a number of 0 or more');
      }
      return;
    case 'drop':
      return;
  }
}

function checkStep(step: WireStep, key: string, report: Report): void {
  const counts = {
    inputTokens: step.inputTokens,
    outputTokens: step.outputTokens,
    cachedInputTokens: step.cachedInputTokens ?? 0,
    reasoningTokens: step.reasoningTokens ?? 0,
  };
  for (const [name, count] of Object.entries(counts)) {
    if (!isCount(count))
      report(`${key}.${name}`, 'not a count of tokens', 'write a whole number of 0 or more');
  }
  const { finishReason } = step;
  if (finishReason !== undefined && !FINISH_REASONS.includes(finishReason)) {
    const meant = didYouMean(finishReason, FINISH_REASONS);
    const fix =
      meant === null ? `write one of ${FINISH_REASONS.join(', ')}` : `did you mean ${quote(meant)}?`;
    report(`${key}.finishReason`, `${quote(finishReason)} is not a finish reason`, fix);
  }
  if (step.type !== 'tool_calls') return;
  step.toolCalls.forEach((call, index) => {
    if (call.name === '') report(`${key}.toolCalls[${index}].name`, 'the tool has no name', 'name a tool');
  });
}

/** `cut`, `malformed` and `slow` need the step they spoil, in the same turn. */
function lacksStep(items: readonly WireItem[], index: number): boolean {
  const after = items.slice(index + 1);
  const end = after.findIndex((item) => item.type === 'turn');
  return stepsOf(end === -1 ? after : after.slice(0, end)).length === 0;
}

function checkItems(lane: LaneScript, key: string, report: Report): void {
  lane.items.forEach((item, index) => {
    const place = `${key}.items[${index}]`;
    if (item.type === 'turn') {
      const next = lane.items[index + 1];
      if (next === undefined || next.type === 'turn') {
        report(place, 'the turn has no scripted reply', 'add at least one reply after it');
      }
    } else if (item.type === 'fault') {
      checkFault(item, place, report);
      if (item.fault !== 'status' && item.fault !== 'drop' && lacksStep(lane.items, index)) {
        report(
          place,
          `nothing follows for the ${item.fault} to spoil`,
          'add the reply it belongs to after it',
        );
      }
    } else checkStep(item, place, report);
  });
  const marked = lane.items.findIndex((item) => item.type === 'turn');
  if (marked > 0)
    report(`${key}.items[0]`, 'stands before the first turn', 'begin with the turn it belongs to');
}

function checkMatch(match: LaneMatch, key: string, report: Report): void {
  if (Object.values(match).every((value) => value === undefined)) {
    report(key, 'matches every request', 'say what to match, or leave `match` out for the default lane');
  }
  for (const [name, value] of Object.entries({
    firstUser: match.firstUser,
    system: match.system,
    model: match.model,
    role: match.role,
  })) {
    if (value?.trim() === '')
      report(`${key}.${name}`, 'is blank and would match anything', 'write some text');
  }
  for (const name of Object.keys(match.header ?? {})) {
    if (isCredentialHeader(name)) {
      report(
        `${key}.header[${quote(name)}]`,
        'is a credential, and those are never read',
        'match another header',
      );
    }
  }
  if (match.header !== undefined && Object.keys(match.header).length === 0) {
    report(`${key}.header`, 'names no header', 'name one');
  }
}

/** Everything that is wrong with a script, so that a lane that can never answer is refused before an agent runs. */
export function scriptProblems(script: WireScript, file: string): Problem[] {
  const problems: Problem[] = [];
  const report: Report = (key, message, fix) => {
    problems.push({ file, line: null, column: null, key, message, fix });
  };
  if (script.lanes.length === 0) report('lanes', 'there is no lane', 'add at least one');
  const names = new Set<string>();
  let defaults = 0;
  script.lanes.forEach((lane, index) => {
    const key = `lanes[${index}]`;
    if (lane.name === '') report(`${key}.name`, 'the lane has no name', 'name it');
    if (names.has(lane.name))
      report(`${key}.name`, `${quote(lane.name)} is used twice`, 'name each lane once');
    names.add(lane.name);
    if (lane.match === undefined) {
      defaults += 1;
      if (defaults === 2) report(key, 'is a second lane without `match`', 'say what it matches');
    } else checkMatch(lane.match, `${key}.match`, report);
    if (lane.items.length === 0) report(`${key}.items`, 'the lane is empty', 'add at least one reply');
    checkItems(lane, key, report);
  });
  (script.sideAnswers ?? []).forEach((side, index) =>
    checkMatch(side.match, `sideAnswers[${index}].match`, report),
  );
  return problems;
}

/**
 * Refuses a script that cannot be played.
 * @throws AssayError `SCRIPT`, with every problem
 */
export function admitScript(script: WireScript, file: string): void {
  const problems = scriptProblems(script, file);
  if (problems.length > 0) {
    throw new AssayError('SCRIPT', `The script of ${quote(file)} cannot be played.`, { problems });
  }
}
