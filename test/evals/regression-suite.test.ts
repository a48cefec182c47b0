import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  canonicalJson,
  fixedSource,
  gradeRecording,
  idleRecording,
  loadSuite,
  replayAgents,
  runSuite,
  vacuousChecks,
  type Case,
  type Recording,
  type RunReport,
  type Suite,
  type TrialResult,
} from '../../src/index.js';
import { traceFixtureSchema, type TraceFixture } from '../../src/suite/index.js';
import { mutations } from './mutations.js';

const directory = join(import.meta.dirname, '../../evals/regression');
const files = readdirSync(directory).filter((name) => name.endsWith('.json'));
const suite = await loadSuite(directory);
const cases = [...suite.cases];
const named = cases.map((tested) => ({ name: tested.id, tested }));

async function replay(of: Suite): Promise<{ report: RunReport; trials: Map<string, TrialResult> }> {
  const trials = new Map<string, TrialResult>();
  const report = await runSuite({
    suite: of,
    agents: replayAgents(),
    onEvent: (event) => {
      if (event.type === 'trial-end') trials.set(event.trial.caseId, event.trial);
    },
  });
  return { report, trials };
}

const { report, trials } = await replay(suite);

function fixtureOf(tested: Case): TraceFixture {
  return traceFixtureSchema.parse(JSON.parse(readFileSync(join(directory, tested.source.name), 'utf8')));
}

function recordingOf(tested: Case): Recording {
  const recording = trials.get(tested.id)?.recording;
  if (recording === undefined || recording === null) throw new Error(`nothing was recorded for ${tested.id}`);
  return structuredClone(recording);
}

async function failedLabels(tested: Case, recording: Recording): Promise<string[]> {
  const checks = await gradeRecording(tested.checks, recording, { emptyText: 'grade' });
  return checks.filter((check) => check.outcome !== 'pass').map((check) => check.label);
}

