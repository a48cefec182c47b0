import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { yamlText } from '../../src/cases/index.js';
import { importPromptfoo, tableLines, type SuiteImport } from '../../src/exchange/index.js';
import { admitSuiteText } from '../../src/suite/index.js';

function importText(config: string, files: Record<string, string> = {}): SuiteImport {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'assay-promptfoo-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const path = join(root, 'promptfooconfig.yaml');
  writeFileSync(path, config);
  const made = importPromptfoo(config, path, 'promptfooconfig.yaml', null);
  // Whatever is imported loads.
  for (const { name, suite } of made.suites)
    admitSuiteText(join(root, `${name}.yaml`), yamlText(suite), { cwd: root });
  return made;
}

interface MadeCase {
  id: string;
  prompt: string;
  threshold: number;
  assert: Record<string, unknown>[];
}

function casesOf(made: SuiteImport, at = 0): MadeCase[] {
  return made.suites[at]?.suite['cases'] as unknown as MadeCase[];
}

function dropped(made: SuiteImport): string[] {
  return made.rows
    .filter((row) => row.outcome === 'dropped')
    .map((row) => `${row.line ?? '-'}: ${row.kind} ${row.name}: ${row.note}`);
}

/** The twins of one assertion, by type and what matters of it. */
function twin(assertion: string): Record<string, unknown> | string {
  const made = importText(
    `prompts: [ask]\ntests:\n  - assert:\n      - ${assertion}\n      - {type: contains, value: keep}\n`,
  );
  const found = casesOf(made)[0]?.assert ?? [];
  if (found.length === 1)
    return made.rows.find((row) => row.kind === 'assertion' && row.outcome === 'dropped')?.note ?? '';
  const { required: _, ...rest } = found[0] ?? {};
  return rest;
}

const CONFIG = `# yaml-language-server: $schema=https://promptfoo.dev/config-schema.json
description: Translation
prompts:
  - 'Translate to {{language}}: {{input}}'
  - id: file://prompts/short.txt
    label: short
providers:
  - openai:gpt-4o-mini
  - id: anthropic:messages:claude-x
    config: { temperature: 0 }
  - python:provider.py
defaultTest:
  assert:
    - type: not-contains
      value: as an AI
tests:
  - description: greets
    vars: { language: French, input: Hello }
    assert:
      - type: icontains
        value: bonjour
      - type: javascript
        value: output.length < 50
  - description: version
    vars: { language: none, input: 1.10 }
    threshold: 0.5
    assert:
      - { type: contains, value: '{{input}}', weight: 2 }
      - { type: llm-rubric, value: 'keeps {{input}}' }
redteam: { plugins: [x] }
`;

