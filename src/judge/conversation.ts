import { canonicalJson, errorMessage, sha256, type JudgeTrace } from '../core/index.js';
import { promptHash, repairPrompt, withoutBoundary, type JudgePrompt } from './prompt.js';
import type { JudgeAnswer, JudgeRequest, JudgeSetup } from './types.js';

const DEFAULT_CONSTANT = 'BOUNDARY';

/**
 * What a reply says. `unreadable` replies hold no verdict and are asked for once more; `invalid` ones hold a verdict
 * that breaks a rule, and asking until a better one comes would be picking.
 */
export type Reading<Value> =
  | { kind: 'verdict'; value: Value }
  | { kind: 'unreadable'; why: string }
  | { kind: 'invalid'; why: string };

/** A reply with its prompt. */
export interface Exchange {
  prompt: JudgePrompt;
  answer: JudgeAnswer;
}

/** How asking ended. */
export type Asked<Value> = ({ ok: true; value: Value } | { ok: false; why: string }) & {
  exchanges: Exchange[];
};

/** How to put one question. */
export interface Question<Value> {
  prompt: JudgePrompt;
  purpose: string;
  read: (reply: string) => Reading<Value>;
  /** Asks once more after an unreadable reply. */
  repair: boolean;
  /** Who is asked, for messages; the judge when absent. */
  who?: string;
}

async function askOnce(
  setup: JudgeSetup,
  prompt: JudgePrompt,
  purpose: string,
  who: string,
  signal: AbortSignal | undefined,
): Promise<{ ok: true; answer: JudgeAnswer } | { ok: false; why: string }> {
  const { system, user, schema } = prompt;
  const hash = promptHash(prompt, setup.redactBoundary ?? DEFAULT_CONSTANT);
  try {
    signal?.throwIfAborted();
    const request: JudgeRequest = {
      system,
      user,
      schema,
      purpose,
      temperature: 0,
      promptHash: hash,
      boundary: prompt.boundary,
    };
    const answer = await setup.ask(request, signal);
    if (typeof answer?.text !== 'string') return { ok: false, why: `${who} answered without a text` };
    return { ok: true, answer };
  } catch (error) {
    return { ok: false, why: `${who} could not be asked: ${errorMessage(error)}` };
  }
}

/** Asks a question, with one repair when the reply has no readable verdict. Never rejects. */
export async function converse<Value>(
  setup: JudgeSetup,
  question: Question<Value>,
  signal?: AbortSignal,
): Promise<Asked<Value>> {
  const exchanges: Exchange[] = [];
  let { prompt, purpose } = question;
  const who = question.who ?? 'the judge';
  const error = question.who === undefined ? 'judge error' : `${who} gave no usable reply`;
  for (let tries = question.repair ? 2 : 1; ; tries -= 1) {
    const asked = await askOnce(setup, prompt, purpose, who, signal);
    if (!asked.ok) return { ok: false, why: asked.why, exchanges };
    exchanges.push({ prompt, answer: asked.answer });
    const reading = question.read(asked.answer.text);
    if (reading.kind === 'verdict') return { ok: true, value: reading.value, exchanges };
    if (reading.kind === 'invalid') return { ok: false, why: `${error}: ${reading.why}`, exchanges };
    if (tries === 1) {
      const times = exchanges.length === 1 ? '' : ', also when asked once more';
      return {
        ok: false,
        why: `${error}: no ${question.who === undefined ? 'verdict' : 'message'} in the reply${times}: ${reading.why}`,
        exchanges,
      };
    }
    prompt = repairPrompt(question.prompt, asked.answer.text, reading.why);
    purpose = `${question.purpose}:repair`;
  }
}

function sum(values: readonly (number | null)[]): number | null {
  let total = 0;
  for (const value of values) {
    if (value === null) return null;
    total += value;
  }
  return values.length === 0 ? null : total;
}

/**
 * What is kept of the calls made for one verdict. `prompts` are the opening prompts, also of calls never made, so that
 * the hash does not depend on how far the judge got. A sum with an unknown part is unknown.
 */
export function traceOf(
  setup: JudgeSetup,
  prompts: readonly JudgePrompt[],
  exchanges: readonly Exchange[],
): JudgeTrace {
  const constant = setup.redactBoundary ?? DEFAULT_CONSTANT;
  const hashes = prompts.map((prompt) => promptHash(prompt, constant));
  const [only] = hashes;
  const answers = exchanges.map((exchange) => exchange.answer);
  return {
    model: setup.modelRef,
    servedModel: answers.findLast((answer) => answer.servedModel !== null)?.servedModel ?? null,
    promptHash: hashes.length === 1 && only !== undefined ? only : sha256(canonicalJson(hashes)),
    replies: exchanges.map(({ prompt, answer }) => withoutBoundary(answer.text, prompt.boundary, constant)),
    inputTokens: sum(answers.map((answer) => answer.inputTokens)),
    outputTokens: sum(answers.map((answer) => answer.outputTokens)),
    cost: sum(answers.map((answer) => answer.cost)),
    cached: answers.length > 0 && answers.every((answer) => answer.cached),
  };
}
