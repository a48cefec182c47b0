import { loadConfig } from '../../config/index.js';
import { terminalLine } from '../../core/index.js';
import { isAsExpected, verifySuite, verifyText, type CaseVerification } from '../../curate/index.js';
import type { VerifyFlags } from '../commands/suite-verify.js';
import { ExitCode } from '../exit-code.js';
import { openSuites } from '../open-suites.js';
import { selectSuites } from '../select-cases.js';
import { say } from '../streams.js';
import { suiteJudge } from '../suite-judge.js';

function isWrong({ answers, withoutReference }: CaseVerification, strict: boolean): boolean {
  const wrong = answers.some((answer) => !isAsExpected(answer) && (strict || answer.outcome !== 'undecided'));
  return wrong || (strict && withoutReference);
}

/** `assay suite verify`. Throws ExitCode 1 when an answer does not come out as it must. */
export async function verifyAction(names: readonly string[], flags: VerifyFlags): Promise<void> {
  const cwd = process.cwd();
  const loaded = await loadConfig(cwd, flags.config);
  const suites = selectSuites(
    await openSuites(names, { loaded, cwd, gate: false, quiet: flags.quiet === true }),
    { filters: [], ids: flags.case ?? [], tags: [] },
  );
  const found: { suite: string; path: string; passed: boolean; cases: CaseVerification[] }[] = [];
  for (const { suite, select } of suites) {
    const judge = await suiteJudge(suite, suite.agentModel ?? 'reference', flags, loaded, cwd);
    const cases = await verifySuite(suite, judge, select);
    const passed = !cases.some((one) => isWrong(one, flags.strict === true));
    found.push({ suite: suite.name, path: suite.displayPath, passed, cases });
  }
  const passed = found.every((one) => one.passed);
  if (flags.json === true) {
    const outcome = passed ? 'passed' : 'failed';
    say(JSON.stringify({ schema: 'assay/verify/v1', outcome, suites: found }, null, 2));
  } else {
    for (const { suite, cases } of found)
      for (const line of verifyText(suite, cases)) say(terminalLine(line));
  }
  if (!passed) throw new ExitCode(1);
}
