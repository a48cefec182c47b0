import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { AssayError, formatProblem, type JsonValue } from '../../src/core/index.js';
import { loadSuiteAt, type Case } from '../../src/suite/index.js';

const directories: string[] = [];

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), 'assay-admission-'));
  directories.push(made);
  return made;
}

const FIXTURE = {
  model_name: 'case-1',
  turns: [{ user_input: 'hi', steps: [{ response: { type: 'text', content: 'yes' } }] }],
  expects: { response_contains: ['yes'] },
};

async function fixture(
  more: { [key: string]: JsonValue },
  files: { [name: string]: string } = {},
): Promise<Case> {
  const made = directory();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text);
  writeFileSync(join(made, 'case.json'), JSON.stringify({ ...FIXTURE, ...more }, null, 2));
  const [only] = (await loadSuiteAt(join(made, 'case.json'), { cwd: made })).cases;
  if (only === undefined) throw new Error('no case');
  return only;
}

async function suite(text: string): Promise<Case> {
  const made = directory();
  writeFileSync(join(made, 'one.yaml'), text);
  const [only] = (await loadSuiteAt(join(made, 'one.yaml'), { cwd: made })).cases;
  if (only === undefined) throw new Error('no case');
  return only;
}

async function problemsOf(loading: Promise<unknown>): Promise<string[]> {
  try {
    await loading;
  } catch (error) {
    if (AssayError.isInstance(error)) return error.problems.map(formatProblem);
    throw error;
  }
  return [];
}

const CASE = `
agent: AGENT
cases:
  - id: a
    prompt: hi
    assert: [{ type: contains, value: x }]
`;

describe('the tools of a loop', () => {
  it('are taken by name and from servers', async () => {
    const { agent } = await fixture({
      agent: {
        loop: {
          tools: [
            'file_read',
            { mcp: { name: 'notes', command: ['node', '{{suite}}/server.mjs'], tools: ['add'] } },
          ],
          max_steps: 4,
        },
      },
    });
    expect(agent).toMatchObject({
      type: 'loop',
      maxSteps: 4,
      tools: [
        'file_read',
        {
          name: 'notes',
          transport: { type: 'command', command: ['node', '{{suite}}/server.mjs'], environment: [] },
          tools: ['add'],
          startMs: 30_000,
          callMs: 60_000,
        },
      ],
    });
  });

  it.each([
    ['an unknown tool, with the nearest one', ['file_raed'], 'did you mean file_read?'],
    ['a shell in any spelling', ['Local-Shell'], 'runs programs'],
    ['a tool twice', ['echo', 'echo'], 'echo is listed twice'],
    ['a blank name', [' '], 'must not be blank'],
    ['a server that is nowhere', [{ mcp: { name: 'a' } }], 'names neither a command nor a url'],
    [
      'a server that is in two places',
      [{ mcp: { command: ['a'], url: 'http://127.0.0.1:1/' } }],
      'names a command and a url',
    ],
    ['an address that is none', [{ mcp: { url: 'ftp://host/' } }], 'is not an address of a web server'],
    ['a password in an address', [{ mcp: { url: 'http://a:b@127.0.0.1/' } }], 'must not carry a user name'],
    ['a token for a program', [{ mcp: { command: ['a'], token: { environment: 'X' } } }], 'belongs to a url'],
    [
      'variables for an address',
      [{ mcp: { url: 'http://127.0.0.1/', environment: ['X'] } }],
      'belongs to a command',
    ],
    ['a misspelt key', [{ mcp: { comand: ['a'] } }], 'did you mean command?'],
    [
      'two servers of one name',
      [{ mcp: { command: ['a'] } }, { mcp: { command: ['b'] } }],
      'mcp:mcp is listed twice',
    ],
    ['a call that may take no time', [{ mcp: { command: ['a'], call_secs: 0 } }], 'call_secs'],
  ] as const)('refuse %s', async (_name, tools, words) => {
    const written = JSON.parse(JSON.stringify(tools)) as JsonValue;
    const inFixture = await problemsOf(fixture({ agent: { loop: { tools: written } } }));
    expect(inFixture.join('\n')).toContain(words);
    expect(inFixture.join('\n')).toMatch(/case\.json:\d+:\d+ agent\.loop\.tools/);
    const inSuite = await problemsOf(
      suite(CASE.replace('AGENT', JSON.stringify({ loop: { tools: written } }))),
    );
    expect(inSuite.join('\n')).toContain(words);
  });

  it('change the hash of a case, wherever the suite lies', async () => {
    const plain = (await fixture({})).hash;
    const named = { agent: { loop: { tools: ['file_read'] } } };
    expect((await fixture(named)).hash).not.toBe(plain);
    expect((await fixture(named)).hash).toBe((await fixture(named)).hash);
    const served = CASE.replace('AGENT', '{ loop: { tools: [{ mcp: { command: [node, x] } }] } }');
    expect((await suite(served)).hash).toBe((await suite(served)).hash);
    expect((await suite(served)).hash).not.toBe((await suite(served.replace('x]', 'y]'))).hash);
  });
});

