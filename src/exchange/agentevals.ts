import {
  AssayError,
  isJsonObject,
  parseJson,
  type JsonObject,
  type JsonValue,
  type Recording,
  type TrialResult,
} from '../core/index.js';
import {
  isTooDeep,
  member,
  messagesIn,
  messagesTranscript,
  parseJsonLines,
  textMember,
  transcriptRecording,
} from '../cases/index.js';
import { ExchangeTable } from './import-table.js';
import { importedResult } from './imported-run.js';
import type { RunImport } from './inspect-log.js';

/** One trajectory of a file, not read yet. */
interface Entry {
  value: JsonValue;
  line: number | null;
}

function entriesOf(text: string, shown: string): Entry[] {
  const whole = parseJson(text);
  if (whole.ok) {
    if (isTooDeep(whole.value)) throw new AssayError('INPUT', `${shown} is nested more than 200 levels deep`);
    // One trajectory is a list of messages; several are a list of lists, or of objects that hold them.
    if (Array.isArray(whole.value) && messagesIn(whole.value) === null)
      return whole.value.map((value) => ({ value, line: null }));
    return [{ value: whole.value, line: null }];
  }
  const { lines, broken } = parseJsonLines(text);
  if (lines.length === 0)
    throw new AssayError('INPUT', `${shown} is neither JSON nor JSON lines: ${whole.message}`);
  return [
    ...lines.map(({ value, line }) => ({ value, line })),
    ...broken.map((line) => ({ value: null, line })),
  ];
}

function trajectoryOf(value: JsonValue): JsonObject[] | null {
  const direct = messagesIn(value);
  if (direct !== null || !isJsonObject(value)) return direct;
  for (const key of ['outputs', 'trajectory', 'output']) {
    const found = messagesIn(member(value, key) ?? null);
    if (found !== null) return found;
  }
  return null;
}

const KNOWN = new Set([
  'outputs',
  'trajectory',
  'output',
  'messages',
  'id',
  'name',
  'trial',
  'input',
  'model',
]);

/**
 * Reads trajectories as agentevals takes them: messages of the chat APIs, alone, in a list, or under `outputs`.
 * @throws AssayError `INPUT` when there are none
 */
export function importAgentevals(text: string, shown: string, name: string | null): RunImport {
  const table = new ExchangeTable();
  const trials: TrialResult[] = [];
  const seen = new Set<string>();
  for (const [index, { value, line }] of entriesOf(text, shown).entries()) {
    const object = isJsonObject(value) ? value : {};
    const id = textMember(object, 'id', 'name') || `trajectory-${index + 1}`;
    const messages = trajectoryOf(value);
    const transcript = messages === null ? null : messagesTranscript(messages);
    if (transcript === null || transcript.turns.length === 0) {
      table.dropped(
        'trajectory',
        id,
        line,
        messages === null ? 'it holds no messages' : 'nobody says anything in it',
      );
      continue;
    }
    for (const key of Object.keys(object)) {
      if (KNOWN.has(key)) continue;
      const why =
        key === 'reference_outputs' ? 'write it as tool-calls assertions of a suite' : 'it has no twin';
      table.dropped('key', `${key} of ${id}`, line, why);
    }
    const written = object['trial'];
    const trial = typeof written === 'number' && Number.isInteger(written) && written >= 1 ? written : 1;
    const key = JSON.stringify([id, trial]);
    if (seen.has(key)) {
      table.dropped('trajectory', id, line, 'its id is used twice');
      continue;
    }
    seen.add(key);
    for (const note of transcript.notes) table.changed('trajectory', id, line, note);
    table.kept('trajectory', id, line);
    trials.push(
      importedResult({
        caseId: id,
        prompt: transcript.turns.map((turn) => turn.user).join('\n'),
        trial,
        agentModel: textMember(object, 'model') || 'unknown',
        judgeModel: null,
        startedAt: new Date(0).toISOString(),
        checks: [],
        error: null,
        recording: (receipt) => transcriptRecording(transcript, receipt),
      }),
    );
  }
  const [first] = trials;
  const run = {
    suite: name ?? 'agentevals',
    agentModel: first?.receipt.modelRef ?? 'unknown',
    judgeModel: null,
    startedAt: null,
    trials,
  };
  return { runs: trials.length === 0 ? [] : [run], rows: table.rows };
}

function chatMessages(recording: Recording): JsonObject[] {
  if (!recording.messages.some((message) => message.role === 'assistant')) {
    return recording.turns.flatMap((turn): JsonObject[] => [
      { role: 'user', content: turn.user },
      { role: 'assistant', content: turn.text },
    ]);
  }
  return recording.messages.map((message): JsonObject => ({
    role: message.role,
    content: message.text,
    ...(message.toolCalls === undefined
      ? {}
      : {
          tool_calls: message.toolCalls.map((call) => ({
            id: call.id,
            type: 'function',
            function: { name: call.name, arguments: call.arguments },
          })),
        }),
    ...(message.toolCallId === undefined ? {} : { tool_call_id: message.toolCallId }),
  }));
}

/** A trial as a line of a trajectories file; null when nothing was recorded. */
export function trajectoryLine(trial: TrialResult): JsonObject | null {
  if (trial.recording === null) return null;
  return {
    id: trial.caseId,
    trial: trial.trial,
    model: trial.receipt.servedModel ?? trial.receipt.modelRef,
    outputs: chatMessages(trial.recording),
  };
}
