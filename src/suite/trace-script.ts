import { z } from 'zod';
import {
  isJsonObject,
  PROTOCOLS,
  type JsonObject,
  type JsonValue,
  type ScriptedFault,
} from '../core/index.js';
import type { Case, CaseFault, CaseLane, CaseRecorded } from './case.js';
import { responseSchema, scriptedStep } from './trace-step.js';

// Keys stand in alphabetical order: a parsed fixture is then canonical as it is, and its hash costs little.

const count = z.int().min(0);
const notBlank = z.string().refine((text) => text.trim() !== '', {
  error: 'must not be blank',
  params: { fix: 'write some text' },
});
const json = z.unknown().transform((value) => value as JsonValue);
const jsonObject = z.record(z.string(), json);

const laneMatch = z
  .strictObject({
    first_user: notBlank.optional().describe('Text that occurs in what the user said first.'),
    header: z
      .record(z.string(), z.union([notBlank, z.literal(true)]))
      .optional()
      .describe('Header to text that occurs in it, or true for any value.'),
    model: notBlank.optional().describe('The exact name of the model.'),
    role: notBlank.optional().describe('main, subagent, or the name the agent gives its part.'),
    system: notBlank.optional().describe('Text that occurs in the system prompt.'),
    tools: z.array(notBlank).optional().describe('Tools that are all offered; [] means that none is.'),
  })
  .refine((match) => Object.keys(match).length > 0, {
    error: 'matches every request',
    params: { fix: 'say what to match: first_user, system, model, tools, header or role' },
  });

/** Conversations beside the main one. */
export const lanesSchema = z
  .array(
    z.strictObject({
      match: laneMatch,
      name: notBlank,
      steps: z.array(z.strictObject({ response: responseSchema })).min(1),
    }),
  )
  .min(1)
  .describe('Assay extension: scripted conversations beside the main one, such as those of sub-agents.');

const faultPlace = {
  lane: notBlank.optional().describe('Name of a lane; the main conversation when absent.'),
  step: count.default(0).describe('0-based step of the turn or lane before which it happens.'),
  turn: count.default(0).describe('0-based turn.'),
};

/** What goes wrong on purpose. */
export const faultsSchema = z
  .array(
    z.discriminatedUnion('fault', [
      z.strictObject({
        fault: z.literal('status'),
        lane: faultPlace.lane,
        message: z.string().optional(),
        retry_after: z.number().min(0).optional().describe('Seconds.'),
        status: z.int().min(400).max(599),
        step: faultPlace.step,
        sticky: z.boolean().optional().describe('Give it every time the same request comes.'),
        turn: faultPlace.turn,
      }),
      z.strictObject({ fault: z.literal('drop'), ...faultPlace }),
      z.strictObject({ after_events: count.default(1), fault: z.literal('cut'), ...faultPlace }),
      z.strictObject({ after_events: count.default(1), fault: z.literal('malformed'), ...faultPlace }),
      z.strictObject({ fault: z.literal('slow'), first_byte_ms: z.number().min(0), ...faultPlace }),
    ]),
  )
  .min(1)
  .describe('Assay extension: what goes wrong at the model, and before which step.');

const recordedMessage = z.strictObject({
  is_error: z.boolean().optional(),
  reasoning: z.string().optional(),
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  text: z.string(),
  tool_call_id: z.string().optional(),
  tool_calls: z.array(z.strictObject({ arguments: z.string(), id: z.string(), name: z.string() })).optional(),
  tool_name: z.string().optional(),
});

/** The requests that a recorded run made. */
export const recordedSchema = z
  .strictObject({
    overlook: z
      .strictObject({
        clocks: z.boolean().optional(),
        ids: z.boolean().optional(),
        mask: z.array(notBlank).optional().describe('Linear-time regular expressions.'),
        parameters: z.array(notBlank).optional(),
        paths: z.record(z.string(), z.string()).optional(),
      })
      .optional()
      .describe('What may differ from run to run.'),
    requests: z
      .array(
        z.strictObject({
          messages: z.array(recordedMessage),
          model: z.string(),
          parameters: jsonObject.nullable().default(null),
          protocol: z.enum(PROTOCOLS),
          system: z.string().nullable().default(null),
          tools: z
            .array(z.strictObject({ description: z.string(), name: z.string(), schema: json }))
            .nullable()
            .default(null),
        }),
      )
      .min(1),
  })
  .describe(
    'Assay extension: the requests of the run this was recorded from, for telling where an agent diverges.',
  );

