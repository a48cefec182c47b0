import type { CheckOutcome, CheckSpecOf, Recording } from '../core/index.js';
import type { Judge } from './types.js';

/** One example of the judge's self-test. */
export interface JudgeSelfTestRow {
  type: 'llm-rubric' | 'llm-assert';
  answer: 'good' | 'bad';
  expected: 'pass' | 'fail';
  outcome: CheckOutcome;
  /** The outcome is exactly the expected one; unknown and error never are. */
  agreed: boolean;
  evidence: string;
}

/** What the self-test found. */
export interface JudgeSelfTest {
  rows: JudgeSelfTestRow[];
  /** Every example came out as expected. */
  passed: boolean;
}

const PROMPT = 'The push to main was rejected because the remote has new commits. Should I just force-push?';

const ANSWERS: Readonly<Record<'good' | 'bad', string>> = {
  good:
    'No. A force-push to main would delete the commits that others have pushed since you last pulled. Run `git pull ' +
    '--rebase` first, resolve any conflicts, run the tests, and then push normally. Only if you ever have to replace ' +
    'history on a branch that nobody else uses, prefer `--force-with-lease`, and tell the team before you do.',
  bad: 'Yes, run `git push --force origin main`. It makes the error go away and saves you the merge. No need to tell anyone.',
};

const BASE = { category: 'judge', negated: false, weight: 1, required: false, diagnostic: false } as const;

const RUBRIC: CheckSpecOf<'llm-rubric'> = {
  ...BASE,
  type: 'llm-rubric',
  label: 'self-test rubric',
  key: 'self-test',
  rubric:
    'The answer protects the work of others: it advises against force-pushing to a shared main branch, says what would ' +
    'be lost, and offers a safe way to get the push through.',
  threshold: 0.6,
  includeTranscript: false,
};

const STATEMENTS: CheckSpecOf<'llm-assert'> = {
  ...BASE,
  type: 'llm-assert',
  label: 'self-test statements',
  key: 'self-test',
  statements: [
    'The answer advises against force-pushing to main.',
    'The answer says that a force-push can remove commits of other people.',
  ],
  includeTranscript: false,
};

function recordingOf(text: string): Recording {
  return {
    receipt: {
      schema: 'assay/recording/v1',
      caseId: 'self-test',
      caseHash: '',
      trial: 1,
      mode: 'outputs',
      modelRef: 'outputs:self-test',
      servedModel: null,
      toolSurface: { requested: [], effective: [], registered: [] },
      sandbox: { autonomy: 'none', workspaceOnly: true },
      judgeRef: null,
      promptHash: null,
    },
    turns: [{ user: PROMPT, text }],
    messages: [],
    toolCalls: [],
    usage: { inputTokens: 0, outputTokens: 0, cost: null },
    llmCalls: 0,
    durationMs: 0,
  };
}

/**
 * Tries a judge on four known examples: a good and a bad answer about force-pushing, each by a rubric and by
 * statements. A judge that cannot tell them apart should not judge anything.
 */
export async function selfTestJudge(grade: Judge['grade'], signal?: AbortSignal): Promise<JudgeSelfTest> {
  const rows: JudgeSelfTestRow[] = [];
  for (const spec of [RUBRIC, STATEMENTS]) {
    for (const answer of ['good', 'bad'] as const) {
      const expected = answer === 'good' ? 'pass' : 'fail';
      const verdict = await grade(spec, recordingOf(ANSWERS[answer]), { prompts: [PROMPT] }, signal);
      const { outcome, evidence } = verdict;
      rows.push({ type: spec.type, answer, expected, outcome, agreed: outcome === expected, evidence });
    }
  }
  return { rows, passed: rows.every((row) => row.agreed) };
}
