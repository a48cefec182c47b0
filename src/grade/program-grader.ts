import { basename } from 'node:path';
import { quote, type CheckSpecOf, type Recording } from '../core/index.js';
import { turnText } from './graded-text.js';
import { cannotGrade, unreachable, type Verdict } from './grader.js';
import { askProgram } from './program-threads.js';

// A score such as 0.1 + 0.9 may miss 1 by rounding alone.
const FULL = 1 - 1e-9;

const WANTED = 'return true or false, a number from 0 to 1, or {pass, score?, reason?}';

function fields(value: unknown): { [key: string]: unknown } | null {
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(Object.entries(value));
}

function isScore(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

/** The verdict in what a grading function returned. */
function readResult(what: string, value: unknown): Verdict {
  if (typeof value === 'boolean') {
    return { outcome: value ? 'pass' : 'fail', evidence: `${what} returned ${value}` };
  }
  if (typeof value === 'number') {
    if (!(value >= 0 && value <= 1)) return cannotGrade(`${what} returned the score ${value}; ${WANTED}`);
    return {
      outcome: value >= FULL ? 'pass' : 'fail',
      score: value,
      evidence: `${what} returned the score ${value}`,
    };
  }
  const result = fields(value);
  if (result === null) return cannotGrade(`${what} returned nothing that can be read; ${WANTED}`);
  const { pass, passed, score, reason } = result;
  if ('unreadable' in result)
    return cannotGrade(`${what} returned ${String(result['unreadable'])}; ${WANTED}`);
  const verdict = pass ?? passed;
  if (typeof verdict !== 'boolean' || (passed !== undefined && passed !== verdict)) {
    return cannotGrade(`${what} returned no clear pass; ${WANTED}`);
  }
  if (score !== undefined && !isScore(score)) {
    return cannotGrade(`${what} returned a score that is not a number from 0 to 1; ${WANTED}`);
  }
  if (reason !== undefined && typeof reason !== 'string') {
    return cannotGrade(`${what} returned a reason that is not text; ${WANTED}`);
  }
  const scored = score === undefined ? '' : ` with the score ${score}`;
  const because = reason === undefined || reason.trim() === '' ? '' : `: ${reason}`;
  return {
    outcome: verdict ? 'pass' : 'fail',
    evidence: `${what} returned ${verdict ? 'pass' : 'fail'}${scored}${because}`,
    ...(score === undefined ? {} : { score }),
  };
}

/**
 * Asks a function of a local module, in a thread of its own under a time limit. It gets `{output, turns, toolCalls,
 * usage, parameters}`. A number passes only at 1; a fail needs no reason; a throw, a time-out and anything unreadable
 * are errors.
 */
export async function gradeProgram(spec: CheckSpecOf<'program'>, recording: Recording): Promise<Verdict> {
  const what = `${quote(basename(spec.path))} ${spec.exportName}`;
  const output = turnText(spec, recording);
  if (output === null) return cannotGrade(`turn ${(spec.turn ?? 0) + 1} was not reached`);
  const input = {
    output,
    turns: recording.turns,
    toolCalls: recording.toolCalls,
    usage: recording.usage,
    parameters: spec.parameters ?? null,
  };
  const end = await askProgram(spec.path, spec.exportName, input, spec.timeoutMs);
  switch (end.kind) {
    case 'value':
      return readResult(what, end.value);
    case 'thrown':
      return cannotGrade(`${what} threw: ${end.message}`);
    case 'timeout':
      return cannotGrade(`${what} was stopped after ${spec.timeoutMs} ms`);
    case 'died':
      return cannotGrade(`${what} gave no answer: ${end.message}`);
    default:
      return unreachable(end);
  }
}
