import { describe, expect, it } from 'vitest';
import { isAsExpected, verifyCase, verifyText, type AnswerVerification } from '../../src/curate/index.js';
import { callStep, firstCase, fixture, fixtureSuite, textStep, yamlSuite } from './support.js';

async function verified(yaml: string, files: { [path: string]: string } = {}): Promise<AnswerVerification[]> {
  return (await verifyCase(firstCase(await yamlSuite(yaml, files)), null)).answers;
}

function outcomes(answers: readonly AnswerVerification[]): [string, string][] {
  return answers.map(({ answer, outcome }) => [answer, outcome]);
}

const CAPITAL = `
  - id: a
    prompt: What is the capital of France?
    assert: [{ type: contains, value: Paris }]
`;

describe('Verifying references', () => {
  it('passes the right answer and fails nothing done and the bad ones', async () => {
    const answers = await verified(
      `${CAPITAL}    reference: { output: It is Paris. }\n    known_bad: [It is Lyon., ""]\n`,
    );
    expect(outcomes(answers)).toEqual([
      ['reference', 'pass'],
      ['nothing done', 'fail'],
      ['known_bad[0]', 'fail'],
      ['known_bad[1]', 'fail'],
    ]);
    expect(answers.every(isAsExpected)).toBe(true);
  });

  it('tells of a reference that fails, with the checks that it fails', async () => {
    const [reference] = await verified(`${CAPITAL}    reference: { output: It is Lyon. }\n`);
    expect(reference).toMatchObject({ outcome: 'fail', expected: 'pass' });
    expect(reference?.evidence[0]).toContain('contains("Paris")');
    expect(reference === undefined || isAsExpected(reference)).toBe(false);
  });

  it('tells of a bad answer that passes, with the reason why it is bad', async () => {
    const answers = await verified(`${CAPITAL}    known_bad: [{ output: Paris or Lyon, reason: hedges }]\n`);
    expect(answers.at(-1)).toMatchObject({ answer: 'known_bad[0]', outcome: 'pass', reason: 'hedges' });
    const suite = await yamlSuite(`${CAPITAL}    known_bad: [{ output: Paris or Lyon, reason: hedges }]\n`);
    const lines = verifyText('sample', [await verifyCase(firstCase(suite), null)]);
    expect(lines[0]).toBe('✗ a (sample.yaml): known_bad[0] (hedges) must fail, and passes');
    expect(lines.at(-1)).toBe('sample: 1 case without a reference: a');
  });

  it('tells of a case that nothing done passes', async () => {
    const answers = await verified(`
  - id: a
    prompt: q
    agent: loop
    assert: [{ type: tool-not-used, value: shell }]
    reference: { output: done }
`);
    expect(outcomes(answers)).toEqual([
      ['reference', 'pass'],
      ['nothing done', 'pass'],
    ]);
  });

  it('holds tool calls and files of an answer against their checks', async () => {
    const yaml = (name: string, file: string): string => `
  - id: a
    prompt: q
    agent: loop
    assert:
      - { type: tool-arguments, tool: search, value: { query: herons } }
      - { type: tools-succeeded, value: true }
      - { type: file-contains, path: out.txt, value: grey, required: true }
    reference:
      output: done
      tool_calls: [{ name: ${name}, arguments: { query: herons, page: 1 } }]
      files: { ${file}: "a grey bird" }
`;
    expect((await verified(yaml('search', 'out.txt')))[0]?.outcome).toBe('pass');
    expect((await verified(yaml('find', 'out.txt')))[0]?.outcome).toBe('fail');
    expect((await verified(yaml('search', 'other.txt')))[0]?.outcome).toBe('fail');
  });

  it('runs commands in a workspace of their own', async () => {
    const answers = await verified(`
  - id: a
    prompt: q
    assert:
      - { type: command, value: [node, -e, "process.exit(require('fs').existsSync('a.txt') ? 0 : 1)"], required: true }
      - { type: contains, value: done }
    reference: { output: done, files: { a.txt: x } }
    known_bad: [{ output: done, files: { b.txt: x } }]
`);
    expect(outcomes(answers)).toEqual([
      ['reference', 'pass'],
      ['nothing done', 'fail'],
      ['known_bad[0]', 'fail'],
    ]);
  });

  it('reads a stored recording in each of its forms', async () => {
    const inner = {
      turns: [{ user: 'What is the capital of France?', text: 'Paris' }],
      toolCalls: [],
      usage: { inputTokens: 1, outputTokens: 1, cost: null },
      llmCalls: 1,
      durationMs: 1,
    };
    for (const stored of [
      inner,
      { status: 'passed', recording: inner },
      { trials: [{ recording: inner }] },
    ]) {
      const [reference] = await verified(`${CAPITAL}    reference: { recording: r.json }\n`, {
        'r.json': JSON.stringify(stored),
      });
      expect(reference?.outcome).toBe('pass');
    }
  });

  it.each([
    ['{}', 'holds no recording'],
    ['{', 'is not JSON'],
    ['{"turns": [{"user": "a", "text": "Paris"}, {"user": "b", "text": "Paris"}]}', 'has 2 turns'],
  ])('cannot grade the recording %s', async (text, says) => {
    const [reference] = await verified(`${CAPITAL}    reference: { recording: r.json }\n`, {
      'r.json': text,
    });
    expect(reference?.outcome).toBe('error');
    expect(reference?.evidence[0]).toContain(says);
  });

  it('answers every turn of a case with several', async () => {
    const yaml = (second: string): string => `
  - id: a
    turns:
      - { prompt: one, assert: [{ type: contains, value: red }] }
      - { prompt: two, assert: [{ type: contains, value: blue }] }
    reference: { output: [red, ${second}] }
`;
    expect((await verified(yaml('blue')))[0]?.outcome).toBe('pass');
    expect((await verified(yaml('green')))[0]?.outcome).toBe('fail');
  });
});

