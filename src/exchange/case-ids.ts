import { slug } from '../cases/index.js';

/** Gives out ids that are unique: the words of a text, with a number behind where they are taken. */
export class CaseIds {
  private readonly taken = new Set<string>();

  /** An id for a case that a text describes; `fallback` when it says nothing. */
  next(text: string, fallback: string): string {
    const base = text.trim() === '' ? fallback : slug(text);
    let id = base;
    for (let number = 2; this.taken.has(id); number += 1) id = `${base}-${number}`;
    this.taken.add(id);
    return id;
  }
}
