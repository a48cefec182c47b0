import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { assay, echoFixture, project, type Ended, type Project } from '../cli/run-cli.js';
import { CLAUDE_CODE, jsonLines, OPENAI, PASSWORD, SECRET } from './samples.js';

function make(files: Record<string, unknown> = {}): Project {
  const made = project(files);
  onTestFinished(made.remove);
  return made;
}

interface DraftReport {
  id: string;
  status: string;
  format: string;
  path: string;
  notes: string[];
  provenance: { kind: string; source: string; fingerprint: string; details: Record<string, unknown> };
}

function report(ended: Ended): DraftReport {
  expect(ended.stderr).toBe('');
  expect(ended.code).toBe(0);
  return JSON.parse(ended.stdout) as DraftReport;
}

const AGENT = `export default ({ prompt }) => ({ text: 'I do not know, key ${SECRET}.', usage: { inputTokens: 1, outputTokens: 1 } });\n`;

const SUITE = `# A suite with a comment.
name: ports
type: regression
trials: 1
vars: { product: server }
cases:
  # The port must be named.
  - id: names the port / always
    prompt: Which port does the {{product}} use?
    assert:
      - type: contains
        value: '8080'
  - id: versions
    prompt: Which version?
    assert: [{ type: contains, value: 1.10 }]
`;

async function failedRun(files: Record<string, unknown> = {}): Promise<Project> {
  const made = make({ 'agent.mjs': AGENT, 'evals/ports.yaml': SUITE, ...files });
  const ran = await assay(made.root, [
    'run',
    '-s',
    'ports',
    '--model',
    'module:agent.mjs',
    '--mode',
    'live',
    '--quiet',
  ]);
  expect(ran.code).toBe(1);
  return made;
}