type WrittenLane = z.output<typeof lanesSchema>[number];
type WrittenFault = z.output<typeof faultsSchema>[number];
type WrittenRecorded = z.output<typeof recordedSchema>;

function caseLane({ name, match, steps }: WrittenLane): CaseLane {
  const { first_user: firstUser, ...rest } = match;
  const kept = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return {
    name,
    match: { ...kept, ...(firstUser === undefined ? {} : { firstUser }) },
    steps: steps.map(scriptedStep),
  };
}

function scriptedFault(written: WrittenFault): ScriptedFault {
  switch (written.fault) {
    case 'status':
      return {
        type: 'fault',
        fault: 'status',
        status: written.status,
        ...(written.retry_after === undefined ? {} : { retryAfter: written.retry_after }),
        ...(written.message === undefined ? {} : { message: written.message }),
        ...(written.sticky === undefined ? {} : { sticky: written.sticky }),
      };
    case 'cut':
    case 'malformed':
      return { type: 'fault', fault: written.fault, afterEvents: written.after_events };
    case 'slow':
      return { type: 'fault', fault: 'slow', firstByteMs: written.first_byte_ms };
    case 'drop':
      return { type: 'fault', fault: 'drop' };
  }
}

function caseFault(written: WrittenFault): CaseFault {
  return {
    fault: scriptedFault(written),
    lane: written.lane ?? null,
    turn: written.turn,
    step: written.step,
  };
}

function caseRecorded({ requests, overlook }: WrittenRecorded): CaseRecorded {
  return {
    requests: requests.map(({ messages, ...request }) => ({
      ...request,
      messages: messages.map((message) => ({
        role: message.role,
        text: message.text,
        ...(message.tool_calls === undefined ? {} : { toolCalls: message.tool_calls }),
        ...(message.tool_call_id === undefined ? {} : { toolCallId: message.tool_call_id }),
        ...(message.tool_name === undefined ? {} : { toolName: message.tool_name }),
        ...(message.is_error === undefined ? {} : { isError: message.is_error }),
        ...(message.reasoning === undefined ? {} : { reasoning: message.reasoning }),
      })),
    })),
    rules: Object.fromEntries(Object.entries(overlook ?? {}).filter(([, value]) => value !== undefined)),
  };
}

/** A recorded request as a fixture writes it. */
export function writeRecordedRequest(request: CaseRecorded['requests'][number]): JsonObject {
  const { messages, tools, ...rest } = request;
  return {
    ...rest,
    tools: tools === null ? null : tools.map((tool) => ({ ...tool })),
    messages: messages.map((message) => ({
      role: message.role,
      text: message.text,
      ...(message.toolCalls === undefined
        ? {}
        : { tool_calls: message.toolCalls.map((call) => ({ ...call })) }),
      ...(message.toolCallId === undefined ? {} : { tool_call_id: message.toolCallId }),
      ...(message.toolName === undefined ? {} : { tool_name: message.toolName }),
      ...(message.isError === undefined ? {} : { is_error: message.isError }),
      ...(message.reasoning === undefined ? {} : { reasoning: message.reasoning }),
    })),
  };
}

/** The parts of a fixture that only a scripted model server needs; empty for nearly every fixture. */
export function caseScript(fixture: {
  lanes?: WrittenLane[] | undefined;
  faults?: WrittenFault[] | undefined;
  recorded?: WrittenRecorded | undefined;
}): Pick<Case, 'lanes' | 'faults' | 'recorded'> {
  const { lanes, faults, recorded } = fixture;
  return {
    ...(lanes === undefined ? {} : { lanes: lanes.map(caseLane) }),
    ...(faults === undefined ? {} : { faults: faults.map(caseFault) }),
    ...(recorded === undefined ? {} : { recorded: caseRecorded(recorded) }),
  };
}

/** True for a fixture whose agent asks its model over the wire, so that lanes and faults can happen. */
export function asksOverWire(fixture: JsonValue): boolean {
  const agent = isJsonObject(fixture) ? fixture['agent'] : undefined;
  return isJsonObject(agent) && ['command', 'preset', 'http'].some((key) => key in agent);
}
