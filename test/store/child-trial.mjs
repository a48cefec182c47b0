// What the child processes of the tests store. The answer follows from the case, so that a reader can tell a trial
// that came through whole from one that did not.
import { sha256 } from '../../dist/core/index.js';

export function answerOf(caseId) {
  return `answer of ${caseId} ü🚀 `.repeat(1 + (Number(caseId.replace(/\D/g, '')) % 40));
}

export function childTrial(caseId, trial = 1) {
  const receipt = {
    schema: 'assay/recording/v1',
    caseId,
    caseHash: sha256(caseId),
    trial,
    mode: 'outputs',
    modelRef: 'outputs',
    servedModel: null,
    toolSurface: { requested: [], effective: [], registered: [] },
    sandbox: { autonomy: 'none', workspaceOnly: true },
    judgeRef: null,
    promptHash: null,
  };
  return {
    caseId,
    caseHash: receipt.caseHash,
    trial,
    status: 'passed',
    error: null,
    score: 1,
    checks: [
      {
        label: 'contains("answer")',
        type: 'contains',
        outcome: 'pass',
        score: 1,
        weight: 1,
        category: 'response',
        diagnostic: false,
        required: false,
        evidence: 'contains "answer" at character 1',
      },
    ],
    recording: {
      receipt,
      turns: [{ user: 'ask', text: answerOf(caseId) }],
      messages: [
        { role: 'user', text: 'ask' },
        { role: 'assistant', text: answerOf(caseId) },
      ],
      toolCalls: [],
      usage: { inputTokens: 1, outputTokens: 1, cost: null },
      llmCalls: 1,
      durationMs: 1,
    },
    receipt,
    startedAt: '2026-03-01T10:00:00.000Z',
  };
}

export const childHeader = {
  suitePath: 'child.yaml',
  format: 'assertion',
  kind: 'regression',
  mode: 'outputs',
  gate: 'mean',
  threshold: 0.75,
  trials: 1,
  agentModel: 'outputs',
  judgeModel: null,
  seed: 1,
  startedAt: '2026-03-01T10:00:00.000Z',
  assayVersion: '0.1.0',
  git: null,
  cases: 0,
  promptHash: null,
};

export function childSummary(store, cases) {
  const { cases: _cases, promptHash: _promptHash, settings: _settings, ...facts } = store.header;
  return {
    ...facts,
    outcome: 'passed',
    reason: 'all passed',
    score: 1,
    passAtK: 1,
    passHatK: 1,
    totals: {
      cases,
      passed: cases,
      failed: 0,
      errored: 0,
      notRun: 0,
      trials: cases,
      scoredTrials: cases,
      passedTrials: cases,
      reusedTrials: 0,
    },
    inputTokens: cases,
    outputTokens: cases,
    cost: null,
    finishedAt: '2026-03-01T10:01:00.000Z',
    interrupted: false,
    directory: store.directory,
  };
}

export function childCase(id) {
  return {
    id,
    hash: sha256(id),
    source: 'child.yaml',
    line: 1,
    negative: false,
    tags: [],
    cluster: null,
    planned: 1,
    scored: 1,
    passed: 1,
    errors: {},
    passAtK: 1,
    passHatK: 1,
    meanScore: 1,
    interval: { lo: 0.2065, hi: 1 },
    outcome: 'passed',
    curtailed: false,
    curtailedRate: null,
    expectedFailing: false,
    inputTokens: 1,
    outputTokens: 1,
    cost: null,
    durationMs: 1,
  };
}
