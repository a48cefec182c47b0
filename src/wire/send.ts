import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import { setImmediate as turnOver, setTimeout as wait } from 'node:timers/promises';
import type { ReplyBody } from './neutral.js';

/** How an answer is broken off on purpose. */
export interface Breakage {
  how: 'cut' | 'malformed';
  /** Events that are sent whole before it. */
  afterEvents: number;
}

/** An answer to send. */
export interface Answer {
  status: number;
  headers: { [name: string]: string };
  body: ReplyBody;
  breakage: Breakage | null;
  /** Sends that many bytes at a time, each as a piece of its own; null sends as much as fits. */
  writeBytes: number | null;
}

/** Bytes that are handed over at once. */
const BLOCK = 64 * 1024;

/** Waits, or until the wait is called off. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal }).catch(() => {});
}

async function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  if (response.destroyed || response.write(bytes)) return;
  await Promise.race([once(response, 'drain'), once(response, 'close')]);
}

async function writeAll(response: ServerResponse, text: string, writeBytes: number | null): Promise<void> {
  const bytes = Buffer.from(text, 'utf8');
  const size = writeBytes ?? BLOCK;
  for (let start = 0; start < bytes.length && !response.destroyed; start += size) {
    await write(response, bytes.subarray(start, start + size));
    if (writeBytes !== null) await turnOver();
  }
}

/** Sends what there is and breaks the connection once it is out. */
async function breakOff(response: ServerResponse, text: string): Promise<void> {
  response.flushHeaders();
  await new Promise<void>((resolve) => {
    if (text === '') setImmediate(resolve);
    else response.write(text, () => resolve());
  });
  response.destroy();
}

/** A JSON answer has one piece, which is broken in its middle; a stream is broken between events. */
function beforeBreak(body: ReplyBody, afterEvents: number): string {
  const [only = '', ...more] = body.frames;
  if (more.length > 0) return body.frames.slice(0, afterEvents).join('');
  return only.slice(0, Math.floor(only.length / 2));
}

/** The next event with half of its data, as a chunk that was damaged on its way. */
function brokenEvent(body: ReplyBody, afterEvents: number): string {
  if (body.frames.length < 2) return '';
  const next = (body.frames[afterEvents] ?? body.frames.at(-1) ?? '').trimEnd();
  const start = next.indexOf('data: ') + 'data: '.length;
  return `${next.slice(0, Math.ceil((start + next.length) / 2))}\n\n`;
}

async function sendBroken(response: ServerResponse, answer: Answer, breakage: Breakage): Promise<void> {
  const { body } = answer;
  const start = beforeBreak(body, breakage.afterEvents);
  if (breakage.how === 'malformed') {
    await writeAll(response, start + brokenEvent(body, breakage.afterEvents), answer.writeBytes);
    response.end();
    return;
  }
  await breakOff(response, start);
}

/** Sends an answer. Resolves when it is handed over or the client has gone. */
export async function send(response: ServerResponse, answer: Answer): Promise<void> {
  if (response.destroyed) return;
  const { body, breakage } = answer;
  const headers: { [name: string]: string | number } = {
    'content-type': body.contentType,
    ...answer.headers,
  };
  const [only = ''] = body.frames;
  const whole = body.frames.length === 1 ? only : null;
  // A JSON answer that is cut announces its full length, so that the client knows that it is not whole.
  if (whole !== null && breakage?.how !== 'malformed') headers['content-length'] = Buffer.byteLength(whole);
  if (whole === null) headers['cache-control'] = 'no-cache';
  response.writeHead(answer.status, headers);
  if (breakage !== null) {
    await sendBroken(response, answer, breakage);
    return;
  }
  await writeAll(response, body.frames.join(''), answer.writeBytes);
  if (!response.destroyed) response.end();
}

/** Sends a small answer that nobody counts. */
export function sendPlain(
  response: ServerResponse,
  status: number,
  text: string,
  type = 'application/json',
): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
