import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import {
  AssayError,
  compareUtf8,
  didYouMean,
  errorMessage,
  isJsonObject,
  type JsonObject,
} from '../core/index.js';
import { DRAFT_KINDS, isDraftId, type DraftKind, type NewDraft, type Provenance } from './draft.js';
import { member, objectMember, textMember } from './json-fields.js';
import { appendJsonLine, readJsonLines } from './json-lines.js';
import { redactObject, redactText } from './redact-case.js';
import { yamlText } from './yaml-text.js';

/** Directory of drafts, inside the directory of suites. Nothing in it is part of a suite. */
export const DRAFTS_NAME = '_drafts';
const LOG_NAME = '_drafts.jsonl';

/** A draft on disk. */
export interface Draft {
  id: string;
  format: 'assertion' | 'trace';
  /** Absolute path of its file. */
  path: string;
  /** Null when the log of drafts does not know it. */
  provenance: Provenance | null;
}

/** What the log of drafts knows of one. */
export interface DraftRecord {
  id: string;
  /** ISO time. */
  draftedAt: string;
  provenance: Provenance;
  /** Null while it waits. */
  accepted: { at: string; suite: string; case: string } | null;
}

/** What became of an attempt to write a draft. */
export interface WrittenDraft {
  status: 'written' | 'exists' | 'accepted';
  /** Absolute. */
  path: string;
  record: DraftRecord;
}

function provenanceOf(value: JsonObject): Provenance | null {
  const kind = DRAFT_KINDS.find((each: DraftKind) => each === value['kind']);
  if (kind === undefined) return null;
  return {
    kind,
    source: textMember(value, 'source'),
    fingerprint: textMember(value, 'fingerprint'),
    details: objectMember(value, 'details'),
  };
}

/** Everything that the log of drafts knows, oldest first. Lines that cannot be read are left out. */
export function draftRecords(directory: string): DraftRecord[] {
  const records = new Map<string, DraftRecord>();
  for (const { value } of readJsonLines(join(directory, LOG_NAME)).lines) {
    const id = textMember(value, 'id');
    const at = textMember(value, 'at');
    const known = records.get(id);
    if (value['event'] === 'drafted') {
      const written = member(value, 'provenance');
      const provenance = isJsonObject(written) ? provenanceOf(written) : null;
      if (provenance !== null && known === undefined && isDraftId(id))
        records.set(id, { id, draftedAt: at, provenance, accepted: null });
    } else if (value['event'] === 'accepted' && known !== undefined) {
      known.accepted = { at, suite: textMember(value, 'suite'), case: textMember(value, 'case') };
    }
  }
  return [...records.values()];
}

function pathsOf(directory: string, id: string): { assertion: string; trace: string } {
  return { assertion: join(directory, `${id}.yaml`), trace: join(directory, id, `${id}.json`) };
}

/** Refuses a directory that leads elsewhere, so that no draft lands outside the directory of suites. */
function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new AssayError('STORE', `${path} cannot be made: ${errorMessage(error)}`, { cause: error });
  }
  if (lstatSync(path).isDirectory()) return;
  throw new AssayError('STORE', `${path} is a symbolic link; drafts are not written through one`, {
    fix: 'remove the link',
  });
}

/** Makes a file that is there complete or not at all, and never replaces one. False when there is one already. */
function createFile(path: string, text: string): boolean {
  const temporary = join(dirname(path), `.draft.${process.pid}.tmp`);
  try {
    rmSync(temporary, { force: true });
    writeFileSync(temporary, text, { flag: 'wx', flush: true });
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw new AssayError('STORE', `${path} cannot be written: ${errorMessage(error)}`, { cause: error });
  } finally {
    rmSync(temporary, { force: true });
  }
}

function draftText({ id, provenance, content, notes }: NewDraft): string {
  if (content.format === 'trace') return `${JSON.stringify(content.fixture, null, 2)}\n`;
  return yamlText(content.suite, [
    `DRAFT, in no suite yet. Read it, mend it, then: assay case accept ${id} --suite SUITE`,
    `From ${provenance.kind} ${provenance.source}`,
    ...notes,
  ]);
}

