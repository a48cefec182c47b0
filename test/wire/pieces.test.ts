import { expect, test } from 'vitest';
import { scriptFromTurns } from '../../src/wire/index.js';
import { ask } from './agent.js';
import { calls, MODES, text, trialOf } from './support.js';

/** Half of a surrogate pair, as JSON has to write it. */
const HALF_A_PAIR = /\\ud[89a-f]/i;
const EVEN = '😀'.repeat(60);

test.each(MODES)('over $name no event holds half a surrogate pair, wherever a text is cut', async (mode) => {
  const steps = [calls(['c1', 'write', { message: EVEN }], ['c2', 'write', { message: `x${EVEN}` }])];
  const script = scriptFromTurns([{ user: 'Say hi', steps: [...steps, text(EVEN)] }]);
  const trial = await trialOf(script);
  const { answers, text: said } = await ask(
    { ...mode, baseUrl: trial.baseUrl, tools: ['write'] },
    [],
    'Say hi',
  );
  expect(said).toBe(EVEN);
  expect(answers).toHaveLength(2);
  for (const answer of answers) expect(answer.text).not.toMatch(HALF_A_PAIR);

  const odd = await trialOf(scriptFromTurns([{ user: 'Say hi', steps: [text(`x${EVEN}`)] }]));
  const other = await ask({ ...mode, baseUrl: odd.baseUrl }, [], 'Say hi');
  expect(other.text).toBe(`x${EVEN}`);
  for (const answer of other.answers) expect(answer.text).not.toMatch(HALF_A_PAIR);
});
