import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Receipt,
  type Source,
  type TrialError,
} from '../core/index.js';
import type { Case } from '../suite/index.js';
import { recordTrial, type PreparedAgent, type RecordedTrial } from '../trial/index.js';
import type { Capture, RecordingProxyOptions } from '../wire/index.js';
import { outsideAgents } from './outside-agents.js';
import type { RecordedFixture } from './recorded-fixture.js';
import type { OutsideAgent } from './wired-agents.js';
import type { ScriptPlaces } from './wire-script.js';

/** How a case is recorded. */
export interface RecordOptions {
  upstreams: RecordingProxyOptions['upstreams'];
  /** Text that must not be kept: the keys. */
  secrets: readonly string[];
  modelRef: string;
  source: Source;
  /** Milliseconds a turn may take. */
  turnTimeoutMs: number;
  signal: AbortSignal;
}

/** What recording gave. The fixture is there even after an error, as far as the run went. */
export interface RecordedCase extends RecordedFixture {
  error: TrialError | null;
}

function receiptOf(tested: Case, modelRef: string): Receipt {
  return {
    schema: 'assay/recording/v1',
    caseId: tested.id,
    caseHash: tested.hash,
    trial: 1,
    mode: 'record',
    modelRef,
    servedModel: null,
    toolSurface: { requested: [], effective: [], registered: [] },
    sandbox: { autonomy: 'supervised', workspaceOnly: false },
    judgeRef: null,
    promptHash: null,
  };
}

function run(tested: Case, agent: PreparedAgent, options: RecordOptions): Promise<RecordedTrial> {
  const { source, turnTimeoutMs, signal } = options;
  const receipt = receiptOf(tested, options.modelRef);
  return recordTrial({ case: tested, receipt, source, agent, turnTimeoutMs, signal });
}

/** A case without a script or checks, for recording one. */
export function blankCase(
  name: string,
  agent: OutsideAgent,
  prompts: readonly string[],
  setupFiles: { [path: string]: string },
): Case {
  return {
    id: name,
    source: { file: name, name, line: 1 },
    hash: '',
    turns: prompts.map((user) => ({ user, steps: null })),
    checks: [],
    scoring: { rule: 'all' },
    agent,
    systemPrompt: null,
    setupFiles,
    tools: null,
    trials: 1,
    cluster: null,
    tags: [],
    negative: false,
    allowEmpty: false,
    owner: null,
    expectedFailing: false,
    variables: null,
  };
}

/** A turn without a reply cannot be replayed: the agent never reached a model, or asked it nothing. */
function unanswered(fixture: JsonObject, tested: Case): TrialError | null {
  const turns = Array.isArray(fixture['turns']) ? fixture['turns'] : [];
  const missing = tested.turns.findIndex((_turn, index) => {
    const turn = turns[index];
    const steps = isJsonObject(turn) ? turn['steps'] : undefined;
    return !Array.isArray(steps) || steps.length === 0;
  });
  if (missing < 0) return null;
  return { kind: 'model', message: `turn ${missing + 1}: no answer of a model was recorded` };
}

/**
 * Runs a program or endpoint once with a real model and writes down what happened as a trace fixture.
 * @param written the agent as a fixture writes it
 * @throws AssayError when the proxy cannot be started
 */
export async function recordCase(
  tested: Case,
  agent: OutsideAgent,
  written: JsonObject,
  options: RecordOptions,
): Promise<RecordedCase> {
  const { recordedFixture } = await import('./recorded-fixture.js');
  const seen: { capture: Capture; places: ScriptPlaces | null } = {
    capture: { id: tested.id, users: [], exchanges: [] },
    places: null,
  };
  const agents = outsideAgents({
    upstreams: options.upstreams,
    secrets: options.secrets,
    onCapture: (_tested, _trial, capture, places) => {
      Object.assign(seen, { capture, places });
    },
  });
  try {
    const recorded = await run(tested, await agents.prepare(tested, agent, 1), options);
    try {
      const { recording, error } = recorded;
      const source = { ...seen, name: tested.id, agent: written, setupFiles: tested.setupFiles };
      const made = await recordedFixture({ ...source, recording });
      const notes = [...made.notes, ...(recording?.notes ?? [])];
      return { ...made, notes, error: error ?? unanswered(made.fixture, tested) };
    } finally {
      recorded.dispose();
    }
  } finally {
    await agents.close();
  }
}

/**
 * Records one turn of a fixture again: the turns before it are played from their script, its own goes to a real model.
 * @param turn 0-based
 * @throws AssayError `INPUT` when the turn got no answer
 */
export async function recordTurn(
  fixture: JsonObject,
  tested: Case,
  agent: Extract<OutsideAgent, { type: 'command' }>,
  turn: number,
  options: RecordOptions,
): Promise<RecordedCase> {
  const [{ startRecordingProxy, startScriptedServer }, { prepareTurn, withTurn }] = await Promise.all([
    import('../wire/index.js'),
    import('./record-turn.js'),
  ]);
  const { upstreams, secrets } = options;
  const hide = (text: string): string =>
    secrets.reduce((shown, secret) => (secret === '' ? shown : shown.replaceAll(secret, '[REDACTED]')), text);
  const server = await startScriptedServer();
  const proxy = await startRecordingProxy({ upstreams, redact: hide });
  const seen: { capture: Capture; places: ScriptPlaces | null } = {
    capture: { id: tested.id, users: [], exchanges: [] },
    places: null,
  };
  try {
    const agentReady = prepareTurn(tested, agent, turn, { server, proxy }, (capture, places) => {
      Object.assign(seen, { capture, places });
    });
    const upTo = { ...tested, turns: tested.turns.slice(0, turn + 1) };
    const recorded = await run(upTo, agentReady, options);
    recorded.dispose();
    const made = withTurn(fixture, tested, turn, seen);
    return { ...made, error: recorded.error };
  } finally {
    await proxy.close();
    await server.close();
  }
}

/** The fixture of stored traffic. Throws AssayError `INPUT` when there is no model request in it. */
export async function recordFromLog(
  log: JsonValue,
  name: string,
  agent: JsonObject | null,
): Promise<RecordedFixture> {
  const [{ captureFromLog }, { recordedFixture }] = await Promise.all([
    import('../wire/index.js'),
    import('./recorded-fixture.js'),
  ]);
  const capture = captureFromLog(log);
  return recordedFixture({ capture, name, agent, setupFiles: {}, recording: null, places: null });
}
