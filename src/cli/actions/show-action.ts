import { loadConfig } from '../../config/index.js';
import { AssayError, didYouMean, terminalLine, type TrialResult } from '../../core/index.js';
import { formatTranscript } from '../../report/index.js';
import { findRun, readRun, type StoredRun } from '../../store/index.js';
import { displayPath } from '../../suite/index.js';
import type { ShowFlags } from '../commands/show.js';
import { storeRoot } from '../run-store.js';
import { say, wantsColor } from '../streams.js';

function* wantedTrials(run: StoredRun, caseId: string | undefined, flags: ShowFlags): Generator<TrialResult> {
  const cases = caseId === undefined ? run.cases() : [run.find(caseId)];
  for (const found of cases) {
    for (const trial of found?.trials ?? []) {
      if (flags.trial !== undefined && trial.trial !== flags.trial) continue;
      if (flags.failed === true && trial.status === 'passed') continue;
      yield trial;
    }
  }
}

function overview(run: StoredRun, cwd: string): string {
  const { header, summary } = run;
  const lines = [
    `run ${header.runId} of ${header.suite}, started ${header.startedAt}`,
    `model ${header.agentModel}, ${header.mode}, stored in ${displayPath(run.directory, cwd)}`,
    summary === null
      ? 'not finished: assay run --resume goes on with it'
      : `${summary.outcome}: ${summary.reason}`,
    '',
  ];
  const listed = 50;
  let count = 0;
  for (const found of run.cases()) {
    count += 1;
    if (count > listed) continue;
    lines.push(`  ${found.id}: ${found.trials.map((trial) => trial.status).join(', ')}`);
  }
  if (count > listed) lines.push(`  and ${count - listed} more`);
  lines.push(
    '',
    `assay show ${header.runId} CASE prints the transcripts of a case; --failed those that did not pass`,
  );
  return lines.map(terminalLine).join('\n');
}

/** `assay show`: an overview of a stored run, or transcripts. */
export async function showAction(
  reference: string,
  caseId: string | undefined,
  flags: ShowFlags,
): Promise<void> {
  const cwd = process.cwd();
  const loaded = await loadConfig(cwd, flags.config);
  const run = readRun(findRun(storeRoot(loaded), reference).directory);
  const asked = caseId !== undefined || flags.failed === true || flags.trial !== undefined;
  if (!asked && flags.json !== true) {
    say(overview(run, cwd));
    return;
  }
  if (caseId !== undefined && run.find(caseId) === null) {
    const ids = [...run.cases()].map((found) => found.id);
    const meant = didYouMean(caseId, ids);
    throw new AssayError('INPUT', `the run has no case ${JSON.stringify(caseId)}`, {
      fix:
        meant === null
          ? `it has ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ' and others' : ''}`
          : `did you mean ${JSON.stringify(meant)}?`,
    });
  }
  if (flags.json === true) {
    say(
      JSON.stringify(
        { schema: 'assay/show/v1', run: run.header, trials: [...wantedTrials(run, caseId, flags)] },
        null,
        2,
      ),
    );
    return;
  }
  let shown = 0;
  for (const trial of wantedTrials(run, caseId, flags)) {
    say(formatTranscript(trial, { color: wantsColor(true, process.stdout) }));
    shown += 1;
  }
  if (shown > 0) return;
  if (flags.failed === true && flags.trial === undefined) {
    say('every trial passed');
    return;
  }
  throw new AssayError('INPUT', `there is no trial ${flags.trial ?? ''} to show`, {
    fix: 'assay show without --trial shows them all',
  });
}
