import { expect, test } from 'vitest';
import {
  scriptFromTurns,
  wireEvidence,
  type WireItem,
  type WireScript,
  type WireTrial,
} from '../../src/wire/index.js';
import { calls, text, trialOf } from './support.js';

/** What an agent made with a client is told. Its tools are `write {message}` and, where given, `spawn {}`. */
export interface Talk {
  prompt: string;
  system?: string;
  /** Without tools: a request for a title, say. */
  bare?: boolean;
  /** What the tool `spawn` does; absent: there is none. */
  spawn?: () => void;
}

/** An agent made with somebody else's client, and how far that client goes. */
export interface ListedClient {
  /** Runs it to its end and gives its last text; rejects as the client does. */
  run(trial: WireTrial, talk: Talk): Promise<string>;
  /** What comes of a tool that is not there, of wrong arguments, and of a tool that throws. */
  unknownTool: 'result' | 'abort';
  badArguments: 'result' | 'abort' | 'unchecked';
  failingTool: 'result' | 'abort';
  /** Tries again by itself after an error before the first byte. */
  retries: boolean;
}

/** Text with signs of several code points, and pairs of code units at even and at odd places. */
const EMOJI = `é 👩‍👩‍👧‍👦 ${'😀'.repeat(20)}x${'😀'.repeat(20)}`;
const SAY_HI: Talk = { prompt: 'Say hi' };

/** What a tool of a listed client does. */
export function write(message: string): string {
  if (message === 'fail') throw new Error('disk full');
  return `wrote ${message}`;
}

/** The message in the arguments of `write`, whatever a model made of them. */
export function messageOf(input: unknown): string {
  const message: unknown =
    typeof input === 'object' && input !== null && 'message' in input ? input.message : '';
  return typeof message === 'string' ? message : '';
}

function scripted(items: WireItem[], writeBytes?: number): Promise<WireTrial> {
  return trialOf(
    scriptFromTurns([{ user: 'Say hi', steps: items }]),
    writeBytes === undefined ? {} : { writeBytes },
  );
}

/** Runs an agent again, from its start, while its client gives up. */
async function persist(client: ListedClient, trial: WireTrial, tries: number): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const said = await client.run(trial, SAY_HI);
      // Some clients end without a word instead of with an error.
      if (said !== '' || attempt >= tries) return said;
    } catch (error) {
      if (attempt >= tries) throw error;
    }
  }
}

function child(name: string) {
  return {
    name,
    match: { firstUser: `do ${name}` },
    items: [calls([`${name}-1`, 'write', { message: name }]), text(`${name} done`)],
  };
}

const FAMILY: WireScript = {
  lanes: [
    {
      name: 'parent',
      items: [
        { type: 'turn', user: 'Say hi' },
        calls(['p1', 'spawn', {}]),
        calls(['p2', 'write', { message: 'parent' }]),
        text('parent done'),
      ],
    },
    child('left'),
    child('right'),
  ],
};

