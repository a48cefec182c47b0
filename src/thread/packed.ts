const URL_KEY = 'assay:url';

/** A value as it crosses between threads: addresses, which cannot be cloned, become objects that stand for them. */
export function packed(value: unknown): unknown {
  if (value instanceof URL) return { [URL_KEY]: value.href };
  if (Array.isArray(value)) return value.map(packed);
  if (!isPlain(value)) return typeof value === 'function' || typeof value === 'symbol' ? undefined : value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, packed(member)]));
}

/** The value that `packed` was given. */
export function unpacked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unpacked);
  if (!isPlain(value)) return value;
  const address: unknown = Reflect.get(value, URL_KEY);
  if (typeof address === 'string' && URL.canParse(address)) return new URL(address);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unpacked(member)]));
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
