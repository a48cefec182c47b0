import type { JsonValue } from '../core/index.js';
import type { ReplyBody } from './neutral.js';

const SSE = 'text/event-stream; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

/** One JSON document. */
export function jsonBody(value: JsonValue): ReplyBody {
  return { contentType: JSON_TYPE, frames: [JSON.stringify(value)] };
}

/** Server-sent events; with `name`, every event also has an `event:` line. */
export function eventBody(
  events: readonly JsonValue[],
  name: ((event: JsonValue) => string) | null,
  end: string | null,
): ReplyBody {
  const frames = events.map((event) => {
    const line = name === null ? '' : `event: ${name(event)}\n`;
    return `${line}data: ${JSON.stringify(event)}\n\n`;
  });
  if (end !== null) frames.push(`data: ${end}\n\n`);
  return { contentType: SSE, frames };
}

/** A JSON array that is sent member by member. */
export function arrayBody(members: readonly JsonValue[]): ReplyBody {
  const last = members.length - 1;
  const frames = members.map(
    (member, index) => `${index === 0 ? '[' : ',\r\n'}${JSON.stringify(member)}${index === last ? ']' : ''}`,
  );
  return { contentType: JSON_TYPE, frames: frames.length === 0 ? ['[]'] : frames };
}
