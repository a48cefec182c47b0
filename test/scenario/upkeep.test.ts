import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/index.js';
import { decidingModel, run } from '../live/support.js';
import { answersShown, command, file, say, scenario, scenarios, stop } from './support.js';

const TALK: JsonObject = {
  script: ['Can I send something back?', { simulate: 1 }, 'Thanks.'],
  stop_when: { answer_contains: '30 days' },
  checkpoints: [{ after_turn: 1, assert: [{ type: 'contains', value: 'order number' }] }],
};

/** A suite whose one scenario was run, and passed. */
async function ran(
  conversation: JsonObject = {},
  more: JsonObject = {},
): Promise<ReturnType<typeof scenarios>> {
  const simulator = await decidingModel((body) =>
    answersShown(body) < 2 ? say('It is 4711.') : stop('reached'),
  );
  const made = scenario({}, more);
  const place = scenarios([
    { ...made, scenario: { persona: 'A customer. 4711.', goal: 'Return it.', ...TALK, ...conversation } },
  ]);
  const ended = await run(place, ['s.yaml', '--simulator', simulator.model]);
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  return place;
}

describe('the upkeep of a scenario', () => {
  it('is proven by mutants of a stored conversation that the simulated user had', async () => {
    const place = await ran();
    const proven = await command(place, ['suite', 'prove', 's.yaml']);
    expect(proven.code, proven.stderr).toBe(0);
    expect(proven.stdout).toContain('refund (s.yaml)');
    expect(proven.stdout).toMatch(/\d+ of \d+ mutants caught/);
    place.write('s.yaml', file(place, 's.yaml').replace('Can I send something back?', 'Hello?'));
    const other = await command(place, ['suite', 'prove', 's.yaml']);
    expect(other.stdout, 'its user said something else then').toContain('there is no recording');
  });

  it('is graded again by its recording, and not where its words have changed', async () => {
    const place = await ran();
    const again = await command(place, ['grade', 's/latest']);
    expect(again.code, again.stdout + again.stderr).toBe(0);
    place.write('s.yaml', file(place, 's.yaml').replace('"value": "30 days"', '"value": "60 days"'));
    expect((await command(place, ['grade', 's/latest'])).code).toBe(1);
    place.write('s.yaml', file(place, 's.yaml').replace('Can I send something back?', 'Hello?'));
    const changed = await command(place, ['grade', 's/latest']);
    expect(changed.stdout).toContain('what the user says has changed since the run');
  });

  it('is verified by reference and known-bad answers of as many turns as were had', async () => {
    const place = await ran(
      {},
      {
        reference: { output: ['Your order number?', 'In 30 days.'] },
        known_bad: [{ output: ['In 30 days.'] }, { output: ['Your order number?', 'No.'] }],
      },
    );
    const verified = await command(place, ['suite', 'verify', 's.yaml']);
    expect(verified.stdout).toContain('4 of 4 answers came out as they must');
  });

  it('is looked over: a live user in a regression suite, and a conversation of one turn', async () => {
    const place = scenarios([
      scenario(),
      scenario({ script: ['Hi'] }, { id: 'short' }),
      {
        id: 'whole',
        scenario: { script: ['Hi', 'Ho'] },
        assert: [{ type: 'contains', value: 'order number' }],
      },
    ]);
    const short = {
      id: 'short',
      scenario: { script: ['Hi'] },
      assert: [{ type: 'contains', value: 'number' }],
    };
    const whole = { ...short, id: 'whole', scenario: { script: ['Hi', 'Ho'] } };
    const suite = { owner: 'shop', cases: [scenario(), short, whole] };
    place.write('s.yaml', suite);
    const linted = await command(place, ['lint', 's.yaml']);
    expect(linted.stdout.match(/\[live-simulator\]/g)).toHaveLength(1);
    expect(linted.stdout.match(/\[one-turn-scenario\]/g)).toHaveLength(1);
    place.write('s.yaml', { ...suite, type: 'capability' });
    expect((await command(place, ['lint', 's.yaml'])).stdout).not.toContain('live-simulator');
  });

  it('becomes a draft with the answers that were given, and without the recording of another id', async () => {
    const simulator = await decidingModel((body) => (answersShown(body) < 2 ? say('4711') : stop('reached')));
    const place = scenarios([scenario({ recorded: 'r.simulator.json' })]);
    const words = ['scenario', 'run', 's.yaml', '--record', '--simulator', simulator.model];
    expect((await command(place, words)).code).toBe(0);
    place.write('s.yaml', file(place, 's.yaml').replace('"30 days"', '"60 days"'));
    expect((await run(place, ['s.yaml'])).code).toBe(1);
    const drafted = await command(place, ['case', 'from-run', 's/latest', 'refund']);
    expect(drafted.code, drafted.stderr).toBe(0);
    const path = /drafted: (\S+)/.exec(drafted.stdout)?.[1] ?? '';
    const draft = file(place, path);
    expect(draft).toContain('What is your order number?');
    expect(draft).not.toContain('recorded');
    expect((await command(place, ['lint', path])).stdout).toContain('no problems');
  });
});
