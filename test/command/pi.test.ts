import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { presetDoctor } from '../../src/agent/index.js';
import { call, fixture, PI_BIN, replayOne, say } from './support.js';

const INSTALLED = existsSync(PI_BIN);
const before = process.env['PATH'];

describe.runIf(!INSTALLED)('a machine without pi', () => {
  it('cannot try a whole agent, which only a machine without a network may leave out', () => {
    expect(process.env['CI'] ?? '').toBe('');
  });
});

describe.runIf(INSTALLED)('pi, a whole agent that knows nothing of Assay', () => {
  beforeAll(() => {
    process.env['PATH'] = `${PI_BIN}${delimiter}${before ?? ''}`;
  });

  afterAll(() => {
    process.env['PATH'] = before;
  });

  it.each(['anthropic', 'openai-chat', 'openai-responses', 'gemini'])(
    'runs the tools that its scripted model asks for over %s',
    async (protocol) => {
      const trial = await replayOne(
        fixture('pi', {
          agent: { preset: 'pi', protocol },
          steps: [
            call(['w', '@write', { path: 'out.txt', content: 'by pi 👋' }]),
            call(['s', '@shell', { command: 'cat out.txt' }], ['n', 'no_such_tool', {}]),
            say('pi is done'),
          ],
          expects: {
            response_contains: ['pi is done'],
            tools_used: ['@write', '@shell'],
            tool_results_contain: [{ tool: '@shell', needle: 'by pi 👋' }],
            workspace: { file_contains: { 'out.txt': ['by pi 👋'] } },
          },
        }),
        { turnTimeoutMs: 60_000 },
      );
      expect(trial.error).toBeNull();
      expect(trial.status).toBe('passed');
    },
    90_000,
  );

  it('tries again after an error with nothing of the script used up', async () => {
    const trial = await replayOne(
      fixture('pi again', {
        agent: { preset: 'pi' },
        steps: [call(['s', '@shell', { command: 'echo x >> log' }]), say('pi is done')],
        expects: { exact_tool_calls: 1, response_contains: ['pi is done'] },
        more: { faults: [{ fault: 'status', status: 529, step: 1 }] },
      }),
      { turnTimeoutMs: 60_000 },
    );
    expect(trial.error).toBeNull();
    expect(trial.status).toBe('passed');
  }, 90_000);

  it('is known to the doctor with its version', async () => {
    const reports = await presetDoctor(process.env);
    expect(reports.find((report) => report.preset === 'pi')).toMatchObject({
      installed: { version: '0.73.1' },
      problem: '',
    });
  }, 30_000);
});
