import { Argument, Option, type Command } from 'commander';
import { addCaseFrom } from './case-from.js';

/** Options of `assay case log`. */
export interface CaseLogFlags {
  category: string;
  severity: 'low' | 'medium' | 'high' | 'critical';
  expected?: string;
  actual?: string;
  asked?: string;
  transcript?: string;
  log?: string;
  config?: string;
  json?: boolean;
}

/** Options of `assay case list` and `assay case stats`. */
export interface CaseListFlags {
  log?: string;
  config?: string;
  json?: boolean;
}

/** Options of `assay case accept`. */
export interface CaseAcceptFlags {
  suite: string;
  config?: string;
}

const EXPLAINED = `
A draft stands in _drafts/ of the suite directory and is part of no suite until it is accepted. Try it first:
assay run -s _drafts/ID. docs/failures-to-cases.md says more.`;

function addLog(group: Command): void {
  group
    .command('log')
    .description('note a failure, to make a case of it later')
    .argument('<text>', 'what went wrong')
    .option('-c, --category <category>', 'kind of failure, such as hallucination', 'unknown')
    .addOption(
      new Option('-s, --severity <severity>', 'how bad it is')
        .choices(['low', 'medium', 'high', 'critical'])
        .default('medium'),
    )
    .option('-e, --expected <text>', 'what should have happened')
    .option('-a, --actual <text>', 'what the agent answered')
    .option('--asked <text>', 'what the agent was asked')
    .option('--transcript <file>', 'a transcript of it')
    .option('--log <file>', 'log to write to (default: _failures.jsonl in the suite directory)')
    .option('--json', 'as JSON')
    .option('--config <file>', 'configuration file')
    .action(async (text: string, flags: CaseLogFlags) => {
      const { caseLogAction } = await import('../actions/case-log-action.js');
      await caseLogAction(text, flags);
    });
}

/** Adds `assay case`. */
export function addCase(program: Command): void {
  const group = program.command('case').description('turn failures, transcripts and rules into cases');
  addLog(group);
  group
    .command('list')
    .description('list logged failures and drafts')
    .addArgument(new Argument('[what]', 'only these').choices(['failures', 'unconverted', 'drafts']))
    .option('--log <file>', 'log of failures')
    .option('--json', 'as JSON')
    .option('--config <file>', 'configuration file')
    .action(async (what: string | undefined, flags: CaseListFlags) => {
      const { caseListAction } = await import('../actions/case-list-action.js');
      await caseListAction(what ?? null, flags);
    });
  group
    .command('stats')
    .description('count failures by kind, and cases by what they were made from')
    .option('--log <file>', 'log of failures')
    .option('--json', 'as JSON')
    .option('--config <file>', 'configuration file')
    .action(async (flags: CaseListFlags) => {
      const { caseStatsAction } = await import('../actions/case-stats-action.js');
      await caseStatsAction(flags);
    });
  addCaseFrom(group);
  group
    .command('accept')
    .description('make a draft part of a suite')
    .argument('<draft>', 'id of the draft')
    .requiredOption('--suite <suite>', 'suite that takes it: name, file or directory')
    .option('--config <file>', 'configuration file')
    .addHelpText('after', EXPLAINED)
    .action(async (draft: string, flags: CaseAcceptFlags) => {
      const { caseAcceptAction } = await import('../actions/case-accept-action.js');
      await caseAcceptAction(draft, flags);
    });
}
