import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  sha256,
  systemSource,
  type CaseResult,
  type Check,
  type Receipt,
  type RunSummary,
  type TrialResult,
} from '../../src/core/index.js';
import { readJournal, RunStore, type JournalEntry, type RunHeader } from '../../src/store/index.js';

/** A fresh directory that is removed when the test ends. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'assay-store-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export function header(changes: Partial<RunHeader> = {}): RunHeader {
  return {
    suitePath: 'evals/demo.yaml',
    format: 'assertion',
    kind: 'regression',
    mode: 'outputs',
    gate: 'mean',
    threshold: 0.75,
    trials: 3,
    agentModel: 'module:./model.ts',
    judgeModel: null,
    seed: 7,
    startedAt: '2026-03-01T10:00:00.000Z',
    assayVersion: '0.1.0',
    git: { commit: '0123456789abcdef0123456789abcdef01234567', dirty: false },
    cases: 2,
    promptHash: null,
    ...changes,
  };
}

export function receipt(caseId: string, trial: number): Receipt {
  return {
    schema: 'assay/recording/v1',
    caseId,
    caseHash: sha256(caseId),
    trial,
    mode: 'outputs',
    modelRef: 'outputs',
    servedModel: null,
    toolSurface: { requested: ['echo'], effective: ['echo'], registered: ['echo'] },
    sandbox: { autonomy: 'supervised', workspaceOnly: true },
    judgeRef: null,
    promptHash: null,
  };
}

export function check(changes: Partial<Check> = {}): Check {
  return {
    label: 'contains("forty")',
    type: 'contains',
    outcome: 'pass',
    score: 1,
    weight: 2,
    category: 'response',
    diagnostic: false,
    required: true,
    evidence: 'contains "forty" at character 14',
    ...changes,
  };
}

/** A passed trial of one turn and one tool call. */
export function trial(caseId: string, number = 1, changes: Partial<TrialResult> = {}): TrialResult {
  const own = receipt(caseId, number);
  const answer = `The answer to ${caseId} is forty-two.`;
  return {
    caseId,
    caseHash: own.caseHash,
    trial: number,
    status: 'passed',
    error: null,
    score: 1,
    checks: [check()],
    recording: {
      receipt: own,
      turns: [{ user: 'What is it?', text: answer }],
      messages: [
        { role: 'system', text: 'Be precise.' },
        { role: 'user', text: 'What is it?' },
        {
          role: 'assistant',
          text: '',
          toolCalls: [{ id: 'c1', name: 'echo', arguments: '{"message":"hi"}' }],
        },
        { role: 'tool', text: 'hi', toolCallId: 'c1', toolName: 'echo' },
        { role: 'assistant', text: answer },
      ],
      toolCalls: [
        {
          id: 'c1',
          name: 'echo',
          arguments: '{"message":"hi"}',
          result: 'hi',
          ok: true,
          turn: 0,
          startedAt: 3,
          durationMs: 1,
        },
      ],
      usage: { inputTokens: 12, outputTokens: 9, cost: 0.0001 },
      llmCalls: 2,
      durationMs: 25,
    },
    receipt: own,
    startedAt: '2026-03-01T10:00:01.000Z',
    ...changes,
  };
}

/** A trial that could not be scored and recorded nothing. */
export function erroredTrial(caseId: string, number = 1): TrialResult {
  return trial(caseId, number, {
    status: 'error',
    error: { kind: 'timeout', message: 'turn 0 timed out after 120 s' },
    score: null,
    checks: [],
    recording: null,
  });
}

export function caseResult(id: string, changes: Partial<CaseResult> = {}): CaseResult {
  return {
    id,
    hash: sha256(id),
    source: 'demo.yaml',
    line: 4,
    negative: false,
    tags: ['smoke'],
    cluster: null,
    planned: 3,
    scored: 3,
    passed: 2,
    errors: {},
    passAtK: 1,
    passHatK: 0,
    meanScore: 0.9,
    interval: { lo: 0.2077, hi: 0.9385 },
    outcome: 'failed',
    curtailed: false,
    curtailedRate: null,
    expectedFailing: false,
    inputTokens: 36,
    outputTokens: 27,
    cost: 0.0003,
    durationMs: 75,
    ...changes,
  };
}

export function summary(
  store: Pick<RunStore, 'runId' | 'suite' | 'header'>,
  changes: Partial<RunSummary> = {},
): RunSummary {
  const { cases: _cases, promptHash: _promptHash, settings: _settings, ...facts } = store.header;
  return {
    ...facts,
    runId: store.runId,
    suite: store.suite,
    outcome: 'failed',
    reason: 'mean score 0.700 is below 0.750',
    score: 0.7,
    passAtK: 1,
    passHatK: 0.5,
    totals: {
      cases: 2,
      passed: 1,
      failed: 1,
      errored: 0,
      notRun: 0,
      trials: 6,
      scoredTrials: 6,
      passedTrials: 5,
      reusedTrials: 0,
    },
    inputTokens: 72,
    outputTokens: 54,
    cost: null,
    finishedAt: '2026-03-01T10:00:05.500Z',
    interrupted: false,
    directory: null,
    ...changes,
  };
}

/** A new run in a store. */
export function createRun(
  root: string,
  changes: Partial<Parameters<typeof RunStore.create>[0]> = {},
): Promise<RunStore> {
  return RunStore.create({
    root,
    suite: 'demo',
    header: header(),
    fsync: 'off',
    source: systemSource(),
    ...changes,
  });
}

/** Every entry of a journal. */
export function entries(path: string): JournalEntry[] {
  return [...readJournal(path)];
}

/** What a promise was rejected with, or a thrown value; fails when nothing was thrown. */
export async function failure(action: () => unknown): Promise<unknown> {
  try {
    await action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
