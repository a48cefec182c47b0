import { AssayError } from '../core/index.js';
import type { GradeContext, Verdict } from '../grade/index.js';
import { assertDistinct, createJudge, type Ask } from '../judge/index.js';
import { callModel } from '../model/index.js';
import type { Suite } from '../suite/index.js';
import { chooseModel, type AgentsContext, type ChosenModel } from './choose-model.js';
import { canonicalRef, modelScope } from './run-identity.js';
import { note } from './streams.js';

/** Least time that one call of the judge gets, whatever its level says; milliseconds. */
const JUDGE_LEAST_MS = 90_000;

/** A judge ready to grade, and how it is named in receipts. */
export interface PreparedJudge {
  ref: string;
  /** As `modelScope`. */
  scope: string;
  grade: Pick<GradeContext, 'judge'>;
}

/** A way to ask a model for one trial. An answer that was cut off is no answer: its last verdict may be a quotation. */
export function askingModel(
  judge: ChosenModel,
  trial: number,
  caseId: string,
  context: AgentsContext,
  cache = true,
): Ask {
  return async (request, signal) => {
    const call = await callModel(
      judge.resolved,
      {
        system: request.system,
        prompt: [{ role: 'user', content: [{ type: 'text', text: request.user }] }],
        ...(request.schema === null ? {} : { responseFormat: { type: 'json', schema: request.schema } }),
        timeoutMs: judge.timeoutMs,
        ...(signal === undefined ? {} : { signal }),
        cache,
        volatile: [request.boundary],
        trialIndex: trial,
        caseId,
        purpose: request.purpose,
        ...(judge.fallback === null ? {} : { fallback: judge.fallback }),
      },
      context.services,
    );
    if (call.finishReason.unified === 'length') throw new Error('the answer was cut off at the length limit');
    return {
      text: call.text,
      servedModel: call.servedModel,
      inputTokens: call.usage.inputTokens,
      outputTokens: call.usage.outputTokens,
      cost: call.cost,
      cached: call.cached,
    };
  };
}

/**
 * The judge of a suite: the one named, else the configured one, else the model of the suite's judge level. An
 * assertion may name a judge of its own.
 * @throws AssayError `JUDGE` when it is the model under test and that is not allowed
 */
export async function prepareJudge(
  suite: Suite,
  agentRef: string,
  context: AgentsContext,
): Promise<PreparedJudge> {
  const { loaded, flags, source, cancel } = context;
  const override = flags.allowSameJudge === true;
  const chosen = new Map<string, Promise<ChosenModel>>();
  const choose = (named: string): Promise<ChosenModel> => {
    const choosing = chosen.get(named) ?? chooseModel(named, suite.judgeLevel, JUDGE_LEAST_MS, context);
    chosen.set(named, choosing);
    return choosing;
  };
  const standard = flags.judge ?? suite.judgeModel ?? loaded.config.eval.judge_provider;
  const opened = await choose(standard);
  const { ref } = opened.resolved;
  const directory = loaded.file === null ? context.cwd : loaded.root;
  const distinct = (judgeRef: string, agentServed: string | null, judgeServed: string | null) =>
    assertDistinct({
      agentRef: canonicalRef(agentRef, directory),
      judgeRef: canonicalRef(judgeRef, directory),
      agentServed,
      judgeServed,
      override,
    });
  const pairing = distinct(ref, null, null);
  if (pairing.status === 'same') throw new AssayError('JUDGE', pairing.message, { fix: pairing.fix });
  if (flags.quiet !== true && pairing.status === 'overridden') note(`note: ${pairing.mark}`);
  if (flags.quiet !== true && pairing.status === 'distinct' && pairing.note !== null)
    note(`note: ${pairing.note}`);
  return {
    ref,
    scope: modelScope(opened),
    grade: {
      async judge(spec, recording): Promise<Verdict> {
        const named = 'model' in spec && spec.model !== undefined ? spec.model : standard;
        const model = await choose(named);
        const { receipt } = recording;
        const judge = createJudge({
          modelRef: model.resolved.ref,
          random: () => source.random(),
          ask: askingModel(model, receipt.trial, receipt.caseId, context),
        });
        const prompts = recording.turns.map((turn) => turn.user);
        const verdict = await judge.grade(spec, recording, { prompts }, cancel);
        const served = distinct(model.resolved.ref, receipt.servedModel, verdict.judge?.servedModel ?? null);
        if (served.status !== 'same') return verdict;
        const { judge: trace } = verdict;
        return {
          outcome: 'error',
          evidence: `${served.message}. ${served.fix}`,
          ...(trace === undefined ? {} : { judge: trace }),
        };
      },
    },
  };
}
