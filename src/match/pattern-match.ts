/** Whether something a person wrote compiles, and if not, why. */
export type Compiled = { ok: true } | { ok: false; message: string };

/** What a bounded search came to. */
export type PatternMatch =
  /** `index` and `text` are null when the place would have cost too much to find. */
  { status: 'match'; index: number | null; text: string | null } | { status: 'none' } | { status: 'timeout' };

/** A map that forgets everything when it is full: simple, bounded, and right for keys that repeat or never do. */
export class BoundedCache<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The stored value, or the one that `make` gives, then stored. */
  get(key: string, make: () => Value): Value {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (this.#entries.size >= this.#limit) this.#entries.clear();
    this.#entries.set(key, made);
    return made;
  }
}