describe('limits', () => {
  it('of a case go before those of its suite, one by one', async () => {
    const made = await suite(
      `limits: { llm_calls: 9, cost: 0.5 }\n${CASE.replace('AGENT', 'loop')}    limits: { llm_calls: 3, tool_calls: 0 }\n`,
    );
    expect(made.limits).toEqual({ llm_calls: 3, cost: 0.5, tool_calls: 0 });
  });

  it('are absent where nobody set any, and change no hash', async () => {
    const made = await fixture({});
    expect(made.limits).toBeUndefined();
    expect((await fixture({ limits: { llm_calls: 3 } })).hash).not.toBe(made.hash);
  });

  it.each([
    ['none', {}, 'holds no limit'],
    ['a call too few', { llm_calls: 0 }, 'llm_calls'],
    ['money that is none', { cost: 0 }, 'cost'],
    ['an unknown one', { llm_call: 3 }, 'did you mean llm_calls?'],
  ])('refuse %s', async (_name, limits, words) => {
    expect((await problemsOf(fixture({ limits }))).join('\n')).toContain(words);
    const text = `limits: ${JSON.stringify(limits)}\n${CASE.replace('AGENT', 'loop')}`;
    expect((await problemsOf(suite(text))).join('\n')).toContain(words);
  });
});

describe('grader files', () => {
  it('hold their text or name a file beside the suite, whose content counts', async () => {
    const files = { 'a.txt': 'one', 'b/c.txt': { file: 'golden.txt' } };
    const made = await fixture({ grader_files: files }, { 'golden.txt': 'first' });
    expect(made.graderFiles).toMatchObject({ 'a.txt': { text: 'one' } });
    const again = await fixture({ grader_files: files }, { 'golden.txt': 'first' });
    const edited = await fixture({ grader_files: files }, { 'golden.txt': 'second' });
    expect(again.hash).toBe(made.hash);
    expect(edited.hash).not.toBe(made.hash);
  });

  it.each([
    ['a path that leaves the workspace', { '../a': 'x' }, 'is not a path inside the workspace'],
    ['a file that is not there', { a: { file: 'no.txt' } }, 'there is no file no.txt'],
    ['a file outside', { a: { file: '../no.txt' } }, 'leaves'],
    ['no file at all', {}, 'names no file'],
    ['a list', [], 'must be an object'],
    ['an unknown key', { a: { flie: 'no.txt' } }, 'did you mean file?'],
  ])('refuse %s', async (_name, files, words) => {
    const written = JSON.parse(JSON.stringify(files)) as JsonValue;
    expect((await problemsOf(fixture({ grader_files: written }))).join('\n')).toContain(words);
    const text = `${CASE.replace('AGENT', 'loop')}    grader_files: ${JSON.stringify(files)}\n`;
    expect((await problemsOf(suite(text))).join('\n')).toContain(words);
  });
});

describe('repeat', () => {
  it.each([
    [1, 1, undefined],
    [50, 50, undefined],
    [0, 1, 0],
    [51, 50, 51],
  ])('of %i gives %i trials', async (repeat, trials, requested) => {
    const made = await fixture({ repeat });
    expect(made.trials).toBe(trials);
    expect(made.requestedTrials).toBe(requested);
  });
});
