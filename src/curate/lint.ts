import type { Case, Suite } from '../suite/index.js';

/** Something in a suite that loads but deserves a second look. */
export interface LintFinding {
  /** Stable id of the rule. */
  rule: string;
  file: string;
  line: number;
  caseId: string;
  message: string;
  fix: string;
}

/** Types that look at how the agent got there rather than at what came of it. */
const PATH_CHECKS = new Set([
  'tool-used',
  'tool-not-used',
  'tool-calls',
  'tool-arguments',
  'tool-results',
  'tools-succeeded',
]);

function lintCase(tested: Case): LintFinding[] {
  const findings: LintFinding[] = [];
  const place = { file: tested.source.file, line: tested.source.line, caseId: tested.id };
  if (tested.checks.length > 0 && tested.checks.every((check) => PATH_CHECKS.has(check.type))) {
    findings.push({
      ...place,
      rule: 'path-only',
      message:
        'every check looks at the tool calls and none at the result; an agent that finds another good way fails',
      fix: 'add a check of the answer or of the workspace',
    });
  }
  return findings;
}

/** Looks over the cases of an admitted suite, in suite order. */
export function lintSuite(suite: Suite): LintFinding[] {
  const findings: LintFinding[] = [];
  const positives = { should: 0, shouldNot: 0 };
  for (const tested of suite.cases) {
    findings.push(...lintCase(tested));
    if (tested.negative) positives.shouldNot += 1;
    else positives.should += 1;
  }
  const { should, shouldNot } = positives;
  if (suite.format !== 'trace' && should + shouldNot >= 5 && (should === 0 || shouldNot === 0)) {
    findings.push({
      rule: 'balance',
      file: suite.displayPath,
      line: 1,
      caseId: '',
      message: `all ${should + shouldNot} cases are of one kind (${should} should, ${shouldNot} should not): a suite like that is passed by always, or never, acting`,
      fix: 'add cases of the other kind and mark what the agent must not do with negative: true',
    });
  }
  return findings;
}
