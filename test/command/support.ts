import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import type { JsonObject, JsonValue, TrialResult } from '../../src/core/index.js';
import {
  loadSuite,
  replayAgents,
  runSuite,
  type ReplayOptions,
  type RunOptions,
} from '../../src/run/index.js';

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean();
});

export function later(clean: () => Promise<unknown>): void {
  cleanups.push(clean);
}

export const AGENTS = fileURLToPath(new URL('./agents/', import.meta.url));
export const NODE_CLIENT = join(AGENTS, 'client.mjs');
export const PYTHON_CLIENT = join(AGENTS, 'client.py');

/** Where `npm ci` in test/agents/pi puts the programs of pi; `npm test` runs it. */
export const PI_BIN = fileURLToPath(new URL('../agents/pi/node_modules/.bin', import.meta.url));

function runs(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

/** The Python on this machine; null when there is none. */
export const PYTHON: string | null = ['python3', 'python'].find(runs) ?? null;
export const IS_LINUX: boolean = existsSync('/proc/self/environ');

/** A directory that is gone after the test. */
export async function temporary(files: { [path: string]: string } = {}): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'assay-test-'));
  later(() => rm(directory, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  return directory;
}

export function say(content: string, more: JsonObject = {}): JsonObject {
  return { response: { type: 'text', content, input_tokens: 10, output_tokens: 5, ...more } };
}

export function call(...calls: [id: string, name: string, input: JsonValue][]): JsonObject {
  return {
    response: {
      type: 'tool_calls',
      tool_calls: calls.map(([id, name, input]) => ({ id, name, arguments: input })),
      input_tokens: 20,
      output_tokens: 7,
    },
  };
}

export const nodeAgent = (protocol = 'openai-chat', mode = 'json', more: JsonObject = {}): JsonObject => ({
  command: [process.execPath, NODE_CLIENT, protocol, mode, '{{prompt}}'],
  ...more,
});

export interface Fixture {
  agent: JsonValue;
  steps?: JsonValue[];
  turns?: JsonValue[];
  expects?: JsonObject;
  more?: JsonObject;
}

export function fixture(name: string, { agent, steps, turns, expects, more }: Fixture): JsonObject {
  return {
    model_name: name,
    agent,
    turns: turns ?? [{ user_input: 'Please do it', steps: steps ?? [] }],
    expects: expects ?? { response_contains: ['done'] },
    ...more,
  };
}

export interface Replay {
  trials: TrialResult[];
  outcome: string;
}

/** Replays fixtures as a suite and gives back every trial, in the order of the cases. */
export async function replay(
  fixtures: JsonObject[],
  options: ReplayOptions & Partial<RunOptions> = {},
): Promise<Replay> {
  const files = Object.fromEntries(
    fixtures.map((each, index) => [`${String(index).padStart(4, '0')}.json`, JSON.stringify(each)]),
  );
  return replaySuite(await temporary(files), options);
}

export async function replaySuite(
  directory: string,
  options: ReplayOptions & Partial<RunOptions> = {},
): Promise<Replay> {
  const { maxSteps, strict, warn, ...run } = options;
  const agents = replayAgents({
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(strict === undefined ? {} : { strict }),
    ...(warn === undefined ? {} : { warn }),
  });
  const trials: TrialResult[] = [];
  try {
    const report = await runSuite({
      suite: await loadSuite(directory),
      agents,
      onEvent: (event) => {
        if (event.type === 'case-end') trials.push(...event.trials);
      },
      ...run,
    });
    return { trials, outcome: report.outcome };
  } finally {
    await agents.close();
  }
}

/** The one trial of one replayed fixture. */
export async function replayOne(
  written: JsonObject,
  options: ReplayOptions & Partial<RunOptions> = {},
): Promise<TrialResult> {
  const { trials } = await replay([written], options);
  const [trial] = trials;
  if (trial === undefined) throw new Error('nothing was run');
  return trial;
}
