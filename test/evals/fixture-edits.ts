import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Recording, ToolCall } from '../../src/index.js';
import type { TraceFixture } from '../../src/suite/index.js';

/** An edit of what the scripted model says. */
export type ScriptEdit = (fixture: TraceFixture) => void;
/** An edit of what was recorded, for behaviour that lives in the loop and not in the script. */
export type RecordingEdit = (recording: Recording) => void;

type Step = NonNullable<TraceFixture['turns'][number]['steps']>[number];
type ScriptedCall = Extract<Step['response'], { type: 'tool_calls' }>['tool_calls'][number];

function present<Value>(value: Value | undefined | null, what: string): Value {
  if (value === undefined || value === null) throw new Error(`the fixture has no ${what}`);
  return value;
}

/** The scripted steps of a turn; without a number, of the last one. */
export function stepsOf(fixture: TraceFixture, turn = -1): Step[] {
  return present(fixture.turns.at(turn)?.steps, `steps in turn ${turn}`);
}

/** Edits the text of a step; without numbers, of the last step of the last turn. */
export function rewrite(edit: (text: string) => string, turn = -1, step = -1): ScriptEdit {
  return (fixture) => {
    const { response } = present(stepsOf(fixture, turn).at(step), `step ${step}`);
    if (response.type !== 'text') throw new Error(`step ${step} is no text`);
    response.content = edit(response.content);
  };
}

/** Puts another text at the end of the case. */
export function answer(text: string): ScriptEdit {
  return rewrite(() => text);
}

/** Puts one more call into the last turn, just before its answer. */
export function alsoCalls(name: string, message = 'once more'): ScriptEdit {
  return (fixture) => {
    const call = { id: 'call_more', name, arguments: { message } };
    const response = { type: 'tool_calls' as const, tool_calls: [call], input_tokens: 0, output_tokens: 0 };
    stepsOf(fixture).splice(-1, 0, { response });
  };
}

/** Takes a step out of a turn. */
export function withoutStep(step: number, turn = 0): ScriptEdit {
  return (fixture) => {
    stepsOf(fixture, turn).splice(step, 1);
  };
}

/** Edits one call of the first step of the first turn. */
export function call(index: number, edit: (found: ScriptedCall) => void): ScriptEdit {
  return (fixture) => {
    const { response } = present(stepsOf(fixture, 0)[0], 'first step');
    if (response.type !== 'tool_calls') throw new Error('the first step calls no tool');
    edit(present(response.tool_calls[index], `call ${index}`));
  };
}

/** Edits the `message` of the first call. */
export function message(edit: (text: string) => string): ScriptEdit {
  return call(0, (found) => {
    const given = found.arguments;
    const text =
      typeof given === 'object' && given !== null && !Array.isArray(given) ? given['message'] : null;
    if (typeof text !== 'string') throw new Error('the first call has no message');
    found.arguments = { message: edit(text) };
  });
}

/** Adds to what the last step reports as used. */
export function usesMore(tokens: { input?: number; output?: number }): ScriptEdit {
  return (fixture) => {
    const { response } = present(stepsOf(fixture).at(-1), 'last step');
    response.input_tokens += tokens.input ?? 0;
    response.output_tokens += tokens.output ?? 0;
  };
}

/** Puts another text at the end of the recording. */
export function recordedAnswer(text: string): RecordingEdit {
  return (recording) => {
    present(recording.turns.at(-1), 'last turn').text = text;
  };
}

/** Edits a recorded call. */
export function recordedCall(index: number, edit: (found: ToolCall) => void): RecordingEdit {
  return (recording) => edit(present(recording.toolCalls[index], `recorded call ${index}`));
}

/** Lets the agent have written a file. */
export function recordedFile(path: string): RecordingEdit {
  return (recording) => {
    const root = mkdtempSync(join(tmpdir(), 'assay-evals-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), 'written');
    recording.workspace = { root };
  };
}
