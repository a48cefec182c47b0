import { isJsonObject, type JsonValue, type KeyPath } from '../core/index.js';

/** The value at a path; undefined where there is none. */
export function valueAt(root: JsonValue, path: KeyPath): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const part of path) {
    if (Array.isArray(value)) value = typeof part === 'number' ? value[part] : undefined;
    else if (isJsonObject(value))
      value = Object.hasOwn(value, String(part)) ? value[String(part)] : undefined;
    else return undefined;
  }
  return value;
}

/** A copy with the value at a path set; missing objects on the way are made. A list takes one more entry at its end. */
export function withValueAt(root: JsonValue, path: KeyPath, value: JsonValue): JsonValue {
  const [head, ...rest] = path;
  if (head === undefined) return value;
  if (Array.isArray(root)) {
    const copy = [...root];
    copy[Number(head)] = withValueAt(copy[Number(head)] ?? {}, rest, value);
    return copy;
  }
  const object = isJsonObject(root) ? root : {};
  return { ...object, [String(head)]: withValueAt(object[String(head)] ?? {}, rest, value) };
}

/** A copy without the value at a path. */
export function withoutValueAt(root: JsonValue, path: KeyPath): JsonValue {
  const [head, ...rest] = path;
  if (head === undefined) return root;
  if (Array.isArray(root)) {
    return root.flatMap((item, index) => {
      if (index !== head) return [item];
      return rest.length === 0 ? [] : [withoutValueAt(item, rest)];
    });
  }
  if (!isJsonObject(root)) return root;
  return Object.fromEntries(
    Object.entries(root).flatMap(([key, item]) => {
      if (key !== String(head)) return [[key, item]];
      return rest.length === 0 ? [] : [[key, withoutValueAt(item, rest)]];
    }),
  );
}
