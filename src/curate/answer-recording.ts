import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  AssayError,
  canonicalJson,
  plural,
  type Receipt,
  type Recording,
  type Simulation,
  type TurnRecord,
} from '../core/index.js';
import type { Case, WrittenAnswer } from '../suite/index.js';
import { readRecordingFile } from './recording-file.js';

/** A recording that can be graded, and what must be cleaned up after that. */
export interface HeldRecording {
  recording: Recording;
  dispose(): void;
}

/** A receipt for a recording that no trial made. */
export function answerReceipt(tested: Case, modelRef: string): Receipt {
  return {
    schema: 'assay/recording/v1',
    caseId: tested.id,
    caseHash: tested.hash,
    trial: 1,
    // A written answer says everything that happened, not its text alone.
    mode: 'live',
    modelRef,
    servedModel: null,
    toolSurface: { requested: [], effective: [], registered: [] },
    sandbox: { autonomy: 'none', workspaceOnly: true },
    judgeRef: null,
    promptHash: null,
  };
}

const nothing = (): void => undefined;

/** The conversation of a written answer as far as somebody wrote it; it ended there. */
const writtenConversation: Simulation = {
  ended: 'turns',
  reason: 'the written answer ends there',
  modelRef: null,
  servedModel: null,
  replayed: false,
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cost: 0,
};

function readAnswer(path: string, tested: Case): Recording {
  const read = readRecordingFile(path, answerReceipt(tested, 'reference'));
  const turns = read.ok ? read.recording.turns.length : 0;
  const most = tested.turns.length;
  const fits = tested.scenario === undefined ? turns === most : turns > 0 && turns <= most;
  if (read.ok && fits) {
    return tested.scenario === undefined
      ? read.recording
      : { ...read.recording, simulation: writtenConversation };
  }
  const message = read.ok
    ? `has ${plural(turns, 'turn')}, and the case has ${tested.scenario === undefined ? '' : 'at most '}${most}`
    : read.message;
  throw new AssayError('INPUT', `case ${JSON.stringify(tested.id)}: ${path} ${message}`, {
    fix: 'store one with assay show RUN CASE --json, and name that file as the recording',
  });
}

/** The files that graders put beside those of the agent. */
function graderFiles(tested: Case): { [path: string]: string | Buffer } {
  const files = Object.entries(tested.graderFiles ?? {});
  return Object.fromEntries(
    files.map(([path, content]) => [path, 'text' in content ? content.text : readFileSync(content.file)]),
  );
}

/** Writes files into a fresh directory. */
function workspaceOf(files: { [path: string]: string | Buffer }): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'assay-answer-')));
  for (const [path, text] of Object.entries(files)) {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  return root;
}

/** The turns of a written answer: all of the case's, or of a scenario as many as were written. */
function saidTurns(tested: Case, answer: WrittenAnswer): TurnRecord[] {
  const turns = tested.scenario === undefined ? tested.turns : tested.turns.slice(0, answer.texts.length);
  return turns.map((turn, index) => ({ user: turn.user, text: answer.texts[index] ?? '' }));
}

/**
 * A written answer as a recording that can be graded; its workspace lives until `dispose`.
 * @throws AssayError `INPUT` when the recording it names cannot be read
 */
export function answerRecording(tested: Case, answer: WrittenAnswer): HeldRecording {
  if (answer.recording !== null) {
    return { recording: readAnswer(answer.recording, tested), dispose: nothing };
  }
  const recording: Recording = {
    receipt: answerReceipt(tested, 'reference'),
    turns: saidTurns(tested, answer),
    messages: [],
    toolCalls: answer.toolCalls.map((call, index) => ({
      id: `call_${index + 1}`,
      name: call.name,
      arguments: canonicalJson(call.arguments),
      result: call.result,
      ok: call.ok,
      turn: saidTurns(tested, answer).length - 1,
      startedAt: 0,
      durationMs: 0,
    })),
    usage: { inputTokens: 0, outputTokens: 0, cost: 0 },
    llmCalls: 0,
    durationMs: 0,
    ...(tested.scenario === undefined ? {} : { simulation: writtenConversation }),
  };
  const files = { ...tested.setupFiles, ...answer.files, ...graderFiles(tested) };
  if (Object.keys(files).length === 0) return { recording, dispose: nothing };
  const root = workspaceOf(files);
  return {
    recording: { ...recording, workspace: { root } },
    dispose: () => rmSync(root, { recursive: true, force: true, maxRetries: 2 }),
  };
}
