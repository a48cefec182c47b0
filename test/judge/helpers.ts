import { readFileSync } from 'node:fs';
import {
  fixedSource,
  idleRecording,
  type CheckSpecOf,
  type Recording,
  type ToolCall,
} from '../../src/core/index.js';
import {
  createJudge,
  type Judge,
  type JudgeAnswer,
  type JudgeRequest,
  type Verdict,
} from '../../src/judge/index.js';

const base = { key: 'assert[0]', category: 'judge', negated: false, weight: 1, required: false } as const;

export function rubric(
  text: string,
  more: Partial<CheckSpecOf<'llm-rubric'>> = {},
): CheckSpecOf<'llm-rubric'> {
  return {
    ...base,
    diagnostic: false,
    label: 'llm-rubric',
    type: 'llm-rubric',
    rubric: text,
    threshold: 0.6,
    includeTranscript: false,
    ...more,
  };
}

export function statements(
  list: string[],
  more: Partial<CheckSpecOf<'llm-assert'>> = {},
): CheckSpecOf<'llm-assert'> {
  return {
    ...base,
    diagnostic: false,
    label: 'llm-assert',
    type: 'llm-assert',
    statements: list,
    includeTranscript: false,
    ...more,
  };
}

export function pairwise(more: Partial<CheckSpecOf<'pairwise'>> = {}): CheckSpecOf<'pairwise'> {
  return {
    ...base,
    diagnostic: false,
    label: 'pairwise',
    type: 'pairwise',
    criteria: 'politeness',
    reference: 'the reference answer',
    includeTranscript: false,
    ...more,
  };
}

export function traceJudge(more: Partial<CheckSpecOf<'trace-judge'>> = {}): CheckSpecOf<'trace-judge'> {
  return {
    ...base,
    diagnostic: true,
    label: 'judge:politeness',
    type: 'trace-judge',
    name: 'politeness',
    rubric: 'The agent is polite.',
    threshold: 0.7,
    includeTranscript: false,
    ...more,
  };
}

export function recording(texts: string[], toolCalls: Partial<ToolCall>[] = []): Recording {
  const receipt = {
    schema: 'assay/recording/v1',
    caseId: 'case',
    caseHash: 'hash',
    trial: 1,
    mode: 'live',
    modelRef: 'scripted',
    servedModel: null,
    toolSurface: { requested: [], effective: [], registered: [] },
    sandbox: { autonomy: 'supervised', workspaceOnly: true },
    judgeRef: null,
    promptHash: null,
  } as const;
  return {
    ...idleRecording({ ...receipt, toolSurface: { requested: [], effective: [], registered: [] } }, []),
    turns: texts.map((text, index) => ({ user: `user ${index + 1}`, text })),
    toolCalls: toolCalls.map((call, index) => ({
      id: `call_${index}`,
      name: 'echo',
      arguments: '{}',
      result: '',
      ok: true,
      turn: 0,
      startedAt: 0,
      durationMs: 0,
      ...call,
    })),
  };
}

export function answered(text: string, more: Partial<JudgeAnswer> = {}): JudgeAnswer {
  return {
    text,
    servedModel: 'judge-1',
    inputTokens: 10,
    outputTokens: 5,
    cost: 0.25,
    cached: false,
    ...more,
  };
}

/** What a scripted judge does with a request: a reply, a full answer, or something thrown. */
export type Replying = (request: JudgeRequest, index: number) => string | JudgeAnswer;

export interface ScriptedJudge {
  judge: Judge;
  requests: JudgeRequest[];
}

export function seededRandom(): () => number {
  const source = fixedSource();
  return () => source.random();
}

/** A judge that answers by a function and remembers what it was asked. */
export function scriptedJudge(replying: Replying, random = seededRandom()): ScriptedJudge {
  const requests: JudgeRequest[] = [];
  const judge = createJudge({
    modelRef: 'scripted-judge',
    random,
    ask: async (request) => {
      await Promise.resolve();
      requests.push(request);
      const reply = replying(request, requests.length - 1);
      return typeof reply === 'string' ? answered(reply) : reply;
    },
  });
  return { judge, requests };
}

export const context = { prompts: ['Say hello.'] };

/** The verdict on a rubric when the judge gives these replies, the last one over and over. */
export async function rubricVerdict(replies: string | string[], threshold = 0.6): Promise<Verdict> {
  const list = typeof replies === 'string' ? [replies] : replies;
  const { judge } = scriptedJudge((_, index) => list[Math.min(index, list.length - 1)] ?? '');
  return judge.grade(rubric('Is it polite?', { threshold }), recording(['Hello.']), context);
}

/** The same for numbered statements. */
export async function statementVerdict(list: string[], reply: string): Promise<Verdict> {
  const { judge } = scriptedJudge(() => reply);
  return judge.grade(statements(list), recording(['Hello.']), context);
}

export interface JudgedVector {
  id: string;
  right: string;
  assert: { type: string; value: string | string[]; judge_reply: string };
}

export function judgedVectors(): JudgedVector[] {
  const file = new URL('../vectors/verdicts.json', import.meta.url);
  const parsed: { judged: JudgedVector[] } = JSON.parse(readFileSync(file, 'utf8'));
  return parsed.judged;
}

/** A prompt's fenced parts by name, and what stands outside of them, read by its markers and nothing else. */
export function readFences(user: string): { names: string[]; parts: Map<string, string>; outside: string } {
  const names: string[] = [];
  const parts = new Map<string, string>();
  const outside: string[] = [];
  let open: { name: string; lines: string[] } | null = null;
  for (const line of user.split('\n')) {
    const marker = /^⟦assay \S+ (begin|end) (.+)⟧$/u.exec(line);
    const [, word, name] = marker ?? [];
    if (word === 'begin' && name !== undefined) {
      if (open !== null) throw new Error(`part ${name} opens inside ${open.name}`);
      open = { name, lines: [] };
    } else if (word === 'end' && name !== undefined) {
      if (open?.name !== name) throw new Error(`part ${name} closes without being open`);
      names.push(name);
      parts.set(name, open.lines.join('\n'));
      open = null;
    } else if (open !== null) open.lines.push(line);
    else outside.push(line);
  }
  if (open !== null) throw new Error(`part ${open.name} never closes`);
  return { names, parts, outside: outside.join('\n') };
}
