import { describe, expect, it } from 'vitest';
import { AssayError } from '../../src/core/index.js';
import { loadSuite, serveCase } from '../../src/run/index.js';
import { readDistribution } from '../../src/suite/index.js';
import { describeExchange, startDistributionServer } from '../../src/wire/index.js';
import { call, fixture, later, nodeAgent, say, temporary } from './support.js';

async function ask(
  url: string,
  prompt: string,
  answers: string[] = [],
): Promise<{ status: number; text: string }> {
  const history = answers.flatMap((content) => [
    { role: 'assistant', content },
    { role: 'user', content: 'go on' },
  ]);
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: prompt }, ...history] }),
  });
  const body: { choices?: { message: { content: string } }[]; error?: { message: string } } = JSON.parse(
    await response.text(),
  );
  return { status: response.status, text: body.choices?.[0]?.message.content ?? body.error?.message ?? '' };
}

describe('a fixture that is served by itself', () => {
  it('plays its script, shows each exchange and tells what is left', async () => {
    const written = fixture('served', { agent: nodeAgent(), steps: [say('first words'), say('last words')] });
    const directory = await temporary({
      'a.json': JSON.stringify({ ...written, expects: { response_contains: ['last'] } }),
    });
    const [tested] = [...(await loadSuite(directory)).cases];
    if (tested === undefined) throw new Error('no case');
    const lines: string[] = [];
    const { server, trial } = await serveCase(tested, {
      port: 0,
      places: { workspace: '/w', home: '/h' },
      onExchange: (exchange) => lines.push(describeExchange(exchange)),
    });
    later(() => server.close());
    expect(await ask(trial.urls['openai-chat'], 'Please do it')).toEqual({
      status: 200,
      text: 'first words',
    });
    expect(lines).toEqual([
      '#1 openai-chat [main, turn 1] model "m", no tools, first user text "Please do it" -> "first words"',
    ]);
    expect(trial.close().problems.map((problem) => problem.kind)).toEqual(['leftover']);
  });
});

describe('a model whose answers vary', () => {
  const text = (first: number): string =>
    JSON.stringify({
      seed: 3,
      steps: [
        [
          { weight: first, ...say('right') },
          { weight: 1, ...say('wrong') },
        ],
        [say('the end')],
      ],
    });

  async function drawn(prompt: string, seed: number, first = 3): Promise<string[]> {
    const { steps } = readDistribution('d.json', text(first));
    const server = await startDistributionServer({ steps, seed });
    later(() => server.close());
    const answers: string[] = [];
    for (let trial = 0; trial < 200; trial += 1)
      answers.push((await ask(server.urls['openai-chat'], prompt)).text);
    return answers;
  }

  it('gives the same answers for the same seed, and others for another', async () => {
    const [one, again, other] = [await drawn('q', 1), await drawn('q', 1), await drawn('q', 2)];
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it('gives each answer about as often as its weight says', async () => {
    const right = (await drawn('q', 1)).filter((answer) => answer === 'right').length;
    // 200 draws at 3/4: 150 on average, standard deviation 6.1; five of them on either side.
    expect(right).toBeGreaterThan(119);
    expect(right).toBeLessThan(181);
  });

  it('knows by the conversation which step it is at, and ends with a clear error', async () => {
    const { steps } = readDistribution('d.json', text(3));
    const server = await startDistributionServer({ steps, seed: 1 });
    later(() => server.close());
    const url = server.urls['openai-chat'];
    expect(await ask(url, 'q', ['right'])).toEqual({ status: 200, text: 'the end' });
    const { status, text: message } = await ask(url, 'q', ['right', 'the end']);
    expect(status).toBe(400);
    expect(message).toContain('The distribution has 2 steps');
  });

  it.each([
    ['no steps', '{"steps": []}', 'steps'],
    ['a step without answers', '{"steps": [[]]}', 'steps[0]'],
    ['a weight of nothing', JSON.stringify({ steps: [[{ ...say('x'), weight: 0 }]] }), 'steps[0][0].weight'],
    ['an unknown key', '{"stepps": []}', 'stepps'],
  ])('is refused with %s', (_name, written, key) => {
    try {
      readDistribution('d.json', written);
    } catch (error) {
      if (!AssayError.isInstance(error)) throw error;
      expect(error.problems.map((problem) => problem.key)).toContain(key);
      return;
    }
    expect.unreachable('it was read');
  });
});

it('a scripted call is shown with its arguments', async () => {
  const written = fixture('calls', {
    agent: nodeAgent(),
    steps: [call(['a', 'shell', { command: 'ls' }]), say('done')],
  });
  const [tested] = [...(await loadSuite(await temporary({ 'a.json': JSON.stringify(written) }))).cases];
  if (tested === undefined) throw new Error('no case');
  const lines: string[] = [];
  const { server, trial } = await serveCase(tested, {
    port: 0,
    places: { workspace: '/w', home: '/h' },
    onExchange: (exchange) => lines.push(describeExchange(exchange)),
  });
  later(() => server.close());
  await fetch(`${trial.urls['openai-chat']}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({
      model: 'm',
      messages: [{ role: 'user', content: 'Please do it' }],
      tools: [{ type: 'function', function: { name: 'shell', parameters: {} } }],
    }),
  }).then((response) => response.text());
  expect(lines[0]).toContain('-> shell({"command":"ls"})');
});