describe('assay case from-transcript', () => {
  it('writes a fixture that replays, with its origin in the log of drafts', async () => {
    const { root } = make({ 'session.jsonl': jsonLines(CLAUDE_CODE) });
    const drafted = report(await assay(root, ['case', 'from-transcript', 'session.jsonl', '--json']));
    expect(drafted).toMatchObject({ status: 'written', format: 'trace' });
    expect(drafted.id).toMatch(/^which-port-does-the-server-use-key-[a-z0-9-]*[0-9a-f]{8}$/);
    expect(drafted.provenance).toMatchObject({
      kind: 'transcript',
      source: 'session.jsonl',
      details: { format: 'claude-code', turns: 1, model: 'claude-x' },
    });
    const fixture = JSON.parse(readFileSync(join(root, drafted.path), 'utf8')) as Record<string, unknown>;
    expect(fixture['expects']).toEqual({
      response_contains: ['The server uses port 8080.'],
      tools_used: ['Read'],
      tool_arguments_contain: [{ tool: 'Read', needle: '"file_path":"server.conf"' }],
    });
    const ran = await assay(root, ['run', '-s', `_drafts/${drafted.id}`, '--quiet']);
    expect(ran.code).toBe(0);
  });

  it('leaves no secret in anything it writes', async () => {
    const { root } = make({ 'session.jsonl': jsonLines(CLAUDE_CODE) });
    report(await assay(root, ['case', 'from-transcript', 'session.jsonl', '--json']));
    const secret = {
      role: 'assistant',
      tool_calls: [
        {
          id: 'c',
          type: 'function',
          function: {
            name: 'login',
            arguments: JSON.stringify({
              user: 'ann',
              password: 'short',
              nested: { apiKey: 'tiny' },
              note: SECRET,
            }),
          },
        },
      ],
    };
    writeFileSync(
      join(root, 'other.json'),
      JSON.stringify([{ role: 'user', content: `token: ${PASSWORD}` }, secret, ...OPENAI.slice(-1)]),
    );
    report(await assay(root, ['case', 'from-transcript', 'other.json', '--json']));
    const texts = readdirSync(join(root, 'evals'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    expect(texts.length).toBe(3);
    for (const text of texts) expect(text).not.toMatch(/SENTINEL|sentinel-pass|"short"|tiny/);
    expect(texts.join('')).toContain('[REDACTED]');
  });

  it('gives the same draft for the same source and never overwrites it', async () => {
    const { root } = make({ 'chat.json': OPENAI });
    const first = report(await assay(root, ['case', 'from-transcript', 'chat.json', '--json']));
    writeFileSync(join(root, first.path), 'mended by hand');
    const again = report(await assay(root, ['case', 'from-transcript', 'chat.json', '--json']));
    expect(again).toMatchObject({ id: first.id, status: 'exists', path: first.path });
    expect(readFileSync(join(root, first.path), 'utf8')).toBe('mended by hand');
    const lines = readFileSync(join(root, 'evals/_drafts/_drafts.jsonl'), 'utf8').trim().split('\n');
    expect(lines).toHaveLength(1);
  });

  it('takes the turns that are asked for, and refuses ranges that are none', async () => {
    const turns = [
      ...OPENAI,
      { role: 'user', content: 'And the host?' },
      { role: 'assistant', content: 'The host is localhost.' },
    ];
    const { root } = make({ 'chat.json': turns });
    const drafted = report(
      await assay(root, ['case', 'from-transcript', 'chat.json', '--turns', '2', '--json']),
    );
    expect(drafted.id).toMatch(/^and-the-host-/);
    expect((await assay(root, ['case', 'from-transcript', 'chat.json', '--turns', '2-1'])).code).toBe(2);
    const beyond = await assay(root, ['case', 'from-transcript', 'chat.json', '--turns', '2-3']);
    expect(beyond).toMatchObject({ code: 1 });
    expect(beyond.stderr).toContain('the transcript has 2 turns');
  });

  it('marks where a transcript breaks off, and gives a long turn the steps it needs', async () => {
    const calls = Array.from({ length: 14 }, (_, index) => [
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { id: `c${index}`, type: 'function', function: { name: 'read', arguments: `{"page":${index}}` } },
        ],
      },
      { role: 'tool', tool_call_id: `c${index}`, content: 'x' },
    ]).flat();
    const { root } = make({ 'chat.json': [{ role: 'user', content: 'Read all.' }, ...calls] });
    const drafted = report(await assay(root, ['case', 'from-transcript', 'chat.json', '--json']));
    expect(drafted.notes.join()).toContain('The transcript breaks off here');
    const fixture = JSON.parse(readFileSync(join(root, drafted.path), 'utf8')) as {
      agent: unknown;
      expects: object;
    };
    expect(fixture.agent).toEqual({ loop: { max_steps: 15 } });
    expect(fixture.expects).not.toHaveProperty('response_contains');
  });

  it('writes nothing when there is nothing that an idle agent would fail', async () => {
    const { root } = make({ 'chat.json': [{ role: 'user', content: 'Hello' }] });
    const ended = await assay(root, ['case', 'from-transcript', 'chat.json']);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('no check that can fail');
    expect(existsSync(join(root, 'evals'))).toBe(false);
  });

  it('writes nothing through a link that leads out of the suite directory', async () => {
    const { root } = make({ 'chat.json': OPENAI, 'evals/keep.txt': '', 'elsewhere/keep.txt': '' });
    const { symlinkSync } = await import('node:fs');
    symlinkSync(join(root, 'elsewhere'), join(root, 'evals/_drafts'));
    const ended = await assay(root, ['case', 'from-transcript', 'chat.json']);
    expect(ended.code).toBe(1);
    expect(readdirSync(join(root, 'elsewhere'))).toEqual(['keep.txt']);
  });
});

