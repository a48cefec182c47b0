import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import {
  brotliDecompress,
  brotliDecompressSync,
  constants,
  gunzip,
  gunzipSync,
  inflate,
  inflateSync,
} from 'node:zlib';
import { errorMessage, isJsonObject, parseJson, type JsonObject } from '../core/index.js';
import type { WireError } from './error-reply.js';

/** Largest body that is read, before and after decompression: 256 MiB. */
export const LARGEST_BODY = 256 * 1024 * 1024;

const gunzipAsync = promisify(gunzip);
const inflateAsync = promisify(inflate);
const brotliAsync = promisify(brotliDecompress);

/** What reading a body gave. */
export type BodyRead<Value> = { ok: true; value: Value } | { ok: false; error: WireError };

function refused(status: number, message: string): { ok: false; error: WireError } {
  return { ok: false, error: { status, code: null, message } };
}

/** Undoes a content encoding; text that says it is compressed and is not, or grows beyond all bounds, is refused. */
export async function decompress(raw: Buffer, encoding: string, limit: number): Promise<BodyRead<Buffer>> {
  try {
    const bound = { maxOutputLength: limit };
    switch (encoding.trim().toLowerCase()) {
      case '':
      case 'identity':
        return { ok: true, value: raw };
      case 'gzip':
      case 'x-gzip':
        return { ok: true, value: await gunzipAsync(raw, bound) };
      case 'deflate':
        return { ok: true, value: await inflateAsync(raw, bound) };
      case 'br':
        return { ok: true, value: await brotliAsync(raw, bound) };
      default:
        return refused(415, 'The content encoding is not supported; use gzip, deflate, br or none.');
    }
  } catch (error) {
    return refused(400, `The body could not be decompressed: ${errorMessage(error)}`);
  }
}

/** Undoes a content encoding at once, as far as the data goes; null for what cannot be undone. */
export function decompressNow(raw: Buffer, encoding: string, limit: number): Buffer | null {
  const bound = { maxOutputLength: limit, finishFlush: constants.Z_SYNC_FLUSH };
  try {
    switch (encoding.trim().toLowerCase()) {
      case '':
      case 'identity':
        return raw;
      case 'gzip':
      case 'x-gzip':
        return gunzipSync(raw, bound);
      case 'deflate':
        return inflateSync(raw, bound);
      case 'br':
        return brotliDecompressSync(raw, { maxOutputLength: limit });
      default:
        return null;
    }
  } catch {
    return null;
  }
}

/** Reads a whole body as it was sent. A body beyond `limit` bytes is refused without being kept. */
export async function readRaw(request: IncomingMessage, limit: number): Promise<BodyRead<Buffer>> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    if (!Buffer.isBuffer(part)) continue;
    size += part.length;
    if (size <= limit) parts.push(part);
    else parts.length = 0;
  }
  if (size > limit) return refused(413, `The body is larger than ${limit} bytes.`);
  return { ok: true, value: Buffer.concat(parts) };
}

/** Reads a raw body as a JSON object. */
export async function readObject(
  raw: Buffer,
  encoding: string,
  limit: number,
): Promise<BodyRead<JsonObject>> {
  const plain = await decompress(raw, encoding, limit);
  if (!plain.ok) return plain;
  const parsed = parseJson(plain.value.toString('utf8').replace(/^\ufeff/, ''));
  if (!parsed.ok) return refused(400, `The body is not JSON: ${parsed.message}`);
  if (!isJsonObject(parsed.value)) return refused(400, 'The body is not a JSON object.');
  return { ok: true, value: parsed.value };
}
