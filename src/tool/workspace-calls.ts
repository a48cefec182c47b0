import { errorMessage, isJsonObject, plural, type BuiltInTool, type JsonValue } from '../core/index.js';
import { readConfined, walkConfined, writeConfined } from './confined-file.js';
import { matchesPathGlob } from '../match/index.js';
import type { ToolOutcome } from './tool.js';

const LARGEST_READ = 256 * 1024;
const MOST_FILES = 2000;
const MOST_MATCHES = 200;
const LONGEST_LINE = 400;
const LONGEST_PATTERN = 1024;
/** Bytes that one content search reads, at most. */
const MOST_SEARCHED = 64 * 1024 * 1024;
const WALK = { entries: 20_000, depth: 64 };

/** A tool that works on files. */
export type WorkspaceTool = Exclude<BuiltInTool, 'echo'>;

function textArgument(input: JsonValue, name: string): string {
  const value = isJsonObject(input) ? input[name] : undefined;
  if (typeof value !== 'string') throw new Error(`the argument ${name} must be text`);
  return value;
}

function optionalText(input: JsonValue, name: string): string | null {
  return isJsonObject(input) && input[name] !== undefined && input[name] !== null
    ? textArgument(input, name)
    : null;
}

function globOf(pattern: string): string {
  if (pattern === '') throw new Error('the pattern must not be empty');
  if (pattern.length > LONGEST_PATTERN) throw new Error('the pattern is too long');
  return pattern;
}

function readFile(root: string, input: JsonValue): string {
  const { text, truncated } = readConfined(root, textArgument(input, 'path'), LARGEST_READ);
  return truncated ? `${text}\n[cut after ${LARGEST_READ} bytes]` : text;
}

function writeFile(root: string, input: JsonValue): string {
  const name = textArgument(input, 'path');
  const content = textArgument(input, 'content');
  writeConfined(root, name, content);
  return `Wrote ${plural(Buffer.byteLength(content, 'utf8'), 'byte')} to ${name}`;
}

function editFile(root: string, input: JsonValue): string {
  const name = textArgument(input, 'path');
  const before = textArgument(input, 'old_string');
  const after = textArgument(input, 'new_string');
  if (before === '') throw new Error('old_string must not be empty');
  const { text, truncated } = readConfined(root, name, LARGEST_READ);
  if (truncated) throw new Error(`${name} is too large to edit`);
  const pieces = text.split(before);
  if (pieces.length === 1) throw new Error(`old_string does not occur in ${name}`);
  if (pieces.length > 2)
    throw new Error(`old_string occurs ${pieces.length - 1} times in ${name}; make it unique`);
  writeConfined(root, name, pieces.join(after));
  return `Edited ${name}`;
}

/** Lines of a result, with a note of what is missing from it. */
function listing(lines: readonly string[], nothing: string, cut: string | null): string {
  const shown = lines.length === 0 ? [nothing] : lines;
  return [...shown, ...(cut === null ? [] : [`[${cut}]`])].join('\n');
}

function searchNames(root: string, input: JsonValue): string {
  const pattern = globOf(textArgument(input, 'pattern'));
  const found: string[] = [];
  let more = false;
  const cut = walkConfined(root, WALK, (path) => {
    if (!matchesPathGlob(path, pattern)) return;
    if (found.length < MOST_FILES) found.push(path);
    else more = true;
  });
  const why = more
    ? `only the first ${MOST_FILES} are listed`
    : cut
      ? 'not all of the workspace was searched'
      : null;
  return listing(found, `No file matches ${pattern}`, why);
}

function searchContents(root: string, input: JsonValue): string {
  const query = textArgument(input, 'query');
  const pattern = globOf(optionalText(input, 'pattern') ?? '**');
  if (query === '') throw new Error('query must not be empty');
  const found: string[] = [];
  let searched = 0;
  let more = false;
  const cut = walkConfined(root, WALK, (path, read) => {
    if (more || !matchesPathGlob(path, pattern)) return;
    const text = read(LARGEST_READ) ?? '';
    searched += Buffer.byteLength(text, 'utf8');
    more = searched > MOST_SEARCHED;
    if (!text.includes(query)) return;
    text.split('\n').forEach((line, index) => {
      if (!line.includes(query)) return;
      if (found.length < MOST_MATCHES) found.push(`${path}:${index + 1}: ${line.slice(0, LONGEST_LINE)}`);
      else more = true;
    });
  });
  return listing(found, 'No line contains the text', more || cut ? 'the search was cut short' : null);
}

const CALLS: { readonly [Name in WorkspaceTool]: (root: string, input: JsonValue) => string } = {
  file_read: readFile,
  file_write: writeFile,
  file_edit: editFile,
  glob_search: searchNames,
  content_search: searchContents,
};

/** Carries out one call of a file tool in a workspace. What goes wrong is an outcome. */
export function callWorkspaceTool(name: WorkspaceTool, root: string, input: JsonValue): ToolOutcome {
  try {
    return { ok: true, text: CALLS[name](root, input) };
  } catch (error) {
    return { ok: false, text: errorMessage(error) };
  }
}
