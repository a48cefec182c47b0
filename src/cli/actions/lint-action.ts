import { readFileSync } from 'node:fs';
import { loadConfig } from '../../config/index.js';
import { AssayError, parseJson, plural, terminalLine } from '../../core/index.js';
import { lintSuite } from '../../curate/index.js';
import { traceExtensions, type Suite } from '../../suite/index.js';
import type { LintFlags } from '../commands/lint.js';
import { openSuites } from '../open-suites.js';
import { say } from '../streams.js';

function sayExtensions(suite: Suite): void {
  if (suite.format !== 'trace') {
    say(
      terminalLine(
        `${suite.displayPath}: not a trace suite; the reference of this format reads every key it knows`,
      ),
    );
    return;
  }
  for (const tested of suite.cases) {
    const parsed = parseJson(readFileSync(tested.source.file, 'utf8'));
    const keys = parsed.ok ? traceExtensions(parsed.value) : [];
    if (keys.length > 0) say(terminalLine(`${tested.source.file}: only Assay reads ${keys.join(', ')}`));
  }
}

/**
 * `assay lint`: admission of every suite named, then what deserves a second look. Findings do not change the exit
 * code; a suite that cannot be loaded does.
 */
export async function lintAction(flags: LintFlags): Promise<void> {
  const cwd = process.cwd();
  const loaded = await loadConfig(cwd, flags.config);
  const suites = await openSuites(flags.suite ?? [], { loaded, cwd });
  for (const suite of suites) {
    if (flags.reference === true) sayExtensions(suite);
    const findings = lintSuite(suite);
    for (const finding of findings) {
      const about = finding.caseId === '' ? '' : ` ${finding.caseId}`;
      say(
        terminalLine(
          `${finding.file}:${finding.line}${about}: ${finding.message}; ${finding.fix} [${finding.rule}]`,
        ),
      );
    }
    if (suite.cases.length === 0) throw new AssayError('SUITE_EMPTY', `${suite.displayPath} has no cases`);
    say(
      terminalLine(
        `${suite.displayPath}: ${plural(suite.cases.length, 'case')}, no problems${findings.length === 0 ? '' : `, ${plural(findings.length, 'finding')}`}`,
      ),
    );
  }
}