describe('assay case from-run', () => {
  it('makes a case of a failed trial, with the failed answer as one that must fail', async () => {
    const { root } = await failedRun();
    const drafted = report(
      await assay(root, ['case', 'from-run', 'latest', 'names the port / always', '--json']),
    );
    expect(drafted).toMatchObject({
      status: 'written',
      format: 'assertion',
      provenance: { kind: 'run', details: { case: 'names the port / always', trial: 1 } },
    });
    expect(drafted.id).toMatch(/^names-the-port-always-[0-9a-f]{8}$/);
    const text = readFileSync(join(root, drafted.path), 'utf8');
    expect(text).toContain('# DRAFT, in no suite yet.');
    expect(text).toContain('product: server');
    expect(text).not.toContain('SENTINEL');
    const verified = await assay(root, ['suite', 'verify', `_drafts/${drafted.id}`, '--json']);
    expect(verified.code).toBe(0);
    const found = JSON.parse(verified.stdout) as {
      suites: { cases: { answers: { outcome: string }[] }[] }[];
    };
    expect(found.suites[0]?.cases[0]?.answers.length).toBeGreaterThan(0);
  });

  it('keeps numbers as they were written', async () => {
    const { root } = await failedRun();
    const drafted = report(await assay(root, ['case', 'from-run', 'latest', 'versions', '--json']));
    expect(readFileSync(join(root, drafted.path), 'utf8')).toContain('value: "1.10"');
  });

  it('refuses what it cannot make a case of', async () => {
    const { root } = await failedRun();
    const unknown = await assay(root, ['case', 'from-run', 'latest', 'nothing']);
    expect(unknown.stderr).toContain('has no trial of a case');
    const trial = await assay(root, ['case', 'from-run', 'latest', 'versions', '--trial', '7']);
    expect(trial.stderr).toContain('has no trial 7');
    expect([unknown.code, trial.code]).toEqual([1, 1]);
  });

  it('copies a fixture, under an id of its own', async () => {
    const { root } = make({
      'evals/echo/one.json': { ...echoFixture('one'), expects: { response_contains: ['omega'] } },
    });
    await assay(root, ['run', '-s', 'echo', '--quiet']);
    const drafted = report(await assay(root, ['case', 'from-run', 'latest', 'one', '--json']));
    expect(drafted).toMatchObject({ format: 'trace', status: 'written' });
    const fixture = JSON.parse(readFileSync(join(root, drafted.path), 'utf8')) as object;
    expect(fixture).toMatchObject({
      model_name: drafted.id,
      tags: ['from-run'],
      expects: { response_contains: ['omega'] },
    });
  });
});

