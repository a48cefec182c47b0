import { describe, expect, test } from 'vitest';
import { formatTranscript } from '../../src/report/index.js';
import { check, erroredTrial, receipt, recording, trial } from './samples.js';

describe('a transcript', () => {
  const full = trial({
    status: 'failed',
    score: 0.5,
    receipt: receipt({ modelRef: 'claude-cli:sonnet', servedModel: 'claude-sonnet-4', mode: 'live' }),
    checks: [
      check({ evidence: 'found at 3' }),
      check({
        label: 'tool-used("rm")',
        outcome: 'fail',
        required: true,
        weight: 2,
        evidence: 'line one\nline two',
      }),
    ],
    recording: recording({
      messages: [
        { role: 'system', text: 'Be brief.' },
        { role: 'user', text: 'list the files' },
        {
          role: 'assistant',
          text: '',
          reasoning: 'I should look.',
          toolCalls: [
            { id: 'c1', name: 'ls', arguments: '{"path":"."}' },
            { id: 'c2', name: 'rm', arguments: '{}' },
          ],
        },
        { role: 'tool', text: 'a.txt', toolCallId: 'c1', toolName: 'ls' },
        { role: 'assistant', text: 'one file:\na.txt' },
      ],
      toolCalls: [
        {
          id: 'c1',
          name: 'ls',
          arguments: '{"path":"."}',
          result: 'a.txt',
          ok: true,
          turn: 0,
          startedAt: 1,
          durationMs: 4,
        },
        {
          id: 'x',
          name: 'cat',
          arguments: '{}',
          result: '',
          ok: false,
          turn: 0,
          startedAt: 9,
          durationMs: 2,
        },
      ],
      usage: { inputTokens: 1200, outputTokens: 34, cost: 0.0021 },
      llmCalls: 2,
      durationMs: 2100,
      notes: ['retried once'],
    }),
  });

  test('reads from the system prompt to what it cost', () => {
    expect(formatTranscript(full, { color: false })).toBe(
      [
        '✗ greets trial 1: failed, score 0.500',
        'live, model claude-cli:sonnet (served by claude-sonnet-4), started 2026-01-02T03:04:05.000Z, case aaaaaaaaaaaa',
        '',
        'system',
        '  Be brief.',
        '',
        'user',
        '  list the files',
        '',
        'assistant',
        '  (reasoning)',
        '  I should look.',
        '  → ls {"path":"."}',
        '  ✓ 4 ms',
        '    a.txt',
        '  → rm {}',
        '  ! not dispatched',
        '',
        'assistant',
        '  one file:',
        '  a.txt',
        '',
        'other tool calls',
        '  → cat {}',
        '  ✗ 2 ms',
        '',
        'note: retried once',
        '',
        'checks',
        '  ✓ response_contains("hello") 1.000',
        '      found at 3',
        '  ✗ tool-used("rm") (required, weight 2) 0.000',
        '      line one',
        '      line two',
        '',
        '1,200 tokens in, 34 out, $0.0021, 2 model requests, 2 tool calls, 2.1 s',
        '',
      ].join('\n'),
    );
  });

  test('a call that was refused before dispatch shows what the model was told', () => {
    const refused = recording({
      messages: [
        { role: 'assistant', text: '', toolCalls: [{ id: 'c', name: 'shell', arguments: '{}' }] },
        { role: 'tool', text: 'denied by policy', toolCallId: 'c', toolName: 'shell', isError: true },
      ],
    });
    expect(formatTranscript(trial({ recording: refused }), { color: false })).toContain(
      'assistant\n  → shell {}\n  ! not dispatched\n\ntool shell\n  denied by policy\n',
    );
  });

  test('a trial that broke before anything was recorded shows its error', () => {
    expect(formatTranscript(erroredTrial(), { color: false })).toBe(
      [
        '! greets trial 1: error',
        'replay, model scripted, started 2026-01-02T03:04:05.000Z, case aaaaaaaaaaaa',
        '',
        '(nothing was recorded)',
        '',
        '! error: script',
        '  turn 1 asked for more than the script holds',
        '',
      ].join('\n'),
    );
  });

  test('turns stand in for messages that were not kept', () => {
    const text = formatTranscript(trial(), { color: false });
    expect(text).toContain('user\n  hi\n\nassistant\n  hello there\n');
  });

  test('is not cut unless asked', () => {
    const long = trial({ recording: recording({ turns: [{ user: 'hi', text: 'x'.repeat(50_000) }] }) });
    expect(formatTranscript(long, { color: false })).toContain('x'.repeat(50_000));
    expect(formatTranscript(long, { color: false, characters: 100 })).toContain(
      `  ${'x'.repeat(75)}… (49,900 characters left out) …${'x'.repeat(25)}\n`,
    );
  });

  test('hostile text cannot drive the terminal', () => {
    const evil = 'a\u001b]0;owned\u0007\rb\u202ec';
    const text = formatTranscript(
      trial({
        caseId: evil,
        checks: [check({ label: evil, evidence: evil })],
        recording: recording({
          messages: [
            {
              role: 'assistant',
              text: evil,
              reasoning: evil,
              toolCalls: [{ id: 'c', name: evil, arguments: evil }],
            },
          ],
          toolCalls: [
            {
              id: 'c',
              name: evil,
              arguments: evil,
              result: evil,
              ok: true,
              turn: 0,
              startedAt: 0,
              durationMs: 0,
            },
          ],
          notes: [evil],
        }),
        error: { kind: 'agent', message: evil },
      }),
      { color: false },
    );
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(text).toContain('a\\u{1b}]0;owned\\u{7}\\u{d}b\\u{202e}c');
  });
});
