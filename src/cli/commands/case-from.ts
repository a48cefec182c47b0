import { Option, type Command } from 'commander';
import { atLeastOne } from '../values.js';

/** Options that every command which drafts a case has. */
export interface DraftFlags {
  config?: string;
  json?: boolean;
}

/** Options of `assay case from-failure`. */
export interface FromFailureFlags extends DraftFlags {
  log?: string;
}

/** Options of `assay case from-run`. */
export interface FromRunFlags extends DraftFlags {
  trial?: number;
  suite?: string;
  scripted?: boolean;
}

/** Options of `assay case from-transcript`. */
export interface FromTranscriptFlags extends DraftFlags {
  format?: string;
  turns?: string;
  trace?: string;
  line?: number;
}

/** Options of `assay case from-rule`. */
export interface FromRuleFlags extends DraftFlags {
  topic?: string;
  model?: string;
  level: string;
}

const FORMATS = ['claude-code', 'codex', 'otlp', 'openai', 'anthropic', 'ai-sdk'];

const TRANSCRIPT = `
Forms: claude-code (session JSONL), codex (rollout JSONL), otlp (OpenTelemetry GenAI spans as OTLP JSON), openai,
anthropic and ai-sdk (arrays of messages). The draft is a trace fixture with the model's replies as its script. It is
replayed before it is written, and its expectations hold for the replay and fail for an agent that does nothing.`;

/** Adds `assay case from-failure`, `from-run`, `from-transcript` and `from-rule`. */
export function addCaseFrom(group: Command): void {
  group
    .command('from-failure')
    .description('draft a case from a logged failure')
    .argument('<id>', 'id of the failure, or its beginning')
    .option('--log <file>', 'log of failures')
    .option('--json', 'as JSON')
    .option('--config <file>', 'configuration file')
    .action(async (id: string, flags: FromFailureFlags) => {
      const { fromFailureAction } = await import('../actions/case-from-failure-action.js');
      await fromFailureAction(id, flags);
    });
  group
    .command('from-run')
    .description('draft a case from a failed trial of a stored run')
    .argument('<run>', 'run: id, prefix, path or latest')
    .argument('<case>', 'id of the case')
    .option('--trial <n>', 'this trial (default: the first that failed)', atLeastOne)
    .option('--suite <suite>', 'the suite, when it is no longer where the run found it')
    .option('--scripted', 'script the replies of the trial also where the model itself is under test')
    .option('--json', 'as JSON')
    .option('--config <file>', 'configuration file')
    .action(async (run: string, id: string, flags: FromRunFlags) => {
      const { fromRunAction } = await import('../actions/case-from-run-action.js');
      await fromRunAction(run, id, flags);
    });
  group
    .command('from-transcript')
    .description('draft a replayable case from a transcript')
    .argument('<file>', 'the transcript; - for stdin')
    .addOption(new Option('--format <format>', 'its form (default: found out)').choices(FORMATS))
    .option('--turns <range>', 'only these user turns, such as 3 or 2-4')
    .option('--trace <id>', 'only this trace or conversation of the spans')
    .option('--line <n>', 'the conversation on this line of a JSONL file', atLeastOne)
    .option('--json', 'as JSON')
    .option('--config <file>', 'configuration file')
    .addHelpText('after', TRANSCRIPT)
    .action(async (file: string, flags: FromTranscriptFlags) => {
      const { fromTranscriptAction } = await import('../actions/case-from-transcript-action.js');
      await fromTranscriptAction(file, flags);
    });
  group
    .command('from-rule')
    .description('let a model draft a case from a rule')
    .argument('<text>', 'the rule, in words')
    .option('--topic <text>', 'what the case should be about')
    .option('--model <model>', 'model that writes it')
    .option('--level <level>', 'level of the model when none is named', 'high')
    .option('--json', 'as JSON')
    .option('--config <file>', 'configuration file')
    .action(async (text: string, flags: FromRuleFlags) => {
      const { fromRuleAction } = await import('../actions/case-from-rule-action.js');
      await fromRuleAction(text, flags);
    });
}
