import { describe, expect, it } from 'vitest';
import { lintSuite, type LintReport } from '../../src/curate/index.js';
import { LINT_RULES } from '../../src/suite/index.js';
import { callStep, fixture, fixtureSuite, textStep, yamlSuite, type FixtureValue } from './support.js';

const NOW = Date.parse('2026-06-30T00:00:00Z');

async function lintYaml(text: string): Promise<LintReport> {
  return lintSuite(await yamlSuite(text), NOW);
}

async function lintFixtures(...values: FixtureValue[]): Promise<LintReport> {
  return lintSuite(await fixtureSuite(values), NOW);
}

function rules({ findings }: LintReport): string[] {
  return findings.map(({ rule }) => rule).filter((rule) => rule !== 'no-owner');
}

function asserting(assertions: string, more = ''): string {
  return `owner: me\ncases:\n  - id: a\n    prompt: q\n    assert: [${assertions}]\n${more}`;
}

function polar(should: number, shouldNot: number): string {
  const list = (count: number, negative: boolean): string[] =>
    Array.from(
      { length: count },
      (_, index) =>
        `  - { id: ${negative ? 'n' : 'p'}${index}, negative: ${negative}, prompt: ${negative}${index}, assert: [{ type: contains, value: heron }] }`,
    );
  return `owner: me\ncases:\n${[...list(should, false), ...list(shouldNot, true)].join('\n')}\n`;
}

describe('Lint: balance', () => {
  it.each([
    [10, 0, true],
    [0, 10, true],
    [9, 1, true],
    [8, 2, false],
    [5, 5, false],
    [4, 0, false],
    [5, 0, true],
  ])('%i that should and %i that should not', async (should, shouldNot, found) => {
    const report = await lintYaml(polar(should, shouldNot));
    expect(rules(report)).toEqual(found ? ['balance'] : []);
  });

  it('reads the tags of fixtures, and what their checks forbid where there are none', async () => {
    const positive = [1, 2, 3, 4].map((number) =>
      fixture(`yes-${number}`, [textStep('heron')], { response_contains: ['heron'] }),
    );
    const forbids = fixture('no', [textStep('ok')], { response_contains: ['ok'], tools_not_used: ['echo'] });
    expect(rules(await lintFixtures(...positive, forbids))).toEqual([]);
    const tagged = { ...forbids, tags: ['should'] };
    expect(rules(await lintFixtures(...positive, tagged))).toEqual(['balance']);
    expect(rules(await lintFixtures(...positive, { ...tagged, tags: ['should-not'] }))).toEqual([]);
  });
});

describe('Lint: path only', () => {
  const calls = [callStep(['echo', { message: 'x' }]), textStep('done')];

  it('wants a look at the result', async () => {
    expect(rules(await lintFixtures(fixture('a', calls, { exact_tool_calls: 1 })))).toEqual(['path-only']);
    const both = { exact_tool_calls: 1, response_contains: ['done'] };
    expect(rules(await lintFixtures(fixture('a', calls, both)))).toEqual([]);
  });

  it('is not satisfied by a diagnostic judge', async () => {
    const judged = { exact_tool_calls: 1, judge: [{ name: 'j', rubric: 'is it good?' }] };
    expect(rules(await lintFixtures(fixture('a', calls, judged)))).toEqual(['path-only', 'likert-judge']);
  });
});

describe('Lint: duplicate prompts', () => {
  const two = (first: string, second: string): string =>
    `owner: me\ncases:\n  - { id: a, prompt: "${first}", assert: [{ type: contains, value: heron }] }\n  - { id: b, prompt: "${second}", assert: [{ type: contains, value: owl }] }\n`;

  it('finds the same words, spacing and case aside', async () => {
    const report = await lintYaml(two('Which bird?', ' which   BIRD?'));
    expect(rules(report)).toEqual(['duplicate-prompt']);
    expect(report.findings[0]).toMatchObject({ caseId: 'b', line: 4, message: expect.stringContaining('a') });
    expect(rules(await lintYaml(two('Which bird?', 'Which birds?')))).toEqual([]);
  });

  it('lets the same words stand under another script', async () => {
    const value = (name: string, said: string): FixtureValue => ({
      ...fixture(name, [textStep(said)], { response_contains: [said] }),
      turns: [{ user_input: 'same', steps: [textStep(said)] }],
    });
    expect(rules(await lintFixtures(value('a', 'heron'), value('b', 'owl')))).toEqual([]);
    expect(rules(await lintFixtures(value('a', 'heron'), value('b', 'heron')))).toEqual(['duplicate-prompt']);
  });
});

