import { isAbsolute, resolve } from 'node:path';
import { isJsonObject, parseJson, quote, type JsonObject, type JsonValue } from '../core/index.js';
import type { SkipReason } from './log.js';

/** An edit that an agent reports to its hook. */
export interface HookPayload {
  /** Absolute paths of the edited files, at least one. */
  paths: string[];
  /** Name of the tool; null when it is not said. */
  tool: string | null;
  /** What tells a subagent; null for the main agent. */
  subagent: string | null;
  /** Token of a probe of `assay hook doctor`; null for a real edit. */
  probe: string | null;
}

/** What came of reading a payload. */
export type ReadPayload =
  | { payload: HookPayload }
  | { payload: null; skip: SkipReason; why: string; trigger: string | null; probe: string | null };

/** Member of a payload by which `assay hook doctor` marks its probe. */
export const PROBE_KEY = 'assay_probe';

const EVENTS = new Set(['PostToolUse', 'AfterTool']);
/** Parts of the names of tools that change files. */
const EDITS = /write|edit|replace|patch|create|insert|append|delete|move|rename/i;
const PATH_KEYS = ['file_path', 'notebook_path', 'absolute_path', 'filePath', 'path'];
const PATCHED = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\r?$/gm;
const LONGEST_PATH = 4096;

function textAt(object: JsonObject, key: string): string | null {
  const value = object[key];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Files that a patch in the format of apply_patch names. */
function patchedFiles(input: JsonObject): string[] {
  const texts = ['command', 'input', 'patch'].flatMap((key): string[] => {
    const value = input[key];
    if (typeof value === 'string') return [value];
    return Array.isArray(value) ? value.filter((part) => typeof part === 'string') : [];
  });
  return texts.flatMap((text) =>
    text.includes('*** Begin Patch') ? [...text.matchAll(PATCHED)].map((match) => match[1] ?? '') : [],
  );
}

function editedFiles(input: JsonValue | undefined, directory: string): string[] {
  if (input === undefined || !isJsonObject(input)) return [];
  const named = PATH_KEYS.flatMap((key) => textAt(input, key) ?? []).slice(0, 1);
  const paths = (named.length > 0 ? named : patchedFiles(input)).filter(
    (path) => path !== '' && path.length <= LONGEST_PATH && !path.includes('\0'),
  );
  return [...new Set(paths.map((path) => resolve(directory, path)))];
}

function failed(response: JsonValue | undefined): boolean {
  if (response === undefined || !isJsonObject(response)) return false;
  const { success, is_error: isError, error } = response;
  return success === false || isError === true || (error !== undefined && error !== null && error !== '');
}

function subagentOf(payload: JsonObject): string | null {
  const id = textAt(payload, 'agent_id');
  if (id !== null) return `agent_id ${quote(id)}`;
  const type = textAt(payload, 'agent_type');
  return type === null ? null : `agent_type ${quote(type)}`;
}

/**
 * Reads what an agent gave its hook: the payload of PostToolUse (Claude Code, Codex) or AfterTool (Gemini CLI).
 * Everything in it is data of unknown origin. `cwd` is where relative paths start when the payload does not say.
 */
export function readPayload(text: string, cwd: string): ReadPayload {
  // Shells of Windows put a byte order mark before what they pipe.
  const parsed = parseJson(text.replace(/^\u{FEFF}/u, ''));
  const skipped = (skip: SkipReason, why: string, trigger: string | null = null): ReadPayload => ({
    payload: null,
    skip,
    why,
    trigger,
    probe,
  });
  let probe: string | null = null;
  if (!parsed.ok) return skipped('skip-invalid-input', 'standard input is not JSON');
  const { value } = parsed;
  if (!isJsonObject(value)) return skipped('skip-invalid-input', 'standard input is not a JSON object');
  probe = textAt(value, PROBE_KEY);
  const event = textAt(value, 'hook_event_name');
  if (event === 'SessionStart' && value['source'] === 'fork')
    return skipped('skip-subagent', 'the session is a fork of another');
  if (event !== null && !EVENTS.has(event))
    return skipped('skip-other-event', `${quote(event)} is not the event after a tool was used`);
  const directory = textAt(value, 'cwd');
  const paths = editedFiles(
    value['tool_input'],
    directory !== null && isAbsolute(directory) ? directory : cwd,
  );
  const [trigger = null] = paths;
  const tool = textAt(value, 'tool_name');
  if (tool !== null && !EDITS.test(tool))
    return skipped('skip-other-tool', `the tool ${quote(tool)} edits no file`, trigger);
  if (trigger === null) return skipped('skip-no-path', 'the payload names no edited file');
  if (failed(value['tool_response']))
    return skipped('skip-tool-failed', 'the tool reports a failure', trigger);
  return { payload: { paths, tool, subagent: subagentOf(value), probe } };
}
