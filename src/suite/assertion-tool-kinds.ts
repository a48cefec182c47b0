import { z } from 'zod';
import type { JsonValue, PayloadMatch } from '../core/index.js';
import { countBounds, countBoundsOf, labelBounds } from './assertion-bound-kinds.js';
import { inexactNumbers, writtenScalar } from './assertion-json.js';
import { assertionKind, named } from './assertion-kind.js';
import { labelJson, labelText, labelTexts, type CheckMaker } from './check-maker.js';
import { json, text } from './assertion-text.js';

const toolNames = z.union([text, z.array(text)]).describe('A tool name, or a list of them.');

function names(value: string | string[], maker: CheckMaker): string[] | null {
  const values = Array.isArray(value) ? value : [value];
  if (values.length === 0)
    return maker.refuse('value', 'the list is empty, so it tests nothing', 'add a tool name');
  const blank = values.findIndex((name) => name.trim() === '');
  if (blank < 0) return values;
  maker.refuseBlank(Array.isArray(value) ? ['value', blank] : 'value', values[blank]);
  return null;
}

/** `tool-used`: every named tool was called. */
export const toolUsedKind = assertionKind(
  'tool-used',
  z.strictObject({ ...named('tool-used'), value: toolNames }),
  (assertion, maker) => {
    const tools = names(assertion.value, maker);
    if (tools === null) return null;
    if (maker.negated && tools.length > 1) {
      return maker.refuse(
        'value',
        'not-tool-used with several names would already pass when one of them was not called',
        'write tool-not-used: none of them may be called',
      );
    }
    return { ...maker.base('tool', labelTexts(tools)), type: 'tool-used', tools };
  },
);

/** `tool-not-used`: no named tool was called. */
export const toolNotUsedKind = assertionKind(
  'tool-not-used',
  z.strictObject({ ...named('tool-not-used'), value: toolNames }),
  (assertion, maker) => {
    const tools = names(assertion.value, maker);
    if (tools === null) return null;
    if (maker.negated && tools.length > 1) {
      return maker.refuse(
        'value',
        'not-tool-not-used with several names would already pass when one of them was called',
        'write tool-used: all of them must be called',
      );
    }
    return { ...maker.base('tool', labelTexts(tools)), type: 'tool-not-used', tools };
  },
);

/** `tools-succeeded`: every tool call succeeded. */
export const toolsSucceededKind = assertionKind(
  'tools-succeeded',
  z.strictObject({
    ...named('tools-succeeded'),
    value: z
      .boolean()
      .default(true)
      .describe('Whether every tool call must have succeeded, or one must have failed.'),
  }),
  (assertion, maker) => ({
    ...maker.base('tool', `${assertion.value}`),
    type: 'tools-succeeded',
    expected: assertion.value,
  }),
);

const expectedCall = z.strictObject({
  tool: text,
  arguments: json.optional().describe('JSON that the arguments must contain; any arguments when absent.'),
});

