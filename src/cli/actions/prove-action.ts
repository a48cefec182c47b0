import { loadConfig } from '../../config/index.js';
import { plural, terminalLine } from '../../core/index.js';
import { vacuousChecks } from '../../run/index.js';
import type { ProveFlags } from '../commands/suite.js';
import { ExitCode } from '../exit-code.js';
import { openSuites } from '../open-suites.js';
import { say } from '../streams.js';

/** `assay suite prove`: which cases would an agent that does nothing pass? Exit code 1 when there is one. */
export async function proveAction(names: readonly string[], flags: ProveFlags): Promise<void> {
  const cwd = process.cwd();
  const loaded = await loadConfig(cwd, flags.config);
  const suites = await openSuites(names, { loaded, cwd, gate: false });
  const reports = suites.map((suite) => {
    const vacuous: { case: string; file: string; checks: string[] }[] = [];
    for (const tested of suite.cases) {
      const checks = vacuousChecks(tested);
      if (checks !== null) vacuous.push({ case: tested.id, file: tested.source.file, checks });
    }
    return { suite: suite.name, cases: suite.cases.length, vacuous };
  });
  const found = reports.reduce((total, report) => total + report.vacuous.length, 0);
  if (flags.json === true) {
    say(
      JSON.stringify(
        { schema: 'assay/prove/v1', outcome: found === 0 ? 'passed' : 'failed', suites: reports },
        null,
        2,
      ),
    );
  } else {
    for (const report of reports) {
      for (const entry of report.vacuous) {
        say(
          terminalLine(
            `✗ ${entry.case} (${entry.file}): an agent that does nothing passes; satisfied: ${entry.checks.join(', ')}`,
          ),
        );
      }
      const caught = report.cases - report.vacuous.length;
      say(
        terminalLine(`${report.suite}: ${caught} of ${plural(report.cases, 'case')} can fail on an idle run`),
      );
    }
  }
  if (found > 0) throw new ExitCode(1);
}
