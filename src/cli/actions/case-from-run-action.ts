import { existsSync } from 'node:fs';
import { draftPath, runDraft, yamlText, type NewDraft } from '../../cases/index.js';
import { AssayError, plural, type TrialResult } from '../../core/index.js';
import { findCase } from '../../curate/index.js';
import { findRun, readRun, type StoredCase } from '../../store/index.js';
import { admitFixtureText, admitSuiteText } from '../../suite/index.js';
import type { FromRunFlags } from '../commands/case-from.js';
import { deliverDraft, draftPlace, type DraftPlace } from '../draft-place.js';
import { openSuites } from '../open-suites.js';
import { suiteBounds } from '../project-root.js';
import { storeRoot } from '../run-store.js';

function chosenTrial(stored: StoredCase, wanted: number | undefined): TrialResult {
  if (wanted !== undefined) {
    const trial = stored.trials.find((each) => each.trial === wanted);
    if (trial !== undefined) return trial;
    throw new AssayError('INPUT', `${stored.id} has no trial ${wanted}`, {
      fix: `it has ${stored.trials.map((each) => each.trial).join(', ')}`,
    });
  }
  const failed = stored.trials.find((each) => each.status === 'failed');
  if (failed !== undefined) return failed;
  throw new AssayError(
    'INPUT',
    `no trial of ${stored.id} failed (it has ${plural(stored.trials.length, 'trial')})`,
    {
      fix: 'choose one with --trial',
    },
  );
}

/** Refuses what would not load where it is about to be written. */
function admit(place: DraftPlace, draft: NewDraft): void {
  const path = draftPath(place.drafts, draft);
  const { content } = draft;
  if (content.format === 'trace') admitFixtureText(path, JSON.stringify(content.fixture), { cwd: place.cwd });
  else {
    admitSuiteText(path, yamlText(content.suite), {
      cwd: place.cwd,
      goldenFilesMayBeMissing: true,
      ...suiteBounds(place.drafts, place.loaded, place.cwd),
    });
  }
}

/** `assay case from-run`. */
export async function fromRunAction(reference: string, id: string, flags: FromRunFlags): Promise<void> {
  const place = await draftPlace(flags);
  const { loaded, cwd } = place;
  const run = readRun(findRun(storeRoot(loaded), reference).directory);
  const stored = run.find(id);
  if (stored === null) {
    throw new AssayError('INPUT', `run ${run.header.runId} has no trial of a case ${JSON.stringify(id)}`, {
      fix: `assay show ${run.header.runId} lists its cases`,
    });
  }
  const trial = chosenTrial(stored, flags.trial);
  const name = flags.suite ?? run.header.suitePath;
  if (flags.suite === undefined && !existsSync(name)) {
    throw new AssayError('SUITE_NOT_FOUND', `the suite of this run is gone: ${name}`, {
      fix: 'name it with --suite',
    });
  }
  const [suite] = await openSuites([name], { loaded, cwd, gate: false, quiet: true });
  if (suite === undefined) throw new AssayError('SUITE_NOT_FOUND', `suite not found: ${name}`);
  const draft = runDraft({
    runId: run.header.runId,
    trial,
    suite,
    tested: findCase(suite, id),
    directory: place.drafts,
    scripted: flags.scripted === true,
  });
  admit(place, draft);
  deliverDraft(place, draft, flags.json === true);
}
