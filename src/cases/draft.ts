import { canonicalJson, sha256, type JsonObject } from '../core/index.js';

/** What a draft can be made from. */
export const DRAFT_KINDS = ['transcript', 'run', 'failure', 'rule'] as const;

/** What a draft was made from. */
export type DraftKind = (typeof DRAFT_KINDS)[number];

/** Where a draft comes from. Nothing in it holds a secret. */
export interface Provenance {
  kind: DraftKind;
  /** The source as people name it: a file name, a run and case, the id of a failure. */
  source: string;
  /** The same for the same source: what makes drafting idempotent. */
  fingerprint: string;
  details: JsonObject;
}

/** A case that is drafted and not yet on disk. */
export interface NewDraft {
  /** Safe as a file name on every system. */
  id: string;
  provenance: Provenance;
  /** `suite`: a whole assertion suite with one case; `fixture`: a trace fixture. */
  content: { format: 'assertion'; suite: JsonObject } | { format: 'trace'; fixture: JsonObject };
  /** What a person should know before accepting it. */
  notes: string[];
}

const LONGEST_SLUG = 40;
const HASH_DIGITS = 8;

/** A text as lower-case words with hyphens: letters and digits of ASCII only, never empty, at most 40 characters. */
export function slug(text: string): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_SLUG)
    .replace(/^-+|-+$/g, '');
  return words === '' ? 'case' : words;
}

/** Hashes what a draft is made from. */
export function fingerprintOf(kind: DraftKind, parts: JsonObject): string {
  return sha256(canonicalJson({ kind, ...parts }));
}

/** The id of a draft: the same source always gets the same one. The hash keeps reserved file names out. */
export function draftId(label: string, fingerprint: string): string {
  return `${slug(label)}-${fingerprint.slice(0, HASH_DIGITS)}`;
}

/** True for what can be the id of a draft. */
export function isDraftId(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,79}$/.test(text);
}
