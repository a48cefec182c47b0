import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { assay, echoFixture, project, type Project } from '../cli/run-cli.js';
import { commandLine, type Ended } from './support.js';

const BIRDS = `# Birds we know
name: birds
type: capability   # still climbing
pass_threshold: 0.7
trials: 2

cases:
  # the grey one
  - id: heron
    prompt: "Which bird is grey and wades?"   # a riddle
    assert:
      - { type: icontains, value: heron, required: true }

  - id: owl
    prompt: Which bird hoots?
    assert:
      - type: icontains
        value: owl
`;

const CONFIG = 'eval:\n  user_suites: user\n';

function projectOf(files: { [path: string]: unknown }): Project {
  const made = project({ 'assay.config.yaml': CONFIG, ...files });
  onTestFinished(made.remove);
  return made;
}

function birds(): Project {
  return projectOf({ 'evals/Capability/birds.yaml': BIRDS });
}

function read(made: Project, path: string): string {
  return readFileSync(join(made.root, path), 'utf8');
}

function history(made: Project, path = 'evals/_history.jsonl'): { [key: string]: unknown }[] {
  return read(made, path)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { [key: string]: unknown });
}

async function works(made: Project, ...words: string[]): Promise<string> {
  const ended = await commandLine(made.root, words);
  expect(ended.stderr, words.join(' ')).not.toContain('assay:');
  expect(ended.code, words.join(' ')).toBe(0);
  return ended.stdout;
}

async function refused(made: Project, ...words: string[]): Promise<Ended> {
  const ended = await commandLine(made.root, words);
  expect(ended.code, words.join(' ')).not.toBe(0);
  return ended;
}

/** Stores a run in which every trial of every case answered so. */
async function storeRun(
  made: Project,
  suite: string,
  answers: { [id: string]: string },
  trials: number,
): Promise<void> {
  const lines = Object.entries(answers).flatMap(([id, output]) =>
    Array.from({ length: trials }, (_, index) => JSON.stringify({ id, trial: index + 1, output })),
  );
  made.write('answers.jsonl', `${lines.join('\n')}\n`);
  await commandLine(made.root, [
    'run',
    '-s',
    suite,
    '--outputs',
    'answers.jsonl',
    '-t',
    String(trials),
    '-q',
  ]);
}

describe('assay suite create', () => {
  it('writes a suite in every format, in either root, that holds its own references', async () => {
    const made = projectOf({});
    await works(made, 'suite', 'create', 'one', '-t', 'capability', '-d', 'The first');
    await works(made, 'suite', 'create', 'two', '--format', 'fixtures');
    await works(made, 'suite', 'create', 'three', '--user');
    expect(read(made, 'evals/Capability/one.yaml')).toContain('pass_threshold: 0.7\n');
    expect(read(made, 'user/Regression/three.yaml')).toContain('gate: pass^k\n');
    await works(made, 'suite', 'verify', 'one', 'two', 'three', '--strict');
    await works(made, 'suite', 'prove', 'two', '--min-strength', '1');
    expect(history(made)).toMatchObject([
      { action: 'create', suite: 'one' },
      { action: 'create', suite: 'two' },
    ]);
    expect(history(made, 'user/_history.jsonl')).toHaveLength(1);
  });

  it('overwrites nothing, and takes no name that is a path', async () => {
    const made = birds();
    const ended = await refused(made, 'suite', 'create', 'birds', '-t', 'capability');
    expect(ended.stderr).toContain('exists already');
    expect(read(made, 'evals/Capability/birds.yaml')).toBe(BIRDS);
    expect((await refused(made, 'suite', 'create', '../birds')).code).toBe(2);
  });
});