describe('Lint: weak patterns', () => {
  it.each([
    ['.', true],
    ['\\S+', true],
    ['heron', false],
    ['^\\d{4}$', false],
    ['example.com', true],
    ['example\\\\.com', false],
    ['^yes|no$', true],
    ['^yes|^no', false],
    ['^(?:yes|no)$', false],
    ['a|b', false],
    ['[.|^]x', false],
    ['version 1.5', false],
  ])('%s', async (pattern, found) => {
    const report = await lintYaml(
      asserting(`{ type: regex, value: "${pattern.replaceAll('\\S', '\\\\S').replaceAll('\\d', '\\\\d')}" }`),
    );
    expect(rules(report).includes('weak-pattern')).toBe(found);
  });

  it('is also found in the linear-time dialect of fixtures, and under not-', async () => {
    const value = fixture('a', [textStep('heron')], {
      response_matches: ['\\w'],
      response_contains: ['heron'],
    });
    expect(rules(await lintFixtures(value))).toEqual([]);
    const any = fixture('a', [textStep('heron')], {
      response_matches: ['\\S'],
      response_contains: ['heron'],
    });
    expect(rules(await lintFixtures(any))).toEqual(['weak-pattern']);
    const never = await lintYaml(
      asserting('{ type: not-regex, value: "\\\\S" }, { type: contains, value: heron }'),
    );
    expect(never.findings[0]?.message).toContain('no answer passes');
  });
});

describe('Lint: judges on a scale', () => {
  it('asks for a figure of their stability', async () => {
    const scored = await lintYaml(
      asserting('{ type: contains, value: heron }, { type: llm-rubric, value: polite }'),
    );
    expect(rules(scored)).toContain('likert-judge');
    const binary = asserting(
      '{ type: contains, value: heron, required: true }, { type: llm-assert, value: [It is polite.] }',
    );
    expect(rules(await lintYaml(binary))).toEqual([]);
  });
});

describe('Lint: lenient thresholds', () => {
  it('finds a case that an answer about something else passes', async () => {
    expect(rules(await lintYaml(asserting('{ type: min-length, value: 3 }')))).toEqual(['lenient-threshold']);
    expect(
      rules(
        await lintYaml(
          asserting('{ type: contains, value: heron, required: true }, { type: min-length, value: 3 }'),
        ),
      ),
    ).toEqual([]);
  });

  it('finds a case of which every assertion is spare, at the threshold itself', async () => {
    const four = (threshold: number): string =>
      `owner: me\ncases:\n  - id: a\n    prompt: q\n    threshold: ${threshold}\n    assert: [${['heron', 'grey', 'wades', 'tall'].map((word) => `{ type: contains, value: ${word} }`).join(', ')}]\n`;
    expect(rules(await lintYaml(four(0.75)))).toEqual(['lenient-threshold']);
    expect(rules(await lintYaml(four(0.76)))).toEqual([]);
  });

  it('is quiet once something is required', async () => {
    const required = asserting(
      ['heron', 'grey', 'wades', 'tall']
        .map((word, index) => `{ type: contains, value: ${word}, required: ${index === 0} }`)
        .join(', '),
    );
    expect(rules(await lintYaml(required))).toEqual([]);
  });

  it('finds an edit distance as long as the text', async () => {
    const near = (threshold: number): string =>
      asserting(`{ type: levenshtein, value: heron, threshold: ${threshold} }`);
    expect(rules(await lintYaml(near(5)))).toEqual(['lenient-threshold']);
    expect(rules(await lintYaml(near(4)))).toEqual([]);
  });
});

