import { clip, type JsonObject, type JsonValue } from '../core/index.js';
import type { Capture, CapturedExchange } from './capture.js';
import { captureLanes, type CapturedLane } from './capture-lanes.js';
import { captureTurns, stepFromReply } from './capture-script.js';
import { firstUserText, offeredNames } from './messages.js';
import type { LaneMatch, WireStep } from './script.js';
import { recordRequests, type RecordedRequest } from './recorded-request.js';

/** A trace fixture made from a capture, and what does not fit into one. */
export interface CapturedFixture {
  /**
   * The fixture as JSON: `model_name`, `turns` with the steps as they happened, and suggested `expects` that hold for
   * this run and fail for an agent that does nothing. Plain steps use only keys that every reader of trace fixtures
   * knows; reasoning, refusals, unusual finish reasons and words beside calls use Assay's own.
   */
  fixture: JsonObject;
  /**
   * The conversations beside the main one, as a fixture writes them under `lanes`; empty when there are none. A
   * fixture may have that key when its agent asks its model over the wire.
   */
  lanes: JsonObject[];
  /** The main conversation's requests, step by step, for telling later where an agent diverges. */
  requests: RecordedRequest[];
  /** What was left out or could not be kept, for a person to read. */
  notes: string[];
}

/** What a step has besides its text or calls, under the keys of a fixture; nothing for a plain one. */
function stepExtras(step: WireStep): JsonObject {
  const extras: JsonObject = { input_tokens: step.inputTokens, output_tokens: step.outputTokens };
  if (step.reasoning !== undefined) extras['reasoning'] = step.reasoning;
  if (step.finishReason !== undefined) extras['finish_reason'] = step.finishReason;
  if (step.cachedInputTokens !== undefined) extras['cached_input_tokens'] = step.cachedInputTokens;
  if (step.reasoningTokens !== undefined) extras['reasoning_tokens'] = step.reasoningTokens;
  return extras;
}

function fixtureStep(step: WireStep): JsonObject {
  if (step.type !== 'tool_calls') {
    return { response: { type: step.type, content: step.content, ...stepExtras(step) } };
  }
  const calls = step.toolCalls.map((call) => ({ id: call.id, name: call.name, arguments: call.arguments }));
  const words: JsonObject = step.content === undefined ? {} : { content: step.content };
  return { response: { type: 'tool_calls', ...words, tool_calls: calls, ...stepExtras(step) } };
}

function fixtureMatch(match: LaneMatch): JsonObject {
  const written: JsonObject = {};
  if (match.firstUser !== undefined) written['first_user'] = match.firstUser;
  if (match.system !== undefined) written['system'] = match.system;
  if (match.model !== undefined) written['model'] = match.model;
  if (match.role !== undefined) written['role'] = match.role;
  return written;
}

function fixtureLane(lane: CapturedLane): JsonObject {
  const steps = lane.exchanges.flatMap(({ reply }) =>
    reply === null ? [] : [fixtureStep(stepFromReply(reply))],
  );
  return { name: lane.name, match: fixtureMatch(lane.match ?? {}), steps };
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

function tokenNotes(steps: readonly WireStep[]): string[] {
  if (steps.every((step) => step.inputTokens + step.outputTokens > 0)) return [];
  return ['The provider did not say how many tokens some replies took; they count as 0.'];
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
  const { main, others, sides } = captureLanes(capture);
  const exchanges = main?.exchanges ?? [];
  const steps = exchanges.flatMap(({ reply }) => (reply === null ? [] : [stepFromReply(reply)]));
  return {
    fixture: {
      model_name: name,
      turns: fixtureTurns(main, capture.users),
      expects: suggestedExpects(exchanges),
    },
    lanes: others.map(fixtureLane),
    requests: recordRequests(exchanges),
    notes: [...tokenNotes(steps), ...requestNotes(capture, sides)],
  };
}
