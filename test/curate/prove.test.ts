import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  mergedExpects,
  proofFaults,
  proveCase,
  proveSuite,
  proveText,
  type CaseProof,
  type ProveOptions,
} from '../../src/curate/index.js';
import { loadSuite, type Suite } from '../../src/index.js';
import {
  callStep,
  firstCase,
  fixture,
  fixtureSuite,
  recording,
  call,
  textStep,
  yamlSuite,
  type FixtureValue,
} from './support.js';

const NOTHING: Omit<ProveOptions, 'place'> = { find: null, judge: null };

async function prove(suite: Suite, options: Partial<ProveOptions> = {}): Promise<CaseProof> {
  return proveCase(firstCase(suite), { ...NOTHING, place: suite, ...options });
}

function survivors(proof: CaseProof): string[] {
  return proof.survivors.map(({ id }) => id);
}

const ECHO = callStep(['echo', { message: 'north' }]);
const TWICE = [callStep(['echo', { message: 'north' }]), callStep(['echo', { message: 'south' }])];

/** Cases with one weakness each: what is planted, and the mutant that must survive because of it. */
const WEAK: readonly { plants: string; value: FixtureValue; survives: string }[] = [
  {
    plants: 'a word that any answer holds',
    value: fixture('any-word', [textStep('The answer is 42.')], { response_contains: ['is'] }),
    survives: 'text:number:42',
  },
  {
    plants: 'a pattern of the form alone',
    value: fixture('form-only', [textStep('On 2024-05-17.')], { response_matches: ['\\d{4}-\\d{2}-\\d{2}'] }),
    survives: 'text:number:2024',
  },
  {
    plants: 'no look at the end of the answer',
    value: fixture('no-end', [textStep('First open the lid, then press the red button.')], {
      response_contains: ['open the lid'],
    }),
    survives: 'text:truncated',
  },
  {
    plants: 'no look at a negation',
    value: fixture('negation', [textStep('The file was not deleted.')], { response_contains: ['deleted'] }),
    survives: 'text:negation:not',
  },
  {
    plants: 'no look at the answer at all',
    value: fixture('path-only', [ECHO, textStep('north')], { tools_used: ['echo'] }),
    survives: 'text:unrelated',
  },
  {
    plants: 'no count of calls',
    value: fixture('no-count', [...TWICE, textStep('north south')], { response_contains: ['north south'] }),
    survives: 'call:echo[1]:dropped',
  },
  {
    plants: 'a lower bound where the count matters',
    value: fixture('lower-bound', [ECHO, textStep('north')], {
      response_contains: ['north'],
      min_tool_calls: 1,
    }),
    survives: 'call:echo[0]:doubled',
  },
  {
    plants: 'no look at the order',
    value: fixture('no-order', [...TWICE, textStep('done')], {
      response_contains: ['done'],
      exact_tool_calls: 2,
      tool_arguments_contain: [
        { tool: 'echo', needle: 'north' },
        { tool: 'echo', needle: 'south' },
      ],
    }),
    survives: 'call:echo[0]:reordered',
  },
  {
    plants: 'no look at arguments',
    value: fixture('no-arguments', [ECHO, textStep('done')], {
      response_contains: ['done'],
      exact_tool_calls: 1,
      tools_used: ['echo'],
    }),
    survives: 'call:echo[0]:argument:/message:changed',
  },
  {
    plants: 'a needle that loses the type',
    value: fixture('no-type', [callStep(['echo', { message: 'm', count: 5 }]), textStep('done')], {
      response_contains: ['done'],
      tool_arguments_contain: [{ tool: 'echo', needle: '5' }],
    }),
    survives: 'call:echo[0]:argument:/count:flipped',
  },
  {
    plants: 'no look at results',
    value: fixture('no-results', [ECHO, textStep('done')], {
      response_contains: ['done'],
      exact_tool_calls: 1,
      tool_arguments_contain: [{ tool: 'echo', needle: 'north' }],
    }),
    survives: 'call:echo[0]:result:emptied',
  },
  {
    plants: 'no look at failures',
    value: fixture('no-failure', [ECHO, textStep('done')], {
      response_contains: ['done'],
      tools_used: ['echo'],
    }),
    survives: 'call:echo[0]:failed',
  },
  {
    plants: 'a call to any tool will do',
    value: fixture('any-tool', [ECHO, textStep('done')], {
      response_contains: ['done'],
      exact_tool_calls: 1,
    }),
    survives: 'call:echo[0]:renamed',
  },
  {
    plants: 'more calls are welcome',
    value: fixture('more-calls', [textStep('Good morning')], { response_contains: ['Good morning'] }),
    survives: 'call:unknown:inserted',
  },
  {
    plants: 'one key of a JSON answer',
    value: fixture('one-key', [textStep('{"name": "heron", "count": 3}')], {
      response_json: { '/name': 'heron' },
    }),
    survives: 'json:/count:dropped',
  },
  {
    plants: 'a bound far above what is used',
    value: fixture('lax-bound', [textStep('Good morning')], {
      response_contains: ['Good morning'],
      budget: { max_output_tokens: 5000 },
    }),
    survives: 'usage:output_tokens',
  },
  {
    plants: 'turns that may be swapped',
    value: {
      model_name: 'swapped',
      turns: [
        { user_input: 'one', steps: [textStep('same words: red')] },
        { user_input: 'two', steps: [textStep('same words: blue')] },
      ],
      expects: { response_contains: ['same words'] },
    },
    survives: 'turns:swapped:0-1',
  },
];