/** `tool-calls`: so many calls, or these calls, were made. */
export const toolCallsKind = assertionKind(
  'tool-calls',
  z.strictObject({
    ...named('tool-calls'),
    ...countBounds,
    tool: text.optional().describe('Counts the calls to this tool only; all calls when absent.'),
    calls: z.array(expectedCall).optional().describe('Calls that must have been made.'),
    order: z
      .enum(['any', 'strict'])
      .optional()
      .describe(
        'any: the calls were made, in any order, among others; strict: exactly these calls in this order.',
      ),
  }),
  (assertion, maker) => {
    const { tool, calls, order } = assertion;
    const counted = [assertion.value, assertion.exact, assertion.min, assertion.max].some(
      (bound) => bound !== undefined,
    );
    if (maker.refuseBlank('tool', tool)) return null;
    if (calls?.length === 0)
      return maker.refuse('calls', 'the list is empty, so it tests nothing', 'add a call');
    if (order !== undefined && calls === undefined) {
      return maker.refuse('order', 'there are no calls to put in order', 'add calls, or remove order');
    }
    for (const [index, call] of (calls ?? []).entries()) {
      if (maker.refuseBlank(['calls', index, 'tool'], call.tool)) return null;
      if (tool !== undefined && call.tool !== tool) {
        return maker.refuse(
          ['calls', index, 'tool'],
          `the calls to ${tool} cannot include one to ${call.tool}`,
          'remove tool above, or this call',
        );
      }
      if (
        call.arguments !== undefined &&
        inexactNumbers(call.arguments, maker, ['calls', index, 'arguments'])
      )
        return null;
    }
    const bounds = counted || calls === undefined ? countBoundsOf(assertion, maker) : {};
    if (bounds === null) return null;
    const shown = [
      ...(tool === undefined ? [] : [labelText(tool)]),
      ...(counted ? [labelBounds(bounds)] : []),
      ...(calls ?? []).map(
        (call) => call.tool + (call.arguments === undefined ? '' : labelJson(call.arguments)),
      ),
      ...(order === 'strict' ? ['in this order'] : []),
    ];
    return {
      ...maker.base('tool', shown.join(', ')),
      type: 'tool-calls',
      ...(tool === undefined ? {} : { tool }),
      ...bounds,
      ...(calls === undefined
        ? {}
        : {
            calls: calls.map((call) => ({
              tool: call.tool,
              ...(call.arguments === undefined ? {} : { arguments: call.arguments }),
            })),
          }),
      ...(order === undefined ? {} : { order }),
    };
  },
);

const payload = {
  tool: text.describe('Tool whose calls are looked at.'),
  value: json.describe('A text that must occur, or an object or list that must be contained as JSON.'),
  call_index: z
    .int()
    .min(0)
    .optional()
    .describe('0-based among the calls to that tool; any of them when absent.'),
};

function payloadMatch(
  assertion: { tool: string; value: JsonValue; call_index?: number | undefined },
  maker: CheckMaker,
): { match: PayloadMatch; shown: string } | null {
  const { tool, call_index: callIndex } = assertion;
  if (maker.refuseBlank('tool', tool)) return null;
  const match = { tool, ...(callIndex === undefined ? {} : { callIndex }) };
  const place = `${labelText(tool)}${callIndex === undefined ? '' : `[${callIndex}]`}`;
  const value = writtenScalar(assertion.value, maker);
  if (typeof value === 'object' && value !== null) {
    if (Object.keys(value).length === 0) {
      return maker.refuse(
        'value',
        'is empty, so any call would do',
        'say what it must hold, or use tool-used',
      );
    }
    if (inexactNumbers(value, maker, ['value'])) return null;
    return { match: { ...match, value }, shown: `${place}, ${labelJson(value)}` };
  }
  const needle = typeof value === 'string' ? value : (maker.sourceAt('value') ?? JSON.stringify(value));
  if (needle === '')
    return maker.refuse(
      'value',
      'is empty, so any call would do',
      'write the text to look for, or use tool-used',
    );
  return { match: { ...match, needle }, shown: `${place}, ${labelText(needle)}` };
}

/** `tool-arguments`: a call had arguments that contain something. */
export const toolArgumentsKind = assertionKind(
  'tool-arguments',
  z.strictObject({ ...named('tool-arguments'), ...payload }),
  (assertion, maker) => {
    const found = payloadMatch(assertion, maker);
    return found === null
      ? null
      : { ...maker.base('tool', found.shown), type: 'tool-arguments', ...found.match };
  },
);

/** `tool-results`: a call had a result that contains something. */
export const toolResultsKind = assertionKind(
  'tool-results',
  z.strictObject({ ...named('tool-results'), ...payload }),
  (assertion, maker) => {
    const found = payloadMatch(assertion, maker);
    return found === null
      ? null
      : { ...maker.base('tool', found.shown), type: 'tool-results', ...found.match };
  },
);
