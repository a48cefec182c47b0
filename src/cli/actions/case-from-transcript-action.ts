import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  draftPath,
  isTranscriptFormat,
  proveFixture,
  transcriptDraft,
  type TurnRange,
} from '../../cases/index.js';
import { AssayError, errorMessage } from '../../core/index.js';
import type { FromTranscriptFlags } from '../commands/case-from.js';
import { deliverDraft, draftPlace } from '../draft-place.js';
import { note } from '../streams.js';

function rangeOf(written: string | undefined): TurnRange | null {
  if (written === undefined) return null;
  const match = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(written.trim());
  const from = Number(match?.[1] ?? 0);
  const to = Number(match?.[2] ?? match?.[1] ?? 0);
  if (from >= 1 && to >= from) return { from, to };
  throw new AssayError('USAGE', `--turns ${JSON.stringify(written)} is no range of turns`, {
    fix: 'write 3, or 2-4, counted from 1',
  });
}

/** The text of a file or of stdin. Bytes that are no UTF-8 become replacement characters, as in any transcript viewer. */
function readText(file: string, cwd: string): string {
  try {
    return readFileSync(file === '-' ? 0 : resolve(cwd, file), 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new AssayError('INPUT', `${file} cannot be read: ${errorMessage(error)}`, { cause: error });
  }
}

/** `assay case from-transcript`: what is written has been replayed. */
export async function fromTranscriptAction(file: string, flags: FromTranscriptFlags): Promise<void> {
  const turns = rangeOf(flags.turns);
  const place = await draftPlace(flags);
  const { format } = flags;
  const shown = file === '-' ? 'stdin' : file;
  const draft = transcriptDraft(readText(file, place.cwd), shown, {
    format: format !== undefined && isTranscriptFormat(format) ? format : null,
    trace: flags.trace ?? null,
    line: flags.line ?? null,
    turns,
  });
  await proveFixture(draftPath(place.drafts, draft), draft.content.fixture, place.cwd);
  if (flags.json !== true) note(`read as ${draft.format}; its replay passes`);
  deliverDraft(place, draft, flags.json === true);
}
