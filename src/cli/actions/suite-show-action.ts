import { plural, terminalLine } from '../../core/index.js';
import { balanceOf, POOLED_RUNS, polarityOf, runEvidence, saturationOf } from '../../curate/index.js';
import type { SaturationReport } from '../../curate/index.js';
import type { Suite } from '../../suite/index.js';
import type { SuiteShowFlags } from '../commands/suite-manage.js';
import { openOneSuite } from '../open-one-suite.js';
import { storeRoot } from '../run-store.js';
import { say } from '../streams.js';

const CASES_SHOWN = 50;
const RATES_SHOWN = 5;

function headLines(suite: Suite): string[] {
  const { should, shouldNot } = balanceOf(suite);
  return [
    `${suite.name}${suite.description === null ? '' : `: ${suite.description}`}`,
    `${suite.kind}, ${suite.format}, ${suite.displayPath}`,
    `${plural(suite.cases.length, 'case')}: ${should} should, ${shouldNot} should not`,
    `gate ${suite.gate}, threshold ${suite.passThreshold}, ${plural(suite.trials, 'trial')} a case, owner ${suite.owner ?? 'nobody'}`,
  ];
}

function rateLines(report: SaturationReport): string[] {
  const lines = report.pass_rate_history.slice(-RATES_SHOWN).map(({ date, rate, run, trials, lower }) => {
    const bound =
      lower === null ? '' : `, pass rate at least ${lower.toFixed(3)} over ${plural(trials, 'trial')}`;
    return `  ${date} ${run}: ${(rate * 100).toFixed(0)} % of cases passed every trial${bound}`;
  });
  const state = report.saturated ? 'saturated' : 'not saturated';
  return [`${state} (${report.rule} rule): ${report.reason}`, ...lines];
}

/** `assay suite show`. */
export async function suiteShowAction(name: string, flags: SuiteShowFlags): Promise<void> {
  const { suite, loaded } = await openOneSuite(name, flags);
  const report = saturationOf(suite, runEvidence(storeRoot(loaded), suite.name, POOLED_RUNS), 'evidence');
  const cases = [...suite.cases].map((tested) => ({
    id: tested.id,
    polarity: polarityOf(tested),
    checks: tested.checks.length,
    tags: tested.tags,
    owner: tested.owner ?? suite.owner,
    file: tested.source.file,
    line: tested.source.line,
  }));
  if (flags.json === true) {
    const { cases: _cases, curation: _curation, ...head } = suite;
    say(
      JSON.stringify(
        { schema: 'assay/suite/v1', suite: head, balance: balanceOf(suite), cases, saturation: report },
        null,
        2,
      ),
    );
    return;
  }
  const shown = flags.all === true ? cases : cases.slice(0, CASES_SHOWN);
  const lines = [
    ...headLines(suite),
    ...rateLines(report),
    ...shown.map(
      ({ id, polarity, checks, tags }) =>
        `  ${id}: ${polarity === 'should' ? 'should' : 'should not'}, ${plural(checks, 'check')}${tags.length === 0 ? '' : `, ${tags.join(' ')}`}`,
    ),
    ...(cases.length > shown.length ? [`  and ${cases.length - shown.length} more (--all shows them)`] : []),
  ];
  for (const line of lines) say(terminalLine(line));
}