describe('Verifying judged cases', () => {
  const JUDGED = (threshold: number, output: string): string => `
  - id: a
    prompt: q
    threshold: ${threshold}
    assert:
      - { type: contains, value: Paris, weight: 3 }
      - { type: llm-assert, value: [It is polite.], weight: 1 }
    reference: { output: ${output} }
`;

  it('leaves open what only the judge decides', async () => {
    const [reference] = await verified(JUDGED(0.9, 'Paris'));
    expect(reference?.outcome).toBe('undecided');
    expect(reference?.evidence).toEqual([expect.stringContaining('not asked')]);
  });

  it('knows what no judge could turn', async () => {
    expect((await verified(JUDGED(0.75, 'Paris')))[0]?.outcome).toBe('pass');
    expect((await verified(JUDGED(0.75, 'Lyon')))[0]?.outcome).toBe('fail');
  });

  it('asks the judge when there is one', async () => {
    const tested = firstCase(await yamlSuite(JUDGED(0.9, 'Paris')));
    const found = await verifyCase(tested, () => Promise.resolve({ outcome: 'pass', evidence: 'polite' }));
    expect(found.answers[0]?.outcome).toBe('pass');
  });
});

describe('Verifying fixtures', () => {
  it('takes the script as the reference', async () => {
    const good = fixture('good', [callStep(['echo', { message: 'a' }]), textStep('a')], {
      tools_used: ['echo'],
    });
    const bad = fixture('bad', [textStep('b')], { response_contains: ['a'] });
    const suite = await fixtureSuite([good, bad]);
    const [second, first] = await Promise.all([...suite.cases].map((tested) => verifyCase(tested, null)));
    expect(outcomes(first?.answers ?? [])).toEqual([
      ['script', 'pass'],
      ['nothing done', 'fail'],
    ]);
    expect(first?.withoutReference).toBe(false);
    expect(second?.answers[0]).toMatchObject({ answer: 'script', outcome: 'fail' });
  });
});
