import { plural } from '../core/index.js';
import { isAsExpected, type AnswerVerification, type CaseVerification } from './verify.js';

const EVIDENCE_SHOWN = 5;

function wrong({ answer, expected, outcome, reason }: AnswerVerification): string {
  const why = reason === null ? '' : ` (${reason})`;
  if (outcome === 'error') return `${answer}${why} could not be graded`;
  if (outcome === 'undecided') {
    return `${answer}${why} must ${expected}; only a judge can tell (--judges asks)`;
  }
  return expected === 'pass'
    ? `${answer}${why} must pass, and fails`
    : `${answer}${why} must fail, and passes`;
}

/** What is wrong with the answers of a suite, and a count; not yet safe to print: ids and evidence are data. */
export function verifyText(suite: string, cases: readonly CaseVerification[]): string[] {
  const lines: string[] = [];
  for (const { caseId, file, answers } of cases) {
    for (const answer of answers) {
      if (isAsExpected(answer)) continue;
      lines.push(`${answer.outcome === 'undecided' ? '?' : '✗'} ${caseId} (${file}): ${wrong(answer)}`);
      lines.push(...answer.evidence.slice(0, EVIDENCE_SHOWN).map((text) => `    ${text}`));
      const more = answer.evidence.length - EVIDENCE_SHOWN;
      if (more > 0) lines.push(`    and ${more} more`);
    }
  }
  const all = cases.flatMap(({ answers }) => answers);
  const good = all.filter(isAsExpected).length;
  lines.push(`${suite}: ${good} of ${plural(all.length, 'answer')} came out as they must`);
  const without = cases.filter(({ withoutReference }) => withoutReference);
  if (without.length > 0) {
    const some = without.slice(0, 5).map(({ caseId }) => caseId);
    const more = without.length > some.length ? ', …' : '';
    lines.push(`${suite}: ${plural(without.length, 'case')} without a reference: ${some.join(', ')}${more}`);
  }
  return lines;
}
