import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inspectVacuity } from '../../src/run/index.js';
import { loadAssertionSuite } from '../../src/suite/index.js';
import {
  caseText,
  casesOf,
  directoryOf,
  expectRefused,
  load,
  onlyCase,
  refusal,
  type Expected,
} from './assertion-support.js';

describe('an assertion suite', () => {
  it('has the defaults of the reference', () => {
    const suite = load(caseText(''));
    expect(suite).toMatchObject({
      name: 'sample',
      displayPath: 'sample.yaml',
      format: 'assertion',
      kind: 'regression',
      description: null,
      gate: 'mean',
      passThreshold: 0.75,
      saturationThreshold: 0.95,
      trials: 3,
      agentLevel: 'medium',
      judgeLevel: 'high',
      agentModel: null,
      judgeModel: null,
      criteria: [],
      owner: null,
    });
    expect(onlyCase(suite)).toMatchObject({
      id: 'one',
      source: { file: 'sample.yaml', name: 'sample.yaml', line: 2 },
      turns: [{ user: 'Hello', steps: null }],
      scoring: { rule: 'weighted', threshold: 0.75 },
      agent: { type: 'prompt' },
      systemPrompt: null,
      setupFiles: {},
      tools: null,
      trials: 3,
      cluster: null,
      tags: [],
      negative: false,
      allowEmpty: false,
      owner: null,
      expectedFailing: false,
      variables: null,
    });
  });

  it('takes every key of its own and of a case', () => {
    const top = [
      'name: A title',
      'description: What it is for',
      'domain: general',
      'type: capability',
      'pass_threshold: 0.5',
      'agent_level: low',
      'judge_level: max',
      'agent_model: claude-cli:sonnet',
      'judge_model: claude-cli:opus',
      'trials: 4',
      'system_prompt: Be brief.',
      'saturation_threshold: 0.9',
      'gate: pass^k',
      'criteria: [{ metric: pass_rate, threshold: 0.9 }, { metric: tone, threshold: 0.99, confidence: 0.9 }]',
      'owner: team-a',
      'tags: [nightly]',
      'agent: loop',
      'created_at: 2026-01-10',
      'updated_at: 2026-01-11',
    ].join('\n');
    const lines = [
      'threshold: 1',
      'negative: true',
      'tags: [greeting, nightly]',
      'trials: 1000',
      'cluster: family',
      'owner: someone',
      'expected: failing',
      'allow_empty: true',
      'setup: { workspace_files: { notes/a.txt: 1.10, empty.txt: "" } }',
      'tools: [file_read]',
      'agent: { loop: { tools: [echo], max_steps: 3 } }',
      'assert: [{ type: llm-rubric, value: warm, metric: tone }]',
    ].join('\n');
    const suite = load(caseText(lines, top));
    expect(suite).toMatchObject({
      name: 'sample',
      description: 'What it is for',
      kind: 'capability',
      passThreshold: 0.5,
      agentLevel: 'low',
      judgeLevel: 'max',
      agentModel: 'claude-cli:sonnet',
      judgeModel: 'claude-cli:opus',
      trials: 4,
      saturationThreshold: 0.9,
      gate: 'pass^k',
      criteria: [
        { metric: 'pass_rate', threshold: 0.9, confidence: 0.95 },
        { metric: 'tone', threshold: 0.99, confidence: 0.9 },
      ],
      owner: 'team-a',
    });
    expect(onlyCase(suite)).toMatchObject({
      scoring: { rule: 'weighted', threshold: 1 },
      negative: true,
      tags: ['nightly', 'greeting'],
      trials: 1000,
      cluster: 'family',
      owner: 'someone',
      expectedFailing: true,
      allowEmpty: true,
      systemPrompt: 'Be brief.',
      setupFiles: { 'notes/a.txt': '1.10', 'empty.txt': '' },
      tools: ['file_read'],
      agent: { type: 'loop', tools: ['echo'], maxSteps: 3 },
    });
  });

  it('keeps scalars as they were written wherever text is expected', () => {
    const lines =
      'id: 007\nprompt: 2026-01-02\ncluster: on\nowner: null\ntags: [1.10, 1e3, 0x1f, 12345678901234567890]';
    expect(onlyCase(load(caseText(lines)))).toMatchObject({
      id: '007',
      turns: [{ user: '2026-01-02' }],
      cluster: 'on',
      owner: 'null',
      tags: ['1.10', '1e3', '0x1f', '12345678901234567890'],
    });
  });

  it('is of the kind that the caller, the file or its directory says, in this order', () => {
    const cwd = directoryOf({
      'capability/a.yaml': caseText(''),
      'capability/b.yaml': caseText('', 'type: regression'),
    });
    expect(loadAssertionSuite('capability/a.yaml', { cwd }).kind).toBe('capability');
    expect(loadAssertionSuite('capability/b.yaml', { cwd }).kind).toBe('regression');
    expect(loadAssertionSuite('capability/b.yaml', { cwd, kind: 'capability' }).kind).toBe('capability');
  });

  it('lets a case of several turns grade each of them', () => {
    const lines = [
      'prompt: First',
      'turns:',
      '  - prompt: Second',
      '    assert: [{ type: contains, value: two }, { type: contains, value: two }]',
      '  - prompt: Third',
      'assert:',
      '  - { type: contains, value: one, turn: 0 }',
      '  - { type: contains, value: three }',
    ].join('\n');
    const made = onlyCase(load(caseText(lines)));
    expect(made.turns.map((turn) => turn.user)).toEqual(['First', 'Second', 'Third']);
    expect(made.checks.map(({ label, turn, key }) => [label, turn, key])).toEqual([
      ['turns[1].contains("two")', 1, 'cases[0].turns[0].assert[0]'],
      ['turns[1].contains("two") #2', 1, 'cases[0].turns[0].assert[1]'],
      ['turns[0].contains("one")', 0, 'cases[0].assert[0]'],
      ['contains("three")', undefined, 'cases[0].assert[1]'],
    ]);
  });

  it('gives equal assertions labels that differ', () => {
    const labels = ['a', 'a', 'a'].map((value) => `{ type: contains, value: ${value} }`).join(', ');
    expect(onlyCase(load(caseText(`assert: [${labels}]`))).checks.map((check) => check.label)).toEqual([
      'contains("a")',
      'contains("a") #2',
      'contains("a") #3',
    ]);
  });

  it.each([
    ['prompt', { type: 'prompt' }],
    ['loop', { type: 'loop', tools: null, maxSteps: 10 }],
    ['{ loop: { tools: [] } }', { type: 'loop', tools: [], maxSteps: 10 }],
    [
      '{ module: agent.ts }',
      { type: 'module', path: expect.stringMatching(/agent\.ts$/), exportName: 'default' },
    ],
    ['{ module: ./agent.ts, export: run }', { type: 'module', exportName: 'run' }],
    ['{ command: [node, agent.js, 1.0] }', { type: 'command', command: ['node', 'agent.js', '1.0'] }],
    ['{ http: "http://localhost:1/x" }', { type: 'http', url: 'http://localhost:1/x' }],
  ])('takes the agent %s', (agent, expected) => {
    const suite = load(caseText('', `agent: ${agent}`), { 'agent.ts': '' });
    expect(onlyCase(suite).agent).toMatchObject(expected);
  });

  it('may use files further up only within the directory that the caller allows', () => {
    const cwd = directoryOf({
      'evals/a.yaml': caseText('', 'agent: { module: ../src/agent.ts }'),
      'src/agent.ts': '',
    });
    expect(onlyCase(loadAssertionSuite('evals/a.yaml', { cwd, within: cwd })).agent).toEqual({
      type: 'module',
      path: join(cwd, 'src', 'agent.ts'),
      exportName: 'default',
    });
    const error = refusal(() => loadAssertionSuite('evals/a.yaml', { cwd }));
    expect(error.problems).toMatchObject([{ key: 'agent.module', line: 1, column: 18 }]);
  });

  it('may name golden files that this run is to write', () => {
    const text = caseText('assert: [{ type: matches-file, value: new.txt }]');
    expect(onlyCase(load(text, {}, { goldenFilesMayBeMissing: true })).checks).toHaveLength(1);
    // An answer that must differ from the file cannot write it.
    const negated = text.replace('matches-file', 'not-matches-file');
    const error = refusal(() => load(negated, {}, { goldenFilesMayBeMissing: true }));
    expect(error.problems.map(({ fix }) => fix)).toEqual(['write it']);
  });

  it('lets a threshold of 0 stand where a required assertion can still fail the case', () => {
    const lines = 'threshold: 0\nassert: [{ type: contains, value: x, required: true }]';
    expect(onlyCase(load(caseText(lines))).scoring).toEqual({ rule: 'weighted', threshold: 0 });
  });

  it('lets a weight of 0 stand beside one that counts', () => {
    const lines = 'assert: [{ type: contains, value: x, weight: 0 }, { type: contains, value: y }]';
    expect(onlyCase(load(caseText(lines))).checks.map((check) => check.weight)).toEqual([0, 1]);
  });
});

