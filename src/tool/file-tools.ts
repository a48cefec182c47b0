import { lstatSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { errorMessage, isJsonObject, plural, type JsonObject, type JsonValue } from '../core/index.js';
import { confinedPath, readConfined, writeConfined } from './confined-file.js';
import type { Tool, ToolContext, ToolOutcome } from './tool.js';

const LARGEST_READ = 256 * 1024;
const MOST_FILES = 2000;
const MOST_MATCHES = 200;
const LONGEST_LINE = 400;

function textArgument(input: JsonValue, name: string): string {
  const value = isJsonObject(input) ? input[name] : undefined;
  if (typeof value !== 'string') throw new Error(`the argument ${name} must be text`);
  return value;
}

function optionalText(input: JsonValue, name: string): string | null {
  const value = isJsonObject(input) ? input[name] : undefined;
  return typeof value === 'string' ? value : null;
}

/** A tool that works in the workspace; what it throws is a failed call. */
function workspaceTool(
  name: string,
  description: string,
  properties: JsonObject,
  required: string[],
  run: (root: string, input: JsonValue) => string,
): Tool {
  return {
    name,
    description,
    parameters: { type: 'object', properties, required, additionalProperties: false },
    execute(input: JsonValue, context: ToolContext): ToolOutcome {
      try {
        return { ok: true, text: run(context.workspace(), input) };
      } catch (error) {
        return { ok: false, text: errorMessage(error) };
      }
    },
  };
}

const path: JsonObject = { type: 'string', description: 'Path relative to the workspace.' };

/** Regular files below a directory, relative to the root, sorted; symbolic links are not followed. */
function listFiles(root: string, directory: string, found: string[]): void {
  for (const name of readdirSync(directory).toSorted()) {
    if (found.length >= MOST_FILES) return;
    const full = join(directory, name);
    const stats = lstatSync(full);
    if (stats.isDirectory()) listFiles(root, full, found);
    else if (stats.isFile()) found.push(relative(root, full).replaceAll('\\', '/'));
  }
}

/** True when a path matches a glob in which `*` stays inside one directory and `**` does not. */
export function matchesPathGlob(path: string, glob: string): boolean {
  const parts = path.split('/');
  const wanted = glob.split('/').filter((part, index, all) => !(part === '**' && all[index - 1] === '**'));
  // reach[j]: the first i path parts can be covered by the first j glob parts.
  let reach = wanted.map(() => false);
  let startsHere = true;
  const cover = (part: string | null): void => {
    const next: boolean[] = [];
    wanted.forEach((glob, index) => {
      const before = index === 0 ? startsHere : reach[index - 1] === true;
      const nextBefore = index === 0 ? part === null && startsHere : next[index - 1] === true;
      if (glob === '**') next.push(nextBefore || (part === null ? before : before || reach[index] === true));
      else next.push(part !== null && before && matchesPart(part, glob));
    });
    reach = next;
    if (part !== null) startsHere = false;
  };
  cover(null);
  for (const part of parts) cover(part);
  return reach.at(-1) === true;
}

function matchesPart(text: string, glob: string): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    const wanted = glob[place];
    if (wanted === '*') {
      star = place;
      resume = at;
      place += 1;
    } else if (wanted === '?' || (wanted !== undefined && wanted === text[at])) {
      at += 1;
      place += 1;
    } else if (star >= 0) {
      resume += 1;
      at = resume;
      place = star + 1;
    } else return false;
  }
  while (glob[place] === '*') place += 1;
  return place === glob.length;
}

const fileRead = workspaceTool(
  'file_read',
  'Reads a text file of the workspace.',
  { path },
  ['path'],
  (root, input) => {
    const { text, truncated } = readConfined(root, textArgument(input, 'path'), LARGEST_READ);
    return truncated ? `${text}\n[cut after ${LARGEST_READ} bytes]` : text;
  },
);

const fileWrite = workspaceTool(
  'file_write',
  'Writes a text file of the workspace, replacing what was there.',
  { path, content: { type: 'string' } },
  ['path', 'content'],
  (root, input) => {
    const name = textArgument(input, 'path');
    const content = textArgument(input, 'content');
    writeConfined(root, name, content);
    return `Wrote ${plural(Buffer.byteLength(content, 'utf8'), 'byte')} to ${name}`;
  },
);

const fileEdit = workspaceTool(
  'file_edit',
  'Replaces one occurrence of a text in a file; the text must occur exactly once.',
  { path, old_string: { type: 'string' }, new_string: { type: 'string' } },
  ['path', 'old_string', 'new_string'],
  (root, input) => {
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
  },
);

const globSearch = workspaceTool(
  'glob_search',
  'Lists files of the workspace whose path matches a glob (** crosses directories).',
  { pattern: { type: 'string' } },
  ['pattern'],
  (root, input) => {
    const pattern = textArgument(input, 'pattern');
    const files: string[] = [];
    listFiles(root, confinedPath(root, '.'), files);
    const found = files.filter((file) => matchesPathGlob(file, pattern));
    return found.length === 0 ? `No file matches ${pattern}` : found.join('\n');
  },
);

const contentSearch = workspaceTool(
  'content_search',
  'Finds lines that contain a text (exact, case-sensitive) in the files of the workspace.',
  { query: { type: 'string' }, pattern: { type: 'string', description: 'Glob of the files to search.' } },
  ['query'],
  (root, input) => {
    const query = textArgument(input, 'query');
    const pattern = optionalText(input, 'pattern') ?? '**';
    if (query === '') throw new Error('query must not be empty');
    const files: string[] = [];
    listFiles(root, confinedPath(root, '.'), files);
    const found: string[] = [];
    for (const file of files) {
      if (!matchesPathGlob(file, pattern)) continue;
      readConfined(root, file, LARGEST_READ)
        .text.split('\n')
        .forEach((line, index) => {
          if (found.length < MOST_MATCHES && line.includes(query)) {
            found.push(`${file}:${index + 1}: ${line.slice(0, LONGEST_LINE)}`);
          }
        });
    }
    return found.length === 0 ? `No line contains the text` : found.join('\n');
  },
);

/** The built-in workspace tools, by name. All are confined to the workspace; none starts a program. */
export const workspaceTools: ReadonlyMap<string, Tool> = new Map(
  [fileRead, fileWrite, fileEdit, globSearch, contentSearch].map((tool) => [tool.name, tool]),
);
