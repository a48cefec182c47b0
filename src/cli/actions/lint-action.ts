import { readFileSync } from 'node:fs';
import { loadConfig } from '../../config/index.js';
import { AssayError, parseJson, plural, systemSource, terminalLine } from '../../core/index.js';
import { lintSuite, type LintFinding, type LintReport } from '../../curate/index.js';
import { traceExtensions, type Suite } from '../../suite/index.js';
import type { LintFlags } from '../commands/lint.js';
import { ExitCode } from '../exit-code.js';
import { openSuites } from '../open-suites.js';
import { say } from '../streams.js';

/** The keys that only Assay reads, by fixture. */
function extensionsOf(suite: Suite): { file: string; keys: string[] }[] {
  const found: { file: string; keys: string[] }[] = [];
  if (suite.format !== 'trace') return found;
  for (const tested of suite.cases) {
    const parsed = parseJson(readFileSync(tested.source.file, 'utf8'));
    const keys = parsed.ok ? traceExtensions(parsed.value) : [];
    if (keys.length > 0) found.push({ file: tested.source.file, keys });
  }
  return found;
}

function sayExtensions(suite: Suite): void {
  if (suite.format !== 'trace') {
    say(
      terminalLine(
        `${suite.displayPath}: not a trace suite; the reference of this format reads every key it knows`,
      ),
    );
  }
  for (const { file, keys } of extensionsOf(suite)) {
    say(terminalLine(`${file}: only Assay reads ${keys.join(', ')}`));
  }
}

function place({ file, line, caseId }: Pick<LintFinding, 'file' | 'line' | 'caseId'>): string {
  return `${file}:${line}${caseId === '' ? '' : ` ${caseId}`}`;
}

function sayReport(suite: Suite, report: LintReport): void {
  for (const finding of report.findings) {
    say(terminalLine(`${place(finding)}: ${finding.message}; ${finding.fix} [${finding.rule}]`));
  }
  for (const note of report.unused) {
    say(terminalLine(`${place(note)}: lint.ignore names ${note.rule}, which finds nothing here; remove it`));
  }
  const counts = [
    `${suite.displayPath}: ${plural(suite.cases.length, 'case')}, no problems`,
    ...(report.findings.length === 0 ? [] : [plural(report.findings.length, 'finding')]),
    ...(report.silenced.length === 0 ? [] : [`${report.silenced.length} silenced`]),
  ];
  say(terminalLine(counts.join(', ')));
}

/**
 * `assay lint`: admission of every suite named, then what deserves a second look. Findings change the exit code only
 * with `--strict`; a suite that cannot be loaded always does.
 */
export async function lintAction(flags: LintFlags): Promise<void> {
  const cwd = process.cwd();
  const loaded = await loadConfig(cwd, flags.config);
  const suites = await openSuites(flags.suite ?? [], { loaded, cwd });
  const now = systemSource().now();
  const reports = suites.map((suite) => {
    if (suite.cases.length === 0) throw new AssayError('SUITE_EMPTY', `${suite.displayPath} has no cases`);
    return { suite, report: lintSuite(suite, now) };
  });
  if (flags.json === true) {
    const documents = reports.map(({ suite, report }) => ({
      suite: suite.name,
      path: suite.displayPath,
      cases: suite.cases.length,
      ...report,
      ...(flags.reference === true ? { extensions: extensionsOf(suite) } : {}),
    }));
    say(JSON.stringify({ schema: 'assay/lint/v1', suites: documents }, null, 2));
  } else {
    for (const { suite, report } of reports) {
      if (flags.reference === true) sayExtensions(suite);
      sayReport(suite, report);
    }
  }
  const clean = reports.every(({ report }) => report.findings.length + report.unused.length === 0);
  if (flags.strict === true && !clean) throw new ExitCode(1);
}