/** A suite that must not load: name, text with marks, and what is said at each. */
const REFUSED: [why: string, text: string, expected: Expected[]][] = [
  ['an unknown key', caseText('', '§treshold: 1'), [{ key: 'treshold', says: 'unknown key', fix: '' }]],
  [
    'a misspelt key',
    caseText('', '§pass_treshold: 1'),
    [{ key: 'pass_treshold', says: 'unknown', fix: 'did you mean pass_threshold?' }],
  ],
  [
    'a misspelt key of a case',
    caseText('§promt: Hi'),
    [{ key: 'cases[0].promt', says: 'unknown', fix: 'did you mean prompt?' }],
  ],
  [
    'a misspelt key in setup',
    caseText('setup: { §workspace_file: {} }'),
    [{ key: 'cases[0].setup.workspace_file', says: 'unknown', fix: 'workspace_files' }],
  ],
  [
    'an unknown type',
    caseText('', 'type: §regresion'),
    [{ key: 'type', says: 'not one of', fix: 'did you mean "regression"?' }],
  ],
  ['an unknown gate', caseText('', 'gate: §median'), [{ key: 'gate', says: 'not one of', fix: 'mean' }]],
  [
    'a level that is gone',
    caseText('', 'agent_level: §smart'),
    [{ key: 'agent_level', says: 'not one of', fix: '"low", "medium", "high", "max"' }],
  ],
  [
    'a pass_threshold above 1',
    caseText('', 'pass_threshold: §75'),
    [{ key: 'pass_threshold', says: 'at most 1', fix: '1' }],
  ],
  [
    'a pass_threshold of 0',
    caseText('', 'pass_threshold: §0'),
    [{ key: 'pass_threshold', says: 'nothing can fail', fix: 'above 0' }],
  ],
  [
    'a threshold below 0',
    caseText('threshold: §-0.1'),
    [{ key: 'cases[0].threshold', says: 'at least 0', fix: '0' }],
  ],
  [
    'a threshold that cannot fail',
    caseText('threshold: §0'),
    [{ key: 'cases[0].threshold', says: 'cannot fail', fix: 'required: true' }],
  ],
  [
    'a quoted threshold',
    caseText('threshold: §"0.5"'),
    [{ key: 'cases[0].threshold', says: 'must be a number', fix: 'number' }],
  ],
  ['no trials', caseText('', 'trials: §0'), [{ key: 'trials', says: 'at least 1', fix: '1' }]],
  [
    'a half trial',
    caseText('trials: §1.5'),
    [{ key: 'cases[0].trials', says: 'a whole number', fix: 'whole' }],
  ],
  [
    'too many trials',
    caseText('trials: §1001'),
    [{ key: 'cases[0].trials', says: 'at most 1000', fix: '1000' }],
  ],
  [
    'trials in words',
    caseText('', 'trials: §three'),
    [{ key: 'trials', says: 'must be a number', fix: 'number' }],
  ],
  [
    'a blank model',
    caseText('', 'judge_model: §" "'),
    [{ key: 'judge_model', says: 'blank', fix: 'remove the key' }],
  ],
  [
    'an empty list of tags',
    caseText('tags: §[]'),
    [{ key: 'cases[0].tags', says: 'empty', fix: 'add a tag' }],
  ],
  [
    'an empty list of suite tags',
    caseText('', 'tags: §[]'),
    [{ key: 'tags', says: 'empty', fix: 'add a tag' }],
  ],
  [
    'a metric that no assertion has',
    caseText('', 'criteria: [{ metric: §pass_rat, threshold: 0.9 }]'),
    [{ key: 'criteria[0].metric', says: 'no metric', fix: 'did you mean pass_rate?' }],
  ],
  [
    'a criterion that cannot fail',
    caseText('', 'criteria: [{ metric: mean, threshold: §0 }]'),
    [{ key: 'criteria[0].threshold', says: 'cannot fail', fix: 'above 0' }],
  ],
  [
    'a confidence of 1',
    caseText('', 'criteria: [{ metric: mean, threshold: 0.9, confidence: §1 }]'),
    [{ key: 'criteria[0].confidence', says: 'less than 1', fix: '1' }],
  ],
  [
    'no id',
    'cases:\n  - §prompt: a\n    assert: [{ type: contains, value: b }]\n',
    [{ key: 'cases[0].id', says: 'missing', fix: 'text' }],
  ],
  ['a blank id', caseText('id: §" "'), [{ key: 'cases[0].id', says: 'blank', fix: 'text' }]],
  [
    'an id of two lines',
    caseText('id: §"a\\nb"'),
    [{ key: 'cases[0].id', says: 'one line', fix: 'short name' }],
  ],
  [
    'no prompt',
    'cases:\n  - §id: a\n    assert: [{ type: contains, value: b }]\n',
    [{ key: 'cases[0].prompt', says: 'missing', fix: 'turns' }],
  ],
  ['a blank prompt', caseText('prompt: §" "'), [{ key: 'cases[0].prompt', says: 'blank', fix: 'text' }]],
  [
    'an empty list of turns',
    caseText('prompt: Hi\nassert: [{ type: contains, value: b }]\nturns: §[]'),
    [{ key: 'cases[0].turns', says: 'empty', fix: 'add a turn' }],
  ],
  [
    'a turn without a prompt',
    caseText('turns: [§{ assert: [{ type: contains, value: b }] }]'),
    [{ key: 'cases[0].turns[0].prompt', says: 'missing', fix: 'text' }],
  ],
  [
    'no assertions',
    'cases:\n  - §id: a\n    prompt: b\n',
    [{ key: 'cases[0].assert', says: 'missing', fix: 'tests nothing' }],
  ],
  [
    'an empty list of assertions',
    caseText('assert: §[]'),
    [{ key: 'cases[0].assert', says: 'tests nothing', fix: 'add an assertion' }],
  ],
  [
    'an empty list of assertions of a turn',
    caseText('turns: [{ prompt: a, assert: §[] }]\nassert: [{ type: contains, value: b }]'),
    [{ key: 'cases[0].turns[0].assert', says: 'tests nothing', fix: 'add' }],
  ],
  [
    'assertions that are no list',
    caseText('assert: §{ type: contains, value: b }'),
    [{ key: 'cases[0].assert', says: 'must be a list', fix: 'a list' }],
  ],
  [
    'weights that add to nothing',
    caseText('assert: §[{ type: contains, value: x, weight: 0 }]'),
    [{ key: 'cases[0].assert', says: 'asserts nothing', fix: 'above 0' }],
  ],
  [
    'a turn that is not there',
    caseText('assert: [{ type: contains, value: x, turn: §1 }]'),
    [{ key: 'cases[0].assert[0].turn', says: 'no turn 1: the case has 1', fix: 'write 0 to 0' }],
  ],
  [
    'a turn inside a turn',
    caseText('turns: [{ prompt: a, assert: [{ type: contains, value: x, turn: §0 }] }]'),
    [{ key: 'cases[0].turns[0].assert[0].turn', says: 'already belongs', fix: 'remove' }],
  ],
  [
    'a check of the whole run inside a turn',
    caseText('turns: [{ prompt: a, assert: [{ type: §tool-used, value: x }] }]'),
    [{ key: 'cases[0].turns[0].assert[0].type', says: 'looks at the whole run', fix: 'assert of the case' }],
  ],
  [
    'an unknown expectation of the case',
    caseText('expected: §failed'),
    [{ key: 'cases[0].expected', says: 'not one of', fix: 'failing' }],
  ],
  [
    'a workspace file outside',
    caseText('setup: { workspace_files: { §../a: x } }'),
    [{ key: 'cases[0].setup.workspace_files["../a"]', says: 'inside the workspace', fix: 'relative' }],
  ],
  ['a blank tool', caseText('tools: [§""]'), [{ key: 'cases[0].tools[0]', says: 'blank', fix: 'tool' }]],
  [
    'an unknown agent',
    caseText('', 'agent: §promt'),
    [{ key: 'agent', says: 'not an agent', fix: 'did you mean prompt?' }],
  ],
  [
    'an unknown agent form',
    caseText('agent: { §modul: a.ts }'),
    [{ key: 'cases[0].agent.modul', says: 'unknown key', fix: 'did you mean module?' }],
  ],
  [
    'an agent of two forms',
    caseText('agent: { module: sample.yaml, §http: "http://x" }'),
    [{ key: 'cases[0].agent.http', says: 'unknown key', fix: '' }],
  ],
  [
    'an agent module that is not there',
    caseText('agent: { module: §nowhere.ts }'),
    [{ key: 'cases[0].agent.module', says: 'no file nowhere.ts', fix: 'relative' }],
  ],
  [
    'an agent without a program',
    caseText('agent: { command: §[] }'),
    [{ key: 'cases[0].agent.command', says: 'at least 1 entry', fix: 'add' }],
  ],
  [
    'an agent address that is none',
    caseText('agent: { http: §localhost }'),
    [{ key: 'cases[0].agent.http', says: 'not an address', fix: 'http://' }],
  ],
  [
    'a loop without steps',
    caseText('agent: { loop: { max_steps: §0 } }'),
    [{ key: 'cases[0].agent.loop.max_steps', says: 'at least 1', fix: '1' }],
  ],
  [
    'a case that is no object',
    'cases: [§just text]\n',
    [{ key: 'cases[0]', says: 'must be an object', fix: 'id, prompt' }],
  ],
  [
    'cases that are no list',
    'cases: §all of them\n',
    [{ key: 'cases', says: 'must be a list', fix: 'from: rows.csv' }],
  ],
  ['a list in place of the suite', '§- a\n', [{ key: '', says: 'must be an object', fix: 'cases:' }]],
];