describe('assay suite list and show', () => {
  it('list both roots and all formats, and one bad suite hides none', async () => {
    const made = projectOf({
      'evals/Capability/birds.yaml': BIRDS,
      'evals/Regression/trace/a.json': echoFixture('a'),
      'evals/broken.yaml': 'cases: 5\n',
      'user/mine.yaml': BIRDS.replace('capability', 'regression'),
    });
    const { suites } = JSON.parse(await works(made, 'suite', 'list', '--json')) as {
      suites: { name: string; kind: string; format: string; cases: number | null; problem: string | null }[];
    };
    const named = new Map(suites.map((suite) => [suite.name, suite]));
    expect(named.get('birds')).toMatchObject({
      kind: 'capability',
      format: 'assertion',
      cases: 2,
      problem: null,
    });
    expect(named.get('trace')).toMatchObject({ kind: 'regression', format: 'trace', cases: 1 });
    expect(named.get('mine')).toMatchObject({ kind: 'regression' });
    expect(named.get('broken')?.problem).toContain('cannot be loaded');
    const text = await works(made, 'suite', 'list', 'capability');
    expect(text).toContain('birds');
    expect(text).not.toContain('mine');
    expect((await refused(made, 'suite', 'list', 'nonsense')).code).toBe(2);
  });

  it('show what a suite holds and how its runs went', async () => {
    const made = birds();
    await storeRun(made, 'birds', { heron: 'a heron', owl: 'a crow' }, 2);
    const text = await works(made, 'suite', 'show', 'birds');
    expect(text).toContain('2 cases: 2 should, 0 should not');
    expect(text).toContain('50 % of cases passed every trial');
    const shown = JSON.parse(await works(made, 'suite', 'show', 'birds', '--json')) as { cases: unknown[] };
    expect(shown.cases).toHaveLength(2);
  });
});

describe('assay suite add-case', () => {
  it('keeps a suite that names files of the project above it', async () => {
    const made = projectOf({
      'agent.mjs': 'export default () => "heron";\n',
      'evals/Capability/birds.yaml': `agent: { module: ../../agent.mjs }\n${BIRDS}`,
    });
    const words = ['suite', 'add-case', 'birds', '--id', 'wren', '--prompt', 'Which bird is small?'];
    const ended = await assay(made.root, [...words, '--assert', '{type: icontains, value: wren}']);
    expect(ended.stderr).toBe('');
    expect(ended.code).toBe(0);
    expect(read(made, 'evals/Capability/birds.yaml')).toContain('id: wren');
  });

  it('adds a case at the end, from words or from a file with comments', async () => {
    const made = birds();
    await works(
      made,
      'suite',
      'add-case',
      'birds',
      '--id',
      'crow',
      '--prompt',
      'Which bird caws?',
      '--assert',
      '{type: icontains, value: crow}',
    );
    made.write(
      'case.yaml',
      '# the red one\nid: robin\nprompt: Which bird is red?   # easy\nassert:\n  - { type: icontains, value: robin }\n',
    );
    await works(made, 'suite', 'add-case', 'birds', '--file', 'case.yaml');
    const text = read(made, 'evals/Capability/birds.yaml');
    expect(text.startsWith(BIRDS)).toBe(true);
    expect(text).toContain('\n  - id: crow\n    prompt: Which bird caws?\n');
    expect(text).toContain('{ type: icontains, value: robin }');
    expect(history(made).map(({ cases }) => cases)).toEqual([['crow'], ['robin']]);
  });

  it('adds a fixture as a file of its own', async () => {
    const made = projectOf({ 'evals/regression/a.json': echoFixture('a') });
    await works(
      made,
      'suite',
      'add-case',
      'evals/regression',
      '--id',
      'says hello',
      '--prompt',
      'hi',
      '--answer',
      'hello there',
      '--assert',
      '{type: contains, value: hello}',
    );
    made.write('b.json', echoFixture('b'));
    await works(made, 'suite', 'add-case', 'evals/regression', '--file', 'b.json');
    expect(readdirSync(join(made.root, 'evals/regression')).toSorted()).toEqual([
      'a.json',
      'b.json',
      'says-hello.json',
    ]);
    await works(made, 'run', '-s', 'evals/regression', '--no-store', '-q');
  });

  it('refuses what would not load, and changes nothing then', async () => {
    const made = birds();
    const twice = await refused(
      made,
      'suite',
      'add-case',
      'birds',
      '--id',
      'owl',
      '--prompt',
      'x',
      '--assert',
      '{type: icontains, value: y}',
    );
    expect(twice.stderr).toContain('used twice');
    const none = await refused(made, 'suite', 'add-case', 'birds', '--id', 'x', '--prompt', 'x');
    expect(none.stderr).toContain('tests nothing');
    const idle = projectOf({ 'evals/regression/a.json': echoFixture('a') });
    idle.write('idle.json', echoFixture('idle', { expects: { tools_not_used: ['shell'] } }));
    const vacuous = await refused(idle, 'suite', 'add-case', 'evals/regression', '--file', 'idle.json');
    expect(vacuous.stderr).toContain('an agent that does nothing passes');
    expect(read(made, 'evals/Capability/birds.yaml')).toBe(BIRDS);
    expect(existsSync(join(made.root, 'evals/_history.jsonl'))).toBe(false);
  });
});

