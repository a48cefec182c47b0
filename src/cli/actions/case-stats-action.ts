import { draftRecords, failureStats, readFailures } from '../../cases/index.js';
import { plural, terminalLine } from '../../core/index.js';
import type { CaseListFlags } from '../commands/case.js';
import { draftPlace } from '../draft-place.js';
import { say } from '../streams.js';

function counts(title: string, table: { [key: string]: number }): string[] {
  return [title, ...Object.entries(table).map(([key, count]) => `  ${key}: ${count}`)];
}

/** `assay case stats`. */
export async function caseStatsAction(flags: CaseListFlags): Promise<void> {
  const place = await draftPlace(flags);
  const { failures, broken } = readFailures(place.log);
  const stats = failureStats(failures, draftRecords(place.drafts));
  if (flags.json === true) {
    say(JSON.stringify({ schema: 'assay/case-stats/v1', ...stats, broken_lines: broken.length }, null, 2));
    return;
  }
  const lines = [
    `${plural(stats.failures, 'failure')} logged, ${stats.converted} drafted`,
    ...counts('by severity', stats.bySeverity),
    ...counts('by domain', stats.byDomain),
    ...counts('by category', stats.byCategory),
    'cases by origin',
    ...Object.entries(stats.drafts).map(
      ([kind, { drafted, accepted }]) => `  from-${kind}: ${drafted} drafted, ${accepted} accepted`,
    ),
    ...(broken.length === 0 ? [] : [`${plural(broken.length, 'line')} of the log cannot be read`]),
  ];
  for (const line of lines) say(terminalLine(line));
}
