import { isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import { anyMember, member, objectMember, objectsOf, textMember } from './json-fields.js';

/** A span of an OTLP export, with its attributes as plain JSON. */
export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  /** Nanoseconds; as text of equal length they sort like numbers. */
  start: bigint;
  failed: boolean;
  statusMessage: string;
  attributes: JsonObject;
  events: { name: string; attributes: JsonObject }[];
}

/** The value of an OTLP attribute as plain JSON. */
function plainValue(value: JsonValue | undefined): JsonValue {
  if (!isJsonObject(value)) return value ?? null;
  if ('stringValue' in value) return value['stringValue'] ?? '';
  if ('intValue' in value) return Number(value['intValue']);
  if ('doubleValue' in value) return Number(value['doubleValue']);
  if ('boolValue' in value) return value['boolValue'] === true;
  if ('arrayValue' in value) {
    const values = member(objectMember(value, 'arrayValue'), 'values');
    return Array.isArray(values) ? values.map(plainValue) : [];
  }
  if ('kvlistValue' in value) return plainAttributes(member(objectMember(value, 'kvlistValue'), 'values'));
  return null;
}

function plainAttributes(list: JsonValue | undefined): JsonObject {
  if (isJsonObject(list)) return list;
  return Object.fromEntries(
    objectsOf(list).map((entry) => [textMember(entry, 'key'), plainValue(member(entry, 'value'))]),
  );
}

function nanoseconds(value: JsonValue | undefined): bigint {
  if (typeof value === 'string' && /^\d{1,20}$/.test(value)) return BigInt(value);
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : 0n;
}

function spanOf(written: JsonObject): Span {
  const status = objectMember(written, 'status');
  const code = status['code'];
  return {
    traceId: textMember(written, 'traceId', 'trace_id'),
    spanId: textMember(written, 'spanId', 'span_id'),
    parentSpanId: textMember(written, 'parentSpanId', 'parent_span_id'),
    name: textMember(written, 'name'),
    start: nanoseconds(anyMember(written, ['startTimeUnixNano', 'start_time_unix_nano'])),
    failed: code === 2 || code === 'STATUS_CODE_ERROR',
    statusMessage: textMember(status, 'message'),
    attributes: plainAttributes(member(written, 'attributes')),
    events: objectsOf(member(written, 'events')).map((event) => ({
      name: textMember(event, 'name'),
      attributes: plainAttributes(member(event, 'attributes')),
    })),
  };
}

/** True for an object of an OTLP JSON export of traces. */
export function isOtlp(value: JsonObject): boolean {
  return Array.isArray(value['resourceSpans']);
}

/** All spans of exports, by start; those that start at once in order of arrival. */
export function spansIn(exports: readonly JsonObject[]): Span[] {
  const spans = exports.flatMap((one) =>
    objectsOf(member(one, 'resourceSpans')).flatMap((resource) =>
      objectsOf(member(resource, 'scopeSpans')).flatMap((scope) =>
        objectsOf(member(scope, 'spans')).map(spanOf),
      ),
    ),
  );
  return spans.toSorted((left, right) => (left.start < right.start ? -1 : left.start > right.start ? 1 : 0));
}
