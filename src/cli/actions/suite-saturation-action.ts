import { plural, terminalLine } from '../../core/index.js';
import {
  POOLED_RUNS,
  runEvidence,
  saturationOf,
  type CaseEvidence,
  type SaturationReport,
} from '../../curate/index.js';
import type { SaturationFlags } from '../commands/suite-progress.js';
import { openOneSuite } from '../open-one-suite.js';
import { storeRoot } from '../run-store.js';
import { say } from '../streams.js';

const ADVICE = {
  graduate_to_regression:
    'let it graduate: assay suite graduate; before that, look for shortcuts: assay suite prove',
  add_harder_cases: 'add harder cases or retire some; before that, look for shortcuts: assay suite prove',
  keep: 'keep it as it is',
};

function caseLine({ caseId, state, reason, lower, upper }: CaseEvidence): string {
  const bounds =
    lower === null || upper === null ? '' : ` (95 %: ${lower.toFixed(3)} to ${upper.toFixed(3)})`;
  return `  ${state.padEnd(9)} ${caseId}: ${reason}${bounds}`;
}

function lines(report: SaturationReport): string[] {
  const count = report.consecutive_above_threshold;
  return [
    `${report.suite_id}: ${report.saturated ? 'saturated' : 'not saturated'} by the ${report.rule} rule, ${plural(count, 'run')} in a row`,
    report.reason,
    ...report.pass_rate_history.map(
      ({ date, rate, trials, lower }) =>
        `  ${date}  ${(rate * 100).toFixed(0)} % of cases${lower === null ? '' : `, pass rate at least ${lower.toFixed(3)} over ${plural(trials, 'trial')}`}`,
    ),
    ...report.cases.map(caseLine),
    ADVICE[report.recommended_action],
  ];
}

/** `assay suite saturation`. */
export async function saturationAction(name: string, flags: SaturationFlags): Promise<void> {
  const { suite, loaded } = await openOneSuite(name, flags);
  const report = saturationOf(suite, runEvidence(storeRoot(loaded), suite.name, POOLED_RUNS), flags.rule);
  if (flags.json === true) say(JSON.stringify({ schema: 'assay/saturation/v1', ...report }, null, 2));
  else for (const line of lines(report)) say(terminalLine(line));
}
