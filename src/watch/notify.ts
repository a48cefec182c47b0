import type { ConfigChange } from '../config/index.js';
import { errorMessage, type JsonObject } from '../core/index.js';
import { findProgram, runProgram, type Environment } from '../model/index.js';

/** A message on its way. */
export interface Notice {
  message: string;
  /** What happened, for the command. */
  event: JsonObject;
}

/** How messages are sent. */
export interface NotifyPlace {
  notify: ConfigChange['notify'];
  /** The whole environment of the programs that deliver it. */
  environment: Readonly<Record<string, string>>;
  /** Where the command is started. */
  directory: string;
  platform?: NodeJS.Platform;
}

/** What became of a message, by the way it took: `sent`, `not available`, or `failed: why`. */
export type Delivery = { desktop?: string; webhook?: string; command?: string };

const TITLE = 'Assay';
const MOST_OUTPUT = 1024 * 1024;

interface Program {
  program: string;
  arguments: readonly string[];
  input: string;
}

async function started(call: Program, place: NotifyPlace): Promise<string> {
  const timeoutMs = place.notify.timeout_secs * 1000;
  const { ending, code, signal, stderr, startError } = await runProgram({
    ...call,
    environment: place.environment,
    directory: place.directory,
    signal: AbortSignal.timeout(timeoutMs),
    graceMs: 500,
    maxOutputBytes: MOST_OUTPUT,
  });
  if (ending === 'not-started') return `failed: ${startError?.message ?? 'it did not start'}`;
  if (ending === 'stopped') return `failed: it was not done after ${timeoutMs / 1000} s`;
  if (ending === 'exited' && code === 0) return 'sent';
  const said = stderr.trim().split('\n').at(-1) ?? '';
  const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
  return `failed: ${how}${said === '' ? '' : `: ${said.slice(0, 300)}`}`;
}

/** The body of a desktop notification may be read as markup. */
function plain(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

async function desktop(message: string, place: NotifyPlace): Promise<string> {
  const mac = (place.platform ?? process.platform) === 'darwin';
  const program = await findProgram(
    mac ? 'osascript' : 'notify-send',
    place.environment satisfies Environment,
  );
  if (program === null) return 'not available';
  // Texts are arguments of their own and never part of a script.
  const script = [
    'on run argv',
    'display notification (item 2 of argv) with title (item 1 of argv)',
    'end run',
  ];
  const words = mac
    ? [...script.flatMap((line) => ['-e', line]), TITLE, message]
    : ['--app-name', TITLE, '--', TITLE, plain(message)];
  return started({ program, arguments: words, input: '' }, place);
}

async function webhook(url: string, message: string, timeoutMs: number): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message, voice_enabled: false }),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  await response.body?.cancel();
  return response.ok ? 'sent' : `failed: status ${response.status}`;
}

async function guarded(send: () => Promise<string>): Promise<string> {
  try {
    return await send();
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    return `failed: ${errorMessage(error)}${cause}`;
  }
}

/** Sends a message every configured way at once. Never rejects: what fails is said in the answer. */
export async function deliver(notice: Notice, place: NotifyPlace): Promise<Delivery> {
  const { notify } = place;
  const { message, event } = notice;
  const ways: [keyof Delivery, () => Promise<string>][] = [];
  const { webhook: url, command } = notify;
  if (notify.desktop) ways.push(['desktop', () => desktop(message, place)]);
  if (url !== undefined) ways.push(['webhook', () => webhook(url, message, notify.timeout_secs * 1000)]);
  const [program, ...words] = command ?? [];
  if (program !== undefined) {
    const input = `${JSON.stringify({ message, ...event })}\n`;
    ways.push(['command', () => started({ program, arguments: words, input }, place)]);
  }
  const sent = await Promise.all(ways.map(async ([way, send]) => [way, await guarded(send)] as const));
  return Object.fromEntries(sent);
}