/** Registers the scripts that every client is held against, each as far as the client goes. */
export function listedScripts(client: ListedClient): void {
  test('writes in two steps', async () => {
    const trial = await scripted([calls(['c1', 'write', { message: 'one' }]), text('Done')]);
    expect(await client.run(trial, SAY_HI)).toBe('Done');
    expect(wireEvidence(trial).toolCalls).toMatchObject([
      { id: 'c1', name: 'write', result: 'wrote one', answered: true, executed: true },
    ]);
    expect(trial.close()).toMatchObject({ problems: [], notes: [], requests: 2, steps: 2 });
  });

  test.each([undefined, 1])(
    'plays parallel calls and surrogate pairs at any place, at %s bytes a write',
    async (writeBytes) => {
      const step = calls(['c1', 'write', { message: EMOJI }], ['c2', 'write', { message: `x${EMOJI}` }]);
      const trial = await scripted([step, text(`Done ${EMOJI}`)], writeBytes);
      expect(await client.run(trial, SAY_HI)).toBe(`Done ${EMOJI}`);
      expect(wireEvidence(trial).toolCalls).toMatchObject([
        { id: 'c1', arguments: JSON.stringify({ message: EMOJI }), result: `wrote ${EMOJI}`, executed: true },
        {
          id: 'c2',
          arguments: JSON.stringify({ message: `x${EMOJI}` }),
          result: `wrote x${EMOJI}`,
          executed: true,
        },
      ]);
      expect(trial.close()).toMatchObject({ problems: [], requests: 2 });
    },
  );

  test('plays a run of twelve calls', async () => {
    const steps = Array.from({ length: 12 }, (_, at) => calls([`c${at}`, 'write', { message: 'same' }]));
    const trial = await scripted([...steps, text('Done')]);
    expect(await client.run(trial, SAY_HI)).toBe('Done');
    expect(wireEvidence(trial).toolCalls.filter((call) => call.executed)).toHaveLength(12);
    expect(trial.close()).toMatchObject({ problems: [], steps: 13 });
  });

  test('an unknown tool is called and never executed', async () => {
    const trial = await scripted([calls(['c1', 'fly', {}]), text('Done')]);
    const run = client.run(trial, SAY_HI);
    if (client.unknownTool === 'abort') await expect(run).rejects.toThrow();
    else expect(await run).toBe('Done');
    const [call] = wireEvidence(trial).toolCalls;
    expect(call).toMatchObject({ name: 'fly', offered: false, executed: false });
    expect(trial.close().toolsNotOffered).toMatchObject([{ tool: 'fly' }]);
  });

  test('wrong arguments and a failing tool come back as they are', async () => {
    const trial = await scripted([
      calls(['c1', 'write', { wrong: 1 }]),
      calls(['c2', 'write', { message: 'fail' }]),
      text('Done'),
    ]);
    const aborts = client.badArguments === 'abort' || client.failingTool === 'abort';
    const run = client.run(trial, SAY_HI);
    if (aborts) await expect(run).rejects.toThrow();
    else expect(await run).toBe('Done');
    const [bad, failing] = wireEvidence(trial).toolCalls;
    expect(bad).toMatchObject({ arguments: '{"wrong":1}' });
    if (client.badArguments === 'result') expect(bad?.result).toMatch(/invalid|error/i);
    if (client.failingTool === 'result') expect(failing?.result).toMatch(/disk full|error/i);
    expect(trial.close().problems.length > 0).toBe(aborts);
  });

  test('a 429 uses up nothing', async () => {
    const trial = await scripted([
      { type: 'fault', fault: 'status', status: 429, retryAfter: 0 },
      calls(['c1', 'write', { message: 'one' }]),
      text('Done'),
    ]);
    expect(await persist(client, trial, client.retries ? 1 : 2)).toBe('Done');
    expect(wireEvidence(trial).toolCalls).toMatchObject([{ id: 'c1', executed: true }]);
    expect(trial.close()).toMatchObject({ problems: [], requests: 3, steps: 2 });
  });

  test('a dropped connection and a cut answer use up nothing', async () => {
    const trial = await scripted([
      { type: 'fault', fault: 'drop' },
      calls(['c1', 'write', { message: 'one' }]),
      { type: 'fault', fault: 'cut', afterEvents: 1 },
      text('Done'),
    ]);
    expect(await persist(client, trial, 3)).toBe('Done');
    expect(wireEvidence(trial).toolCalls).toMatchObject([{ id: 'c1', result: 'wrote one', executed: true }]);
    expect(trial.close()).toMatchObject({ problems: [], steps: 2 });
  });

  test('stops at the end of its script, at once and clearly', async () => {
    const trial = await scripted([calls(['c1', 'write', { message: 'one' }])]);
    await expect(client.run(trial, SAY_HI)).rejects.toThrow(/Script exhausted/);
    expect(trial.close()).toMatchObject({ requests: 2, problems: [{ kind: 'exhausted' }] });
  }, 5_000);

  test('a request for a title before the main one uses up no step', async () => {
    const trial = await scripted([calls(['c1', 'write', { message: 'one' }]), text('Done')]);
    const title = { prompt: 'Write a title for: Say hi', system: 'You make titles.', bare: true };
    expect(await client.run(trial, title)).not.toBe('Done');
    expect(await client.run(trial, SAY_HI)).toBe('Done');
    expect(trial.close()).toMatchObject({ problems: [], steps: 2, sideRequests: [{ times: 1 }] });
  });

  test('sub-agents that race their parent and each other have lanes of their own', async () => {
    const trial = await trialOf(FAMILY);
    const children: Promise<string>[] = [];
    const spawn = (): void => {
      for (const name of ['right', 'left']) {
        children.push(client.run(trial, { prompt: `Please do ${name} now` }));
      }
    };
    expect(await client.run(trial, { ...SAY_HI, spawn })).toBe('parent done');
    expect(await Promise.all(children)).toEqual(['right done', 'left done']);
    expect(wireEvidence(trial).toolCalls.map((call) => [call.lane, call.id])).toEqual([
      ['parent', 'p1'],
      ['parent', 'p2'],
      ['left', 'left-1'],
      ['right', 'right-1'],
    ]);
    expect(trial.close()).toMatchObject({ problems: [] });
  });
}
