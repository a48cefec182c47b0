import { dirname } from 'node:path';
import {
  AssayError,
  clip,
  isJsonObject,
  parseJson,
  type JsonObject,
  type JsonValue,
  type Recording,
  type TrialResult,
} from '../core/index.js';
import { gradeChecks, verdictOf } from '../grade/index.js';
import type { Case, Suite } from '../suite/index.js';
import { draftId, fingerprintOf, type NewDraft } from './draft.js';
import { movedPaths } from './moved-paths.js';
import { redactObject } from './redact-case.js';
import { recordingTranscript } from './recording-transcript.js';
import { transcriptFixture } from './transcript-fixture.js';
import { writtenCase } from './written-case.js';

/** A trial that is to become a case. */
export interface TrialSource {
  runId: string;
  trial: TrialResult;
  suite: Suite;
  tested: Case;
  /** Absolute path of the directory of drafts. */
  directory: string;
  /** Script the replies of the recording even where the agent under test is the model itself. */
  scripted: boolean;
}

const HEAD_KEYS = [
  'agent_level',
  'judge_level',
  'agent_model',
  'judge_model',
  'system_prompt',
  'pass_threshold',
];
const LONGEST_REASON = 600;

/** Why the trial did not pass, in one line. */
export function failureReason(trial: TrialResult): string {
  const failed = trial.checks.filter((check) => !check.diagnostic && check.outcome !== 'pass');
  const reason =
    trial.error === null
      ? failed.map((check) => `${check.label}: ${check.evidence}`).join('; ')
      : `${trial.error.kind} error: ${trial.error.message}`;
  return clip(reason.replace(/\s+/g, ' ').trim() || 'it passed', LONGEST_REASON);
}

function argumentsOf(text: string): JsonValue {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : text;
}

/** The answer of a recording as a case writes one down. */
function badAnswer(recording: Recording, turns: number, reason: string): JsonObject {
  const texts = Array.from({ length: turns }, (_, index) => recording.turns[index]?.text ?? '');
  const calls = recording.toolCalls.map((call): JsonObject => ({
    name: call.name.trim() === '' ? 'unnamed' : call.name,
    arguments: argumentsOf(call.arguments),
    result: call.result,
    ok: call.ok,
  }));
  return {
    output: texts.length === 1 ? (texts[0] ?? '') : texts,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    reason,
  };
}

/** What the checks that need neither model nor program say to what is kept of the answer. */
function stillFails(tested: Case, recording: Recording): boolean {
  const { workspace: _, ...kept } = recording;
  const answer: Recording = {
    ...kept,
    usage: { inputTokens: 0, outputTokens: 0, cost: 0 },
    llmCalls: 0,
    durationMs: 0,
  };
  const checks = gradeChecks(tested.checks, answer, { emptyText: tested.allowEmpty ? 'grade' : 'fail' });
  return checks.some((check) => check.outcome === 'fail') && !verdictOf(checks, tested.scoring).passed;
}

function judgedFailed(trial: TrialResult): boolean {
  return trial.checks.some(
    (check) => (check.category === 'judge' || check.category === 'program') && check.outcome === 'fail',
  );
}

function tagsOf(value: JsonObject): string[] {
  const tags = Array.isArray(value['tags']) ? value['tags'].filter((tag) => typeof tag === 'string') : [];
  return [...new Set([...tags, 'from-run'])];
}

/** Turns of a kept answer: all that the case has, or of a scenario those that were had. */
function turnsToKeep({ scenario, turns }: Case, recording: Recording): number {
  return scenario === undefined ? turns.length : Math.max(1, recording.turns.length);
}

/** The recording of a simulated user belongs to the case it was made for, so a draft of another id leaves it out. */
function withoutRecording(value: JsonObject): JsonObject {
  const { scenario } = value;
  if (!isJsonObject(scenario) || scenario['recorded'] === undefined) return value;
  const { recorded: _, ...kept } = scenario;
  return { ...value, scenario: kept };
}