describe('assay suite edit', () => {
  it('sets and removes keys of the suite and of a case, and leaves the rest as it was', async () => {
    const made = birds();
    await works(
      made,
      'suite',
      'edit',
      'birds',
      '--case',
      'heron',
      '--set',
      'assert[0].value=Heron',
      '--set',
      'threshold=0.8',
    );
    expect(read(made, 'evals/Capability/birds.yaml')).toBe(
      BIRDS.replace('value: heron', 'value: Heron').replace(
        'required: true }\n',
        'required: true }\n    threshold: 0.8\n',
      ),
    );
    await works(made, 'suite', 'edit', 'birds', '--set', 'owner=team-a', '--unset', 'pass_threshold');
    const text = read(made, 'evals/Capability/birds.yaml');
    expect(text).toContain('trials: 2\nowner: team-a\n');
    expect(text).not.toContain('pass_threshold');
  });

  it('edits fixtures', async () => {
    const made = projectOf({ 'evals/regression/a.json': echoFixture('a') });
    await works(
      made,
      'suite',
      'edit',
      'evals/regression',
      '--case',
      'a',
      '--set',
      'expects.exact_tool_calls=1',
      '--set',
      'owner=team-a',
    );
    expect(JSON.parse(read(made, 'evals/regression/a.json'))).toEqual({
      ...echoFixture('a'),
      owner: 'team-a',
    });
  });

  it('refuses unknown keys, unknown cases and programs', async () => {
    const made = birds();
    made.write(
      'evals/code.suite.mjs',
      "export default { cases: [{ id: 'a', prompt: 'q', assert: [{ type: 'contains', value: 'heron' }] }] };",
    );
    const unknown = await refused(made, 'suite', 'edit', 'birds', '--set', 'treshold=1');
    expect(unknown.stderr).toContain('unknown key');
    expect(
      (await refused(made, 'suite', 'edit', 'birds', '--case', 'eagle', '--set', 'threshold=1')).stderr,
    ).toContain('has no case "eagle"');
    expect((await refused(made, 'suite', 'edit', 'code', '--set', 'trials=1')).stderr).toContain(
      'does not rewrite code',
    );
    expect((await refused(made, 'suite', 'edit', 'core-dispositions', '--set', 'trials=1')).stderr).toContain(
      'comes with Assay',
    );
    expect((await refused(made, 'suite', 'edit', 'birds')).code).toBe(2);
    expect(read(made, 'evals/Capability/birds.yaml')).toBe(BIRDS);
  });
});