describe('assay case accept', () => {
  it('puts a case into a suite, keeps the comments there, and notes where it came from', async () => {
    const { root } = await failedRun();
    const { id, path } = report(await assay(root, ['case', 'from-run', 'latest', 'versions', '--json']));
    const accepted = await assay(root, ['case', 'accept', id, '--suite', 'ports']);
    expect(accepted).toMatchObject({ code: 0, stderr: '' });
    const text = readFileSync(join(root, 'evals/ports.yaml'), 'utf8');
    expect(text.startsWith(SUITE.trimEnd())).toBe(true);
    expect(text).toContain(`id: ${id}`);
    expect(existsSync(join(root, path))).toBe(false);
    const history = readFileSync(join(root, 'evals/_history.jsonl'), 'utf8');
    expect(JSON.parse(history)).toMatchObject({
      action: 'add-case',
      suite: 'ports',
      cases: [id],
      details: { draft: id, from: 'run', origin: { case: 'versions' } },
    });
    const again = report(await assay(root, ['case', 'from-run', 'latest', 'versions', '--json']));
    expect(again.status).toBe('accepted');
    expect(existsSync(join(root, path))).toBe(false);
    const twice = await assay(root, ['case', 'accept', id, '--suite', 'ports']);
    expect(twice.stderr).toContain('was accepted into evals/ports.yaml');
  });

  it('keeps the files that a case names, from the suite to the draft and back', async () => {
    const suite = `name: golden\ncases:\n  - id: one\n    prompt: Say it.\n    assert: [{ type: matches-file, value: golden/one.txt }]\n`;
    const { root } = make({
      'agent.mjs': AGENT,
      'evals/golden.yaml': suite,
      'evals/golden/one.txt': 'right',
      '.git/HEAD': '',
    });
    await assay(root, [
      'run',
      '-s',
      'golden',
      '-t',
      '1',
      '--mode',
      'live',
      '--model',
      'module:agent.mjs',
      '--quiet',
    ]);
    const { id, path } = report(await assay(root, ['case', 'from-run', 'latest', 'one', '--json']));
    expect(readFileSync(join(root, path), 'utf8')).toContain('value: ../golden/one.txt');
    expect((await assay(root, ['case', 'accept', id, '--suite', 'golden'])).code).toBe(0);
    expect(readFileSync(join(root, 'evals/golden.yaml'), 'utf8')).toContain('value: golden/one.txt\n');
  });

  it('puts a fixture into a directory of fixtures, and only there', async () => {
    const { root } = make({
      'chat.json': OPENAI,
      'evals/echo/one.json': echoFixture('one'),
      'evals/ports.yaml': SUITE,
    });
    const { id } = report(await assay(root, ['case', 'from-transcript', 'chat.json', '--json']));
    const wrong = await assay(root, ['case', 'accept', id, '--suite', 'ports']);
    expect(wrong).toMatchObject({ code: 1 });
    expect(wrong.stderr).toContain('needs a directory of trace fixtures');
    expect((await assay(root, ['case', 'accept', id, '--suite', `_drafts/${id}`])).stderr).toContain(
      'is a draft itself',
    );
    expect((await assay(root, ['case', 'accept', id, '--suite', 'echo'])).code).toBe(0);
    expect(readdirSync(join(root, 'evals/echo')).toSorted()).toEqual(['one.json', `${id}.json`]);
    expect(existsSync(join(root, 'evals/_drafts', id))).toBe(false);
    expect((await assay(root, ['run', '-s', 'echo', '--quiet'])).code).toBe(0);
  });

  it.each(['../evil', '/etc/passwd', 'no-such-00000000', ''])('refuses %j as a draft', async (id) => {
    const { root } = make({ 'evals/ports.yaml': SUITE });
    const ended = await assay(root, ['case', 'accept', id, '--suite', 'ports']);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('there is no draft');
  });
});

describe('assay case log', () => {
  const LOG = [
    'case',
    'log',
    'Invented a figure',
    '-c',
    'hallucination',
    '-s',
    'high',
    '-e',
    'Says that it does not know.',
    '-a',
    'It was 4,211.',
    '--asked',
    'How many visitors?',
  ];

  it('logs under the keys of the log, lists, drafts and counts', async () => {
    const { root } = make();
    const logged = JSON.parse((await assay(root, [...LOG, '--json'])).stdout) as Record<string, unknown>;
    expect(Object.keys(logged)).toEqual([
      'id',
      'timestamp',
      'description',
      'category',
      'severity',
      'expected_behavior',
      'actual_behavior',
      'task_context',
      'transcript',
      'converted_to_task',
    ]);
    const id = String(logged['id']);
    const drafted = report(await assay(root, ['case', 'from-failure', id, '--json']));
    expect(drafted).toMatchObject({ status: 'written', provenance: { kind: 'failure', source: id } });
    const text = readFileSync(join(root, drafted.path), 'utf8');
    expect(text).toContain('prompt: How many visitors?');
    expect(text).toContain('Says that it does not know.');
    expect((await assay(root, ['suite', 'verify', `_drafts/${drafted.id}`])).code).toBe(0);
    const listed = JSON.parse((await assay(root, ['case', 'list', 'unconverted', '--json'])).stdout) as {
      failures: unknown[];
    };
    expect(listed.failures).toEqual([]);
    const stats = JSON.parse((await assay(root, ['case', 'stats', '--json'])).stdout) as object;
    expect(stats).toMatchObject({
      failures: 1,
      converted: 1,
      byDomain: { research: 1 },
      drafts: { failure: { drafted: 1, accepted: 0 } },
    });
  });

  it('loads what can be read when lines are bad or torn, and appends after them', async () => {
    const good = {
      id: 'failure_1_a',
      timestamp: 't',
      description: 'old',
      category: 'tone',
      severity: 'low',
      expected_behavior: 'x',
      actual_behavior: 'y',
      converted_to_task: true,
    };
    const { root } = make({
      'evals/_failures.jsonl': `${JSON.stringify(good)}\nnonsense\n[1]\n{"id":"failure_2`,
    });
    expect((await assay(root, LOG)).code).toBe(0);
    const ended = await assay(root, ['case', 'list', 'failures', '--json']);
    const listed = JSON.parse(ended.stdout) as {
      failures: { id: string; converted_to_task: string | null }[];
      broken_lines: number[];
    };
    expect(listed.failures).toHaveLength(2);
    expect(listed.failures[0]).toMatchObject({ id: 'failure_1_a', converted_to_task: 'unknown' });
    expect(listed.broken_lines).toEqual([2, 3, 4]);
    expect(ended.stderr).toContain('3 lines cannot be read: 2, 3, 4');
  });

  it('hides secrets before they reach the log', async () => {
    const { root } = make();
    await assay(root, ['case', 'log', `leaked ${SECRET}`, '-a', `password: ${PASSWORD}`]);
    expect(readFileSync(join(root, 'evals/_failures.jsonl'), 'utf8')).not.toMatch(/SENTINEL|sentinel-pass/);
  });

  it('makes no case of a failure that does not say what was expected', async () => {
    const { root } = make();
    const { id } = JSON.parse((await assay(root, ['case', 'log', 'bad', '--json'])).stdout) as { id: string };
    const ended = await assay(root, ['case', 'from-failure', id]);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('does not say what was expected');
    expect((await assay(root, ['case', 'from-failure', 'failure_0'])).stderr).toContain(
      'there is no failure',
    );
  });
});

