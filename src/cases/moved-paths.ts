import { isAbsolute, join, relative, sep } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';

const FILE_ASSERTIONS = new Set(['matches-file', 'not-matches-file', 'program', 'not-program']);

function movedPath(path: JsonValue | undefined, way: string): JsonValue {
  if (typeof path !== 'string' || path.trim() === '' || isAbsolute(path)) return path ?? null;
  const moved = join(way, path).split(sep).join('/');
  return path.startsWith('./') && !moved.startsWith('.') ? `./${moved}` : moved;
}

/** The object with one of its members changed, when it has that member. */
function changed(object: JsonObject, key: string, change: (value: JsonValue) => JsonValue): JsonObject {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return value === undefined ? object : { ...object, [key]: change(value) };
}

function movedAssertions(value: JsonValue, way: string): JsonValue {
  if (!Array.isArray(value)) return value;
  return value.map((assertion) => {
    const type = isJsonObject(assertion) ? assertion['type'] : undefined;
    if (!isJsonObject(assertion) || typeof type !== 'string' || !FILE_ASSERTIONS.has(type)) return assertion;
    return changed(assertion, 'value', (path) => movedPath(path, way));
  });
}

function each(value: JsonValue, change: (item: JsonObject) => JsonObject): JsonValue {
  if (Array.isArray(value)) return value.map((item) => (isJsonObject(item) ? change(item) : item));
  return isJsonObject(value) ? change(value) : value;
}

function movedAgent(value: JsonValue, way: string): JsonValue {
  return isJsonObject(value) ? changed(value, 'module', (path) => movedPath(path, way)) : value;
}

/**
 * A case, or the head of a suite, as it is written in another directory: the files it names stay the same.
 * @param from directory of the file it stands in
 * @param to directory of the file it is to stand in
 */
export function movedPaths(written: JsonObject, from: string, to: string): JsonObject {
  const way = relative(to, from);
  if (way === '') return written;
  let moved = changed(written, 'assert', (value) => movedAssertions(value, way));
  moved = changed(moved, 'agent', (value) => movedAgent(value, way));
  moved = changed(moved, 'turns', (turns) =>
    each(turns, (turn) => changed(turn, 'assert', (value) => movedAssertions(value, way))),
  );
  moved = changed(moved, 'expects', (expects) =>
    each(expects, (block) => changed(block, 'assert', (value) => movedAssertions(value, way))),
  );
  const answer = (value: JsonObject): JsonObject =>
    changed(value, 'recording', (path) => movedPath(path, way));
  moved = changed(moved, 'reference', (value) => each(value, answer));
  moved = changed(moved, 'known_bad', (value) => each(value, answer));
  return changed(moved, 'grader_files', (files) =>
    isJsonObject(files)
      ? Object.fromEntries(
          Object.entries<JsonValue>(files).map(([name, content]) => [
            name,
            isJsonObject(content) ? changed(content, 'file', (path) => movedPath(path, way)) : content,
          ]),
        )
      : files,
  );
}
