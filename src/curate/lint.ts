import type { Case, Reasoned, Suite } from '../suite/index.js';
import { caseFinding, type LintFinding } from './lint-finding.js';
import { unkeptPromises } from './lint-names.js';
import { weakPatterns } from './lint-patterns.js';
import { realData } from './lint-placeholders.js';
import { suiteRuleFindings } from './lint-suite-rules.js';
import { lenientThresholds } from './lint-thresholds.js';

/** What lint found. */
export interface LintReport {
  findings: LintFinding[];
  /** Findings that the suite or the case silences, with the reason. */
  silenced: (LintFinding & { reason: string })[];
  /** Silenced rules that find nothing (any more): the note should go. */
  unused: { file: string; line: number; caseId: string; rule: string; reason: string }[];
}

/** Categories that look at how the agent got there rather than at what came of it. */
function pathOnly(tested: Case): LintFinding[] {
  const gating = tested.checks.filter((check) => !check.diagnostic);
  if (gating.length === 0 || !gating.every((check) => check.category === 'tool')) return [];
  return [
    caseFinding(
      tested,
      'path-only',
      'every check looks at the tool calls and none at the result; an agent that finds another good way fails',
      'add a check of the answer or of the workspace',
    ),
  ];
}

/** A rubric is scored from 1 to 5, which is less stable than true or false. */
function likertJudges(tested: Case): LintFinding[] {
  const scored = tested.checks.filter(({ type }) => type === 'llm-rubric' || type === 'trace-judge');
  if (scored.length === 0) return [];
  const labels = scored.map((check) => check.label).join(', ');
  return [
    caseFinding(
      tested,
      'likert-judge',
      `${labels} is scored on a scale, and nothing here says how stable the scores are`,
      'write statements that are true or false (llm-assert), or measure how often the judge repeats its score and silence this with the figure',
    ),
  ];
}

/** A conversation with one turn is a prompt. */
function oneTurnScenarios(tested: Case): LintFinding[] {
  if (tested.scenario?.words.length !== 1) return [];
  return [
    caseFinding(
      tested,
      'one-turn-scenario',
      'the scenario has one user turn, so nothing in it is a conversation',
      'write it as prompt and assert, or give it more turns',
    ),
  ];
}

const CASE_RULES = [
  pathOnly,
  likertJudges,
  weakPatterns,
  lenientThresholds,
  unkeptPromises,
  realData,
  oneTurnScenarios,
];

/** Splits findings by what is silenced, and notes which notes were used. */
class Silencer {
  readonly report: LintReport = { findings: [], silenced: [], unused: [] };
  private readonly suite: Suite;
  private readonly used = new Set<string>();

  constructor(suite: Suite) {
    this.suite = suite;
  }

  add(finding: LintFinding, tested: Case | null): void {
    const own = tested?.curation?.lintIgnored.find(({ id }) => id === finding.rule);
    const shared = this.suite.curation?.lintIgnored.find(({ id }) => id === finding.rule);
    const note = own ?? shared;
    if (note === undefined) {
      this.report.findings.push(finding);
      return;
    }
    this.used.add(own === undefined ? `suite\n${note.id}` : `case\n${finding.caseId}\n${note.id}`);
    this.report.silenced.push({ ...finding, reason: note.reason });
  }

  finish(): LintReport {
    const { suite, used } = this;
    const { unused } = this.report;
    const note = (file: string, line: number, caseId: string, { id, reason }: Reasoned): void => {
      unused.push({ file, line, caseId, rule: id, reason });
    };
    for (const entry of suite.curation?.lintIgnored ?? []) {
      if (!used.has(`suite\n${entry.id}`)) note(suite.displayPath, 1, '', entry);
    }
    for (const tested of suite.cases) {
      for (const entry of tested.curation?.lintIgnored ?? []) {
        if (!used.has(`case\n${tested.id}\n${entry.id}`))
          note(tested.source.file, tested.source.line, tested.id, entry);
      }
    }
    return this.report;
  }
}

/**
 * Looks over an admitted suite: findings about the suite first, then those of its cases in suite order.
 * @param now milliseconds since the epoch, for what has gone stale
 */
export function lintSuite(suite: Suite, now: number): LintReport {
  const silencer = new Silencer(suite);
  const together = suiteRuleFindings({ suite, now });
  const byCase = new Map<string, LintFinding[]>();
  for (const finding of together) {
    if (finding.caseId === '') silencer.add(finding, null);
    else byCase.set(finding.caseId, [...(byCase.get(finding.caseId) ?? []), finding]);
  }
  for (const tested of suite.cases) {
    const findings = [...CASE_RULES.flatMap((rule) => rule(tested)), ...(byCase.get(tested.id) ?? [])];
    for (const finding of findings) silencer.add(finding, tested);
  }
  return silencer.finish();
}