describe('Importing a promptfoo configuration', () => {
  it('makes a case of every prompt and test, and a suite for every provider', () => {
    const made = importText(CONFIG, { 'prompts/short.txt': '{{input}} in {{language}}?' });
    expect(made.suites.map(({ name, suite }) => [name, suite['agent_model']])).toEqual([
      ['promptfooconfig-openai-gpt-4o-mini', 'openai:gpt-4o-mini'],
      ['promptfooconfig-anthropic-messages-claud', 'anthropic:claude-x'],
      ['promptfooconfig-python-provider-py', undefined],
    ]);
    expect(casesOf(made).map((one) => one.prompt)).toEqual([
      'Translate to French: Hello',
      'Translate to none: 1.10',
      'Hello in French?',
      '1.10 in none?',
    ]);
  });

  it('keeps what promptfoo means by a threshold and by none', () => {
    const [greets, version] = casesOf(importText(CONFIG, { 'prompts/short.txt': 'x' }));
    expect(greets).toMatchObject({
      threshold: 1,
      assert: [
        { type: 'icontains', value: 'bonjour', required: true },
        { type: 'not-contains', value: 'as an AI', required: true },
      ],
    });
    expect(version?.threshold).toBe(0.5);
    expect(version?.assert[0]).toEqual({ type: 'contains', value: '1.10', weight: 2 });
    expect(version?.assert.every((one) => one['required'] === undefined)).toBe(true);
  });

  it('lists what did not come over, with its line', () => {
    const made = importText(CONFIG, { 'prompts/short.txt': 'x' });
    expect(dropped(made)).toEqual([
      '30: key redteam: it has no twin',
      '11: provider python:provider.py: no model of Assay is this one: name one with --model',
      '22: assertion javascript of greets: the type "javascript" has no twin',
    ]);
    expect(tableLines(made.rows, 'x').join('\n')).toContain('not converted: 1 key, 1 provider, 1 assertion');
  });

  it.each([
    ['{type: equals, value: {a: 1}}', { type: 'equals', value: { a: 1 } }],
    ['{type: equals, value: 5}', { type: 'equals', value: 5 }],
    ['{type: contains, value: 0}', { type: 'contains', value: '0' }],
    ['{type: not-starts-with, value: A}', { type: 'not-starts-with', value: 'A' }],
    ['{type: contains-all, value: [a, b]}', { type: 'contains-all', value: ['a', 'b'] }],
    [`{type: contains-any, value: 'a, "b, c"'}`, { type: 'contains-any', value: ['a', 'b, c'] }],
    ['{type: icontains-any, value: [a.b, c]}', { type: 'regex', value: 'a\\.b|c', flags: 'iu' }],
    [
      '{type: icontains-all, value: [a, b]}',
      { type: 'regex', value: '^(?=[\\s\\S]*a)(?=[\\s\\S]*b)', flags: 'iu' },
    ],
    ['{type: regex, value: "\\\\d+"}', { type: 'regex', value: '\\d+' }],
    ['{type: is-json}', { type: 'is-json' }],
    [`{type: is-json, value: '{"type": "object"}'}`, { type: 'is-json', schema: { type: 'object' } }],
    ['{type: contains-json, value: {type: object}}', { type: 'contains-json', schema: { type: 'object' } }],
    ['{type: levenshtein, value: abc, threshold: 2}', { type: 'levenshtein', value: 'abc', threshold: 2 }],
    ['{type: word-count, value: {min: 1, max: 3}}', { type: 'word-count', min: 1, max: 3 }],
    ['{type: latency, threshold: 500}', { type: 'latency', value: 500 }],
    ['{type: cost, threshold: 0.01}', { type: 'cost', value: 0.01 }],
    ['{type: "trajectory:tool-used", value: search}', { type: 'tool-used', value: 'search' }],
    ['{type: "not-trajectory:tool-used", value: search}', { type: 'tool-not-used', value: 'search' }],
    [
      '{type: "trajectory:tool-used", value: {name: search, min: 2}}',
      { type: 'tool-calls', tool: 'search', min: 2 },
    ],
    [
      '{type: "trajectory:tool-sequence", value: {mode: exact, steps: [a, b]}}',
      { type: 'tool-calls', calls: [{ tool: 'a' }, { tool: 'b' }], order: 'strict' },
    ],
    [
      '{type: "trajectory:tool-args-match", value: {name: a, args: {x: 1}}}',
      { type: 'tool-arguments', tool: 'a', value: { x: 1 } },
    ],
    [
      '{type: llm-rubric, value: kind, threshold: 0.8}',
      { type: 'llm-rubric', value: 'kind', threshold: 0.8 },
    ],
    ['{type: model-graded-closedqa, value: is kind}', { type: 'llm-assert', value: ['is kind'] }],
  ])('finds the twin of %s', (assertion, expected) => {
    expect(twin(assertion)).toEqual(expected);
  });

  it.each([
    ['{type: similar, value: x}', 'has no twin'],
    ['{type: contains-any, value: []}', 'no list of texts'],
    ['{type: contains, value: ""}', 'empty text occurs everywhere'],
    ['{type: regex, value: "("}', 'does not compile'],
    ['{type: contains, value: x, transform: output}', 'its transform has no twin'],
    ['{type: contains, value: "file:///etc/passwd"}', 'code or data of another file'],
    ['{type: contians, value: x}', 'has no twin'],
    ['{type: contains, value: "{{ x | upper }}"}', 'has no twin'],
    ['{type: "trajectory:tool-sequence", value: [a, b]}', 'no twin'],
    ['{type: assert-set, threshold: 0.5, assert: [{type: contains, value: x}]}', 'a set with a threshold'],
    ['{type: latency}', 'no threshold'],
  ])('converts nothing of %s, and says why', (assertion, why) => {
    expect(twin(assertion)).toContain(why);
  });

  it('leaves out a test of which nothing is left: it would pass whatever happens', () => {
    const made = importText(
      'prompts: [ask]\ntests: [{assert: [{type: javascript, value: x}]}, {}, {assert: [{type: contains, value: x, weight: 0}]}]\n',
    );
    expect(made.suites).toEqual([]);
    expect(dropped(made).filter((row) => row.includes(': test '))).toHaveLength(3);
  });

  it('multiplies lists of values, and fills nothing it does not know', () => {
    const made = importText(
      'prompts: ["{{a}}-{{b}}-{{c}}"]\ntests: [{vars: {a: [1, 2], b: [x, y]}, assert: [{type: contains, value: "{{a}}"}]}]\n',
    );
    expect(casesOf(made).map((one) => one.prompt)).toEqual([
      '1-x-{{c}}',
      '1-y-{{c}}',
      '2-x-{{c}}',
      '2-y-{{c}}',
    ]);
    expect(made.rows.some((row) => row.note.includes('{{c}} has no value'))).toBe(true);
  });

  it('reads chat prompts, references and tests of other files', () => {
    const made = importText(
      `prompts: [file://chat.json]
assertionTemplates: { polite: { type: icontains, value: please } }
tests:
  - file://more.yaml
  - vars: { q: one }
    assert: [{ $ref: '#/assertionTemplates/polite' }]
`,
      {
        'chat.json': '[{"role":"system","content":"Be kind."},{"role":"user","content":"{{q}}?"}]',
        'more.yaml': '- vars: {q: two}\n  assert: [{type: contains, value: b}]\n',
      },
    );
    expect(made.suites[0]?.suite['system_prompt']).toBe('Be kind.');
    expect(casesOf(made).map((one) => [one.prompt, one.assert[0]?.['type']])).toEqual([
      ['two?', 'contains'],
      ['one?', 'icontains'],
    ]);
  });

  it.each(['../secret.txt', '/etc/passwd', 'file:///etc/passwd', 'file://../secret.txt', 'file://link.txt'])(
    'reads no file outside its directory: %s',
    (path) => {
      const root = realpathSync(mkdtempSync(join(tmpdir(), 'assay-outside-')));
      onTestFinished(() => rmSync(root, { recursive: true, force: true }));
      mkdirSync(join(root, 'project'));
      writeFileSync(join(root, 'secret.txt'), 'SENTINEL');
      symlinkSync(join(root, 'secret.txt'), join(root, 'project/link.txt'));
      const config = `prompts: ["${path}", "x {{v}}"]\ntests: [{vars: {v: "${path.startsWith('file') ? path : `file://${path}`}"}, assert: [{type: contains, value: x}]}]\n`;
      const made = importPromptfoo(config, join(root, 'project/promptfooconfig.yaml'), 'c.yaml', null);
      expect(JSON.stringify(made)).not.toMatch(/SENTINEL|root:/);
      expect(made.rows.some((row) => row.outcome === 'dropped')).toBe(true);
    },
  );

  it('refuses what is no configuration', () => {
    expect(() => importText('a: 1\n')).toThrow('no promptfoo configuration');
    expect(() => importText('prompts: [a\n')).toThrow('cannot be read');
  });

  it.each([
    ['0', 'every score reaches it'],
    ['2', 'it is no share'],
    ['-1', 'it is no share'],
  ])('leaves out a test with threshold %s', (threshold, why) => {
    const made = importText(
      `prompts: [ask]\ntests: [{threshold: ${threshold}, assert: [{type: contains, value: x}]}]\n`,
    );
    expect(dropped(made)).toEqual([`2: test test 1: its threshold is ${threshold}: ${why}`]);
  });

  it('takes the variable prompt for the prompt when there is none', () => {
    const made = importText('tests: [{vars: {prompt: Hello?}, assert: [{type: contains, value: x}]}]\n');
    expect(casesOf(made)[0]?.prompt).toBe('Hello?');
  });

  it('stays bounded on hostile sizes, and says so', () => {
    const values = `[${Array.from({ length: 60 }, (_, index) => index).join(',')}]`;
    const made = importText(
      `prompts: ["{{a}}{{b}}{{c}}"]\ntests: [{vars: {a: ${values}, b: ${values}, c: ${values}}, assert: [{type: contains, value: x}]}]\n`,
    );
    expect(made.suites).toEqual([]);
    expect(dropped(made)).toEqual(['2: test test 1: its lists of values make 216000 cases, more than 10000']);
  });
});
