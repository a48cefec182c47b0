import {
  AssayError,
  isJsonObject,
  parseJson,
  type Check,
  type CheckCategory,
  type CheckOutcome,
  type ErrorKind,
  type JsonObject,
  type JudgeTrace,
  type Receipt,
  type TrialResult,
  type TrialStatus,
} from '../core/index.js';
import { parseRecording } from './recording-parse.js';
import {
  booleanAt,
  has,
  listAt,
  nullableAt,
  numberAt,
  objectAt,
  optionalAt,
  ShapeError,
  textAt,
  textsAt,
  wordAt,
  words,
} from './shape.js';

const STATUSES = words<TrialStatus>({ passed: 'passed', failed: 'failed', error: 'error' });
const OUTCOMES = words<CheckOutcome>({ pass: 'pass', fail: 'fail', unknown: 'unknown', error: 'error' });
const CATEGORIES = words<CheckCategory>({
  response: 'response',
  tool: 'tool',
  side_effect: 'side_effect',
  budget: 'budget',
  judge: 'judge',
  program: 'program',
  config: 'config',
  tampered: 'tampered',
});
const KINDS = words<ErrorKind>({
  agent: 'agent',
  model: 'model',
  grader: 'grader',
  timeout: 'timeout',
  limit: 'limit',
  script: 'script',
  setup: 'setup',
  cancelled: 'cancelled',
  simulator: 'simulator',
});
const MODES = words<Receipt['mode']>({
  replay: 'replay',
  live: 'live',
  record: 'record',
  outputs: 'outputs',
});

function judgeAt(object: JsonObject, key: string): JudgeTrace {
  const judge = objectAt(object, key);
  return {
    model: textAt(judge, 'model'),
    servedModel: nullableAt(judge, 'servedModel', textAt),
    promptHash: textAt(judge, 'promptHash'),
    replies: textsAt(judge, 'replies'),
    inputTokens: nullableAt(judge, 'inputTokens', numberAt),
    outputTokens: nullableAt(judge, 'outputTokens', numberAt),
    cost: nullableAt(judge, 'cost', numberAt),
    cached: booleanAt(judge, 'cached'),
  };
}

function check(object: JsonObject): Check {
  return {
    label: textAt(object, 'label'),
    type: textAt(object, 'type'),
    outcome: wordAt(object, 'outcome', OUTCOMES),
    score: numberAt(object, 'score'),
    weight: numberAt(object, 'weight'),
    category: wordAt(object, 'category', CATEGORIES),
    diagnostic: booleanAt(object, 'diagnostic'),
    required: booleanAt(object, 'required'),
    evidence: textAt(object, 'reason'),
    ...optionalAt(object, 'metric', textAt),
    ...optionalAt(object, 'judge', judgeAt),
  };
}

/** A receipt; what it does not say about its case is taken from `identity`. */
function receipt(
  object: JsonObject,
  identity: Partial<Pick<Receipt, 'caseId' | 'caseHash' | 'trial'>>,
): Receipt {
  const surface = objectAt(object, 'toolSurface');
  const sandbox = objectAt(object, 'sandbox');
  const { caseId, caseHash, trial } = identity;
  return {
    schema: wordAt(object, 'schema', ['assay/recording/v1']),
    caseId: caseId === undefined || has(object, 'caseId') ? textAt(object, 'caseId') : caseId,
    caseHash: caseHash === undefined || has(object, 'caseHash') ? textAt(object, 'caseHash') : caseHash,
    trial: trial === undefined || has(object, 'trial') ? numberAt(object, 'trial') : trial,
    mode: wordAt(object, 'mode', MODES),
    modelRef: textAt(object, 'modelRef'),
    servedModel: nullableAt(object, 'servedModel', textAt),
    toolSurface: {
      requested: textsAt(surface, 'requested'),
      effective: textsAt(surface, 'effective'),
      registered: textsAt(surface, 'registered'),
    },
    sandbox: { autonomy: textAt(sandbox, 'autonomy'), workspaceOnly: booleanAt(sandbox, 'workspaceOnly') },
    judgeRef: nullableAt(object, 'judgeRef', textAt),
    promptHash: nullableAt(object, 'promptHash', textAt),
  };
}

function errorAt(object: JsonObject, key: string): { kind: ErrorKind; message: string } {
  const error = objectAt(object, key);
  return { kind: wordAt(error, 'kind', KINDS), message: textAt(error, 'message') };
}

/** A trial from its parsed line. Unknown keys are left out. Throws ShapeError. */
export function trialFrom(line: JsonObject): TrialResult {
  const identity = {
    caseId: textAt(line, 'case'),
    caseHash: textAt(line, 'hash'),
    trial: numberAt(line, 'trial'),
  };
  const own = receipt(objectAt(line, 'receipt'), identity);
  const output = textAt(line, 'output');
  const recording = nullableAt(line, 'recording', objectAt);
  return {
    ...identity,
    status: wordAt(line, 'status', STATUSES),
    error: nullableAt(line, 'error', errorAt),
    score: nullableAt(line, 'score', numberAt),
    checks: listAt(line, 'asserts', check),
    recording:
      recording === null
        ? null
        : parseRecording(
            recording,
            output,
            has(recording, 'receipt') ? receipt(objectAt(recording, 'receipt'), {}) : own,
          ),
    receipt: own,
    startedAt: textAt(line, 'startedAt'),
  };
}

/**
 * The trial of one stored line, as `trialText` wrote it (key shapes stay redacted). Throws AssayError `INPUT` when
 * the text is not a stored trial.
 */
export function parseTrial(text: string): TrialResult {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new AssayError('INPUT', `not a stored trial: ${parsed.message}`);
  try {
    if (!isJsonObject(parsed.value)) throw new ShapeError('it must be an object');
    return trialFrom(parsed.value);
  } catch (error) {
    if (error instanceof ShapeError) throw new AssayError('INPUT', `not a stored trial: ${error.message}`);
    throw error;
  }
}