/** Where a draft is written. */
export function draftPath(directory: string, draft: Pick<NewDraft, 'id' | 'content'>): string {
  return pathsOf(directory, draft.id)[draft.content.format];
}

/**
 * Writes a draft. The same source gives the same draft: one that is there is left as it is, one that was accepted is not
 * drafted again.
 * @param directory absolute path of the directory of drafts
 * @param now ISO time
 * @throws AssayError `STORE`
 */
export function writeDraft(directory: string, draft: NewDraft, now: string): WrittenDraft {
  const { id } = draft;
  const path = draftPath(directory, draft);
  const known = draftRecords(directory).find((record) => record.id === id);
  const provenance = {
    ...draft.provenance,
    source: redactText(draft.provenance.source),
    details: redactObject(draft.provenance.details),
  };
  const record = known ?? { id, draftedAt: now, provenance, accepted: null };
  if (known !== undefined && known.accepted !== null) return { status: 'accepted', path, record };
  makeDirectory(directory);
  // The log goes first: a draft whose origin is unknown is worse than an origin without its draft.
  if (known === undefined) {
    appendJsonLine(join(directory, LOG_NAME), { event: 'drafted', id, at: now, provenance });
  }
  if (draft.content.format === 'trace') makeDirectory(dirname(path));
  const other = pathsOf(directory, id)[draft.content.format === 'trace' ? 'assertion' : 'trace'];
  if (existsSync(other)) return { status: 'exists', path: other, record };
  return { status: createFile(path, draftText(draft)) ? 'written' : 'exists', path, record };
}

/** The drafts that wait, by id. */
export function listDrafts(directory: string): Draft[] {
  const records = new Map(draftRecords(directory).map((record) => [record.id, record.provenance]));
  let names: string[];
  try {
    names = readdirSync(directory);
  } catch {
    // No directory, no drafts.
    return [];
  }
  const ids = new Set(names.map((name) => name.replace(/\.yaml$/, '')).filter(isDraftId));
  return [...ids].toSorted(compareUtf8).flatMap((id): Draft[] => {
    const paths = pathsOf(directory, id);
    const format = existsSync(paths.assertion) ? 'assertion' : existsSync(paths.trace) ? 'trace' : null;
    if (format === null) return [];
    return [{ id, format, path: paths[format], provenance: records.get(id) ?? null }];
  });
}

/**
 * The draft of an id.
 * @throws AssayError `INPUT` that lists what there is
 */
export function findDraft(directory: string, id: string): Draft {
  const drafts = listDrafts(directory);
  const found = drafts.find((draft) => draft.id === id);
  if (found !== undefined) return found;
  const record = draftRecords(directory).find((each) => each.id === id);
  if (record !== undefined && record.accepted !== null) {
    const { suite, at } = record.accepted;
    throw new AssayError('INPUT', `draft ${id} was accepted into ${suite} at ${at}`);
  }
  const ids = drafts.map((draft) => draft.id);
  const meant = didYouMean(id, ids);
  throw new AssayError('INPUT', `there is no draft ${JSON.stringify(id)}`, {
    fix:
      meant !== null
        ? `did you mean ${meant}?`
        : ids.length === 0
          ? 'there are no drafts; assay case from-run RUN CASE makes one'
          : `the drafts are: ${ids.slice(0, 10).join(', ')}`,
  });
}

/** The text of a draft. Throws AssayError `INPUT`. */
export function readDraft(draft: Draft): string {
  try {
    return readFileSync(draft.path, 'utf8');
  } catch (error) {
    throw new AssayError('INPUT', `${draft.path} cannot be read: ${errorMessage(error)}`, { cause: error });
  }
}

/** Notes that a draft is part of a suite now, then removes its file. Throws AssayError `STORE`. */
export function closeDraft(
  directory: string,
  draft: Draft,
  accepted: { suite: string; case: string },
  now: string,
): void {
  appendJsonLine(join(directory, LOG_NAME), { event: 'accepted', id: draft.id, at: now, ...accepted });
  rmSync(draft.path, { force: true });
  if (draft.format !== 'trace') return;
  try {
    rmdirSync(dirname(draft.path));
  } catch {
    // Somebody keeps other files beside the draft.
  }
}
