import type { CheckOutcome, CheckSpec, JsonObject, JudgeTrace, Recording } from '../core/index.js';

/** A JSON Schema that the reply must meet, for models that can be held to one. */
export type JsonSchema = JsonObject;

/** One question to the judge's model. */
export interface JudgeRequest {
  system: string;
  user: string;
  /** Null when the reply has a protocol of its own. The reply is parsed strictly whether or not this is honoured. */
  schema: JsonSchema | null;
  /** What the call is for, for logs and accounts: `judge:llm-rubric`, `judge:llm-rubric:repair`. */
  purpose: string;
  temperature: 0;
  /** SHA-256 of the request with the random boundary taken out: what a cache can key on. */
  promptHash: string;
  /** The random boundary of this prompt: text that a cache key must not depend on. */
  boundary: string;
}

/** What the judge's model answered. */
export interface JudgeAnswer {
  text: string;
  /** The model as served, when the provider says. */
  servedModel: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  /** US dollars; null when unknown. */
  cost: number | null;
  cached: boolean;
}

/** Asks the judge's model once. Rejects when no answer could be had: that is an error, never a verdict. */
export type Ask = (request: JudgeRequest, signal?: AbortSignal) => Promise<JudgeAnswer>;

/** What a judge found, before negation. */
export interface Verdict {
  outcome: CheckOutcome;
  /** Never empty. */
  evidence: string;
  /** 0..1; absent for `error` and for `unknown`, other than a comparison decided by position (0.5). */
  score?: number;
  judge?: JudgeTrace;
}

/** What a judge may know of the case besides the recording. */
export interface CaseContext {
  /** The case's user turns, in order. */
  prompts: string[];
}

/** What a judge is made of. */
export interface JudgeSetup {
  ask: Ask;
  /** The judge's model as named in the configuration. */
  modelRef: string;
  /** Uniform in [0, 1); the boundary of each prompt is drawn from it. */
  random: () => number;
  /** Stands for the random boundary in hashes and stored replies. Default `BOUNDARY`. */
  redactBoundary?: string;
}

/** Two answers to one prompt, to be compared. */
export interface Pair {
  a: string;
  b: string;
  /** What both answered, one entry a user turn. */
  prompt: string | string[];
  criteria: string;
  /** What was done to get to `a`, when the comparison should see it. */
  transcriptOfA?: string;
}

/** How a position, or the whole comparison, came out, in terms of `a` and `b` whatever the order shown. */
export type PairWinner = 'a' | 'b' | 'tie';

/** The outcome of comparing two answers in both orders. */
export interface PairComparison {
  /** `inconsistent`: each order had another winner, so position decided. Null when undecided. */
  winner: PairWinner | 'inconsistent' | null;
  /** For `a`: 1, 0.75, 0.5, 0.25 or 0, half a point for each order won and a quarter for each tied. Null when undecided. */
  score: number | null;
  /** `error`: some call failed or had no verdict. `unknown`: the judge said it cannot tell. Else `decided`. */
  status: 'decided' | 'unknown' | 'error';
  /** What was found in each order, `a` shown first, then `b` shown first; fewer when a call failed. */
  orders: PairWinner[];
  evidence: string;
  judge: JudgeTrace;
}

/** A judge bound to one model. */
export interface Judge {
  readonly modelRef: string;
  /**
   * Grades one judged check. Never rejects: whatever goes wrong is outcome `error`. Does not negate: the verdict is
   * of the plain check, also when `spec.negated` is set.
   */
  readonly grade: (
    spec: CheckSpec,
    recording: Recording,
    context: CaseContext,
    signal?: AbortSignal,
  ) => Promise<Verdict>;
  /** Compares two answers, both orders. Never rejects. */
  readonly comparePair: (pair: Pair, signal?: AbortSignal) => Promise<PairComparison>;
}
