import { isJsonObject, type JsonValue, type KeyPath } from '../core/index.js';

/** One value inside a JSON value. */
export interface JsonNode {
  path: KeyPath;
  value: JsonValue;
}

/** Every value inside a JSON value, parents before their children; the value itself is not among them. */
export function* jsonNodes(root: JsonValue, path: KeyPath = []): Generator<JsonNode> {
  if (Array.isArray(root)) {
    for (const [index, value] of root.entries()) {
      yield { path: [...path, index], value };
      yield* jsonNodes(value, [...path, index]);
    }
  } else if (isJsonObject(root)) {
    for (const [key, value] of Object.entries(root)) {
      yield { path: [...path, key], value };
      yield* jsonNodes(value, [...path, key]);
    }
  }
}

/** A JSON pointer (RFC 6901) to a value. */
export function pointerOf(path: KeyPath): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** A copy in which the value at `path` is changed; undefined from `change` leaves it out. */
export function withChange(
  root: JsonValue,
  path: KeyPath,
  change: (value: JsonValue) => JsonValue | undefined,
): JsonValue | undefined {
  const [head, ...rest] = path;
  if (head === undefined) return change(root);
  if (Array.isArray(root)) {
    return root.flatMap((item, index) => {
      if (index !== head) return [item];
      const changed = withChange(item, rest, change);
      return changed === undefined ? [] : [changed];
    });
  }
  if (!isJsonObject(root)) return root;
  const copy: { [key: string]: JsonValue } = {};
  for (const [key, value] of Object.entries(root)) {
    const changed = key === String(head) ? withChange(value, rest, change) : value;
    if (changed !== undefined) copy[key] = changed;
  }
  return copy;
}

/** The smallest value that holds only what stands at `path`: nested objects, and lists up to that place. */
export function onlyAt(root: JsonValue, path: KeyPath): JsonValue {
  const [head, ...rest] = path;
  if (head === undefined) return root;
  if (Array.isArray(root)) {
    const before = typeof head === 'number' ? root.slice(0, head) : [];
    return [...before, onlyAt(root[Number(head)] ?? null, rest)];
  }
  return { [String(head)]: onlyAt((isJsonObject(root) ? root[String(head)] : undefined) ?? null, rest) };
}
