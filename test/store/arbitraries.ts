import * as fc from 'fast-check';
import type {
  Check,
  JsonValue,
  JudgeTrace,
  Message,
  Receipt,
  Recording,
  ToolCall,
  TrialResult,
} from '../../src/core/index.js';

// Any UTF-16 text, lone surrogates, control characters and line separators among them.
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('', '\n', '\u2028', '"\\', '\ud800', '\u0000', '{"a":1}'),
);
const count = fc.nat();
// -0 is 0 in JSON and NaN is null; neither is a value of a trial.
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));
const hash = fc.string({ unit: fc.constantFrom('0', '1', '9', 'a', 'b', 'f'), minLength: 64, maxLength: 64 });
const orNull = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.option(arbitrary, { nil: null });

const receipt: fc.Arbitrary<Receipt> = fc.record({
  schema: fc.constant('assay/recording/v1' as const),
  caseId: text,
  caseHash: hash,
  trial: fc.integer({ min: 1, max: 50 }),
  mode: fc.constantFrom('replay' as const, 'live' as const, 'record' as const, 'outputs' as const),
  modelRef: text,
  servedModel: orNull(text),
  toolSurface: fc.record({
    requested: fc.array(text),
    effective: fc.array(text),
    registered: fc.array(text),
  }),
  sandbox: fc.record({ autonomy: text, workspaceOnly: fc.boolean() }),
  judgeRef: orNull(text),
  promptHash: orNull(hash),
});

const judge: fc.Arbitrary<JudgeTrace> = fc.record({
  model: text,
  servedModel: orNull(text),
  promptHash: hash,
  replies: fc.array(text, { maxLength: 3 }),
  inputTokens: orNull(count),
  outputTokens: orNull(count),
  cost: orNull(number),
  cached: fc.boolean(),
});

const check: fc.Arbitrary<Check> = fc.record(
  {
    label: text,
    type: text,
    outcome: fc.constantFrom('pass' as const, 'fail' as const, 'unknown' as const, 'error' as const),
    score: number,
    weight: number,
    category: fc.constantFrom(
      'response' as const,
      'tool' as const,
      'side_effect' as const,
      'budget' as const,
      'judge' as const,
      'program' as const,
      'config' as const,
      'tampered' as const,
    ),
    diagnostic: fc.boolean(),
    required: fc.boolean(),
    evidence: text,
    metric: text,
    judge,
  },
  {
    requiredKeys: [
      'label',
      'type',
      'outcome',
      'score',
      'weight',
      'category',
      'diagnostic',
      'required',
      'evidence',
    ],
  },
);

// Few ids and few texts, so that repetitions, which the stored form leaves out, are common.
const id = fc.constantFrom('c1', 'c2', 'c3');
const said = fc.oneof(fc.constantFrom('yes', 'no', ''), text);

const toolCall: fc.Arbitrary<ToolCall> = fc.record({
  id,
  name: text,
  arguments: said,
  result: said,
  ok: fc.boolean(),
  turn: count,
  startedAt: number,
  durationMs: number,
});

const message: fc.Arbitrary<Message> = fc.record(
  {
    role: fc.constantFrom('system' as const, 'user' as const, 'assistant' as const, 'tool' as const),
    text: said,
    toolCalls: fc.array(fc.record({ id, name: text, arguments: said }), { maxLength: 2 }),
    toolCallId: id,
    toolName: text,
    isError: fc.boolean(),
    reasoning: text,
  },
  { requiredKeys: ['role', 'text'] },
);

const json = fc.jsonValue({ maxDepth: 2, noUnicodeString: false }) as fc.Arbitrary<JsonValue>;

function withoutNegativeZero(value: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}

function recording(own: fc.Arbitrary<Receipt>): fc.Arbitrary<Recording> {
  return fc.record(
    {
      receipt: own,
      turns: fc.array(fc.record({ user: said, text: said }), { maxLength: 4 }),
      messages: fc.array(message, { maxLength: 8 }),
      toolCalls: fc.array(toolCall, { maxLength: 4 }),
      usage: fc.record({ inputTokens: count, outputTokens: count, cost: orNull(number) }),
      llmCalls: count,
      durationMs: number,
      workspace: fc.record({ root: text }),
      notes: fc.array(text, { maxLength: 3 }),
      extra: fc.dictionary(text, json.map(withoutNegativeZero), { maxKeys: 3, noNullPrototype: true }),
    },
    { requiredKeys: ['receipt', 'turns', 'messages', 'toolCalls', 'usage', 'llmCalls', 'durationMs'] },
  );
}

const kind = fc.constantFrom(
  'agent' as const,
  'model' as const,
  'grader' as const,
  'timeout' as const,
  'limit' as const,
  'script' as const,
  'setup' as const,
  'cancelled' as const,
);

/** Any trial that the types allow: receipts that agree with the trial and some that do not. */
export const anyTrial: fc.Arbitrary<TrialResult> = receipt.chain((own) =>
  fc.record({
    caseId: fc.oneof({ weight: 4, arbitrary: fc.constant(own.caseId) }, text),
    caseHash: fc.oneof({ weight: 4, arbitrary: fc.constant(own.caseHash) }, hash),
    trial: fc.oneof({ weight: 4, arbitrary: fc.constant(own.trial) }, fc.integer({ min: 1, max: 50 })),
    status: fc.constantFrom('passed' as const, 'failed' as const, 'error' as const),
    error: orNull(fc.record({ kind, message: text })),
    score: orNull(number),
    checks: fc.array(check, { maxLength: 4 }),
    recording: orNull(recording(fc.oneof({ weight: 4, arbitrary: fc.constant(own) }, receipt))),
    receipt: fc.constant(own),
    startedAt: text,
  }),
);
