import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROTOCOLS } from '../../src/core/index.js';
import {
  scriptFromTurns,
  wireEvidence,
  type Protocol,
  type WireItem,
  type WireTrial,
} from '../../src/wire/index.js';
import { calls, text, trialOf } from '../wire/support.js';
import { later, PI_BIN, temporary } from './support.js';

const APIS: { readonly [Name in Protocol]: { api: string; base: string } } = {
  anthropic: { api: 'anthropic-messages', base: '' },
  'openai-chat': { api: 'openai-completions', base: '/v1' },
  'openai-responses': { api: 'openai-responses', base: '/v1' },
  gemini: { api: 'google-generative-ai', base: '/v1beta' },
};

/** Runs pi in a home and a directory of its own and gives what it printed, whatever its exit code. */
async function pi(trial: WireTrial, protocol: Protocol, prompt: string): Promise<string> {
  const { api, base } = APIS[protocol];
  const provider = { baseUrl: trial.baseUrl + base, api, apiKey: 'any', models: [{ id: 'model-x' }] };
  const home = await temporary({
    '.pi/agent/models.json': JSON.stringify({ providers: { scripted: provider } }),
    'work/README.md': '',
  });
  const words = ['-p', '--mode', 'json', '--provider', 'scripted', '--model', 'model-x', '--offline'];
  return new Promise((resolve, reject) => {
    const child = spawn(join(PI_BIN, 'pi'), [...words, '--no-session', prompt], {
      cwd: join(home, 'work'),
      env: { HOME: home, PATH: `${PI_BIN}${delimiter}${process.env['PATH'] ?? ''}` },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    later(async () => void child.kill('SIGKILL'));
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    child.on('error', reject);
    child.on('close', () => resolve(Buffer.concat(parts).toString('utf8')));
  });
}

function shell(id: string, command: string): [string, string, { command: string }] {
  return [id, 'bash', { command }];
}

const EMOJI = `é 👩‍👩‍👧‍👦 ${'😀'.repeat(20)}`;
const TWELVE = Array.from({ length: 12 }, (_, at) => calls(shell(`n${at}`, `printf %s ${at}`)));

/** Everything that may go wrong in one conversation, sent byte by byte. */
const TOUR: WireItem[] = [
  { type: 'fault', fault: 'status', status: 429, retryAfter: 0 },
  calls(shell('even', `printf %s '${EMOJI}'`), shell('odd', `printf %s 'x${EMOJI}'`)),
  calls(['unknown', 'fly', {}]),
  calls(['wrong', 'bash', { wrong: 1 }]),
  calls(shell('failing', 'echo disk full; exit 3')),
  { type: 'fault', fault: 'drop' },
  ...TWELVE,
  { type: 'fault', fault: 'cut', afterEvents: 1 },
  text(`Done ${EMOJI}`),
];

describe.runIf(existsSync(PI_BIN))('pi, a whole agent, against one script', () => {
  it.each(PROTOCOLS)(
    'over %s: parallel calls, twelve calls, wrong ones and every fault, at one byte a write',
    async (protocol) => {
      const trial = await trialOf(scriptFromTurns([{ user: 'Say hi', steps: TOUR }]), { writeBytes: 1 });
      expect(await pi(trial, protocol, 'Say hi')).toContain(`Done ${EMOJI}`);
      const { toolCalls } = wireEvidence(trial);
      const results = new Map(toolCalls.map((call) => [call.id, call.result]));
      expect(results.get('even')).toContain(EMOJI);
      expect(results.get('odd')).toContain(`x${EMOJI}`);
      expect(toolCalls.find(({ id }) => id === 'unknown')).toMatchObject({ offered: false, executed: false });
      expect(results.get('wrong')).toMatch(/command/);
      expect(results.get('failing')).toContain('disk full');
      expect(TWELVE.map((_, at) => results.get(`n${at}`))).toEqual(TWELVE.map((_, at) => String(at)));
      const report = trial.close();
      expect(report.problems).toEqual([]);
      expect(report.steps).toBe(17);
      // Each fault cost one request and nothing of the script.
      expect(report.requests).toBe(20);
    },
    120_000,
  );

  it.each(PROTOCOLS)(
    'over %s: it ends at the end of its script',
    async (protocol) => {
      const trial = await trialOf(
        scriptFromTurns([{ user: 'Say hi', steps: [calls(shell('s', 'echo hi'))] }]),
      );
      expect(await pi(trial, protocol, 'Say hi')).toContain('Script exhausted');
      expect(trial.close()).toMatchObject({ requests: 2, problems: [{ kind: 'exhausted' }] });
    },
    60_000,
  );

  it('has a lane of its own in each of three copies that race', async () => {
    const lane = (name: string, firstUser: string) => ({
      name,
      match: { firstUser },
      items: [calls(shell(name, `printf %s ${name}`)), text(`${name} done`)],
    });
    const trial = await trialOf({ lanes: ['one', 'two', 'three'].map((name) => lane(name, `do ${name}`)) });
    const said = await Promise.all(
      ['three', 'one', 'two'].map((name) => pi(trial, 'anthropic', `Please do ${name} now`)),
    );
    for (const [at, name] of ['three', 'one', 'two'].entries()) expect(said[at]).toContain(`${name} done`);
    expect(wireEvidence(trial).toolCalls.map((call) => [call.lane, call.result])).toEqual([
      ['one', 'one'],
      ['two', 'two'],
      ['three', 'three'],
    ]);
    expect(trial.close()).toMatchObject({ problems: [] });
  }, 120_000);
});
