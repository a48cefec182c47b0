import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { armOf, type CompareJob, type PairJudgement } from '../compare/index.js';
import { AssayError, finalText, isJsonObject, parseJson, type Recording } from '../core/index.js';
import { assertDistinct, createJudge } from '../judge/index.js';
import type { StoredRun } from '../store/index.js';
import type { Suite } from '../suite/index.js';
import { chooseModel, type AgentsContext, type ChosenModel } from './choose-model.js';
import { askingModel } from './judge-for.js';

const FILE = 'pairwise.jsonl';
const JUDGE_LEAST_MS = 90_000;

function keyOf(one: Pick<PairJudgement, 'caseId' | 'trial' | 'a' | 'b'>): string {
  return JSON.stringify([one.caseId, one.trial, one.a, one.b]);
}

/** Decided judgements of an earlier, interrupted comparison; a torn or strange line is judged again. */
function earlier(path: string): Map<string, PairJudgement> {
  const found = new Map<string, PairJudgement>();
  if (!existsSync(path)) return found;
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const parsed = parseJson(line);
    if (!parsed.ok || !isJsonObject(parsed.value)) continue;
    const { value } = parsed;
    if (isJudgement(value)) found.set(keyOf(value), value);
  }
  return found;
}

function isJudgement(value: object): value is PairJudgement {
  return (
    'caseId' in value &&
    typeof value.caseId === 'string' &&
    'trial' in value &&
    typeof value.trial === 'number' &&
    'a' in value &&
    typeof value.a === 'string' &&
    'b' in value &&
    typeof value.b === 'string' &&
    'status' in value &&
    value.status === 'decided'
  );
}

/** One answer to be judged. */
interface Answer {
  arm: string;
  caseId: string;
  trial: number;
  recording: Recording;
}

function answersOf(run: StoredRun): Answer[][] {
  const groups = new Map<string, Answer[]>();
  for (const stored of run.cases()) {
    const named = armOf(stored.id);
    if (named === null) continue;
    for (const { recording, trial } of stored.trials) {
      if (recording === null) continue;
      const key = JSON.stringify([named.caseId, trial]);
      groups.set(key, [...(groups.get(key) ?? []), { ...named, trial, recording }]);
    }
  }
  return [...groups.values()];
}

async function judgeModel(job: CompareJob, suite: Suite, context: AgentsContext): Promise<ChosenModel> {
  const { flags, loaded } = context;
  const named = flags.judge ?? job.judge ?? suite.judgeModel ?? loaded.config.eval.judge_provider;
  return chooseModel(named, suite.judgeLevel, JUDGE_LEAST_MS, context);
}

/** The judge of pairs, found and held against every arm before anything is spent. */
export async function preparePairJudge(
  job: CompareJob,
  suite: Suite,
  agentRefs: readonly string[],
  context: AgentsContext,
): Promise<ChosenModel> {
  const chosen = await judgeModel(job, suite, context);
  for (const agentRef of agentRefs) {
    const pairing = assertDistinct({
      agentRef,
      judgeRef: chosen.resolved.ref,
      agentServed: null,
      judgeServed: null,
      override: context.flags.allowSameJudge === true,
    });
    if (pairing.status === 'same') throw new AssayError('JUDGE', pairing.message, { fix: pairing.fix });
  }
  return chosen;
}

/**
 * Has every two arms' answers to the same trial of a case compared, positions swapped. Each judgement is on disk
 * before the next is asked for; decided ones are not asked for again.
 */
export async function judgePairs(
  job: CompareJob,
  run: StoredRun,
  chosen: ChosenModel,
  context: AgentsContext,
): Promise<PairJudgement[]> {
  const path = join(run.directory, FILE);
  const known = earlier(path);
  const order = new Map(job.arms.map((arm, index) => [arm.name, index]));
  const judged: PairJudgement[] = [];
  for (const group of answersOf(run)) {
    const answers = group.toSorted((left, right) => (order.get(left.arm) ?? 0) - (order.get(right.arm) ?? 0));
    for (const [index, a] of answers.entries()) {
      for (const b of answers.slice(index + 1)) {
        if (context.cancel.aborted) throw new AssayError('JUDGE', 'judging was interrupted; resume to go on');
        const names = { caseId: a.caseId, trial: a.trial, a: a.arm, b: b.arm };
        const earlierOne = known.get(keyOf(names));
        if (earlierOne !== undefined) {
          judged.push(earlierOne);
          continue;
        }
        const judge = createJudge({
          modelRef: chosen.resolved.ref,
          random: () => context.source.random(),
          ask: askingModel(chosen, a.trial, a.caseId, context),
        });
        const pair = {
          a: finalText(a.recording),
          b: finalText(b.recording),
          prompt: a.recording.turns.map((turn) => turn.user),
          criteria: job.criteria ?? '',
        };
        const { judge: trace, ...found } = await judge.comparePair(pair, context.cancel);
        const judgement: PairJudgement = { ...names, ...found };
        appendFileSync(path, `${JSON.stringify({ ...judgement, judge: trace })}\n`, { mode: 0o600 });
        judged.push(judgement);
      }
    }
  }
  return judged;
}
