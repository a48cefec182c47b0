import { sha256 } from '../core/index.js';
import type { Protocol } from './neutral.js';

/** What a trial's address begins with, after the host. */
const PREFIX = '/t/';

/** Hexadecimal digits that keep the ids of one trial apart from those of every other. */
export function trialMark(id: string): string {
  return sha256(id).slice(0, 12);
}

/** The part of an address that names a trial: readable, safe in a path, different for different ids. */
export function trialToken(id: string): string {
  const readable = id
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 24);
  return readable === '' ? trialMark(id) : `${readable}-${trialMark(id)}`;
}

/** The path of a trial, without a slash at the end. */
export function trialPath(token: string): string {
  return `${PREFIX}${token}`;
}

/** Splits a path into the trial it belongs to and the rest; null when it names none. */
export function splitTrialPath(path: string): { token: string; rest: string } | null {
  if (!path.startsWith(PREFIX)) return null;
  const end = path.indexOf('/', PREFIX.length);
  const token = end === -1 ? path.slice(PREFIX.length) : path.slice(PREFIX.length, end);
  return token === '' ? null : { token, rest: end === -1 ? '/' : path.slice(end) };
}

/** The ids of one reply. */
export interface ReplyIds {
  reply: string;
  message: string;
  reasoning: string;
}

const REPLY_PREFIX: { [Name in Protocol]: string } = {
  anthropic: 'msg_',
  'openai-chat': 'chatcmpl-',
  'openai-responses': 'resp_',
  gemini: '',
};

/**
 * The ids of a reply, made of who it is for and a count, so that they are the same in every run and no two are alike.
 * @param seed letters, digits and underscores, used once
 */
export function replyIds(protocol: Protocol, seed: string): ReplyIds {
  return { reply: `${REPLY_PREFIX[protocol]}${seed}`, message: `msg_${seed}`, reasoning: `rs_${seed}` };
}

/** The usual addresses to configure clients with, by protocol: the version is part of the address where it is by custom. */
export function protocolUrls(baseUrl: string): { [Name in Protocol]: string } {
  return {
    anthropic: baseUrl,
    'openai-chat': `${baseUrl}/v1`,
    'openai-responses': `${baseUrl}/v1`,
    gemini: `${baseUrl}/v1beta`,
  };
}