function suiteDraft(source: TrialSource, id: string, notes: string[]): NewDraft['content'] {
  const { suite, tested, trial, directory } = source;
  const { value, head } = writtenCase(suite, tested);
  const reason = failureReason(trial);
  const { recording } = trial;
  const bad = Array.isArray(value['known_bad']) ? [...value['known_bad']] : [];
  const fails = recording !== null && stillFails(tested, recording);
  if (recording !== null && (fails || judgedFailed(trial))) {
    bad.push(badAnswer(recording, turnsToKeep(tested, recording), reason));
    if (!fails)
      notes.push('Only a judge or a program can tell its answer is bad: assay suite verify --judges.');
  } else {
    notes.push(`The answer itself does not show the failure, so it is not kept: ${reason}`);
  }
  const agent = value['agent'] ?? head['agent'];
  const from = dirname(suite.path);
  const written: JsonObject = {
    ...withoutRecording(value),
    id,
    tags: tagsOf(value),
    ...(agent === undefined ? {} : { agent }),
    ...(bad.length === 0 ? {} : { known_bad: bad }),
  };
  const kept = HEAD_KEYS.filter((key) => Object.hasOwn(head, key)).map((key): [string, JsonValue] => [
    key,
    head[key] ?? null,
  ]);
  if (Object.hasOwn(head, 'system_prompt'))
    notes.push('The system_prompt belongs to the suite, not to the case.');
  return {
    format: 'assertion',
    suite: {
      name: `Draft from run ${source.runId}`,
      type: suite.kind,
      ...Object.fromEntries(kept),
      trials: tested.trials,
      cases: [redactObject(movedPaths(written, from, directory))],
    },
  };
}

/** True when something else than the model is under test, so that scripted replies can show whether it is mended. */
function isProgram(fixture: JsonObject): boolean {
  const { agent } = fixture;
  return isJsonObject(agent) && !('loop' in agent);
}

function fixtureDraft(source: TrialSource, id: string, notes: string[]): NewDraft['content'] {
  const { suite, tested, trial, directory, scripted } = source;
  const { value } = writtenCase(suite, tested);
  const base: JsonObject = { ...value, model_name: id, tags: tagsOf(value) };
  delete base['id'];
  if (trial.recording !== null && trial.receipt.mode !== 'replay') {
    if (scripted || isProgram(value)) {
      const { fixture } = transcriptFixture(recordingTranscript(trial.recording), id, []);
      base['turns'] = withExpects(fixture['turns'], value['turns']);
      notes.push('Its steps are the replies of the failed trial; its expectations are those of the case.');
    } else notes.push('It has no steps: the model is what failed, so it is asked again in live mode.');
  }
  const to = `${directory}/${id}`;
  return { format: 'trace', fixture: redactObject(movedPaths(base, suite.root, to)) };
}

/** The turns of a recording with the expectations that were written for them. */
function withExpects(turns: JsonValue | undefined, written: JsonValue | undefined): JsonValue {
  const expects = Array.isArray(written) ? written : [];
  return (Array.isArray(turns) ? turns : []).map((turn, index) => {
    if (!isJsonObject(turn)) return turn;
    const { expects: _, ...rest } = turn;
    const own = expects[index];
    return isJsonObject(own) && own['expects'] !== undefined ? { ...rest, expects: own['expects'] } : rest;
  });
}

/**
 * The draft of a trial: the case it failed, under an id of its own, with the failed answer as one that must fail (an
 * assertion suite), or with the replies that led to it as steps (a trace fixture of a program).
 * @throws AssayError `INPUT`
 */
export function runDraft(source: TrialSource): NewDraft {
  const { runId, trial, suite, tested } = source;
  if (trial.recording === null) {
    throw new AssayError(
      'INPUT',
      `trial ${trial.trial} of ${tested.id} recorded nothing: ${failureReason(trial)}`,
      {
        fix: 'choose another with --trial',
      },
    );
  }
  const notes: string[] = [];
  if (trial.caseHash !== tested.hash)
    notes.push('The case has changed since the run; its checks are those of today.');
  const fingerprint = fingerprintOf('run', { run: runId, case: tested.id, trial: trial.trial });
  const id = draftId(tested.id, fingerprint);
  const content = suite.format === 'trace' ? fixtureDraft(source, id, notes) : suiteDraft(source, id, notes);
  return {
    id,
    provenance: {
      kind: 'run',
      source: `${runId} ${tested.id} trial ${trial.trial}`,
      fingerprint,
      details: {
        run: runId,
        suite: suite.name,
        case: tested.id,
        trial: trial.trial,
        status: trial.status,
        model: trial.receipt.servedModel ?? trial.receipt.modelRef,
        started_at: trial.startedAt,
        reason: failureReason(trial),
      },
    },
    content,
    notes,
  };
}
