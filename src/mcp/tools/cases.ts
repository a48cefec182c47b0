import { z } from 'zod';
import { AssayError } from '../../core/index.js';
import { answer } from '../answer.js';
import * as argument from '../arguments.js';
import { assayJson, saidOrNothing, startAssay } from '../assay-process.js';
import { storedRun, suiteName } from '../confine.js';
import { defineTool, type CallContext } from '../tool.js';

async function document(name: string, words: readonly string[], context: CallContext) {
  const { surroundings, signal } = context;
  const printed = await assayJson(words, surroundings, signal);
  const text = JSON.stringify(printed, null, 1);
  return answer({ tool: name }, [{ name: 'cases', text }], surroundings.source);
}

const listDrafts = defineTool({
  name: 'list_drafts',
  title: 'List failures and drafts',
  description: 'Logged failures, and draft cases that wait for a person to accept them.',
  readOnly: true,
  arguments: {},
  call: (_, context) =>
    document('list_drafts', ['case', 'list', '--json', ...context.surroundings.common], context),
});

const logFailure = defineTool({
  name: 'log_failure',
  title: 'Note a failure',
  description:
    'Notes something that went wrong, to make a case of it later. Changes no suite. Secrets are hidden.',
  arguments: {
    description: argument.text.describe('What went wrong.'),
    asked: argument.text.optional().describe('What the agent was asked.'),
    expected: argument.text
      .optional()
      .describe('What should have happened. Without it no case can be drafted.'),
    actual: argument.text.optional().describe('What the agent answered.'),
    category: argument.name.optional().describe('Kind of failure, such as hallucination.'),
    severity: z.enum(['low', 'medium', 'high', 'critical']).default('medium'),
  },
  call(given, context) {
    const words = ['case', 'log', '--json', ...context.surroundings.common, `--severity=${given.severity}`];
    if (given.asked !== undefined) words.push(`--asked=${given.asked}`);
    if (given.expected !== undefined) words.push(`--expected=${given.expected}`);
    if (given.actual !== undefined) words.push(`--actual=${given.actual}`);
    if (given.category !== undefined) words.push(`--category=${given.category}`);
    return document('log_failure', [...words, '--', given.description], context);
  },
});

const draftFromFailure = defineTool({
  name: 'draft_case_from_failure',
  title: 'Draft a case from a logged failure',
  description:
    'Writes a draft into _drafts/ of the suite directory. A draft is part of no suite until it is accepted.',
  arguments: { failure: argument.name.describe('Id of the failure, or its beginning.') },
  call: ({ failure }, context) =>
    document(
      'draft_case_from_failure',
      ['case', 'from-failure', '--json', ...context.surroundings.common, '--', failure],
      context,
    ),
});

const draftFromRun = defineTool({
  name: 'draft_case_from_run',
  title: 'Draft a case from a failed trial',
  description:
    'Writes a draft of the case with the failed answer as known to be bad. A draft is part of no suite until it is accepted.',
  arguments: {
    run: argument.run.default('latest'),
    case: argument.caseId,
    trial: z.int().min(1).optional().describe('This trial; without it the first that failed.'),
  },
  call({ run, case: id, trial }, context) {
    const { directory } = storedRun(run, context.surroundings);
    const words = ['case', 'from-run', '--json', ...context.surroundings.common];
    if (trial !== undefined) words.push(`--trial=${trial}`);
    return document('draft_case_from_run', [...words, '--', directory, id], context);
  },
});

const acceptDraft = defineTool({
  name: 'accept_draft',
  title: 'Make a draft part of a suite',
  description:
    'Edits a live suite, so it needs edit_suite: true, which only a person who has read the draft should decide.',
  arguments: {
    draft: argument.name.describe('Id of the draft, as list_drafts shows it.'),
    suite: argument.suite,
    edit_suite: z.boolean().default(false).describe('The person agreed that this suite is edited.'),
  },
  async call({ draft, suite, edit_suite }, { surroundings, signal }) {
    const name = suiteName(suite, surroundings);
    if (!edit_suite) {
      throw new AssayError(
        'INPUT',
        `accepting ${draft} edits the suite ${suite}, and nobody agreed to that`,
        {
          fix: 'show the draft to the person, and call again with edit_suite: true once they agree',
        },
      );
    }
    const words = ['case', 'accept', ...surroundings.common, `--suite=${name}`, '--', draft];
    const running = startAssay(words, surroundings);
    // A change that has begun is made as a whole: giving the call up does not tear it.
    signal.throwIfAborted();
    const { code, stdout, said } = await running.ended;
    if (code !== 0) throw new AssayError('INPUT', saidOrNothing(said));
    return answer(
      { tool: 'accept_draft', accepted: true },
      [{ name: 'change', text: stdout }],
      surroundings.source,
    );
  },
});

/** Tools that turn failures into cases. */
export const CASE_TOOLS = [listDrafts, logFailure, draftFromFailure, draftFromRun, acceptDraft];
