import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  idleRecording,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Recording,
} from '../core/index.js';
import { gradeRecording, idleSatisfied } from '../grade/index.js';
import { compileFixtureChecks, writeRecordedRequest } from '../suite/index.js';
import { fixtureFromCapture, type Capture } from '../wire/index.js';
import type { ScriptPlaces } from './wire-script.js';

/** A fixture that was recorded, and what a person should know of it. */
export interface RecordedFixture {
  fixture: JsonObject;
  notes: string[];
}

/** What a fixture is made from. */
export interface FixtureSource {
  capture: Capture;
  name: string;
  /** What was under test, as a fixture writes it; null when nobody knows. */
  agent: JsonObject | null;
  /** Files that were in the workspace before. */
  setupFiles: { [path: string]: string };
  /** What the run came to; null when it is only known by its traffic. */
  recording: Recording | null;
  places: ScriptPlaces | null;
}

const MOST_FILES = 10;
const MOST_DEPTH = 4;

/** Writes `{{workspace}}` and `{{home}}` for the directories of one trial, wherever they stand. */
export function portable(value: JsonValue, places: ScriptPlaces | null): JsonValue {
  if (places === null) return value;
  if (typeof value === 'string') {
    return value.replaceAll(places.workspace, '{{workspace}}').replaceAll(places.home, '{{home}}');
  }
  if (Array.isArray(value)) return value.map((member) => portable(member, places));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, portable(member, places)]));
}

function filesIn(root: string, inside = '', depth = 0): string[] {
  if (depth > MOST_DEPTH) return [];
  return readdirSync(join(root, inside), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') return [];
    const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
    if (entry.isDirectory()) return filesIn(root, path, depth + 1);
    return entry.isFile() ? [path] : [];
  });
}

function newFiles({ recording, setupFiles }: FixtureSource): string[] {
  const root = recording?.workspace?.root;
  if (root === undefined) return [];
  return filesIn(root)
    .filter((path) => !Object.hasOwn(setupFiles, path))
    .toSorted()
    .slice(0, MOST_FILES);
}

/** Expectations one by one, so that each can be tried. */
function singly(expects: JsonObject): JsonObject[] {
  return Object.entries(expects).flatMap(([key, value]): JsonObject[] =>
    Array.isArray(value) ? value.map((each) => ({ [key]: [each] })) : [{ [key]: value }],
  );
}

function joined(parts: readonly JsonObject[]): JsonObject {
  const expects: JsonObject = {};
  for (const part of parts) {
    for (const [key, value] of Object.entries(part)) {
      const before = expects[key];
      expects[key] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
    }
  }
  return expects;
}

/** True for an expectation that holds for what was recorded and not for an agent that does nothing. */
async function isTelling(fixture: JsonObject, expects: JsonObject, recording: Recording): Promise<boolean> {
  const checks = compileFixtureChecks({ ...fixture, expects }, '/');
  if (checks === null) return false;
  const graded = await gradeRecording(checks, recording, { emptyText: 'fail' });
  const idle = idleRecording(
    recording.receipt,
    recording.turns.map((turn) => turn.user),
  );
  return (
    graded.every((check) => check.outcome === 'pass') && idleSatisfied(checks, idle, { rule: 'all' }) === null
  );
}

async function suggested(fixture: JsonObject, source: FixtureSource): Promise<JsonObject> {
  const { recording } = source;
  const expects = isJsonObject(fixture['expects']) ? fixture['expects'] : {};
  if (recording === null) return expects;
  const files = newFiles(source).map((path): JsonObject => ({ workspace: { file_exists: [path] } }));
  const telling: JsonObject[] = [];
  for (const part of [...singly(expects), ...files]) {
    if (await isTelling(fixture, part, recording)) telling.push(part);
  }
  const found = telling.flatMap((part) => {
    const workspace = part['workspace'];
    const list = isJsonObject(workspace) ? workspace['file_exists'] : undefined;
    return Array.isArray(list) ? list : [];
  });
  const rest = joined(telling.filter((part) => !('workspace' in part)));
  return found.length === 0 ? rest : { ...rest, workspace: { file_exists: found } };
}

/**
 * The trace fixture of a recorded run: the steps as they happened, lanes and requests where the agent can be started
 * again, and expectations that were tried: each holds for this run and fails for an agent that does nothing.
 */
export async function recordedFixture(source: FixtureSource): Promise<RecordedFixture> {
  const { capture, agent, setupFiles, places } = source;
  const captured = fixtureFromCapture(capture, source.name);
  const wired = agent !== null;
  const { model_name: name, turns = [], expects = {} } = captured.fixture;
  const whole: JsonObject = {
    model_name: name ?? source.name,
    ...(agent === null ? {} : { agent }),
    turns,
    ...(wired && captured.lanes.length > 0 ? { lanes: captured.lanes } : {}),
    expects,
    ...(Object.keys(setupFiles).length > 0 ? { setup: { workspace_files: setupFiles } } : {}),
    ...(wired && captured.requests.length > 0
      ? { recorded: { requests: captured.requests.map(writeRecordedRequest) } }
      : {}),
  };
  const notes = [...captured.notes];
  if (!wired && captured.lanes.length > 0) {
    notes.push(
      `Conversations beside the main one are left out: the fixture names no agent that could have them.`,
    );
  }
  const fixture = portable(whole, places);
  if (!isJsonObject(fixture)) return { fixture: whole, notes };
  fixture['expects'] = portable(await suggested(fixture, source), places);
  if (Object.keys(joined(singly(objectAt(fixture, 'expects')))).length === 0) {
    notes.push('No expectation could be found that holds for this run and fails for an idle one; write one.');
  }
  return { fixture, notes };
}

function objectAt(value: JsonObject, key: string): JsonObject {
  const member = value[key];
  return isJsonObject(member) ? member : {};
}