/** The fixture with the suggested checks added to what it expects. */
function strengthened(value: FixtureValue, proof: CaseProof): FixtureValue {
  const better = structuredClone(value);
  for (const { fixture: part } of proof.suggestions) {
    if (part === null) continue;
    const holder = part.turn === null ? better : better.turns[part.turn];
    if (holder === undefined) throw new Error('no such turn');
    const before = JSON.parse(JSON.stringify(holder.expects ?? {})) as Parameters<typeof mergedExpects>[0];
    holder.expects = mergedExpects(before, part.expects);
  }
  return better;
}

describe('Proving by mutation', () => {
  it.each(WEAK)('reports $plants', async ({ value, survives }) => {
    const proof = await prove(await fixtureSuite([value]));
    expect(proof.problem).toBeNull();
    expect(proof.idle).toBeNull();
    expect(survivors(proof)).toContain(survives);
    expect(proof.caught + proof.survivors.length).toBe(proof.mutants);
    expect(proof.strength).toBe(proof.caught / proof.mutants);
  });

  it.each(WEAK)(
    'names checks that catch it once they are pasted in: $plants',
    async ({ value, survives }) => {
      const proof = await prove(await fixtureSuite([value]));
      const claimed = new Set(proof.suggestions.flatMap(({ catches }) => catches));
      expect(claimed).toContain(survives);
      const better = strengthened(value, proof);
      const after = await prove(await fixtureSuite([better]));
      expect(after.problem).toBeNull();
      expect(survivors(after).filter((id) => claimed.has(id))).toEqual([]);
    },
  );

  it('finds nothing in a case that looks at everything', async () => {
    const strong = fixture('strong', [ECHO, textStep('north')], {
      response_matches: ['^north$'],
      exact_tool_calls: 1,
      all_tools_succeeded: true,
      tool_arguments_contain: [{ tool: 'echo', needle: '{"message":"north"}' }],
      tool_results_contain: [{ tool: 'echo', needle: 'north' }],
    });
    const proof = await prove(await fixtureSuite([strong]));
    expect(proof.survivors).toEqual([]);
    expect(proof.strength).toBe(1);
    expect(proof.suggestions).toEqual([]);
  });

  it('begins with the idle run, whatever else there is', async () => {
    const idle = fixture('idle', [textStep('hello')], { tools_not_used: ['echo'] });
    const proof = await prove(await fixtureSuite([idle]));
    expect(proof.idle).toEqual(['tools_not_used("echo")']);
    expect(survivors(proof)[0]).toBe('idle');
  });

  it('counts an idle run that reaches the threshold of a weighted case', async () => {
    const suite = await yamlSuite(`
  - id: a
    prompt: q
    agent: loop
    threshold: 0.7
    assert:
      - { type: tool-not-used, value: shell, weight: 3 }
      - { type: contains, value: yes }
    reference: { output: "yes" }
`);
    expect((await prove(suite)).idle).toEqual(['tool-not-used("shell")']);
  });

  it('says when the recording itself does not pass', async () => {
    const broken = fixture('broken', [textStep('hello')], { response_contains: ['goodbye'] });
    const proof = await prove(await fixtureSuite([broken]));
    expect(proof.strength).toBeNull();
    expect(proof.problem).toMatch(/does not pass the case as it is today: response_contains\("goodbye"\)/);
  });

  it('says when a script does not run', async () => {
    const left = fixture('left', [textStep('one'), textStep('two')], { response_contains: ['one'] });
    expect((await prove(await fixtureSuite([left]))).problem).toMatch(/its replay ends in an error/);
  });

  it('says when there is no recording at all, and that a case is known to fail', async () => {
    const suite = await yamlSuite('  - { id: a, prompt: q, assert: [{ type: contains, value: x }] }\n');
    expect((await prove(suite)).problem).toMatch(/there is no recording/);
    const failing = await yamlSuite(
      '  - { id: a, prompt: q, expected: failing, assert: [{ type: contains, value: x }] }\n',
    );
    expect((await prove(failing)).problem).toMatch(/known to fail/);
  });
});

