import { clip, type CheckSpecOf, type JsonObject, type JsonValue, type Recording } from '../core/index.js';
import { converse, traceOf, type Reading } from './conversation.js';
import { countPoints, drawBoundary } from './fence.js';
import { answerParts, PART_LIMITS } from './material.js';
import { composePrompt } from './prompt.js';
import { readReason, saysUnknown } from './reason.js';
import type { CaseContext, JudgeSetup, Verdict } from './types.js';
import { findVerdict } from './verdict-scanner.js';

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    reason: { type: 'string' },
    score: { type: 'integer', enum: [1, 2, 3, 4, 5] },
    pass: { type: 'boolean' },
  },
  required: ['reason', 'score', 'pass'],
  additionalProperties: false,
};

const INSTRUCTIONS = [
  'You grade one answer of an AI agent against one rubric. Be strict and fair. The part "rubric" says what to look',
  'for; grade only that. Go by what the answer (and the transcript, if there is one) really holds and assume nothing',
  'that is not there. A part "reference", if there is one, is a known good answer: other wording is fine.',
  '',
  'Scale, whole numbers only: 1 fails the rubric, 2 misses most of it, 3 is on the border, 4 meets it with small',
  'flaws, 5 meets it in full. "pass" is your overall verdict and has to agree: false with 1 or 2, true with 4 or 5,',
  'either with 3. If the material does not let you decide, set pass to false and begin the reason with "UNKNOWN:".',
  '',
  'Reason first, briefly. Then end with exactly one JSON object and nothing after it, with the reason before the',
  'verdict: {"reason": "<one to three sentences>", "score": <1 to 5>, "pass": <true or false>}',
].join('\n');

/** A readable, valid rubric verdict. */
type RubricVerdict =
  | { kind: 'unknown'; reason: string }
  | { kind: 'graded'; reason: string; score: number; pass: boolean };

/** A number, also written as a string: what the text says, never a guess. */
function readNumber(value: JsonValue | undefined): number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && /^\s*-?\d{1,9}(?:\.\d{1,9})?\s*$/.test(value)) return Number(value);
  return null;
}

function readBoolean(value: JsonValue | undefined): boolean | null {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (word === 'true') return true;
  return word === 'false' ? false : null;
}

/**
 * Reads a rubric reply. Unknown comes first: a judge that says it cannot tell has given no grade, whatever number
 * stands beside. A pass with a 1 or 2 and a failure with a 4 or 5 contradict the scale in the instructions.
 */
function readRubric(reply: string): Reading<RubricVerdict> {
  const found = findVerdict(reply, ['score', 'pass']);
  if (!found.ok) return { kind: 'unreadable', why: found.why };
  const reason = readReason(found.value['reason']);
  if (reason === null) return { kind: 'unreadable', why: '"reason" is missing or empty' };
  if (saysUnknown(reason)) return { kind: 'verdict', value: { kind: 'unknown', reason } };
  const score = readNumber(found.value['score']);
  if (score === null) return { kind: 'unreadable', why: '"score" is missing or not a number' };
  const pass = readBoolean(found.value['pass']);
  if (pass === null) return { kind: 'unreadable', why: '"pass" is missing or neither true nor false' };
  if (!Number.isInteger(score)) return { kind: 'invalid', why: `the score ${score} is not a whole number` };
  if (score < 1 || score > 5) return { kind: 'invalid', why: `the score ${score} is outside 1 to 5` };
  if (pass ? score <= 2 : score >= 4) {
    return { kind: 'invalid', why: `the score ${score} contradicts pass ${pass}: ${clip(reason, 500)}` };
  }
  return { kind: 'verdict', value: { kind: 'graded', reason, score, pass } };
}

/**
 * Grades an answer by a rubric. The judge's whole number 1..5 becomes (s - 1) / 4; the check passes when the judge
 * passed it and that score reaches the threshold.
 */
export async function gradeRubric(
  setup: JudgeSetup,
  spec: CheckSpecOf<'llm-rubric'>,
  answer: string,
  recording: Recording,
  context: CaseContext,
  signal?: AbortSignal,
): Promise<Verdict> {
  const limit = PART_LIMITS.criteria;
  const length = countPoints(spec.rubric);
  if (length > limit) {
    const evidence = `the rubric has ${length} characters and is never cut; the limit is ${limit}`;
    return { outcome: 'error', evidence };
  }
  const parts = answerParts(spec, answer, recording, context);
  parts.push({ name: 'rubric', text: spec.rubric, limit: Infinity });
  const boundary = drawBoundary(setup.random);
  const prompt = composePrompt({ instructions: INSTRUCTIONS, parts, schema: SCHEMA }, boundary);
  const question = { prompt, purpose: 'judge:llm-rubric', read: readRubric, repair: true };
  const asked = await converse(setup, question, signal);
  const judge = traceOf(setup, [prompt], asked.exchanges);
  if (!asked.ok) return { outcome: 'error', evidence: asked.why, judge };
  const verdict = asked.value;
  if (verdict.kind === 'unknown') {
    return { outcome: 'unknown', evidence: `the judge cannot tell: ${clip(verdict.reason, 2000)}`, judge };
  }
  const score = (verdict.score - 1) / 4;
  const reached = score >= spec.threshold;
  const bar = `${score} ${reached ? 'reaches' : 'is below'} the bar of ${spec.threshold}`;
  const said = `${verdict.pass ? 'passed' : 'failed'} it with ${verdict.score} of 5`;
  const evidence = `the judge ${said} (${bar}): ${clip(verdict.reason, 2000)}`;
  return { outcome: verdict.pass && reached ? 'pass' : 'fail', evidence, score, judge };
}
