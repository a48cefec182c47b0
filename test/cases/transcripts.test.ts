import { describe, expect, it } from 'vitest';
import { readTranscript, type Transcript, type TranscriptFormat } from '../../src/cases/index.js';
import {
  AI_SDK,
  AI_SDK_UI,
  ANTHROPIC,
  CLAUDE_CODE,
  CODEX,
  jsonLines,
  OPENAI,
  OPENAI_ITEMS,
  OTLP,
} from './samples.js';

const ANY = { format: null, trace: null, line: null };

function read(text: string, format: TranscriptFormat | null = null): Transcript {
  return readTranscript(text, 'sample', { ...ANY, format });
}

/** What every form of the same conversation says. */
const SAME = [
  {
    user: 'Which port does the server use?',
    calls: [['read', { path: 'server.conf' }, 'port = 8080', true]],
    answer: 'The server uses port 8080.',
  },
];

function gist(transcript: Transcript): unknown {
  return transcript.turns.map((turn) => ({
    user: turn.user,
    calls: turn.steps.flatMap((step) =>
      step.calls.map((call) => [call.name, call.arguments, call.result, call.ok]),
    ),
    answer: turn.steps.at(-1)?.text,
  }));
}

describe('Reading transcripts', () => {
  it.each([
    ['openai', OPENAI],
    ['openai', OPENAI_ITEMS],
    ['anthropic', ANTHROPIC],
    ['ai-sdk', AI_SDK],
    ['ai-sdk', AI_SDK_UI],
    ['otlp', OTLP],
  ] as const)('finds out that a file is %s and reads the conversation in it', (format, sample) => {
    const transcript = read(JSON.stringify(sample));
    expect(transcript.format).toBe(format);
    expect(gist(transcript)).toEqual(SAME);
    expect(transcript.system).toBe('Be brief.');
  });

  it('reads a Claude Code session: replies in pieces are one, tokens count once', () => {
    const transcript = read(jsonLines(CLAUDE_CODE));
    expect(transcript.format).toBe('claude-code');
    expect(transcript.model).toBe('claude-x');
    expect(transcript.turns).toHaveLength(1);
    const [first, second] = transcript.turns[0]?.steps ?? [];
    expect(first).toMatchObject({ text: 'I will look.', inputTokens: 100, outputTokens: 5 });
    expect(first?.calls).toMatchObject([
      { id: 't1', name: 'Read', arguments: { file_path: 'server.conf' }, ok: true },
    ]);
    expect(second).toMatchObject({ text: 'The server uses port 8080.', calls: [] });
  });

  it('leaves out sub-agents, given-up branches and the words of the program, and says so', () => {
    const { turns, notes } = read(jsonLines(CLAUDE_CODE));
    expect(JSON.stringify(turns)).not.toMatch(/Given up|Try again|"sub"|command-name|Caveat/);
    expect(notes).toEqual([
      'left out: line of the program itself (2 times)',
      'left out: line of a branch that was given up (2 times)',
      'left out: line of a sub-agent',
    ]);
  });

  it('reads a Codex rollout: calls of one reply stay together, exit codes tell failures', () => {
    const transcript = read(jsonLines(CODEX));
    expect(transcript).toMatchObject({ format: 'codex', system: 'Be brief.', model: 'gpt-x' });
    expect(transcript.turns).toHaveLength(1);
    expect(transcript.turns[0]?.steps).toHaveLength(2);
    expect(transcript.turns[0]?.steps[0]).toMatchObject({
      inputTokens: 100,
      outputTokens: 7,
      calls: [
        { name: 'shell', arguments: { command: ['cat', 'server.conf'] }, result: 'port = 8080', ok: true },
        { name: 'apply_patch', arguments: '*** Begin Patch', result: 'no such file', ok: false },
      ],
    });
  });

  it('takes spans by time, tells what is new in each request, and leaves sub-agents to their tools', () => {
    const transcript = read(JSON.stringify(OTLP));
    expect(transcript.turns[0]?.steps.map((step) => [step.inputTokens, step.outputTokens])).toEqual([
      [20, 4],
      [50, 6],
    ]);
    expect(transcript.notes).toEqual(['left out: request of a sub-agent']);
  });

  it('takes the result of a tool from its span when no request repeats it', () => {
    const silent = JSON.stringify(OTLP).replace('tool_call_response', 'blob');
    expect(read(silent).turns[0]?.steps[0]?.calls[0]?.result).toBe('port = 8080');
  });

  it('reads messages as JSON lines, and one conversation out of several', () => {
    expect(gist(read(jsonLines(OPENAI)))).toEqual(SAME);
    const several = jsonLines([{ messages: [{ role: 'user', content: 'other' }] }, { messages: OPENAI }]);
    expect(() => read(several)).toThrow('holds 2 conversations');
    expect(gist(readTranscript(several, 'sample', { ...ANY, line: 2 }))).toEqual(SAME);
    expect(() => readTranscript(several, 'sample', { ...ANY, line: 3 })).toThrow(
      'no conversation on this line',
    );
  });

  it('asks which trace is meant when there are several', () => {
    const two = `${JSON.stringify(OTLP)}\n${JSON.stringify(OTLP).replaceAll('trace1', 'trace2')}\n`;
    expect(() => read(two)).toThrow('2 conversations');
    expect(gist(readTranscript(two, 'sample', { ...ANY, trace: 'trace2' }))).toEqual(SAME);
  });

  it('notes broken lines and goes on', () => {
    const torn = `${jsonLines(CODEX)}{"type":"response_item","payl`;
    expect(read(torn).notes).toContain('left out: line that is not JSON');
  });

  it.each([
    ['', 'neither JSON nor JSON lines'],
    ['not json', 'neither JSON nor JSON lines'],
    ['{"a":1}', 'no transcript of a known form'],
    ['[]', 'no transcript of a known form'],
    ['[{"role":"assistant","content":"hi"}]', 'nobody says anything'],
    [`${'['.repeat(5000)}${']'.repeat(5000)}`, 'nested more than 200 levels'],
  ])('refuses %.20j', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  it('takes hostile values for what they are: data', () => {
    const hostile = [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: 5,
        tool_calls: [
          {
            id: 7,
            type: 'function',
            function: { name: '__proto__', arguments: '{"__proto__":{"polluted":true}}' },
          },
          null,
          { id: 'same', type: 'function', function: { name: 'a', arguments: '{' } },
          { id: 'same', type: 'function', function: { name: 'b', arguments: '' } },
        ],
      },
      { role: 'tool', tool_call_id: 'nobody', content: 'lost' },
      { role: 'wizard', content: 'x' },
    ];
    const transcript = read(JSON.stringify(hostile));
    const calls = transcript.turns[0]?.steps[0]?.calls ?? [];
    expect(calls.map((call) => call.name)).toEqual(['__proto__', 'a', 'b']);
    expect(new Set(calls.map((call) => call.id)).size).toBe(3);
    expect(calls[1]?.arguments).toBe('{');
    expect(calls[2]?.arguments).toEqual({});
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(transcript.notes).toEqual([
      'left out: tool result without its call',
      'left out: message of role wizard',
    ]);
  });
});