describe('Accepted mutants', () => {
  const value = (accepted: unknown): FixtureValue =>
    fixture(
      'accepting',
      [textStep('Good morning')],
      { response_contains: ['Good morning'] },
      {
        accepted_mutants: accepted,
      },
    );

  it('leave the count, with their reason', async () => {
    const id = 'call:unknown:inserted';
    const before = await prove(
      await fixtureSuite([
        fixture('accepting', [textStep('Good morning')], { response_contains: ['Good morning'] }),
      ]),
    );
    const proof = await prove(await fixtureSuite([value([{ id, reason: 'more tools are fine' }])]));
    expect(proof.mutants).toBe(before.mutants - 1);
    expect(survivors(proof)).not.toContain(id);
    expect(proof.accepted).toEqual([expect.objectContaining({ id, reason: 'more tools are fine' })]);
    expect(proof.stale).toEqual([]);
  });

  it('may end in a star', async () => {
    const proof = await prove(await fixtureSuite([value([{ id: 'call:*', reason: 'any path' }])]));
    expect(survivors(proof).filter((id) => id.startsWith('call:'))).toEqual([]);
    expect(proof.stale).toEqual([]);
  });

  it('are called stale when they are caught or unknown', async () => {
    const accepted = [
      { id: 'text:empty', reason: 'caught' },
      { id: 'text:number:7', reason: 'there is none' },
    ];
    const proof = await prove(await fixtureSuite([value(accepted)]));
    expect(proof.stale).toEqual(accepted);
  });
});

