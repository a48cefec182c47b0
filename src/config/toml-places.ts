import type { KeyPath } from '../core/index.js';

/** Where something begins in a text; both from 1. */
interface Place {
  line: number;
  column: number;
}

const KEY = /\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*(\.?)/y;

/** The parts of a dotted key at the start of a text, and the length of it; no parts where there is none. */
function dottedKey(text: string): { parts: string[]; length: number } {
  const parts: string[] = [];
  KEY.lastIndex = 0;
  for (let found = KEY.exec(text); found !== null; found = KEY.exec(text)) {
    parts.push(found[1] ?? found[2] ?? found[3] ?? '');
    if (found[4] !== '.') return { parts, length: found.index + found[0].length };
  }
  return { parts: [], length: 0 };
}

const pathText = (parts: readonly (string | number)[]): string => JSON.stringify(parts.map(String));

/**
 * Finds the keys of a TOML text by its lines: tables and `key = value`. What stands inside an inline table or a list is
 * found at the key that holds it.
 */
export function tomlPlaces(text: string): (path: KeyPath) => Place {
  const places = new Map<string, Place>();
  let table: string[] = [];
  /** The quotes that end the text over several lines that a line stands in. */
  let open: string | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    const within = open !== null;
    for (const [quotes] of line.matchAll(/"""|'''/g)) {
      if (open === null) open = quotes;
      else if (open === quotes) open = null;
    }
    if (within) continue;
    const indent = line.length - line.trimStart().length;
    const header = /^\s*\[\[?/.exec(line)?.[0];
    const { parts, length } = dottedKey(line.slice(header?.length ?? 0));
    if (parts.length === 0) continue;
    if (header === undefined && line[length] !== '=') continue;
    if (header !== undefined) table = parts;
    const path = header === undefined ? [...table, ...parts] : parts;
    const key = pathText(path);
    if (!places.has(key)) places.set(key, { line: index + 1, column: indent + 1 });
  }
  return (path) => {
    for (let length = path.length; length > 0; length -= 1) {
      const place = places.get(pathText(path.slice(0, length)));
      if (place !== undefined) return place;
    }
    return { line: 1, column: 1 };
  };
}
