import { listDrafts, readFailures, type Draft, type Failure } from '../../cases/index.js';
import { clip, plural, terminalLine } from '../../core/index.js';
import { displayPath } from '../../suite/index.js';
import type { CaseListFlags } from '../commands/case.js';
import { draftPlace, type DraftPlace } from '../draft-place.js';
import { note, say } from '../streams.js';

const WIDTH = 70;

function failureLine(failure: Failure): string {
  const draft = failure.converted_to_task === null ? '' : `  -> ${failure.converted_to_task}`;
  return `${failure.id}  ${failure.severity}  ${failure.category}  ${clip(failure.description, WIDTH)}${draft}`;
}

function draftLine(draft: Draft, place: DraftPlace): string {
  const { provenance } = draft;
  const from =
    provenance === null ? 'unknown origin' : `${provenance.kind} ${clip(provenance.source, WIDTH)}`;
  return `${draft.id}  ${draft.format}  ${from}  ${displayPath(draft.path, place.cwd)}`;
}

/** `assay case list`. */
export async function caseListAction(what: string | null, flags: CaseListFlags): Promise<void> {
  const place = await draftPlace(flags);
  const { failures, broken } = readFailures(place.log);
  const shown =
    what === 'drafts'
      ? []
      : failures.filter((failure) => what !== 'unconverted' || failure.converted_to_task === null);
  const drafts = what === null || what === 'drafts' ? listDrafts(place.drafts) : [];
  if (broken.length > 0 && what !== 'drafts') {
    note(
      `${displayPath(place.log, place.cwd)}: ${plural(broken.length, 'line')} cannot be read: ${broken.slice(0, 10).join(', ')}`,
    );
  }
  if (flags.json === true) {
    say(JSON.stringify({ schema: 'assay/cases/v1', failures: shown, drafts, broken_lines: broken }, null, 2));
    return;
  }
  if (what !== 'drafts') say(plural(shown.length, 'failure'));
  for (const failure of shown) say(terminalLine(`  ${failureLine(failure)}`));
  if (what === null || what === 'drafts') {
    say(plural(drafts.length, 'draft'));
    for (const draft of drafts) say(terminalLine(`  ${draftLine(draft, place)}`));
  }
}