describe('an assertion suite is refused for', () => {
  it.each(REFUSED)('%s', (_why, text, expected) => {
    expectRefused(text, expected);
  });

  it('two cases of the same id, naming both lines', () => {
    const one = '  - { id: same, prompt: a, assert: [{ type: contains, value: b }] }\n';
    expectRefused(`cases:\n${one}${one.replace('same', '§same')}`, [
      { key: 'cases[1].id', says: 'on line 2 and on line 3', fix: 'an id of its own' },
    ]);
  });

  it('all its faults at once, in the order of the file', () => {
    const text = [
      'trials: §0',
      'gaet: mean',
      'cases:',
      '  - id: a',
      '    prompt: §""',
      '    assert:',
      '      - { type: contains, value: §"" }',
      '      - { type: §nonsense }',
      '  - §id: b',
      '    prompt: c',
      '  - id: d',
      '    prompt: e',
      '    assert: [{ type: max-length, value: §-1 }]',
      '',
    ].join('\n');
    expectRefused(text.replace('gaet', '§gaet'), [
      { key: 'trials', says: 'at least 1', fix: '' },
      { key: 'gaet', says: 'unknown key', fix: 'did you mean gate?' },
      { key: 'cases[0].prompt', says: 'blank', fix: '' },
      { key: 'cases[0].assert[0].value', says: 'tests nothing', fix: '' },
      { key: 'cases[0].assert[1].type', says: 'not a known', fix: '' },
      { key: 'cases[1].assert', says: 'missing', fix: '' },
      { key: 'cases[2].assert[0].value', says: 'at least 0', fix: '' },
    ]);
  });

  it('a symlink that leads out of its directory', async () => {
    const { symlinkSync } = await import('node:fs');
    const cwd = directoryOf({
      'suite/a.yaml': caseText('assert: [{ type: matches-file, value: link.txt }]'),
      'secret.txt': 'x',
    });
    symlinkSync(join(cwd, 'secret.txt'), join(cwd, 'suite', 'link.txt'));
    const error = refusal(() => loadAssertionSuite('suite/a.yaml', { cwd }));
    expect(error.problems).toMatchObject([
      { key: 'cases[0].assert[0].value', message: expect.stringContaining('leaves') },
    ]);
  });

  it.each(['', '# nothing but a comment\n', 'name: x\n', 'name: x\ncases:\n', 'name: x\ncases: []\n'])(
    'having no cases: %j',
    (text) => {
      const error = refusal(() => load(text));
      expect(error.code).toBe('SUITE_EMPTY');
      expect(error.message).toContain('suite "sample" has no cases to run');
    },
  );

  it('having no cases under a misspelt key, which is named', () => {
    const error = refusal(() => load('case: [1]\n'));
    expect(error.code).toBe('SUITE_EMPTY');
    expect(error.problems).toMatchObject([{ key: 'case', line: 1, fix: 'did you mean cases?' }]);
  });

  it('being of the first format, with the number of its tasks', () => {
    const error = refusal(() => load('name: old\ntasks: [a, b]\n'));
    expect(error.code).toBe('SUITE_LEGACY');
    expect(error.message).toContain(
      'suite "sample" is in the legacy v1 format and cannot run: it lists 2 tasks',
    );
    expect(error.fix).toContain('core-dispositions');
  });

  it('having tasks beside cases: they are an unknown key', () => {
    expectRefused(caseText('', '§tasks: [a]'), [{ key: 'tasks', says: 'unknown key', fix: '' }]);
  });

  it('not being there', () => {
    expect(refusal(() => loadAssertionSuite('nowhere.yaml', { cwd: directoryOf({}) })).code).toBe(
      'SUITE_NOT_FOUND',
    );
  });

  it('not being UTF-8', () => {
    const cwd = directoryOf({ 'a.yaml': new Uint8Array([0x6e, 0xff, 0xfe]) });
    expect(refusal(() => loadAssertionSuite('a.yaml', { cwd })).message).toContain('not UTF-8');
  });
});

