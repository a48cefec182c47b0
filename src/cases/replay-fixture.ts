import { dirname } from 'node:path';
import { AssayError, canonicalJson, systemSource, type JsonObject, type Recording } from '../core/index.js';
import { inspectVacuity, replayAgents, runSuite } from '../run/index.js';
import { admitFixtureText, traceSuite, type Case, type Suite } from '../suite/index.js';

/** A suite of one case that is not on disk. */
function suiteOf(tested: Case, path: string): Suite {
  const { id: name, source } = tested;
  const place = { name, path, displayPath: source.file, root: dirname(path) };
  return traceSuite({ ...place, kind: 'regression', cases: [tested] });
}

/** What was scripted and did not happen; null when everything did. */
function difference(tested: Case, recording: Recording | null): string | null {
  if (recording === null) return 'nothing was recorded';
  const wanted = tested.turns.flatMap((turn, index) =>
    (turn.steps ?? []).flatMap((step) =>
      step.type === 'tool_calls'
        ? step.toolCalls.map((call) => [index, call.name, canonicalJson(call.arguments)])
        : [],
    ),
  );
  const made = recording.toolCalls.map((call) => [call.turn, call.name, call.arguments]);
  if (canonicalJson(wanted) === canonicalJson(made)) return null;
  return `the replay makes ${made.length} tool calls where the script has ${wanted.length}, or others`;
}

/**
 * Proves a fixture that is about to be written at `path`: it loads, an agent that does nothing fails it, and its replay
 * passes and makes the scripted calls.
 * @throws AssayError `SUITE_INVALID`, `VACUOUS`, or `INPUT` when the replay does not pass
 */
export async function proveFixture(path: string, fixture: JsonObject, cwd: string): Promise<Case> {
  const tested = admitFixtureText(path, JSON.stringify(fixture), { cwd, inspect: () => inspectVacuity });
  const agents = replayAgents();
  let recording: Recording | null = null;
  let fault: string | null = null;
  try {
    const report = await runSuite({
      suite: suiteOf(tested, path),
      agents,
      source: { ...systemSource(), monotonic: () => 0 },
      verifyDeterminism: true,
      onRecorded: (_, recorded) => (recording ??= recorded),
      onEvent(event) {
        if (event.type !== 'trial-end' || event.trial.status === 'passed') return;
        const failed = event.trial.checks
          .filter((check) => check.outcome !== 'pass')
          .map((check) => check.label);
        fault = event.trial.error?.message ?? `it fails ${failed.join(', ')}`;
      },
    });
    if (fault === null && report.outcome !== 'passed') fault = report.reason;
  } finally {
    await agents.close();
  }
  fault ??= difference(tested, recording);
  if (fault === null) return tested;
  throw new AssayError('INPUT', `the case that was made does not replay: ${fault}`, {
    fix: 'leave out turns with --turns, or report the transcript form',
  });
}