describe('Proving assertion suites', () => {
  const WEIGHTED = `
  - id: a
    prompt: What is the capital of France?
    threshold: 0.7
    assert:
      - { type: contains, value: Paris, weight: 1 }
      - { type: max-length, value: 100, weight: 3 }
    reference: { output: It is Paris. }
`;

  it('takes the reference where there is no run', async () => {
    const proof = await prove(await yamlSuite(WEIGHTED));
    expect(proof.origin).toEqual({ kind: 'reference' });
  });

  it('says which check noticed without weight enough to decide, and suggests a required one', async () => {
    const proof = await prove(await yamlSuite(WEIGHTED));
    const found = proof.survivors.find(({ id }) => id === 'text:name:Paris');
    expect(found?.noticed).toEqual(['contains("Paris")']);
    expect(proof.suggestions.every(({ assertion }) => assertion?.['required'] === true)).toBe(true);
  });

  it('suggests checks in YAML that catch the survivors once they are pasted in', async () => {
    const text = `
  - id: a
    agent: loop
    prompt: q
    assert:
      - { type: contains, value: heron }
    reference:
      output: '{"bird": "heron", "seen": [3, 4]}'
      tool_calls:
        - { name: search, arguments: { query: birds, page: 2 }, result: "two herons" }
        - { name: note, arguments: { text: heron }, result: "ok" }
      files: { notes.txt: "a heron\\n" }
`;
    const proof = await prove(await yamlSuite(text));
    const [paste] = proof.paste;
    expect(paste?.into).toBe('assert');
    const pasted = (paste?.text ?? '')
      .split('\n')
      .map((line) => `      ${line}`)
      .join('\n');
    const after = await prove(
      await yamlSuite(
        text.replace('      - { type: contains, value: heron }', (line) => `${line}\n${pasted}`),
      ),
    );
    expect(after.problem).toBeNull();
    const claimed = new Set(proof.suggestions.flatMap(({ catches }) => catches));
    expect(claimed.size).toBeGreaterThan(20);
    expect(survivors(after).filter((id) => claimed.has(id))).toEqual([]);
  });

  it('changes the files of the workspace in a copy of their own', async () => {
    const proof = await prove(
      await yamlSuite(`
  - id: a
    prompt: q
    assert:
      - { type: file-exists, value: a.txt, required: true }
      - { type: file-contains, path: b.txt, value: beta, required: true }
    reference: { output: done, files: { a.txt: alpha, b.txt: beta } }
`),
    );
    expect(survivors(proof).filter((id) => id.startsWith('file:'))).toEqual([
      'file:a.txt:emptied',
      'file:a.txt:changed',
    ]);
  });

  it('asks programs where nothing else decides', async () => {
    const suite = await yamlSuite(
      `
  - id: a
    prompt: q
    assert:
      - { type: min-length, value: 1 }
      - { type: program, value: ./check.mjs, required: true }
    reference: { output: 'total 42' }
`,
      { 'check.mjs': 'export default ({ output }) => ({ pass: /42/.test(output), reason: output });' },
    );
    const proof = await prove(suite);
    expect(survivors(proof)).not.toContain('text:number:42');
    expect(proof.caught).toBeGreaterThanOrEqual(4);
  });

  const JUDGED = `
  - id: a
    prompt: q
    assert:
      - { type: contains, value: total }
      - { type: llm-assert, value: [The total is 42.], required: true }
    reference: { output: 'the total is 42' }
`;

  it('takes a judged check as passed while no judge is asked, and says so', async () => {
    const proof = await prove(await yamlSuite(JUDGED));
    expect(proof.notAsked).toBe(1);
    expect(survivors(proof)).toContain('text:number:42');
  });

  it('asks the judge only about what the free checks let pass', async () => {
    const asked: string[] = [];
    const proof = await prove(await yamlSuite(JUDGED), {
      judge: (_spec, { turns }) => {
        const said = turns[0]?.text ?? '';
        asked.push(said);
        return Promise.resolve({ outcome: said.includes('42') ? 'pass' : 'fail', evidence: said });
      },
    });
    expect(survivors(proof)).not.toContain('text:number:42');
    expect(asked).toContain('the total is 43');
    expect(asked.every((said) => said.includes('total'))).toBe(true);
  });

  it('proves nothing where only a judge decides and none is asked', async () => {
    const proof = await prove(
      await yamlSuite(`
  - id: a
    prompt: q
    assert: [{ type: llm-assert, value: [It is polite.] }]
    reference: { output: Good morning }
`),
    );
    expect(proof.strength).toBeNull();
    expect(proof.problem).toMatch(/only a judge/);
  });

  it('takes the newest stored trial before the reference', async () => {
    const suite = await yamlSuite(WEIGHTED);
    const stored = recording(['Paris it is.'], { toolCalls: [call('search', {})] });
    const proof = await prove(suite, {
      find: (tested) => ({
        runId: 'run_1',
        trial: {
          caseId: tested.id,
          caseHash: tested.hash,
          trial: 3,
          status: 'passed',
          error: null,
          score: 1,
          checks: [],
          recording: stored,
          receipt: stored.receipt,
          startedAt: '2026-01-01T00:00:00.000Z',
        },
      }),
    });
    expect(proof.origin).toEqual({ kind: 'run', runId: 'run_1', trial: 3 });
    expect(survivors(proof)).toContain('call:search[0]:dropped');
  });
});

describe('What a proof must reach', () => {
  const good = fixture('good', [textStep('Good morning')], {
    response_matches: ['^Good morning$'],
    exact_tool_calls: 0,
  });
  const weak = fixture('weak', [textStep('Good morning')], { response_contains: ['o'] });
  const idle = fixture('idle', [textStep('hello')], { tools_not_used: ['echo'] });

  it('is nothing but the idle run unless a share is asked for', async () => {
    const proof = await proveSuite(await fixtureSuite([good, weak]), NOTHING);
    expect(proofFaults(proof, { suite: null, case: null })).toEqual([]);
    const bad = await proveSuite(await fixtureSuite([good, idle]), NOTHING);
    expect(proofFaults(bad, { suite: null, case: null })).toEqual([
      'idle: an agent that does nothing passes',
    ]);
  });

  it('is a share of the suite, met at the share itself', async () => {
    const proof = await proveSuite(await fixtureSuite([good, weak]), NOTHING);
    const share = proof.caught / proof.mutants;
    expect(proof.strength).toBe(share);
    expect(proofFaults(proof, { suite: share, case: null })).toEqual([]);
    expect(proofFaults(proof, { suite: share + 0.001, case: null })).toHaveLength(1);
  });

  it('is a share of every case when that is asked for', async () => {
    const proof = await proveSuite(await fixtureSuite([good, weak]), NOTHING);
    expect(proofFaults(proof, { suite: null, case: 0.95 })).toEqual([
      expect.stringMatching(/^weak: catches /),
    ]);
  });

  it('is missed by a case that could not be proven', async () => {
    const broken = fixture('broken', [textStep('hello')], { response_contains: ['goodbye'] });
    const proof = await proveSuite(await fixtureSuite([good, broken]), NOTHING);
    expect(proofFaults(proof, { suite: 0.1, case: null })).toEqual([
      expect.stringMatching(/^broken: not proven/),
    ]);
    expect(proofFaults(proof, { suite: null, case: null })).toEqual([]);
  });
});

