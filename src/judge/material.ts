import { clip, finalText, plural, type CheckBase, type Recording } from '../core/index.js';
import type { Part } from './fence.js';
import type { CaseContext } from './types.js';

/** Most code points of each part; fixed per part, so that no part can crowd out another. */
export const PART_LIMITS = {
  /** All user turns together. */
  task: 16_000,
  transcript: 24_000,
  reference: 16_000,
  answer: 24_000,
  /** Rubric, criteria, or all statements together. Never cut: longer ones are refused. */
  criteria: 16_000,
} as const;

const MOST_TURNS = 40;
const CALL_PAYLOAD_LIMIT = 2000;

/** The text that a check grades, or null when the check names a turn that did not happen. */
export function gradedText(spec: CheckBase, recording: Recording): string | null {
  if (spec.turn === undefined) return finalText(recording);
  return recording.turns[spec.turn]?.text ?? null;
}

/** The user turns up to the graded one, one part each; of very many the middle ones are left out, and that is said. */
export function taskParts(prompts: readonly string[], lastTurn?: number): Part[] {
  const shown = lastTurn === undefined ? prompts : prompts.slice(0, lastTurn + 1);
  const [only] = shown;
  if (shown.length === 1 && only !== undefined) {
    return [{ name: 'task', text: only, limit: PART_LIMITS.task }];
  }
  const kept = Math.min(shown.length, MOST_TURNS);
  const limit = Math.floor(PART_LIMITS.task / Math.max(1, kept));
  const turns = shown.map((text, index) => ({ name: `task turn ${index + 1}`, text, limit }));
  if (turns.length <= MOST_TURNS) return turns;
  const half = MOST_TURNS / 2;
  const leftOut = turns.length - MOST_TURNS;
  return [
    ...turns.slice(0, half),
    { name: 'note', text: `${plural(leftOut, 'turn')} left out here.`, limit: 100 },
    ...turns.slice(-half),
  ];
}

/**
 * What the agent did, as lines of JSON: the tool calls of each turn with arguments, success and result, and the texts
 * of the turns before the graded one. Long payloads are shortened one by one, so that one call cannot hide the others.
 */
export function transcriptText(recording: Recording, lastTurn?: number): string {
  const last = lastTurn ?? recording.turns.length - 1;
  const lines: string[] = [];
  for (let turn = 0; turn <= last; turn += 1) {
    for (const call of recording.toolCalls) {
      if (call.turn !== turn) continue;
      lines.push(
        JSON.stringify({
          turn: turn + 1,
          tool: call.name,
          arguments: clip(call.arguments, CALL_PAYLOAD_LIMIT),
          succeeded: call.ok,
          result: clip(call.result, CALL_PAYLOAD_LIMIT),
        }),
      );
    }
    const text = recording.turns[turn]?.text;
    if (turn < last && text !== undefined) {
      lines.push(JSON.stringify({ turn: turn + 1, answer: clip(text, CALL_PAYLOAD_LIMIT) }));
    }
  }
  return lines.length === 0 ? 'No tool was called.' : lines.join('\n');
}

/** What a rubric or a list of statements is judged on. */
export function answerParts(
  spec: CheckBase & { includeTranscript: boolean; reference?: string },
  answer: string,
  recording: Recording,
  context: CaseContext,
): Part[] {
  const parts = taskParts(context.prompts, spec.turn);
  if (spec.includeTranscript) {
    const text = transcriptText(recording, spec.turn);
    parts.push({ name: 'transcript', text, limit: PART_LIMITS.transcript });
  }
  if (spec.reference !== undefined) {
    parts.push({ name: 'reference', text: spec.reference, limit: PART_LIMITS.reference });
  }
  parts.push({ name: 'answer', text: answer, limit: PART_LIMITS.answer });
  return parts;
}

/** Most code points of all user turns, all answers and all tool calls of a conversation, each. */
const CONVERSATION_LIMITS = { user: 16_000, agent: 24_000, calls: 16_000 } as const;

/** The tool calls of one turn as lines of JSON; '' without any. */
function callLines(recording: Recording, turn: number): string {
  return recording.toolCalls
    .filter((call) => call.turn === turn)
    .map((call) =>
      JSON.stringify({
        tool: call.name,
        arguments: clip(call.arguments, CALL_PAYLOAD_LIMIT),
        succeeded: call.ok,
        result: clip(call.result, CALL_PAYLOAD_LIMIT),
      }),
    )
    .join('\n');
}

/**
 * A conversation up to a turn as parts, one for every message and one for the tool calls before every answer. Each kind
 * has a room of its own that its turns share, so that neither side can crowd out the other; of more turns than can be
 * shown the middle ones are left out, and that is said.
 */
export function conversationParts(recording: Recording, lastTurn?: number): Part[] {
  const turns = recording.turns.slice(0, lastTurn === undefined ? undefined : lastTurn + 1);
  const kept = Math.max(1, Math.min(turns.length, MOST_TURNS));
  const room = (limit: number): number => Math.floor(limit / kept);
  const half = MOST_TURNS / 2;
  const leftOut = turns.length - MOST_TURNS;
  return turns.flatMap(({ user, text }, index): Part[] => {
    if (leftOut > 0 && index >= half && index < turns.length - half) {
      return index === half
        ? [{ name: 'note', text: `${plural(leftOut, 'turn')} left out here.`, limit: 100 }]
        : [];
    }
    const number = index + 1;
    const calls = callLines(recording, index);
    return [
      { name: `user turn ${number}`, text: user, limit: room(CONVERSATION_LIMITS.user) },
      ...(calls === ''
        ? []
        : [{ name: `tool calls turn ${number}`, text: calls, limit: room(CONVERSATION_LIMITS.calls) }]),
      { name: `agent turn ${number}`, text, limit: room(CONVERSATION_LIMITS.agent) },
    ];
  });
}
