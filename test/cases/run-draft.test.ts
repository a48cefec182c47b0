import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runDraft, type NewDraft } from '../../src/cases/index.js';
import type { Message, Recording, ToolCall, TrialResult } from '../../src/core/index.js';
import { loadSuiteAt } from '../../src/suite/index.js';
import { SECRET } from './samples.js';

const MESSAGES: Message[] = [
  { role: 'user', text: 'Which port?' },
  { role: 'assistant', text: 'Looking.', toolCalls: [{ id: 'c1', name: 'read', arguments: '{"path":"a"}' }] },
  { role: 'tool', text: 'nothing', toolCallId: 'c1', toolName: 'read' },
  { role: 'assistant', text: `I do not know ${SECRET}.` },
];

const CALL: ToolCall = {
  id: 'c1',
  name: 'read',
  arguments: '{"path":"a"}',
  result: 'nothing',
  ok: true,
  turn: 0,
  startedAt: 0,
  durationMs: 0,
};

function trialOf(caseId: string, caseHash: string, recording: Partial<Recording> = {}): TrialResult {
  const receipt: TrialResult['receipt'] = {
    schema: 'assay/recording/v1',
    caseId,
    caseHash,
    trial: 2,
    mode: 'live',
    modelRef: 'module:agent.mjs',
    servedModel: null,
    toolSurface: { requested: [], effective: [], registered: [] },
    sandbox: { autonomy: 'none', workspaceOnly: true },
    judgeRef: null,
    promptHash: null,
  };
  return {
    caseId,
    caseHash,
    trial: 2,
    status: 'failed',
    error: null,
    score: 0,
    checks: [],
    recording: {
      receipt,
      turns: [{ user: 'Which port?', text: `I do not know ${SECRET}.` }],
      messages: MESSAGES,
      toolCalls: [CALL],
      usage: { inputTokens: 1, outputTokens: 1, cost: null },
      llmCalls: 2,
      durationMs: 5,
      ...recording,
    },
    receipt,
    startedAt: '2026-01-01T00:00:00.000Z',
  };
}

async function draftOf(
  name: string,
  text: string,
  options: { scripted?: boolean; trial?: Partial<TrialResult>; recording?: Partial<Recording> } = {},
): Promise<NewDraft> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'assay-draft-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, name), text);
  writeFileSync(join(root, 'agent.mjs'), 'export default () => ({ text: "" });');
  const suite = await loadSuiteAt(join(root, name));
  const [tested] = suite.cases;
  if (tested === undefined) throw new Error('no case');
  return runDraft({
    runId: 'run_1',
    trial: { ...trialOf(tested.id, tested.hash, options.recording), ...options.trial },
    suite,
    tested,
    directory: join(root, '_drafts'),
    scripted: options.scripted === true,
  });
}

const FIXTURE = {
  model_name: 'port',
  turns: [{ user_input: 'Which port?', expects: { response_matches: ['[0-9]+'] } }],
  expects: { response_contains: ['8080'] },
};

function fixtureOf(draft: NewDraft): Record<string, unknown> {
  if (draft.content.format !== 'trace') throw new Error('not a fixture');
  return draft.content.fixture;
}

function caseOf(draft: NewDraft): Record<string, unknown> {
  if (draft.content.format !== 'assertion') throw new Error('not a suite');
  const { cases } = draft.content.suite;
  const [only] = Array.isArray(cases) ? cases : [];
  return only as Record<string, unknown>;
}

describe('A failed trial as a draft', () => {
  it('has no script when the model is what failed', async () => {
    const fixture = fixtureOf(await draftOf('port.json', JSON.stringify(FIXTURE)));
    expect(fixture).toMatchObject({ turns: FIXTURE.turns, expects: FIXTURE.expects, tags: ['from-run'] });
  });

  it('scripts the replies that led to the failure when it is told to', async () => {
    const fixture = fixtureOf(await draftOf('port.json', JSON.stringify(FIXTURE), { scripted: true }));
    expect(fixture['turns']).toMatchObject([
      {
        user_input: 'Which port?',
        steps: [
          { response: { type: 'tool_calls', content: 'Looking.', tool_calls: [{ id: 'c1', name: 'read' }] } },
          { response: { type: 'text' } },
        ],
        expects: FIXTURE.turns[0]?.expects,
      },
    ]);
    expect(JSON.stringify(fixture)).not.toContain('SENTINEL');
  });

  it('scripts them without being told when a program is under test, and moves the paths it names', async () => {
    const written = { ...FIXTURE, agent: { module: 'agent.mjs' } };
    const fixture = fixtureOf(await draftOf('port.json', JSON.stringify(written)));
    expect(fixture['agent']).toEqual({ module: '../../agent.mjs' });
    expect(JSON.stringify(fixture['turns'])).toContain('"steps"');
  });

  it('keeps the failed answer with its calls as one that must fail', async () => {
    const suite =
      'name: s\ncases:\n  - {id: one, prompt: Which port?, assert: [{type: contains, value: "8080"}]}\n';
    const draft = await draftOf('s.yaml', suite);
    expect(caseOf(draft)['known_bad']).toMatchObject([
      {
        output: 'I do not know [redacted].',
        tool_calls: [{ name: 'read', arguments: { path: 'a' }, result: 'nothing' }],
      },
    ]);
    expect(draft.notes).toEqual([]);
  });

  it('keeps no answer that would pass: what failed was something else', async () => {
    const suite =
      'name: s\ncases:\n  - {id: one, prompt: Which port?, assert: [{type: latency, value: 1}, {type: contains, value: know}]}\n';
    const draft = await draftOf('s.yaml', suite);
    expect(caseOf(draft)).not.toHaveProperty('known_bad');
    expect(draft.notes.join()).toContain('does not show the failure');
  });

  it('says when the case has changed since', async () => {
    const draft = await draftOf('port.json', JSON.stringify(FIXTURE), { trial: { caseHash: 'other' } });
    expect(draft.notes.join()).toContain('has changed since the run');
  });

  it('fills a row of a data file into a case that stands alone', async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'assay-draft-')));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    writeFileSync(join(root, 'rows.csv'), 'product,port\nserver,8080\n');
    writeFileSync(
      join(root, 's.yaml'),
      'name: s\ncases:\n  from: rows.csv\n  template: {prompt: "Port of {{product}}?", assert: [{type: contains, value: "{{port}}"}]}\n',
    );
    const suite = await loadSuiteAt(join(root, 's.yaml'));
    const [tested] = suite.cases;
    if (tested === undefined) throw new Error('no case');
    const draft = runDraft({
      runId: 'run_1',
      trial: trialOf(tested.id, tested.hash),
      suite,
      tested,
      directory: join(root, '_drafts'),
      scripted: false,
    });
    expect(caseOf(draft)).toMatchObject({
      prompt: 'Port of {{product}}?',
      vars: { product: 'server', port: '8080' },
    });
  });

  it('is not made of a trial that recorded nothing, nor of a case of a program', async () => {
    await expect(
      draftOf('port.json', JSON.stringify(FIXTURE), { trial: { recording: null } }),
    ).rejects.toThrow('recorded nothing');
    const program =
      'export default { name: "p", cases: [{ id: "one", prompt: "x", assert: [{ type: "contains", value: "8080" }] }] };';
    await expect(draftOf('p.suite.mjs', program)).rejects.toThrow('its suite is a program');
  });
});
