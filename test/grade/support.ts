import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type {
  Check,
  CheckBase,
  CheckParameters,
  CheckSpec,
  CheckType,
  Receipt,
  Recording,
  ToolCall,
} from '../../src/core/index.js';
import { gradeChecks, gradeRecording, type GradeContext } from '../../src/grade/index.js';

export const receipt: Receipt = {
  schema: 'assay/recording/v1',
  caseId: 'case',
  caseHash: 'hash',
  trial: 1,
  mode: 'replay',
  modelRef: 'scripted',
  servedModel: null,
  toolSurface: { requested: [], effective: [], registered: [] },
  sandbox: { autonomy: 'supervised', workspaceOnly: true },
  judgeRef: null,
  promptHash: null,
};

/** A recording with these answers, one a turn. */
export function answered(texts: string | string[], more: Partial<Recording> = {}): Recording {
  const all = typeof texts === 'string' ? [texts] : texts;
  return {
    receipt,
    turns: all.map((text) => ({ user: 'question', text })),
    messages: [],
    toolCalls: [],
    usage: { inputTokens: 0, outputTokens: 0, cost: null },
    llmCalls: 1,
    durationMs: 5,
    ...more,
  };
}

/** A recorded call. */
export function call(name: string, given: unknown = {}, more: Partial<ToolCall> = {}): ToolCall {
  return {
    id: 'id',
    name,
    arguments: typeof given === 'string' ? given : JSON.stringify(given),
    result: '',
    ok: true,
    turn: 0,
    startedAt: 0,
    durationMs: 0,
    ...more,
  };
}

type Written<Type extends CheckType> = Omit<CheckParameters[Type], 'trim'> & { trim?: boolean };

/** A specification with everything that does not matter filled in; text checks trim unless they say otherwise. */
export function spec<Type extends CheckType>(
  type: Type,
  parameters: Written<Type>,
  base: Partial<CheckBase> = {},
): CheckSpec {
  const made: unknown = {
    label: `${base.negated === true ? 'not-' : ''}${type}`,
    category: 'response',
    negated: false,
    weight: 1,
    required: false,
    diagnostic: false,
    key: 'assert[0]',
    trim: true,
    ...base,
    ...parameters,
    type,
  };
  return made as CheckSpec;
}

const GRADE: GradeContext = { emptyText: 'fail' };

/** The one result of one specification. */
export function graded(wanted: CheckSpec, recording: Recording, context: GradeContext = GRADE): Check {
  const [check] = gradeChecks([wanted], recording, context);
  if (check === undefined) throw new Error('no check came back');
  return check;
}

/** The one result of one specification that may start a program or ask a judge. */
export async function gradedFully(
  wanted: CheckSpec,
  recording: Recording,
  context: GradeContext = GRADE,
): Promise<Check> {
  const [check] = await gradeRecording([wanted], recording, context);
  if (check === undefined) throw new Error('no check came back');
  return check;
}

/** `gradeText('contains', {value: 'x'}, 'text')`: one text check on one answer. */
export function gradeText<Type extends CheckType>(
  type: Type,
  parameters: Written<Type>,
  text: string,
  base: Partial<CheckBase> = {},
): Check {
  return graded(spec(type, parameters, base), answered(text));
}

/** A directory that is gone after the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'assay-grade-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