describe('the idle-run gate', () => {
  const inspect = () => () => [
    { message: 'an agent that does nothing passes this case', fix: 'add a check' },
  ];

  it('looks at the cases that an empty answer may pass', () => {
    const text = caseText('allow_empty: true\nassert: [{ type: not-contains, value: x }]');
    const error = refusal(() => load(text, {}, { inspect }));
    expect(error.code).toBe('VACUOUS');
    expect(error.problems).toMatchObject([{ file: 'sample.yaml', line: 2, key: 'one' }]);
  });

  it('names checks that a suite can have', () => {
    const text = caseText('allow_empty: true\nassert: [{ type: not-contains, value: x }]');
    const error = refusal(() => load(text, {}, { inspect: () => inspectVacuity }));
    expect(error.problems[0]?.fix).toBe(
      'add a check that needs the behaviour, such as contains or tool-used',
    );
  });

  it('leaves the others alone, for an empty answer passes none of them', () => {
    const text = caseText('assert: [{ type: not-contains, value: x }]');
    expect(casesOf(load(text, {}, { inspect }))).toHaveLength(1);
  });
});

describe('an id that is used twice', () => {
  it('is told together with what else is wrong with either case', () => {
    const error = refusal(() =>
      load(`cases:
  - { id: a, prompt: Hi, assert: [{ type: contain, value: x }] }
  - { id: a, prompt: Hi, assert: [{ type: contains, value: x }] }
  - { id: a, prompt: Hi, assert: [{ type: contains, value: "" }] }
`),
    );
    expect(error.problems.map(({ line, key }) => [line, key])).toEqual([
      [2, 'cases[0].assert[0].type'],
      [3, 'cases[1].id'],
      [4, 'cases[2].id'],
      [4, 'cases[2].assert[0].value'],
    ]);
  });
});