describe('assay suite graduate', () => {
  it('moves a case whose trials show enough, as it stands, once it is confirmed', async () => {
    const made = birds();
    await storeRun(made, 'birds', { heron: 'a heron', owl: 'a crow' }, 29);
    const proposed = await works(made, 'suite', 'graduate', 'birds', '--ready');
    expect(proposed).toContain('1 case of birds graduates to evals/Regression/birds-regression.yaml: heron');
    expect(read(made, 'evals/Capability/birds.yaml')).toBe(BIRDS);
    await works(made, 'suite', 'graduate', 'birds', '--ready', '--yes');
    const graduated = read(made, 'evals/Regression/birds-regression.yaml');
    expect(graduated).toContain(
      '  # the grey one\n  - id: heron\n    prompt: "Which bird is grey and wades?"   # a riddle\n',
    );
    expect(graduated).toContain('type: regression');
    expect(graduated).toContain('gate: pass^k');
    expect(graduated).toContain('pass_threshold: 0.95');
    expect(graduated).not.toContain('owl');
    const left = read(made, 'evals/Capability/birds.yaml');
    expect(left).not.toContain('heron');
    expect(left).toContain('type: capability   # still climbing');
    expect(history(made)).toMatchObject([
      {
        action: 'graduate',
        cases: ['heron'],
        details: {
          to: 'Regression/birds-regression.yaml',
          rule: 'evidence',
          evidence: [{ case: 'heron', n: 29, c: 29 }],
        },
      },
    ]);
  });

  it('refuses a case whose trials do not show enough, unless it is forced, which is noted', async () => {
    const made = birds();
    await storeRun(made, 'birds', { heron: 'a heron', owl: 'an owl' }, 28);
    const early = await refused(made, 'suite', 'graduate', 'birds', '--case', 'heron', '--yes');
    expect(early.stderr).toContain('28 of 28 trials passed');
    await works(made, 'suite', 'graduate', 'birds', '--case', 'heron', '--force', '--yes');
    expect(history(made)).toMatchObject([{ details: { forced: true } }]);
  });

  it('adds to a regression suite that is there already', async () => {
    const made = projectOf({
      'evals/Capability/birds.yaml': BIRDS,
      'evals/Regression/kept.yaml': BIRDS.replace('capability   # still climbing', 'regression')
        .replaceAll('heron', 'stork')
        .replaceAll('owl', 'eagle'),
    });
    await works(
      made,
      'suite',
      'graduate',
      'birds',
      '--case',
      'heron',
      '--into',
      'evals/Regression/kept.yaml',
      '--force',
      '--yes',
    );
    const text = read(made, 'evals/Regression/kept.yaml');
    expect(text).toContain('id: stork');
    expect(text).toContain('\n\n  # the grey one\n  - id: heron\n');
  });

  it('refuses a suite under which the case would be another', async () => {
    const made = projectOf({
      'evals/Capability/birds.yaml': BIRDS.replace('trials: 2', 'system_prompt: Be brief.'),
      'evals/Regression/kept.yaml': BIRDS.replace('capability   # still climbing', 'regression')
        .replaceAll('heron', 'stork')
        .replaceAll('owl', 'eagle'),
    });
    const ended = await refused(
      made,
      'suite',
      'graduate',
      'birds',
      '--case',
      'heron',
      '--into',
      'evals/Regression/kept.yaml',
      '--force',
      '--yes',
    );
    expect(ended.stderr).toContain('would not be the same');
  });

  it('moves a whole suite that is saturated, by either rule', async () => {
    const made = birds();
    for (let run = 0; run < 3; run += 1)
      await storeRun(made, 'birds', { heron: 'a heron', owl: 'an owl' }, 1);
    const early = await refused(made, 'suite', 'graduate', 'birds', '--case', 'owl', '--yes');
    expect(early.stderr).toContain('3 of 3 trials passed');
    const report = JSON.parse(
      await works(made, 'suite', 'saturation', 'birds', '--rule', 'simple', '--json'),
    ) as object;
    expect(report).toMatchObject({
      suite_id: 'birds',
      saturated: true,
      consecutive_above_threshold: 3,
      recommended_action: 'graduate_to_regression',
    });
    await works(made, 'suite', 'graduate', 'birds', '--rule', 'simple', '--yes');
    expect(existsSync(join(made.root, 'evals/Capability/birds.yaml'))).toBe(false);
    expect(read(made, 'evals/Regression/birds.yaml')).toContain('  # the grey one\n');
    const again = await refused(made, 'suite', 'graduate', 'birds', '--force', '--yes');
    expect(again.stderr).toContain('is a regression suite already');
  });

  it('moves fixtures from the capability to the regression directory, and overwrites none', async () => {
    const made = projectOf({
      'evals/capability/a.json': echoFixture('a'),
      'evals/capability/b.json': echoFixture('b'),
      'evals/regression/b.json': echoFixture('other'),
    });
    await works(made, 'suite', 'graduate', 'evals/capability', '--case', 'a', '--force', '--yes');
    expect(readdirSync(join(made.root, 'evals/regression')).toSorted()).toEqual(['a.json', 'b.json']);
    const taken = await refused(
      made,
      'suite',
      'graduate',
      'evals/capability',
      '--case',
      'b',
      '--force',
      '--yes',
    );
    expect(taken.stderr).toContain('exists already');
    expect(readdirSync(join(made.root, 'evals/capability'))).toEqual(['b.json']);
  });

  it('refuses a case that an agent which does nothing passes', async () => {
    const idle = echoFixture('idle', { expects: { tools_not_used: ['shell'] } });
    const made = projectOf({
      'evals/capability/idle.json': idle,
      'evals/capability/a.json': echoFixture('a'),
    });
    const ended = await refused(
      made,
      'suite',
      'graduate',
      'evals/capability',
      '--case',
      'idle',
      '--force',
      '--yes',
    );
    expect(ended.stderr).toContain('an agent that does nothing passes');
    expect(existsSync(join(made.root, 'evals/capability/idle.json'))).toBe(true);
  });
});

