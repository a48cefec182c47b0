import { plural, type CheckSpecOf, type Recording } from '../core/index.js';
import { gradeExpectedCalls } from './call-alignment.js';
import { cannotGrade, decide, type Verdict } from './grader.js';
import { callsTo, namesCalled, shownName } from './tool-facts.js';

/** Passes when every named tool was called at least once; failed calls count. */
export function gradeToolUsed(spec: CheckSpecOf<'tool-used'>, recording: Recording): Verdict {
  if (spec.tools.length === 0) return cannotGrade('there is no tool to look for');
  const missing = spec.tools.filter((tool) => callsTo(recording, tool).length === 0);
  if (missing.length === 0) return decide(true, namesCalled(recording));
  return decide(false, `never called: ${missing.map(shownName).join(', ')}; ${namesCalled(recording)}`);
}

/** Passes when none of the named tools was called. */
export function gradeToolNotUsed(spec: CheckSpecOf<'tool-not-used'>, recording: Recording): Verdict {
  if (spec.tools.length === 0) return cannotGrade('there is no tool to look for');
  const used = spec.tools.filter((tool) => callsTo(recording, tool).length > 0);
  if (used.length === 0) {
    return decide(true, `never called: ${spec.tools.map(shownName).join(', ')}; ${namesCalled(recording)}`);
  }
  const times = used.map(
    (tool) => `${shownName(tool)} was called ${plural(callsTo(recording, tool).length, 'time')}`,
  );
  return decide(false, times.join(', '));
}

function countEvidence(count: number, tool: string | undefined, recording: Recording): string {
  const what = tool === undefined ? plural(count, 'call') : `${plural(count, 'call')} to ${shownName(tool)}`;
  return `${what}; ${namesCalled(recording)}`;
}

/**
 * Counts the calls of all turns (to `tool`, when it is given) against every bound, and looks for the expected calls.
 */
export function gradeToolCalls(spec: CheckSpecOf<'tool-calls'>, recording: Recording): Verdict {
  const { exact, min, max, calls } = spec;
  if (exact === undefined && min === undefined && max === undefined && calls === undefined) {
    return cannotGrade('there is no bound and no expected call to compare with');
  }
  const actual = spec.tool === undefined ? recording.toolCalls : callsTo(recording, spec.tool);
  const count = actual.length;
  const counted =
    (exact === undefined || count === exact) &&
    (min === undefined || count >= min) &&
    (max === undefined || count <= max);
  const evidence = countEvidence(count, spec.tool, recording);
  if (calls === undefined) return decide(counted, evidence);
  if (calls.length === 0) return cannotGrade('the list of expected calls is empty');
  const aligned = gradeExpectedCalls(calls, actual, spec.order ?? 'any');
  return decide(
    counted && aligned.outcome === 'pass',
    counted ? aligned.evidence : `${evidence}; ${aligned.evidence}`,
  );
}

/** Passes when "every recorded call succeeded" has the expected truth; no calls at all count as true. */
export function gradeToolsSucceeded(spec: CheckSpecOf<'tools-succeeded'>, recording: Recording): Verdict {
  const failed = recording.toolCalls.filter((call) => !call.ok);
  const actual = failed.length === 0;
  const names = [...new Set(failed.map((call) => shownName(call.name)))].slice(0, 50).join(', ');
  const count = plural(recording.toolCalls.length, 'call');
  const evidence = actual
    ? `all tools succeeded: true (${count})`
    : `all tools succeeded: false (failed: ${names})`;
  return decide(actual === spec.expected, evidence);
}
