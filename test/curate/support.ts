import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { printed } from '../cli/printed.js';
import { loadSuite, type Case, type Recording, type Suite, type ToolCall } from '../../src/index.js';

/** A directory with these files that is gone after the test. */
export function directoryOf(files: { [path: string]: string }): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'assay-curate-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return directory;
}

/** The suite in a YAML text. The text of `cases` may stand alone. */
export async function yamlSuite(text: string, files: { [path: string]: string } = {}): Promise<Suite> {
  const whole = text.includes('cases:') ? text : `cases:\n${text}`;
  const cwd = directoryOf({ ...files, 'sample.yaml': whole });
  return loadSuite('sample.yaml', { cwd, gate: false });
}

/** The first case of a suite. */
export function firstCase(suite: Suite): Case {
  const [first] = [...suite.cases];
  if (first === undefined) throw new Error('the suite is empty');
  return first;
}

/** A fixture as a value that can be changed and written. */
export interface FixtureValue {
  model_name: string;
  turns: { user_input: string; steps: unknown[]; expects?: { [key: string]: unknown } }[];
  expects: { [key: string]: unknown };
  [key: string]: unknown;
}

/** Calls in one model reply. */
export function callStep(...calls: [name: string, given: unknown][]): unknown {
  return {
    response: {
      type: 'tool_calls',
      tool_calls: calls.map(([name, given], index) => ({ id: `call_${index + 1}`, name, arguments: given })),
      input_tokens: 10,
      output_tokens: 5,
    },
  };
}

/** A model reply that is text. */
export function textStep(content: string): unknown {
  return { response: { type: 'text', content, input_tokens: 20, output_tokens: 7 } };
}

/** A fixture of one turn. */
export function fixture(
  name: string,
  steps: unknown[],
  expects: FixtureValue['expects'],
  more: { [key: string]: unknown } = {},
): FixtureValue {
  return { model_name: name, turns: [{ user_input: `do ${name}`, steps }], expects, ...more };
}

/** The suite of some fixtures, in a directory of its own. */
export async function fixtureSuite(
  fixtures: readonly FixtureValue[],
  directory = 'regression',
): Promise<Suite> {
  const files = Object.fromEntries(
    fixtures.map((value) => [`${directory}/${value.model_name}.json`, JSON.stringify(value)]),
  );
  return loadSuite(directory, { cwd: directoryOf(files), gate: false });
}

/** A recorded call. */
export function call(name: string, given: unknown, more: Partial<ToolCall> = {}): ToolCall {
  return {
    id: 'id',
    name,
    arguments: typeof given === 'string' ? given : JSON.stringify(given),
    result: 'done',
    ok: true,
    turn: 0,
    startedAt: 0,
    durationMs: 0,
    ...more,
  };
}

/** A recording that ended with these texts. */
export function recording(texts: readonly string[], more: Partial<Recording> = {}): Recording {
  return {
    receipt: {
      schema: 'assay/recording/v1',
      caseId: 'case',
      caseHash: 'hash',
      trial: 1,
      mode: 'live',
      modelRef: 'model',
      servedModel: null,
      toolSurface: { requested: [], effective: [], registered: [] },
      sandbox: { autonomy: 'none', workspaceOnly: true },
      judgeRef: null,
      promptHash: null,
    },
    turns: texts.map((text) => ({ user: 'question', text })),
    messages: [],
    toolCalls: [],
    usage: { inputTokens: 100, outputTokens: 10, cost: 0.5 },
    llmCalls: 2,
    durationMs: 1000,
    ...more,
  };
}

/** How a command line ended. */
export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command line in this process, in another directory. Starting a process for each would take most of the time. */
export async function commandLine(cwd: string, words: readonly string[]): Promise<Ended> {
  const before = process.cwd();
  let stderr = '';
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((chunk, ...more: unknown[]) => {
    stderr += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    const done = more.at(-1);
    if (typeof done === 'function') queueMicrotask(() => void done());
    return true;
  });
  process.chdir(cwd);
  try {
    const ended = await printed(words);
    return { ...ended, stderr };
  } finally {
    process.chdir(before);
    process.stdout.removeAllListeners('error');
    spy.mockRestore();
  }
}
