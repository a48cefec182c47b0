import { clip, type JsonObject, type CheckSpecOf, type Recording } from '../core/index.js';
import { converse, traceOf, type Exchange, type Reading } from './conversation.js';
import { countPoints, drawBoundary, type Part } from './fence.js';
import { PART_LIMITS, taskParts, transcriptText } from './material.js';
import { composePrompt, type JudgePrompt } from './prompt.js';
import { readReason, saysUnknown } from './reason.js';
import type { CaseContext, JudgeSetup, Pair, PairComparison, PairWinner, Verdict } from './types.js';
import { findVerdict } from './verdict-scanner.js';

const SCHEMA: JsonObject = {
  type: 'object',
  properties: { reason: { type: 'string' }, verdict: { type: 'string', enum: ['A', 'B', 'TIE'] } },
  required: ['reason', 'verdict'],
  additionalProperties: false,
};

const INSTRUCTIONS = [
  'You compare two answers to the same task by the criteria in the part "criteria", and by nothing else. Which of the',
  'two is shown first says nothing about them, nor does their length. Go by what the answers really hold.',
  '',
  'Say A when "answer A" meets the criteria better, B when "answer B" does, TIE when neither does. If the material does',
  'not let you decide, say TIE and begin the reason with "UNKNOWN:".',
  '',
  'Reason first, briefly. Then end with exactly one JSON object and nothing after it, with the reason before the',
  'verdict: {"reason": "<one to three sentences>", "verdict": "<A, B or TIE>"}',
].join('\n');

type Letter = 'A' | 'B' | 'TIE';
type PairReading = { letter: Letter | null; reason: string };

/** Reads one comparison; the letter is null when the judge cannot tell. */
function readPair(reply: string): Reading<PairReading> {
  const found = findVerdict(reply, ['verdict']);
  if (!found.ok) return { kind: 'unreadable', why: found.why };
  const reason = readReason(found.value['reason']);
  if (reason === null) return { kind: 'unreadable', why: '"reason" is missing or empty' };
  if (saysUnknown(reason)) return { kind: 'verdict', value: { letter: null, reason } };
  const { verdict } = found.value;
  const letter = typeof verdict === 'string' ? verdict.trim().toUpperCase() : '';
  if (letter !== 'A' && letter !== 'B' && letter !== 'TIE') {
    return { kind: 'unreadable', why: '"verdict" is missing or none of A, B and TIE' };
  }
  return { kind: 'verdict', value: { letter, reason } };
}

interface Side {
  text: string;
  transcript: string | undefined;
}

function promptOf(setup: JudgeSetup, pair: Pair, first: Side, second: Side): JudgePrompt {
  const parts: Part[] = taskParts(typeof pair.prompt === 'string' ? [pair.prompt] : pair.prompt);
  for (const [letter, side] of [['A', first] as const, ['B', second] as const]) {
    if (side.transcript !== undefined) {
      const name = `transcript of answer ${letter}`;
      parts.push({ name, text: side.transcript, limit: PART_LIMITS.transcript });
    }
    parts.push({ name: `answer ${letter}`, text: side.text, limit: PART_LIMITS.answer });
  }
  parts.push({ name: 'criteria', text: pair.criteria, limit: Infinity });
  return composePrompt({ instructions: INSTRUCTIONS, parts, schema: SCHEMA }, drawBoundary(setup.random));
}

const POINTS: Readonly<Record<PairWinner, number>> = { a: 0.5, tie: 0.25, b: 0 };

function wordFor(winner: PairWinner): string {
  return winner === 'tie' ? 'tie' : `${winner} better`;
}

/** What two found orders say together. Two different winners mean that the position decided, not the answers. */
function combine(first: PairWinner, second: PairWinner): Pick<PairComparison, 'winner' | 'score'> {
  const score = POINTS[first] + POINTS[second];
  if (first === second) return { winner: first, score };
  if (first !== 'tie' && second !== 'tie') return { winner: 'inconsistent', score };
  return { winner: first === 'tie' ? second : first, score };
}

/**
 * Compares two answers in both orders. An error in either order is an error of the whole, never a tie, and no further
 * call is made.
 */
export async function comparePair(
  setup: JudgeSetup,
  pair: Pair,
  signal?: AbortSignal,
): Promise<PairComparison> {
  const a = { text: pair.a, transcript: pair.transcriptOfA };
  const b = { text: pair.b, transcript: undefined };
  const prompts = [promptOf(setup, pair, a, b), promptOf(setup, pair, b, a)];
  const exchanges: Exchange[] = [];
  const orders: PairWinner[] = [];
  const undecided = (status: 'unknown' | 'error', evidence: string): PairComparison => {
    return { winner: null, score: null, status, orders, evidence, judge: traceOf(setup, prompts, exchanges) };
  };
  const length = countPoints(pair.criteria);
  if (length > PART_LIMITS.criteria) {
    const limit = PART_LIMITS.criteria;
    return undecided(
      'error',
      `the criteria have ${length} characters and are never cut; the limit is ${limit}`,
    );
  }
  const reasons: string[] = [];
  for (const [index, prompt] of prompts.entries()) {
    const shown = index === 0 ? 'a first' : 'b first';
    const question = { prompt, purpose: 'judge:pairwise', read: readPair, repair: true };
    const asked = await converse(setup, question, signal);
    exchanges.push(...asked.exchanges);
    if (!asked.ok) return undecided('error', `with ${shown}: ${asked.why}`);
    const { letter, reason } = asked.value;
    if (letter === null)
      return undecided('unknown', `with ${shown} the judge cannot tell: ${clip(reason, 2000)}`);
    const winner = letter === 'TIE' ? 'tie' : (letter === 'A') === (index === 0) ? 'a' : 'b';
    orders.push(winner);
    reasons.push(`with ${shown}: ${wordFor(winner)}: ${clip(reason, 1000)}`);
  }
  const [first, second] = orders;
  if (first === undefined || second === undefined) return undecided('error', 'not both orders were compared');
  const combined = combine(first, second);
  const bias = combined.winner === 'inconsistent' ? 'position bias: each order had another winner; ' : '';
  const judge = traceOf(setup, prompts, exchanges);
  return { ...combined, status: 'decided', orders, evidence: bias + reasons.join('; '), judge };
}

/**
 * Compares the answer (a) with the reference (b): it must not lose. Winning or tying passes with 1, 0.75 or 0.5; two
 * different winners are unknown, as the judge's position bias decided.
 */
export async function gradePairwise(
  setup: JudgeSetup,
  spec: CheckSpecOf<'pairwise'>,
  answer: string,
  recording: Recording,
  context: CaseContext,
  signal?: AbortSignal,
): Promise<Verdict> {
  const prompt = spec.turn === undefined ? context.prompts : context.prompts.slice(0, spec.turn + 1);
  const pair: Pair = { a: answer, b: spec.reference, prompt, criteria: spec.criteria };
  if (spec.includeTranscript) pair.transcriptOfA = transcriptText(recording, spec.turn);
  const compared = await comparePair(setup, pair, signal);
  const { judge } = compared;
  const evidence = `answer (a) against reference (b): ${compared.evidence}`;
  if (compared.status !== 'decided' || compared.score === null) {
    return { outcome: compared.status === 'unknown' ? 'unknown' : 'error', evidence, judge };
  }
  const { score, winner } = compared;
  if (winner === 'inconsistent') return { outcome: 'unknown', evidence, score, judge };
  return { outcome: winner === 'b' ? 'fail' : 'pass', evidence, score, judge };
}
