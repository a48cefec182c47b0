import {
  clip,
  parseJson,
  plural,
  quote,
  type CheckSpecOf,
  type Recording,
  type ToolCall,
} from '../core/index.js';
import { cannotGrade, decide, type Verdict } from './grader.js';
import { firstDifference } from './json-difference.js';
import { shownJson } from './json-text.js';
import { callsTo, namesCalled, shownName } from './tool-facts.js';

const PAYLOADS_SHOWN = 20;

type PayloadSpec = CheckSpecOf<'tool-arguments'> | CheckSpecOf<'tool-results'>;

function payloadOf(spec: PayloadSpec, call: ToolCall): string {
  return spec.type === 'tool-arguments' ? call.arguments : call.result;
}

function listed(payloads: readonly string[]): string {
  const shown = payloads.slice(0, PAYLOADS_SHOWN).map((payload) => quote(clip(payload, 500)));
  const more = payloads.length > PAYLOADS_SHOWN ? ` and ${payloads.length - PAYLOADS_SHOWN} more` : '';
  return `${shown.join(', ')}${more}`;
}

/** Why a payload does not hold what is looked for; null when it does. */
function misses(spec: PayloadSpec, payload: string): string | null {
  if (spec.needle !== undefined) {
    return payload.includes(spec.needle) ? null : `does not contain ${quote(spec.needle)}`;
  }
  if (spec.value === undefined) return 'nothing to look for';
  const parsed = parseJson(payload);
  if (!parsed.ok) return 'is not JSON';
  return firstDifference(spec.value, parsed.value, 'subset');
}

/**
 * Passes when a call to the tool has a payload (its argument text, or its result text) that contains the needle, or as
 * JSON contains the value as a subset: any call, or the one at `callIndex` among the calls to that tool.
 */
export function gradePayload(spec: PayloadSpec, recording: Recording): Verdict {
  if (spec.needle === undefined && spec.value === undefined) {
    return cannotGrade('there is neither a needle nor a value to look for');
  }
  const wanted = spec.needle === undefined ? shownJson(spec.value ?? null) : quote(spec.needle);
  const name = shownName(spec.tool);
  const payloads = callsTo(recording, spec.tool).map((call) => payloadOf(spec, call));
  if (payloads.length === 0) return decide(false, `${name} was never called; ${namesCalled(recording)}`);
  if (spec.callIndex !== undefined) {
    const payload = payloads[spec.callIndex];
    if (payload === undefined) {
      const count = plural(payloads.length, 'call');
      return decide(false, `no call [${spec.callIndex}] to ${name}: ${count}, ${listed(payloads)}`);
    }
    const why = misses(spec, payload);
    const what = `call [${spec.callIndex}] to ${name}`;
    if (why === null) return decide(true, `${what} contains ${wanted}: ${listed([payload])}`);
    return decide(
      false,
      `${what} ${spec.needle === undefined ? `differs: ${why}` : why}: ${listed([payload])}`,
    );
  }
  const index = payloads.findIndex((payload) => misses(spec, payload) === null);
  const payload = payloads[index];
  if (payload !== undefined) {
    return decide(true, `call [${index}] to ${name} contains ${wanted}: ${listed([payload])}`);
  }
  const why = spec.needle === undefined ? ` (call [0]: ${misses(spec, payloads[0] ?? '') ?? ''})` : '';
  return decide(
    false,
    `${wanted} not found in ${plural(payloads.length, 'call')} to ${name}${why}: ${listed(payloads)}`,
  );
}
