import { AssayError, plural } from '../../core/index.js';
import {
  findCase,
  planGraduateCases,
  planGraduateSuite,
  POOLED_RUNS,
  runEvidence,
  saturationOf,
  type ChangePlan,
  type SaturationReport,
} from '../../curate/index.js';
import type { GraduateFlags } from '../commands/suite-progress.js';
import { propose } from '../carry-out.js';
import { openOneSuite, type OpenedSuite } from '../open-one-suite.js';
import { storeRoot } from '../run-store.js';

function wantedIds(report: SaturationReport, flags: GraduateFlags): string[] {
  const ready = report.cases.filter(({ state }) => state === 'ready').map(({ caseId }) => caseId);
  if (flags.ready === true && ready.length === 0 && flags.case === undefined) {
    throw new AssayError('NOTHING_SELECTED', 'no case has evidence enough to graduate', {
      fix: `assay suite saturation ${report.suite_id} shows what is known of each`,
    });
  }
  return [...new Set([...(flags.case ?? []), ...(flags.ready === true ? ready : [])])];
}

function requireEvidence(report: SaturationReport, ids: readonly string[], flags: GraduateFlags): void {
  if (flags.force === true) return;
  const open = report.cases.filter(({ caseId, state }) => ids.includes(caseId) && state !== 'ready');
  const [first] = open;
  if (first === undefined) return;
  throw new AssayError(
    'INPUT',
    `${plural(open.length, 'case')} not ready to graduate: ${open.map(({ caseId, reason }) => `${caseId} (${reason})`).join('; ')}`,
    { fix: 'run more trials, or use --force' },
  );
}

function planOf(opened: OpenedSuite, report: SaturationReport, flags: GraduateFlags): ChangePlan {
  const { suite, context } = opened;
  const into = flags.into ?? null;
  const ids = wantedIds(report, flags);
  const forced = flags.force === true ? { forced: true } : {};
  if (ids.length > 0) {
    const cases = ids.map((id) => findCase(suite, id));
    requireEvidence(report, ids, flags);
    const evidence = report.cases
      .filter(({ caseId }) => ids.includes(caseId))
      .map(({ caseId, n, c, lower, reason }) => ({ case: caseId, n, c, lower, reason }));
    return planGraduateCases(
      suite,
      { cases, into, details: { rule: report.rule, evidence, ...forced } },
      context,
    );
  }
  if (!report.saturated && flags.force !== true) {
    throw new AssayError('INPUT', `${suite.name} is not saturated: ${report.reason}`, {
      fix: 'run it more often, let single cases graduate with --ready, or use --force',
    });
  }
  return planGraduateSuite(suite, into, { rule: report.rule, reason: report.reason, ...forced }, context);
}

/** `assay suite graduate`: proposes, and acts once a person confirms. */
export async function graduateAction(name: string, flags: GraduateFlags): Promise<void> {
  const opened = await openOneSuite(name, flags);
  const { suite, loaded, cwd } = opened;
  if (suite.kind !== 'capability') {
    throw new AssayError('INPUT', `${suite.name} is a ${suite.kind} suite already`, {
      fix: 'only capability suites and their cases graduate',
    });
  }
  const report = saturationOf(suite, runEvidence(storeRoot(loaded), suite.name, POOLED_RUNS), flags.rule);
  await propose(planOf(opened, report, flags), flags, cwd);
}
