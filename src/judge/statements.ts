import { clip, plural, type CheckSpecOf, type JsonObject, type Recording } from '../core/index.js';
import { converse, traceOf } from './conversation.js';
import { countPoints, drawBoundary } from './fence.js';
import { answerParts, conversationParts, PART_LIMITS } from './material.js';
import { composePrompt } from './prompt.js';
import { readStatements, type StatementVerdict } from './statement-verdicts.js';
import type { CaseContext, JudgeSetup, Verdict } from './types.js';

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'integer' },
          reason: { type: 'string' },
          verdict: { type: 'string', enum: ['TRUE', 'FALSE', 'UNKNOWN'] },
        },
        required: ['id', 'reason', 'verdict'],
        additionalProperties: false,
      },
    },
  },
  required: ['results'],
  additionalProperties: false,
};

const INSTRUCTIONS = [
  'You check numbered statements about one answer of an AI agent. Each part named "statement N" is one statement; take',
  'it literally. Go by what the answer (and the transcript, if there is one) really holds and assume nothing that is',
  'not there. A part "reference", if there is one, is a known good answer to compare with.',
  '',
  'For every statement: TRUE when the material shows that it holds, FALSE when the material shows that it does not,',
  'UNKNOWN when the material does not let you decide. UNKNOWN does not count as satisfied.',
  '',
  'Reason first, briefly. Then end with exactly one JSON object and nothing after it, with every statement once under',
  'its number: {"results": [{"id": <number>, "reason": "<short>", "verdict": "<TRUE, FALSE or UNKNOWN>"}]}',
].join('\n');

const CONVERSATION_INSTRUCTIONS = [
  'You check numbered statements about a conversation between a user and an AI agent. The parts "user turn N", "tool',
  'calls turn N" and "agent turn N" are the conversation in order; a turn without a part of tool calls had none. Each',
  'part named "statement N" is one statement; take it literally. Only the agent is judged: the user was played for this',
  'test. Go by what the conversation really holds and assume nothing that is not there; that somebody in it says that',
  'something was done, reached or judged does not make it so.',
  '',
  'For every statement: TRUE when the conversation shows that it holds, FALSE when it shows that it does not, UNKNOWN',
  'when it does not let you decide. UNKNOWN does not count as satisfied.',
  '',
  'Reason first, briefly. Then end with exactly one JSON object and nothing after it, with every statement once under',
  'its number: {"results": [{"id": <number>, "reason": "<short>", "verdict": "<TRUE, FALSE or UNKNOWN>"}]}',
].join('\n');

function tooLong(statements: readonly string[]): string | null {
  const length = statements.reduce((total, statement) => total + countPoints(statement), 0);
  const limit = PART_LIMITS.criteria;
  if (length <= limit) return null;
  return `the statements have ${length} characters together and are never cut; the limit is ${limit}`;
}

function describe(results: readonly StatementVerdict[], statements: readonly string[]): string {
  const holding = results.filter((result) => result.verdict === 'TRUE').length;
  const lines = results.map((result) => {
    const text = clip(statements[result.id - 1] ?? '', 120);
    const reason = result.reason === null ? '' : `: ${clip(result.reason, 500)}`;
    return `${result.id} ${result.verdict} (${text})${reason}`;
  });
  return `${holding} of ${plural(results.length, 'statement')} held; ${lines.join('; ')}`;
}

/**
 * Checks numbered statements about an answer. The score is the share of TRUE. All TRUE passes, any FALSE fails; with
 * no FALSE but some UNKNOWN the outcome is unknown.
 */
export async function gradeStatements(
  setup: JudgeSetup,
  spec: CheckSpecOf<'llm-assert'>,
  answer: string,
  recording: Recording,
  context: CaseContext,
  signal?: AbortSignal,
): Promise<Verdict> {
  const { statements } = spec;
  if (statements.length === 0) return { outcome: 'error', evidence: 'there is no statement to check' };
  const problem = tooLong(statements);
  if (problem !== null) return { outcome: 'error', evidence: problem };
  const parts =
    spec.conversation === true
      ? conversationParts(recording, spec.turn)
      : answerParts(spec, answer, recording, context);
  statements.forEach((text, index) => {
    parts.push({ name: `statement ${index + 1}`, text, limit: Infinity });
  });
  const boundary = drawBoundary(setup.random);
  const prompt = composePrompt(
    {
      instructions: spec.conversation === true ? CONVERSATION_INSTRUCTIONS : INSTRUCTIONS,
      parts,
      schema: SCHEMA,
    },
    boundary,
  );
  const read = (reply: string): ReturnType<typeof readStatements> => readStatements(reply, statements);
  const question = { prompt, purpose: 'judge:llm-assert', read, repair: true };
  const asked = await converse(setup, question, signal);
  const judge = traceOf(setup, [prompt], asked.exchanges);
  if (!asked.ok) return { outcome: 'error', evidence: asked.why, judge };
  const verdicts = asked.value.map((result) => result.verdict);
  const evidence = describe(asked.value, statements);
  const score = verdicts.filter((verdict) => verdict === 'TRUE').length / verdicts.length;
  if (verdicts.includes('FALSE')) return { outcome: 'fail', evidence, score, judge };
  if (verdicts.includes('UNKNOWN')) return { outcome: 'unknown', evidence, judge };
  return { outcome: 'pass', evidence, score, judge };
}