/** What reports a script that was edited: labels of failed checks, or the kind of the trial's error. */
async function reportsOfScript(tested: Case, edit: (fixture: TraceFixture) => void): Promise<string[]> {
  const original = fixtureOf(tested);
  const fixture = structuredClone(original);
  edit(fixture);
  expect(canonicalJson(expectationsOf(fixture)), 'a mutation leaves prompts and expectations alone').toBe(
    canonicalJson(expectationsOf(original)),
  );
  const root = mkdtempSync(join(tmpdir(), 'assay-evals-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const mutated = join(root, 'regression');
  mkdirSync(mutated);
  writeFileSync(join(mutated, tested.source.name), JSON.stringify(fixture));
  const run = await replay(await loadSuite(mutated));
  const trial = run.trials.get(tested.id);
  if (trial === undefined || trial.status === 'passed') return [];
  expect(run.report.exitCode()).toBe(1);
  if (trial.error !== null) return [trial.error.kind];
  return trial.checks.filter((check) => check.outcome !== 'pass').map((check) => check.label);
}

function expectationsOf(fixture: TraceFixture): unknown {
  return [fixture.expects, fixture.turns.map((turn) => [turn.user_input, turn.expects])];
}

describe('the bundled regression suite', () => {
  it('passes, every case of it', () => {
    expect(report.cases.filter((result) => result.outcome !== 'passed').map((result) => result.id)).toEqual(
      [],
    );
    expect(report.outcome).toBe('passed');
    expect(report.exitCode()).toBe(0);
    expect(report.totals).toMatchObject({
      cases: files.length,
      passed: files.length,
      scoredTrials: files.length,
    });
  });

  it('passes when each case is replayed twice and the recordings are compared', async () => {
    const options = { suite, agents: replayAgents(), source: fixedSource(), verifyDeterminism: true };
    const again = await runSuite(options);
    expect(again.cases.map((result) => [result.id, result.outcome])).toEqual(
      cases.map((tested) => [tested.id, 'passed']),
    );
  }, 120_000);

  it('has at least 28 cases, one a file, each file named as its case', () => {
    expect(cases.length).toBeGreaterThanOrEqual(28);
    expect(cases.map((tested) => tested.source.name)).toEqual(files.toSorted());
    expect(cases.map((tested) => tested.id)).toEqual(
      cases.map((tested) => basename(tested.source.name, '.json')),
    );
  });

  it('says of every case either what should or what should not happen, in equal parts', () => {
    const polarity = (tag: string): string[] =>
      cases.filter((tested) => tested.tags.includes(tag)).map((tested) => tested.id);
    const should = polarity('should');
    const shouldNot = polarity('should-not');
    expect([...should, ...shouldNot].toSorted()).toEqual(cases.map((tested) => tested.id).toSorted());
    expect(Math.abs(should.length - shouldNot.length)).toBeLessThanOrEqual(2);
  });

  it('names placeholders only: no address, no host, no key', () => {
    for (const file of files) {
      const text = readFileSync(join(directory, file), 'utf8');
      expect(text, file).not.toMatch(
        /https?:|[\w.]+@[\w.]+|\bsk-|\b[A-Za-z0-9+/]{32,}\b|\d{1,3}(?:\.\d{1,3}){3}/,
      );
    }
  });
});

describe('the suite covers every check family that a replay can satisfy', () => {
  const labels = cases.flatMap((tested) => tested.checks.map((check) => check.label));
  const families = new Set(labels.map((label) => label.slice(0, label.indexOf('('))));

  // A replay has no tool that writes: a file can only be absent from it. Rubrics need a judge.
  it.each([
    'response_contains',
    'response_not_contains',
    'response_matches',
    'tools_used',
    'tools_not_used',
    'max_tool_calls',
    'min_tool_calls',
    'exact_tool_calls',
    'tool_arguments_contain',
    'tool_results_contain',
    'all_tools_succeeded',
    'file_absent',
    'max_input_tokens',
    'max_output_tokens',
    'max_total_tokens',
    'max_duration_ms',
    'max_llm_calls',
    'response_json',
    'turns[0].response_contains',
    'turns[0].response_not_contains',
    'turns[1].response_contains',
    'turns[1].response_not_contains',
    'turns[1].response_matches',
  ])('%s', (family) => {
    expect([...families]).toContain(family);
  });

  it.each([
    'all_tools_succeeded(true)',
    'all_tools_succeeded(false)',
    'exact_tool_calls(0)',
    'response_json("")',
    'response_json("/a~1b")',
    'response_json("/m~0n")',
  ])('%s', (label) => {
    expect(labels).toContain(label);
  });

  it.each(['tool_arguments_contain', 'tool_results_contain'])('%s with and without call_index', (family) => {
    expect(labels.some((label) => label.startsWith(`${family}("echo"[`))).toBe(true);
    expect(labels.some((label) => label.startsWith(`${family}("echo", `))).toBe(true);
  });

  it('several calls in one step, several turns, failed calls, calls of unknown tools', () => {
    const recordings = cases.map(recordingOf);
    expect(
      recordings.some((recording) =>
        recording.messages.some((message) => (message.toolCalls?.length ?? 0) > 1),
      ),
    ).toBe(true);
    expect(recordings.some((recording) => recording.turns.length > 2)).toBe(true);
    expect(recordings.flatMap((recording) => recording.toolCalls).some((call) => !call.ok)).toBe(true);
  });
});

describe('no case passes when the agent does nothing', () => {
  it.each(named)('$name', async ({ tested }) => {
    const recording = recordingOf(tested);
    const idle = idleRecording(
      recording.receipt,
      recording.turns.map((turn) => turn.user),
    );
    expect(await failedLabels(tested, idle)).not.toEqual([]);
    expect(vacuousChecks(tested)).toBeNull();
  });
});

describe('every case turns red when the behaviour in its name is broken', () => {
  it('there is one mutation for each case, and none for a case that is gone', () => {
    expect(Object.keys(mutations).toSorted()).toEqual(cases.map((tested) => tested.id).toSorted());
  });

  it.each(named)('$name', async ({ tested }) => {
    const mutation = mutations[tested.id];
    if (mutation === undefined) throw new Error('no mutation');
    expect(await failedLabels(tested, recordingOf(tested)), 'green before').toEqual([]);
    expect(await reportsOfScript(tested, () => undefined), 'green when nothing is edited').toEqual([]);
    let reports: string[];
    if ('script' in mutation) reports = await reportsOfScript(tested, mutation.script);
    else {
      const recording = recordingOf(tested);
      mutation.recording(recording);
      reports = await failedLabels(tested, recording);
    }
    expect(reports).toContainEqual(expect.stringMatching(startOf(mutation.red)));
  });
});

function startOf(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`);
}
