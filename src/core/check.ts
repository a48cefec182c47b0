import type { JsonValue } from './json.js';

/** What a check found. `unknown` and `error` are never a pass, in either polarity. */
export type CheckOutcome = 'pass' | 'fail' | 'unknown' | 'error';

/** Which side of the run a check looks at. */
export type CheckCategory =
  | 'response'
  | 'tool'
  | 'side_effect'
  | 'budget'
  | 'judge'
  | 'program'
  | 'config'
  /** Whether the agent left the files it is graded with alone. */
  | 'tampered';

/** The result of one check on one recording. */
export interface Check {
  /** Stable name of the check; baselines, flips and history key on it. */
  label: string;
  /** The check's type, with its `not-` prefix when it is negated: `contains`, `not-contains`. */
  type: string;
  outcome: CheckOutcome;
  /** 0..1. A deterministic check scores 0 or 1; `unknown` and `error` score 0. */
  score: number;
  /** Weight in the case's score, above or equal to 0. */
  weight: number;
  category: CheckCategory;
  /** A diagnostic check is shown and never decides the verdict. */
  diagnostic: boolean;
  /** A failed required check fails its case whatever the score. */
  required: boolean;
  /** What was seen. Never empty: a pass without evidence is a grader error. */
  evidence: string;
  /** Free label for grouping scores, when the case gives one. */
  metric?: string;
  /** What a judge said and used, for judged checks. */
  judge?: JudgeTrace;
}

/** What is kept of a judge's call, so that a verdict can be audited. */
export interface JudgeTrace {
  /** The model as named in the configuration. */
  model: string;
  /** The model as served, when the provider says. */
  servedModel: string | null;
  /** SHA-256 of the whole prompt. */
  promptHash: string;
  /** Every raw reply, in order; more than one after a repair retry. */
  replies: string[];
  inputTokens: number | null;
  outputTokens: number | null;
  /** US dollars; null when unknown. */
  cost: number | null;
  cached: boolean;
}

/** What every check specification carries, whatever its type. */
export interface CheckBase {
  label: string;
  category: CheckCategory;
  /** Flips pass and fail only; `unknown` and `error` stay what they are. */
  negated: boolean;
  weight: number;
  required: boolean;
  diagnostic: boolean;
  metric?: string;
  /** 0-based turn whose text is graded; absent means the last turn. */
  turn?: number;
  /** Where the check was written, for messages: dotted key path in its file. */
  key: string;
}

/** Unicode normalisation applied to both sides of a text comparison. */
export type NormalizationForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

/** Options of every check that compares text. */
export interface TextOptions {
  /** Trims the graded text first, as assertion suites do; trace fixtures grade the text as it is. */
  trim: boolean;
  normalize?: NormalizationForm;
}

/** Which calls a payload check looks at, and what it looks for. */
export interface PayloadMatch {
  tool: string;
  /** Text that must occur in the payload; exclusive with `value`. */
  needle?: string;
  /** JSON that the payload must contain as a subset; exclusive with `needle`. */
  value?: JsonValue;
  /** 0-based among the calls to that tool, in dispatch order; absent means any call. */
  callIndex?: number;
}

/** What a budget can bound; milliseconds, US dollars and counts. */
export type BudgetMetric =
  | 'input_tokens'
  | 'output_tokens'
  | 'total_tokens'
  | 'duration_ms'
  | 'llm_calls'
  | 'tool_calls'
  | 'cost';

/** Parameters of each check type, by name. Both case formats compile to these. */
export interface CheckParameters {
  equals: TextOptions & { value: JsonValue };
  contains: TextOptions & { value: string };
  icontains: TextOptions & { value: string };
  'contains-all': TextOptions & { values: string[] };
  'contains-any': TextOptions & { values: string[] };
  regex: TextOptions & { pattern: string; flags: string; dialect: 'javascript' | 're2' };
  'starts-with': TextOptions & { value: string };
  'ends-with': TextOptions & { value: string };
  /** `schema` is a JSON Schema, draft 7 or 2020-12. */
  'is-json': TextOptions & { schema?: JsonValue };
  /** `subset` must be contained in some JSON fragment of the text. */
  'contains-json': TextOptions & { subset?: JsonValue; schema?: JsonValue };
  /** Counts UTF-16 units. */
  'max-length': TextOptions & { limit: number };
  'min-length': TextOptions & { limit: number };
  'word-count': TextOptions & { min?: number; max?: number; exact?: number };
  levenshtein: TextOptions & { value: string; maxDistance: number };
  /** `path` is absolute, admitted inside the suite's directory. */
  'matches-file': TextOptions & { path: string };
  /** The reference's pointer check: the final text, trimmed, as JSON, else its first fenced json block. */
  'json-pointer': { pointer: string; value: JsonValue };
  'tool-used': { tools: string[] };
  'tool-not-used': { tools: string[] };
  /** Counts calls of all tools, or of `tool` when given. `order` compares the sequence of tool names. */
  'tool-calls': {
    tool?: string;
    exact?: number;
    min?: number;
    max?: number;
    calls?: { tool: string; arguments?: JsonValue }[];
    order?: 'any' | 'strict';
  };
  'tool-arguments': PayloadMatch;
  'tool-results': PayloadMatch;
  'tools-succeeded': { expected: boolean };
  'file-exists': { path: string };
  'file-absent': { path: string };
  'file-contains': { path: string; needle: string };
  budget: { metric: BudgetMetric; limit: number };
  /** Exit code of a program run in the workspace after the agent stopped; an argument vector, never a shell line. */
  command: { command: string[]; exitCode: number; timeoutMs: number; stdoutContains?: string };
  /** A function exported by a local module, run in a worker under a time limit. */
  program: { path: string; exportName: string; timeoutMs: number; parameters?: JsonValue };
  'llm-rubric': {
    rubric: string;
    /** Lowest passing score on the 0..1 scale. */
    threshold: number;
    includeTranscript: boolean;
    reference?: string;
    model?: string;
  };
  'llm-assert': {
    statements: string[];
    includeTranscript: boolean;
    reference?: string;
    model?: string;
    /** The statements are about the whole conversation up to the graded turn, not about one answer. */
    conversation?: true;
  };
  /** Compares the answer with `reference`, both orders; the answer must not lose. */
  pairwise: { criteria: string; reference: string; includeTranscript: boolean; model?: string };
  /** The rubric of a trace fixture, by its own protocol. */
  'trace-judge': { name: string; rubric: string; threshold: number; includeTranscript: boolean };
}

/** Name of a check type without its `not-` prefix. */
export type CheckType = keyof CheckParameters;

/** One admitted, compiled check of a case. */
export type CheckSpec = {
  [Type in CheckType]: CheckBase & { type: Type } & CheckParameters[Type];
}[CheckType];

/** The specification of one check type. */
export type CheckSpecOf<Type extends CheckType> = Extract<CheckSpec, { type: Type }>;
