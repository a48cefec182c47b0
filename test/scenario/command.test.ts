import { describe, expect, it } from 'vitest';
import { at, decidingModel, reportOf } from '../live/support.js';
import { answersShown, command, file, say, scenario, scenarios, stop, verdicts } from './support.js';

describe('assay scenario run', () => {
  it('runs the scenarios of a suite and leaves its other cases alone', async () => {
    const place = scenarios([
      {
        id: 'talk',
        scenario: { script: ['Can I?', 'It is 4711.'] },
        assert: [{ type: 'contains', value: '30' }],
      },
      { id: 'plain', prompt: 'x', assert: [{ type: 'contains', value: 'never' }] },
    ]);
    const ended = await command(place, ['scenario', 'run', 's.yaml', '--json']);
    expect(ended.code, ended.stderr).toBe(0);
    expect(at(reportOf(ended), 'totals', 'cases')).toBe(1);
  });

  it('fails a regression when one of its trials fails, and a capability by its mean', async () => {
    const agent = `export default ({ trial }) => (trial === 2 ? 'No.' : 'In 30 days.');`;
    for (const [type, code] of [
      ['regression', 1],
      ['capability', 0],
    ] as const) {
      const place = scenarios(
        [{ id: 'a', scenario: { script: ['Can I?'] }, assert: [{ type: 'contains', value: '30' }] }],
        { type, pass_threshold: 0.5 },
        { 'agent.mjs': agent },
      );
      const ended = await command(place, ['scenario', 'run', '--scenario', 's.yaml', '-t', '4', '--json']);
      expect(ended.code, ended.stdout).toBe(code);
      expect(at(reportOf(ended), 'pass_at_k')).toBe(1);
      expect(at(reportOf(ended), 'pass_to_k')).toBe(0);
    }
  });

  it.each([
    [['scenario', 'run'], 2, 'name the scenario or suite'],
    [
      ['scenario', 'run', 's.yaml', '--record', '-t', '3'],
      2,
      '--record does not go with more than one trial',
    ],
    [['scenario', 'run', 's.yaml', '--record', '--resume'], 2, '--record does not go with --resume'],
    [['scenario', 'run', 's.yaml', '--record'], 1, 'says where it is recorded'],
    [['scenario', 'run', 'plain.yaml'], 1, 'there is no scenario in it'],
    [['scenario', 'run', 'nowhere'], 1, 'suite not found'],
  ])('refuses %j', async (words, code, says) => {
    const place = scenarios(
      [scenario({ script: ['a', 'b'], max_turns: 2 }, {})],
      {},
      {
        'plain.yaml': 'cases: [{ id: a, prompt: x, assert: [{ type: contains, value: y }] }]\n',
      },
    );
    const made = scenario({ max_turns: 2 });
    place.write('s.yaml', { agent: { module: './agent.mjs' }, cases: [made] });
    const simulator = await decidingModel(() => stop('reached'));
    const ended = await command(place, [
      ...words,
      ...(words.length > 2 ? ['--simulator', simulator.model] : []),
    ]);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(says);
    expect(simulator.seen).toHaveLength(0);
  });

  it('refuses two scenarios that are recorded in one place, before anybody is asked', async () => {
    const simulator = await decidingModel(() => stop('reached'));
    const place = scenarios([
      scenario({ recorded: 'r.simulator.json' }),
      scenario({ recorded: 'r.simulator.json' }, { id: 'second' }),
    ]);
    const ended = await command(place, [
      'scenario',
      'run',
      's.yaml',
      '--record',
      '--simulator',
      simulator.model,
    ]);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('are both recorded in r.simulator.json');
    expect(simulator.seen).toHaveLength(0);
  });
});

describe('assay scenario create', () => {
  it('writes a scenario that runs at once', async () => {
    const place = scenarios([]);
    const made = await command(place, ['scenario', 'create', 'refund']);
    expect(made.code, made.stderr).toBe(0);
    expect(made.stdout).toContain('wrote evals/Regression/refund.yaml');
    const agent = await decidingModel(() => ({ text: 'Your order number? Returns take 30 days.' }));
    const simulator = await decidingModel((body) => (answersShown(body) < 2 ? say('4711') : stop('reached')));
    const judge = await decidingModel((body) => verdicts(body, 'TRUE'));
    const models = ['--model', agent.model, '--simulator', simulator.model, '--judge', judge.model];
    const ended = await command(place, [
      'scenario',
      'run',
      'refund',
      '-t',
      '1',
      '--allow-same-judge',
      ...models,
    ]);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    const twice = await command(place, ['scenario', 'create', 'refund']);
    expect(twice.code).toBe(1);
    expect(twice.stderr).toContain('exists already');
  });

  it('writes what is said on the command line, whatever characters it holds', async () => {
    const place = scenarios([]);
    const goal = 'Get "it": #1, {{not}} a\n- list';
    const words = [
      '--persona',
      '@you',
      '--goal',
      goal,
      '--criterion',
      'yes: no',
      '--criterion',
      'on',
      '--max-turns',
      '3',
    ];
    const made = await command(place, [
      'scenario',
      'create',
      'odd',
      ...words,
      '--level',
      'low',
      '-t',
      'capability',
    ]);
    expect(made.code, made.stderr).toBe(0);
    const { parse } = await import('yaml');
    expect(parse(file(place, 'evals/Capability/odd.yaml'))).toMatchObject({
      agent_level: 'low',
      cases: [{ scenario: { persona: '@you', goal, criteria: ['yes: no', 'on'], max_turns: 3 } }],
    });
  });

  it.each([
    [['../x'], 'cannot be the name'],
    [['a', '--max-turns', '99'], 'max_turns'],
    [['a', '--persona', ' '], 'persona: must not be blank'],
  ])('refuses %j and writes nothing', async (words, says) => {
    const place = scenarios([]);
    const made = await command(place, ['scenario', 'create', ...words]);
    expect(made.code).not.toBe(0);
    expect(made.stderr).toContain(says);
    expect(() => file(place, 'evals/Regression/a.yaml')).toThrow('ENOENT');
  });
});
