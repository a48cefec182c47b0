import { clip, type JsonObject, type JsonValue } from '../core/index.js';
import type { Capture, CapturedExchange } from './capture.js';
import { captureLanes, type CapturedLane } from './capture-lanes.js';
import { captureTurns, scriptFromCapture, stepFromReply } from './capture-script.js';
import { firstUserText, offeredNames } from './messages.js';
import type { LaneScript, WireStep } from './script.js';
import { recordRequests, type RecordedRequest } from './recorded-request.js';

/** A trace fixture made from a capture, and what does not fit into one. */
export interface CapturedFixture {
  /**
   * The fixture as JSON, with keys that every reader of trace fixtures knows: `model_name`, `turns` with the steps as
   * they happened, and suggested `expects` that hold for this run and fail for an agent that does nothing.
   */
  fixture: JsonObject;
  /** Lanes of the conversations beside the main one; empty when there are none. */
  lanes: LaneScript[];
  /** The main conversation's requests, step by step, for telling later where an agent diverges. */
  requests: RecordedRequest[];
  /** What was left out or could not be kept, for a person to read. */
  notes: string[];
}

/** The step as a fixture writes it. Reasoning, refusals and finish reasons have no key of their own there. */
function fixtureStep(step: WireStep): JsonValue {
  const tokens = { input_tokens: step.inputTokens, output_tokens: step.outputTokens };
  if (step.type !== 'tool_calls') return { response: { type: 'text', content: step.content, ...tokens } };
  return {
    response: {
      type: 'tool_calls',
      tool_calls: step.toolCalls.map((call) => ({ id: call.id, name: call.name, arguments: call.arguments })),
      ...tokens,
    },
  };
}

const LEAST_WORDS = 3;
const MOST_CHARACTERS = 60;

/** A line of the answer that an idle agent does not say: the first with a few words, shortened between words. */
function tellingText(text: string): string | null {
  const lines = text.split('\n').map((line) => line.trim());
  const line =
    lines.find((each) => each.split(/\s+/).length >= LEAST_WORDS) ?? lines.find((each) => each !== '');
  if (line === undefined) return null;
  const points = Array.from(line);
  if (points.length <= MOST_CHARACTERS) return line;
  const start = points.slice(0, MOST_CHARACTERS).join('');
  const blank = start.lastIndexOf(' ');
  return blank > 0 ? start.slice(0, blank) : start;
}

/** Tools that were called and gave something back. */
function usedTools(exchanges: readonly CapturedExchange[]): string[] {
  const back = exchanges.flatMap((exchange) => exchange.fresh.filter((message) => message.role === 'tool'));
  const names = exchanges.flatMap((exchange) =>
    (exchange.reply?.toolCalls ?? [])
      .filter((call) => {
        const offered = offeredNames(exchange.request).includes(call.name);
        return (
          offered && back.some((message) => message.toolCallId === call.id || message.toolName === call.name)
        );
      })
      .map((call) => call.name),
  );
  return [...new Set(names)].toSorted();
}

function suggestedExpects(exchanges: readonly CapturedExchange[]): JsonObject {
  const expects: JsonObject = {};
  const text = tellingText(exchanges.at(-1)?.reply?.text ?? '');
  if (text !== null) expects['response_contains'] = [text];
  const tools = usedTools(exchanges);
  if (tools.length > 0) expects['tools_used'] = tools;
  return expects;
}

function lossNotes(steps: readonly WireStep[]): string[] {
  const notes: string[] = [];
  if (steps.some((step) => step.inputTokens + step.outputTokens === 0)) {
    notes.push('The provider did not say how many tokens some replies took; they count as 0.');
  }
  if (steps.some((step) => step.reasoning !== undefined)) notes.push('Reasoning is not kept in the fixture.');
  if (steps.some((step) => step.type === 'refusal')) notes.push('A refusal is kept as plain text.');
  if (steps.some((step) => step.finishReason !== undefined))
    notes.push('An unusual finish reason is not kept.');
  if (steps.some((step) => step.type === 'tool_calls' && (step.content ?? '') !== '')) {
    notes.push('Words beside tool calls are not kept.');
  }
  return notes;
}

function requestNotes(capture: Capture, sides: readonly CapturedExchange[]): string[] {
  const left = sides.map(
    (side) => `Side request left out: ${clip(firstUserText(side.request.messages), 80)}`,
  );
  const failed = capture.exchanges
    .filter((exchange) => exchange.reply === null)
    .map((exchange) => `Request ${exchange.number} has no reply: ${exchange.error ?? 'unknown'}`);
  return [...left, ...failed];
}

function fixtureTurns(main: CapturedLane | null, users: readonly string[]): JsonValue[] {
  if (main === null) return [];
  return captureTurns(main, users).map(({ user, exchanges }) => ({
    user_input: user,
    steps: exchanges.flatMap(({ reply }) => (reply === null ? [] : [fixtureStep(stepFromReply(reply))])),
  }));
}

/**
 * Writes the trace fixture of a captured run. Pure: the same capture always gives the same fixture.
 * @param name the fixture's `model_name`
 */
export function fixtureFromCapture(capture: Capture, name: string): CapturedFixture {
  const { main, sides } = captureLanes(capture);
  const exchanges = main?.exchanges ?? [];
  const steps = exchanges.flatMap(({ reply }) => (reply === null ? [] : [stepFromReply(reply)]));
  return {
    fixture: {
      model_name: name,
      turns: fixtureTurns(main, capture.users),
      expects: suggestedExpects(exchanges),
    },
    lanes: scriptFromCapture(capture).lanes.slice(1),
    requests: recordRequests(exchanges),
    notes: [...lossNotes(steps), ...requestNotes(capture, sides)],
  };
}