describe('assay suite retire', () => {
  it('moves cases to _retired with the reason, and leaves a suite that loads', async () => {
    const made = birds();
    await works(made, 'suite', 'retire', 'birds', '--case', 'heron', '--reason', 'too easy', '--yes');
    const retired = read(made, 'evals/Capability/_retired/birds.yaml');
    expect(retired).toMatch(/# retired \d{4}-\d\d-\d\d: too easy\n {2}# the grey one\n {2}- id: heron\n/);
    expect(read(made, 'evals/Capability/birds.yaml')).not.toContain('heron');
    const last = await refused(made, 'suite', 'retire', 'birds', '--case', 'owl', '--reason', 'x', '--yes');
    expect(last.stderr).toContain('a suite without cases does not load');
    await works(made, 'suite', 'retire', 'birds', '--reason', 'nobody asks for birds', '--yes');
    expect(readdirSync(join(made.root, 'evals/Capability/_retired')).toSorted()).toEqual([
      'birds-2.yaml',
      'birds.yaml',
    ]);
    expect(history(made).map(({ details }) => details)).toMatchObject([
      { reason: 'too easy' },
      { reason: 'nobody asks for birds' },
    ]);
  });

  it('moves fixtures and does nothing unless it is confirmed', async () => {
    const made = projectOf({
      'evals/regression/a.json': echoFixture('a'),
      'evals/regression/b.json': echoFixture('b'),
    });
    const shown = await refused(made, 'suite', 'retire', 'evals/regression', '--case', 'a', '--reason', 'x');
    expect(shown).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes carries it out') });
    expect(existsSync(join(made.root, 'evals/regression/a.json'))).toBe(true);
    await works(made, 'suite', 'retire', 'evals/regression', '--case', 'a', '--reason', 'x', '--yes');
    expect(readdirSync(join(made.root, 'evals/regression/_retired'))).toEqual(['a.json']);
    expect((await refused(made, 'suite', 'retire', 'evals/regression')).code).toBe(2);
  });
});

describe('assay suite prove, verify and lint', () => {
  it('prove from the newest passed trial of a stored run, or of the run that is named', async () => {
    const made = birds();
    await storeRun(made, 'birds', { heron: 'The heron, 90 cm tall.', owl: 'a crow' }, 1);
    const { suites } = JSON.parse(await works(made, 'suite', 'prove', 'birds', '--json')) as {
      suites: [
        {
          proofs: { caseId: string; origin: unknown; problem: string | null; survivors: { id: string }[] }[];
        },
      ];
    };
    const [heron, owl] = suites[0].proofs;
    expect(heron?.origin).toMatchObject({ kind: 'run', trial: 1 });
    expect(heron?.survivors.map(({ id }) => id)).toContain('text:number:90');
    expect(owl?.problem).toContain('there is no recording');
    await works(made, 'suite', 'prove', 'birds', '--run', 'latest', '--case', 'heron');
    expect((await refused(made, 'suite', 'prove', 'birds', '--run', 'no-such-run')).stderr).toContain(
      'no stored run',
    );
  });

  it('end with 1 where the idle run passes or a share is missed, and with 2 where a share is none', async () => {
    const made = projectOf({
      'evals/capability/idle.json': echoFixture('idle', { expects: { tools_not_used: ['shell'] } }),
      'evals/regression/a.json': echoFixture('a'),
    });
    const idle = await refused(made, 'suite', 'prove', 'evals/capability');
    expect(idle.code).toBe(1);
    expect(idle.stdout).toContain('an agent that does nothing passes');
    const open = await assay(made.root, ['suite', 'prove', 'evals/regression']);
    expect(open.code).toBe(0);
    expect(open.stderr).toContain('only an idle run that passes fails this command');
    expect((await refused(made, 'suite', 'prove', 'evals/regression', '--min-strength', '0.95')).code).toBe(
      1,
    );
    expect((await refused(made, 'suite', 'prove', 'evals/regression', '--min-strength', '95')).code).toBe(2);
  });

  it('end with 1 where an answer comes out wrong, and under --strict where one is missing', async () => {
    const made = birds();
    await works(made, 'suite', 'verify', 'birds');
    expect((await refused(made, 'suite', 'verify', 'birds', '--strict')).code).toBe(1);
    await works(made, 'suite', 'edit', 'birds', '--case', 'owl', '--set', 'known_bad=[an owl or a crow]');
    const ended = await refused(made, 'suite', 'verify', 'birds');
    expect(ended.stdout).toContain('known_bad[0] must fail, and passes');
  });

  it('lint for people and for machines, with the exit code only under --strict', async () => {
    const made = birds();
    const text = await works(made, 'lint', 'birds');
    expect(text).toContain('no case names an owner');
    const { suites } = JSON.parse(await works(made, 'lint', 'birds', '--json')) as {
      suites: [{ findings: { rule: string }[] }];
    };
    expect(suites[0].findings.map(({ rule }) => rule)).toContain('no-owner');
    expect((await refused(made, 'lint', 'birds', '--strict')).code).toBe(1);
  });
});