describe('A case that is known to fail', () => {
  it('need not be proven', async () => {
    const suite = await yamlSuite(`
  - { id: a, prompt: q, expected: failing, assert: [{ type: contains, value: x }] }
  - { id: b, prompt: q, assert: [{ type: equals, value: x }], reference: { output: x } }
`);
    const proof = await proveSuite(suite, NOTHING);
    expect(proofFaults(proof, { suite: 1, case: 1 })).toEqual([]);
  });
});

describe('The words of a proof', () => {
  it('say what would still pass, and what to add', async () => {
    const value = fixture('words', [...TWICE, textStep('north south')], {
      response_contains: ['north south'],
    });
    const lines = proveText(await proveSuite(await fixtureSuite([value]), NOTHING), { all: true }).join('\n');
    expect(lines).toContain('it would still pass if');
    expect(lines).toContain('the second call to `echo` never happened  [call:echo[1]:dropped]');
    expect(lines).toContain('to catch them, add to expects:');
    expect(lines).toContain('"exact_tool_calls": 2,');
    expect(lines).toMatch(/regression: \d+ of \d+ mutants caught \(/);
  });

  it('never round a share that misses up to a hundred', async () => {
    const { percent } = await import('../../src/curate/index.js');
    expect(percent(0.9999)).toBe('99.9 %');
    expect(percent(1)).toBe('100 %');
    expect(percent(0.0001)).toBe('0.1 %');
    expect(percent(0.947)).toBe('94.7 %');
  });
});

describe("The project's own suite", () => {
  const directory = join(import.meta.dirname, '../../evals/regression');

  it('has a passing recording for every case, and a check for every survivor', async () => {
    const proof = await proveSuite(await loadSuite(directory), NOTHING);
    expect(proof.proofs).toHaveLength(readdirSync(directory).filter((name) => name.endsWith('.json')).length);
    expect(proof.proofs.flatMap(({ problem }) => problem ?? [])).toEqual([]);
    expect(proof.mutants).toBeGreaterThan(500);
    for (const one of proof.proofs) {
      const claimed = new Set(one.suggestions.flatMap(({ catches }) => catches));
      expect(
        one.survivors.filter(({ id }) => !claimed.has(id)),
        one.caseId,
      ).toEqual([]);
    }
  });

  it('reaches full strength once everything suggested is pasted in', async () => {
    const suite = await loadSuite(directory);
    const better: FixtureValue[] = [];
    for (const tested of suite.cases) {
      const proof = await proveCase(tested, { ...NOTHING, place: suite });
      const value = JSON.parse(readFileSync(join(directory, tested.source.name), 'utf8')) as FixtureValue;
      better.push(strengthened(value, proof));
    }
    const after = await proveSuite(await fixtureSuite(better), NOTHING);
    expect(
      after.proofs.flatMap(({ caseId, survivors: left }) => left.map(({ id }) => `${caseId} ${id}`)),
    ).toEqual([]);
    expect(after.strength).toBe(1);
  });
});

describe('Proving cases with real tools', () => {
  it('replays them in a workspace and changes the files that the agent left', async () => {
    const value = fixture(
      'writes-a-note',
      [
        callStep(['file_write', { path: 'note.txt', content: 'herons wade' }]),
        textStep('The note is written.'),
      ],
      {
        response_contains: ['The note is written.'],
        workspace: { file_exists: ['note.txt'] },
      },
      { agent: { loop: { tools: ['file_write'] } }, grader_files: { 'key.txt': 'secret' } },
    );
    const proof = await prove(await fixtureSuite([value]));
    expect(proof.problem).toBeNull();
    expect(survivors(proof).filter((id) => id.startsWith('file:'))).toEqual([
      'file:note.txt:emptied',
      'file:note.txt:changed',
    ]);
    const after = await prove(await fixtureSuite([strengthened(value, proof)]));
    expect(survivors(after).filter((id) => id.startsWith('file:'))).toEqual([]);
  });
});
