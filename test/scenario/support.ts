import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/core/index.js';
import { assay, type Ended, type Project } from '../cli/run-cli.js';
import { workplace, type Reply } from '../live/support.js';

/** An agent that asks for the order number, and answers once it has it. */
export const AGENT = `
export default function agent({ prompt, messages }) {
  const told = messages.some(({ role, text }) => role === 'user' && text.includes('4711'));
  return told ? 'Order 4711 can be returned within 30 days.' : 'What is your order number?';
}
`;

/** A scenario about a return, with further keys of the conversation and of its case. */
export function scenario(conversation: JsonObject = {}, more: JsonObject = {}): JsonObject {
  return {
    id: 'refund',
    scenario: {
      persona: 'A customer in a hurry. Order number 4711.',
      goal: 'Learn whether the order can be returned.',
      opening: 'Can I send something back?',
      max_turns: 4,
      ...conversation,
    },
    assert: [{ type: 'contains', value: '30 days', required: true }],
    ...more,
  };
}

/** A project with one suite of scenarios, s.yaml, and the asking agent. */
export function scenarios(
  cases: readonly JsonObject[],
  more: JsonObject = {},
  files: Record<string, unknown> = {},
): Project & { tmp: string } {
  return workplace({
    'agent.mjs': AGENT,
    'assay.config.json': {},
    's.yaml': { agent: { module: './agent.mjs' }, trials: 1, cases: [...cases], ...more },
    ...files,
  });
}

/** Runs a command in a project. */
export function command(place: Project & { tmp: string }, words: readonly string[]): Promise<Ended> {
  return assay(place.root, words, { environment: { TMPDIR: place.tmp } });
}

/** What a simulated user replies when it speaks. */
export function say(message: string): Reply {
  return { text: JSON.stringify({ reason: 'it was asked', action: 'say', message, outcome: 'open' }) };
}

/** What a simulated user replies when it stops. */
export function stop(outcome: 'reached' | 'gave_up', reason = 'it knows now'): Reply {
  return { text: JSON.stringify({ reason, action: 'stop', message: '', outcome }) };
}

/** The text that the last message of a model request holds. */
export function asked(body: JsonObject | undefined): string {
  const messages = body?.['messages'];
  const last = Array.isArray(messages) ? messages.at(-1) : undefined;
  const content = isJsonObject(last) ? last['content'] : undefined;
  if (typeof content === 'string') return content;
  return JSON.stringify(content ?? '');
}

/** How many answers of the agent a request shows. */
export function answersShown(body: JsonObject): number {
  return asked(body).split(/begin agent, turn \d+/).length - 1;
}

/** A judge that gives every statement of a question the same verdict. */
export function verdicts(body: JsonObject, verdict: 'TRUE' | 'FALSE' | 'UNKNOWN'): Reply {
  const count = asked(body).split(/begin statement \d+/).length - 1;
  const results = Array.from({ length: count }, (_, index) => ({ id: index + 1, reason: 'seen', verdict }));
  return { text: JSON.stringify({ results }) };
}

/** The stored run as `assay show --json` prints it. */
export async function stored(place: Project & { tmp: string }): Promise<JsonObject> {
  const ended = await command(place, ['show', 's/latest', '--json']);
  const value: JsonValue = JSON.parse(ended.stdout);
  if (!isJsonObject(value)) throw new Error(ended.stdout + ended.stderr);
  return value;
}

/** A file of the project as text. */
export function file(place: Project, path: string): string {
  return readFileSync(join(place.root, path), 'utf8');
}
