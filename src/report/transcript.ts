import {
  terminalLine,
  terminalSafe,
  type Check,
  type Message,
  type ScenarioEnd,
  type ToolCall,
  type TrialResult,
  type TurnRecord,
} from '../core/index.js';
import { headAndTail } from './clip-text.js';
import { costText, countText, durationText, scoreText } from './number-text.js';
import { createPainter, outcomeMark, statusMark, type Painter } from './painter.js';

/** How to print a transcript. */
export interface TranscriptOptions {
  color: boolean;
  /** Characters shown of one message, argument or result; everything unless given. */
  characters?: number;
}

interface Style {
  paint: Painter;
  characters: number;
}

function block(text: string, style: Style): string[] {
  return terminalSafe(headAndTail(text, style.characters).replace(/\r\n/g, '\n'))
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`));
}

function headLines(trial: TrialResult, style: Style): string[] {
  const { receipt } = trial;
  const served = receipt.servedModel === null ? '' : ` (served by ${terminalLine(receipt.servedModel)})`;
  const score = trial.score === null ? '' : `, score ${scoreText(trial.score)}`;
  return [
    `${statusMark(style.paint, trial.status)} ${style.paint.bold(terminalLine(trial.caseId))} trial ${trial.trial}: ${trial.status}${score}`,
    style.paint.dim(
      `${receipt.mode}, model ${terminalLine(receipt.modelRef)}${served}, started ${terminalLine(trial.startedAt)}, case ${trial.caseHash.slice(0, 12)}`,
    ),
  ];
}

/** The recorded calls, matched with what the model asked for and what it was told, each used once. */
class Dispatched {
  readonly #left: ToolCall[];
  /** Calls that are shown with their result already, by id. */
  readonly #shown = new Map<string, number>();

  constructor(calls: readonly ToolCall[]) {
    this.#left = [...calls];
  }

  /** The recorded call that an asked-for call became; null when it was never dispatched. */
  take(id: string, name: string): ToolCall | null {
    const at = this.#left.findIndex((call) => call.id === id && call.name === name);
    if (at === -1) return null;
    this.#shown.set(id, (this.#shown.get(id) ?? 0) + 1);
    return this.#left.splice(at, 1)[0] ?? null;
  }

  /** True when a tool message answers a call whose result is shown; a denied call's answer is not. */
  answers(id: string | undefined): boolean {
    const count = id === undefined ? 0 : (this.#shown.get(id) ?? 0);
    if (id !== undefined && count > 0) this.#shown.set(id, count - 1);
    return count > 0;
  }

  rest(): readonly ToolCall[] {
    return this.#left;
  }
}

function callLines(
  call: { name: string; arguments: string },
  recorded: ToolCall | null,
  style: Style,
): string[] {
  const lines = [
    `  → ${terminalLine(call.name)} ${terminalLine(headAndTail(call.arguments, style.characters))}`,
  ];
  if (recorded === null) return [...lines, `  ${style.paint.warn('!')} not dispatched`];
  const mark = recorded.ok ? style.paint.good('✓') : style.paint.bad('✗');
  const result =
    recorded.result === '' ? [] : block(recorded.result, style).map((line) => `  ${line}`.trimEnd());
  return [...lines, `  ${mark} ${durationText(recorded.durationMs)}`, ...result];
}

/** Tells which user messages were simulated: they come in the order of the turns. */
class Spoken {
  readonly #turns: readonly TurnRecord[];
  #next = 0;

  constructor(turns: readonly TurnRecord[]) {
    this.#turns = turns;
  }

  isSimulated({ role, text }: Message): boolean {
    const turn = this.#turns[this.#next];
    if (role !== 'user' || turn === undefined || turn.user !== text) return false;
    this.#next += 1;
    return turn.simulated === true;
  }
}

const SIMULATED = ' (simulated)';

function messageLines(message: Message, dispatched: Dispatched, spoken: Spoken, style: Style): string[] {
  if (message.role === 'tool' && dispatched.answers(message.toolCallId)) return [];
  const tool = message.toolName === undefined ? '' : ` ${terminalLine(message.toolName)}`;
  const mark = spoken.isSimulated(message) ? SIMULATED : '';
  const lines = [style.paint.bold(`${message.role}${tool}${mark}`)];
  if (message.reasoning !== undefined && message.reasoning !== '') {
    lines.push(style.paint.dim('  (reasoning)'), ...block(message.reasoning, style));
  }
  if (message.text !== '') lines.push(...block(message.text, style));
  for (const call of message.toolCalls ?? []) {
    lines.push(...callLines(call, dispatched.take(call.id, call.name), style));
  }
  return [...lines, ''];
}

function conversation(trial: TrialResult, style: Style): string[] {
  const { recording } = trial;
  if (recording === null) return ['(nothing was recorded)', ''];
  const dispatched = new Dispatched(recording.toolCalls);
  const spoken = new Spoken(recording.turns);
  const lines = recording.messages.flatMap((message) => messageLines(message, dispatched, spoken, style));
  if (recording.messages.length === 0) {
    for (const turn of recording.turns) {
      const mark = turn.simulated === true ? SIMULATED : '';
      lines.push(style.paint.bold(`user${mark}`), ...block(turn.user, style), '');
      lines.push(style.paint.bold('assistant'), ...block(turn.text, style), '');
    }
  }
  const rest = dispatched.rest();
  if (rest.length > 0) {
    lines.push(style.paint.bold('other tool calls'));
    for (const call of rest) lines.push(...callLines(call, call, style));
    lines.push('');
  }
  const notes = recording.notes ?? [];
  lines.push(...notes.map((note) => style.paint.dim(`note: ${terminalLine(note)}`)));
  return notes.length === 0 ? lines : [...lines, ''];
}

const ENDS: { readonly [End in ScenarioEnd]: string } = {
  goal: 'the user had what it wanted',
  gave_up: 'the user gave up',
  stop_when: 'a rule ended it',
  turns: 'it had all its turns',
};

/** How the conversation of a scenario ended and who played its user. */
function simulationLines(trial: TrialResult, style: Style): string[] {
  const simulation = trial.recording?.simulation;
  if (simulation === undefined) return [];
  const { ended, reason, modelRef, servedModel, replayed, calls, cost } = simulation;
  const how = ended === null ? 'it broke off' : ENDS[ended];
  const why = reason === '' ? '' : `: ${headAndTail(reason, style.characters)}`;
  const served = servedModel === null ? '' : ` (served by ${servedModel})`;
  const spent = `${countText(calls)} ${calls === 1 ? 'request' : 'requests'}, ${cost === null ? 'cost not known' : costText(cost)}`;
  const who =
    modelRef !== null
      ? `played by ${modelRef}${served}, ${spent}`
      : replayed
        ? 'played from its recording'
        : 'as written';
  return [`conversation: ${terminalLine(how + why)}`, style.paint.dim(`user: ${terminalLine(who)}`), ''];
}

function checkLines(check: Check, style: Style): string[] {
  const remarks = [
    ...(check.diagnostic ? ['diagnostic'] : []),
    ...(check.required ? ['required'] : []),
    ...(check.weight === 1 ? [] : [`weight ${check.weight}`]),
    ...(check.outcome === 'unknown' || check.outcome === 'error' ? [check.outcome] : []),
  ];
  const remark = remarks.length === 0 ? '' : ` (${remarks.join(', ')})`;
  const label = `${outcomeMark(style.paint, check.outcome)} ${terminalLine(check.label)}`;
  return [
    `  ${label}${style.paint.dim(remark)} ${scoreText(check.score)}`,
    ...block(check.evidence, style).map((line) => `    ${line}`.trimEnd()),
    ...(check.judge === undefined ? [] : [style.paint.dim(`      judge ${terminalLine(check.judge.model)}`)]),
  ];
}

function usageLine(trial: TrialResult): string[] {
  const { recording } = trial;
  if (recording === null) return [];
  const { inputTokens, outputTokens, cost } = recording.usage;
  const parts = [
    `${countText(inputTokens)} tokens in, ${countText(outputTokens)} out`,
    cost === null ? 'cost not known' : costText(cost),
    `${countText(recording.llmCalls)} model requests`,
    `${countText(recording.toolCalls.length)} tool calls`,
    durationText(recording.durationMs),
  ];
  return [parts.join(', ')];
}

/**
 * One trial as people read it: the conversation with its tool calls and their results, the checks with their
 * evidence, what it used, and the error if it could not be scored. Safe to print on a terminal.
 */
export function formatTranscript(trial: TrialResult, options: TranscriptOptions): string {
  const style = {
    paint: createPainter(options.color),
    characters: options.characters ?? Number.MAX_SAFE_INTEGER,
  };
  const lines = [
    ...headLines(trial, style),
    '',
    ...conversation(trial, style),
    ...simulationLines(trial, style),
  ];
  if (trial.error !== null) {
    lines.push(`${style.paint.warn('!')} ${style.paint.bold(`error: ${trial.error.kind}`)}`);
    lines.push(...block(trial.error.message, style), '');
  }
  if (trial.checks.length > 0) {
    lines.push(style.paint.bold('checks'), ...trial.checks.flatMap((check) => checkLines(check, style)), '');
  }
  lines.push(...usageLine(trial));
  while (lines.at(-1) === '') lines.pop();
  return `${lines.join('\n')}\n`;
}