describe('Lint: names', () => {
  const steps = [callStep(['echo', { message: 'x' }]), textStep('done')];

  it.each([
    ['answer-is-json', { response_contains: ['done'] }, true],
    ['echo-is-called-twice', { response_contains: ['done'] }, true],
    ['echo-is-called-twice', { response_contains: ['done'], exact_tool_calls: 1 }, false],
    ['arguments-survive', { response_contains: ['done'], tools_used: ['echo'] }, true],
    [
      'arguments-survive',
      { response_contains: ['done'], tool_arguments_contain: [{ tool: 'echo', needle: 'x' }] },
      false,
    ],
    ['no-file-is-left', { response_contains: ['done'] }, true],
    ['files-are-written', { response_contains: ['done'] }, true],
    ['few-tokens', { response_contains: ['done'], budget: { max_total_tokens: 500 } }, false],
    ['few-tokens', { response_contains: ['done'] }, true],
    ['echo-answers', { response_contains: ['done'] }, true],
    ['echoes-answer', { response_contains: ['done'] }, false],
  ])('%s with %j', async (name, expects, found) => {
    const report = await lintFixtures(fixture(name, steps, expects));
    expect(rules(report).includes('name-without-check')).toBe(found);
  });

  it('leave it to a judge where there is one', async () => {
    const text = asserting('{ type: llm-assert, value: [It is JSON.] }').replace(
      'id: a',
      'id: answer-is-json',
    );
    expect(rules(await lintYaml(text))).toEqual([]);
  });
});

describe('Lint: placeholders', () => {
  it.each([
    ['write to ana@acme.io', 'an e-mail address'],
    ['write to ana@example.com', null],
    ['write to ana@mail.example.org', null],
    ['open https://acme.io/a', 'a real host'],
    ['open https://user:pw@db.acme.io:5432/x', 'a real host'],
    ['open https://www.example.com/a', null],
    ['open http://localhost:3000', null],
    ['open https://api.test/x', null],
    ['ping 8.8.8.8', 'an IP address'],
    ['ping 192.0.2.7', null],
    ['ping 127.0.0.1', null],
    ['version 1.2.3.4000', null],
    ['call +49 171 1234567', 'a telephone number'],
    ['call +1 202 555-0143', null],
    ['ask Dr. Jane Miller', 'the name of a person'],
    ['ask Dr. Doe', null],
    [`use ${['sk', 'ant', 'api03', 'A1b2C3d4E5f6G7h8I9j0'].join('-')}`, 'the shape of a key'],
    ['use KEY-PLACEHOLDER', null],
  ])('%s', async (prompt, what) => {
    const text = asserting('{ type: contains, value: heron }').replace(
      'prompt: q',
      `prompt: ${JSON.stringify(prompt)}`,
    );
    const report = await lintYaml(text);
    expect(rules(report)).toEqual(what === null ? [] : ['no-placeholder']);
    if (what !== null) expect(report.findings[0]?.message).toContain(what);
  });

  it('are looked for in scripts, files and checks as well', async () => {
    const step = callStep(['echo', { to: 'ana@acme.io' }]);
    expect(
      rules(await lintFixtures(fixture('a', [step, textStep('done')], { response_contains: ['done'] }))),
    ).toEqual(['no-placeholder']);
    expect(rules(await lintYaml(asserting('{ type: contains, value: ana@acme.io }')))).toEqual([
      'no-placeholder',
    ]);
    expect(
      rules(
        await lintYaml(
          asserting(
            '{ type: contains, value: heron }',
            '    setup: { workspace_files: { a.txt: "8.8.8.8" } }\n',
          ),
        ),
      ),
    ).toEqual(['no-placeholder']);
  });

  it('never repeat a key', async () => {
    const key = ['sk', 'ant', 'api03', 'A1b2C3d4E5f6G7h8I9j0'].join('-');
    const report = await lintYaml(asserting(`{ type: contains, value: ${key} }`));
    expect(JSON.stringify(report.findings)).not.toContain('A1b2C3d4');
  });
});

