import { join, resolve } from 'node:path';
import { DRAFTS_NAME, FAILURE_LOG_NAME, writeDraft, type NewDraft } from '../cases/index.js';
import { loadConfig, type LoadedConfig } from '../config/index.js';
import { systemSource, terminalLine } from '../core/index.js';
import { displayPath } from '../suite/index.js';
import { suiteRoots } from './open-suites.js';
import { note, say } from './streams.js';

/** Where drafts and the log of failures of a project are. */
export interface DraftPlace {
  cwd: string;
  loaded: LoadedConfig;
  /** Absolute path of the directory of drafts. */
  drafts: string;
  /** Absolute path of the log of failures. */
  log: string;
  /** ISO time. */
  now: string;
}

/** Finds the place of drafts: the suite directory of the project. */
export async function draftPlace(flags: { config?: string; log?: string }): Promise<DraftPlace> {
  const cwd = process.cwd();
  const loaded = await loadConfig(cwd, flags.config);
  const [root = cwd] = suiteRoots(loaded).projectDirs;
  return {
    cwd,
    loaded,
    drafts: join(root, DRAFTS_NAME),
    log: flags.log === undefined ? join(root, FAILURE_LOG_NAME) : resolve(cwd, flags.log),
    now: new Date(systemSource().now()).toISOString(),
  };
}

const SAID = {
  written: 'drafted',
  exists: 'was drafted before and is left as it is',
  accepted: 'was drafted and accepted before',
} as const;

/** Writes a draft and says what became of it. */
export function deliverDraft(place: DraftPlace, draft: NewDraft, json: boolean): void {
  const written = writeDraft(place.drafts, draft, place.now);
  const path = displayPath(written.path, place.cwd);
  if (json) {
    const { record } = written;
    const report = {
      schema: 'assay/draft/v1',
      id: draft.id,
      status: written.status,
      format: draft.content.format,
      path,
      provenance: record.provenance,
      accepted: record.accepted,
      notes: draft.notes,
    };
    say(JSON.stringify(report, null, 2));
    return;
  }
  if (written.status === 'accepted') {
    const { accepted } = written.record;
    say(terminalLine(`${draft.id} ${SAID.accepted}: it is in ${accepted?.suite ?? ''}`));
    return;
  }
  say(terminalLine(`${draft.id} ${SAID[written.status]}: ${path}`));
  for (const line of draft.notes) note(`note: ${line}`);
  say(`\nnext: assay run -s _drafts/${draft.id}\n      assay case accept ${draft.id} --suite SUITE`);
}