describe('assay case from-rule', () => {
  const author = (replies: string[]): string =>
    `let asked = 0;\nexport default () => ({ text: ${JSON.stringify(replies)}[asked++] ?? 'nothing' });\n`;
  const block = (value: object): string => `It would guess.\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\``;
  const GOOD = {
    prompt: 'How many visitors came?',
    negative: true,
    assert: [
      { type: 'not-regex', value: '\\d' },
      { type: 'llm-assert', value: ['It says that it does not know.'] },
    ],
  };
  const RULE = ['case', 'from-rule', 'Never invent figures.', '--model', 'module:author.mjs', '--json'];

  it('drafts what the model wrote, and asks no model for a rule that it knows', async () => {
    const { root } = make({ 'author.mjs': author([block(GOOD)]) });
    const drafted = report(await assay(root, RULE));
    expect(drafted).toMatchObject({
      status: 'written',
      provenance: { kind: 'rule', details: { rule: 'Never invent figures.' } },
    });
    writeFileSync(join(root, 'author.mjs'), 'throw new Error("asked again")');
    expect(report(await assay(root, RULE))).toMatchObject({ id: drafted.id, status: 'exists' });
  });

  it('asks once more when the case would not load', async () => {
    const { root } = make({
      'author.mjs': author([block({ ...GOOD, assert: [{ type: 'contians', value: 'x' }] }), block(GOOD)]),
    });
    expect(report(await assay(root, RULE)).status).toBe('written');
  });

  it.each([
    ['starts programs', { type: 'command', value: ['touch', 'owned'] }],
    ['loads modules', { type: 'program', value: 'author.mjs' }],
    ['names files', { type: 'matches-file', value: 'author.mjs' }],
  ])('accepts no assertion that %s', async (_, assertion) => {
    const bad = block({ ...GOOD, assert: [assertion] });
    const { root } = make({ 'author.mjs': author([bad, bad]) });
    const ended = await assay(root, RULE);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('is not an allowed type');
    expect(existsSync(join(root, 'evals'))).toBe(false);
  });

  it.each([['prose only'], [block({ prompt: 'x' })], ['```json\n{"prompt":\n```']])(
    'refuses %.20j',
    async (reply) => {
      const { root } = make({ 'author.mjs': author([reply, reply]) });
      expect((await assay(root, RULE)).code).toBe(1);
    },
  );
});
