import { isJsonObject, parseJson } from '../core/index.js';
import { firstUserText, offeredNames, squeeze } from './messages.js';
import type { NeutralRequest } from './neutral.js';
import type { LaneMatch } from './script.js';

function codexRole(metadata: string | undefined): string | null {
  if (metadata === undefined) return null;
  const parsed = parseJson(metadata);
  const name = parsed.ok && isJsonObject(parsed.value) ? parsed.value['agent_name'] : undefined;
  return typeof name === 'string' && name !== '' ? name : null;
}

/**
 * The parts a request may be playing, read from the headers of known agents: `subagent` or `main`, and the name the
 * agent itself gives. A request without such headers is `main`.
 */
export function rolesOf(request: NeutralRequest): string[] {
  const { hints } = request;
  const named = [codexRole(hints['x-codex-turn-metadata']), hints['x-interaction-type'] ?? null];
  const roles = named.filter((role) => role !== null);
  const child =
    hints['x-claude-code-agent-id'] !== undefined ||
    hints['x-parent-session-id'] !== undefined ||
    roles.some((role) => /sub-?agent/i.test(role));
  return [child ? 'subagent' : 'main', ...roles];
}

/** What the headers of known agents say of who is asking; the same for every try of one request. */
export function senderOf(request: NeutralRequest): string[] {
  const { hints } = request;
  const names = ['x-claude-code-agent-id', 'x-session-id', 'x-parent-session-id'];
  return [...rolesOf(request), ...names.map((name) => hints[name] ?? '')];
}

function contains(text: string, part: string): boolean {
  return squeeze(text).includes(squeeze(part));
}

function matchesTools(tools: readonly string[], request: NeutralRequest): boolean {
  const offered = offeredNames(request);
  return tools.length === 0 ? offered.length === 0 : tools.every((tool) => offered.includes(tool));
}

function matchesHeaders(header: { [name: string]: string | true }, request: NeutralRequest): boolean {
  return Object.entries(header).every(([name, wanted]) => {
    const value = request.hints[name.toLowerCase()];
    return value !== undefined && (wanted === true || value.includes(wanted));
  });
}

/** True when every condition of `match` holds for the request. */
export function matchesRequest(match: LaneMatch, request: NeutralRequest): boolean {
  return (
    (match.firstUser === undefined || contains(firstUserText(request.messages), match.firstUser)) &&
    (match.system === undefined || contains(request.system, match.system)) &&
    (match.model === undefined || request.model === match.model) &&
    (match.tools === undefined || matchesTools(match.tools, request)) &&
    (match.header === undefined || matchesHeaders(match.header, request)) &&
    (match.role === undefined || rolesOf(request).includes(match.role))
  );
}

/**
 * True for a condition on who sends the request, which holds for all requests of a conversation. `main` is no such
 * condition: it is what a request says that names nobody.
 */
export function namesSender(match: LaneMatch): boolean {
  return match.header !== undefined || (match.role !== undefined && match.role !== 'main');
}

/** Every header that a script asks about. */
export function matchedHeaders(matches: readonly LaneMatch[]): string[] {
  return matches.flatMap((match) => Object.keys(match.header ?? {}));
}