describe('Lint: owners and age', () => {
  it('wants an owner of the suite or of every case', async () => {
    const owned = (head: string, owner: string): string =>
      `${head}cases:\n  - { id: a, prompt: q, ${owner}assert: [{ type: contains, value: heron }] }\n`;
    expect((await lintYaml(owned('', ''))).findings.map(({ rule }) => rule)).toEqual(['no-owner']);
    expect((await lintYaml(owned('owner: me\n', ''))).findings).toEqual([]);
    expect((await lintYaml(owned('', 'owner: me, '))).findings).toEqual([]);
    const fixtureOwner = fixture('a', [textStep('heron')], { response_contains: ['heron'] }, { owner: 'me' });
    expect((await lintFixtures(fixtureOwner)).findings).toEqual([]);
  });

  it.each([
    ['2026-01-01', false],
    ['2025-12-31', true],
  ])('reviewed on %s, 180 days before or more', async (day, found) => {
    const ofCase = await lintYaml(asserting('{ type: contains, value: heron }', `    reviewed_at: ${day}\n`));
    const ofSuite = await lintYaml(`reviewed_at: ${day}\n${asserting('{ type: contains, value: heron }')}`);
    const ofUpdate = await lintYaml(`updated_at: ${day}\n${asserting('{ type: contains, value: heron }')}`);
    for (const report of [ofCase, ofSuite, ofUpdate]) expect(rules(report)).toEqual(found ? ['stale'] : []);
  });
});

describe('Silencing', () => {
  const silenced = (where: 'case' | 'suite', id: string): string => {
    const note = `lint: { ignore: [{ id: ${id}, reason: it is meant }] }`;
    const text = asserting('{ type: min-length, value: 3 }', where === 'case' ? `    ${note}\n` : '');
    return where === 'suite' ? `${note}\n${text}` : text;
  };

  it.each(['case', 'suite'] as const)(
    'takes a finding away from the %s, and keeps it with its reason',
    async (where) => {
      const report = await lintYaml(silenced(where, 'lenient-threshold'));
      expect(report.findings).toEqual([]);
      expect(report.silenced).toEqual([
        expect.objectContaining({ rule: 'lenient-threshold', reason: 'it is meant' }),
      ]);
      expect(report.unused).toEqual([]);
    },
  );

  it.each(['case', 'suite'] as const)('that silences nothing in the %s is reported', async (where) => {
    const report = await lintYaml(silenced(where, 'path-only'));
    expect(rules(report)).toEqual(['lenient-threshold']);
    expect(report.unused).toEqual([
      expect.objectContaining({ rule: 'path-only', caseId: where === 'case' ? 'a' : '' }),
    ]);
  });

  it('of one case leaves the others alone', async () => {
    const value = (name: string, more: { [key: string]: unknown }): FixtureValue =>
      fixture(name, [callStep(['echo', { m: name }]), textStep('done')], { exact_tool_calls: 1 }, more);
    const report = await lintFixtures(
      value('a', { lint: { ignore: [{ id: 'path-only', reason: 'the path is the point' }] } }),
      value('b', {}),
    );
    expect(report.findings.filter(({ rule }) => rule === 'path-only').map(({ caseId }) => caseId)).toEqual([
      'b',
    ]);
  });
});

describe('Every finding', () => {
  it('has a known id, a place, a reason and a fix', async () => {
    const report = await lintYaml(`
cases:
  - { id: is-json, prompt: "mail ana@acme.io", assert: [{ type: regex, value: "\\\\S" }, { type: llm-rubric, value: polite }], reviewed_at: 2020-01-01 }
  - { id: b, prompt: "mail ana@acme.io", agent: loop, assert: [{ type: tool-used, value: x }] }
`);
    expect(new Set(report.findings.map(({ rule }) => rule)).size).toBeGreaterThan(5);
    for (const { rule, file, line, message, fix } of report.findings) {
      expect(LINT_RULES).toContain(rule);
      expect(file).toBe('sample.yaml');
      expect(line).toBeGreaterThan(0);
      expect(message.length).toBeGreaterThan(20);
      expect(fix).not.toBe('');
    }
  });
});
