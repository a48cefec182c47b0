import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/core/index.js';
import { at, reportOf, run, running, workplace } from './support.js';

const CHILD = resolve(import.meta.dirname, '../tool/mcp-child.mjs');

function text(content: string): JsonValue {
  return { response: { type: 'text', content } };
}

function toolCalls(...list: [name: string, input: JsonValue][]): JsonValue {
  const tool_calls = list.map(([name, input], index) => ({ id: `c${index}`, name, arguments: input }));
  return { response: { type: 'tool_calls', tool_calls } };
}

/** A fixture of one turn whose script drives tools. */
function fixture(
  tools: JsonValue,
  steps: JsonValue[],
  expects: JsonObject,
  more: JsonObject = {},
): JsonObject {
  return {
    model_name: 'tools',
    agent: { loop: { tools } },
    turns: [{ user_input: 'go', steps }],
    expects,
    ...more,
  };
}

const FILES = ['file_read', 'file_write', 'file_edit', 'glob_search', 'content_search'];

async function replay(one: JsonObject, ...words: string[]) {
  const place = workplace({ 's/tools.json': one });
  const ended = await run(place, ['s', '--json', ...words]);
  return { place, ended, found: at(reportOf(ended), 'cases', 0) };
}

describe('a replay whose agent names tools', () => {
  it('drives the real tools in a workspace with the files of the case, the same way every time', async () => {
    const one = fixture(
      FILES,
      [
        toolCalls(['glob_search', { pattern: '**' }]),
        toolCalls(['file_read', { path: 'notes/in.txt' }], ['content_search', { query: 'alpha' }]),
        toolCalls(['file_edit', { path: 'notes/in.txt', old_string: 'alpha', new_string: 'beta' }]),
        toolCalls(['file_write', { path: 'out.txt', content: 'done' }]),
        text('Done.'),
      ],
      {
        exact_tool_calls: 5,
        all_tools_succeeded: true,
        tool_results_contain: [
          { tool: 'glob_search', needle: 'notes/in.txt' },
          { tool: 'content_search', needle: 'notes/in.txt:1: alpha' },
        ],
        workspace: {
          file_contains: { 'notes/in.txt': ['beta'], 'out.txt': ['done'] },
          file_absent: ['notes/alpha.txt'],
        },
      },
      { setup: { workspace_files: { 'notes/in.txt': 'alpha' } } },
    );
    const { place, ended, found } = await replay(one, '--verify-determinism');
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(found).toMatchObject({
      mode: 'replay',
      sandbox: { autonomy: 'supervised', workspace_only: true },
      tool_surface: { registered: FILES.toSorted() },
    });
    expect(readdirSync(place.tmp).filter((name) => name.startsWith('assay-'))).toEqual([]);
  });

  it('is red when the tools do something else than is expected', async () => {
    const steps = [toolCalls(['file_write', { path: '../out.txt', content: 'x' }]), text('Done.')];
    const { found } = await replay(fixture(FILES, steps, { workspace: { file_exists: ['out.txt'] } }));
    expect(at(found, 'passed')).toBe(false);
    expect(at(found, 'error')).toBe(null);
  });

  it('records a tool that is not there as a failed call, as every replay does', async () => {
    const steps = [toolCalls(['file_write', { path: 'a', content: '' }]), text('Done.')];
    const expects = {
      tools_used: ['file_write'],
      all_tools_succeeded: false,
      tool_results_contain: [{ tool: 'file_write', needle: 'Unknown tool' }],
    };
    const { ended } = await replay(fixture(['file_read'], steps, expects));
    expect(ended.code).toBe(0);
  });

  it('without such an agent has echo alone, and sets nothing up', async () => {
    const steps = [toolCalls(['file_read', { path: 'a.txt' }]), text('Done.')];
    const { agent: _agent, ...plain } = fixture(FILES, steps, {
      all_tools_succeeded: false,
      workspace: { file_absent: ['a.txt'] },
    });
    const { ended, found } = await replay({
      ...plain,
      tools: FILES,
      setup: { workspace_files: { 'a.txt': 'x' } },
    });
    expect(ended.code).toBe(0);
    expect(at(found, 'tool_surface', 'registered')).toEqual(['echo']);
    expect(at(found, 'sandbox', 'workspace_only')).toBe(false);
  });

  it('makes an error of a case whose files cannot be set up', async () => {
    const steps = [text('Done.')];
    const more = { setup: { workspace_files: { '../a.txt': 'x' } } };
    const { found } = await replay(fixture(FILES, steps, { response_contains: ['Done'] }, more));
    expect(at(found, 'error')).toContain('would leave the workspace');
  });

  it('drives servers of tools too, and ends them', async () => {
    const mark = `assay-replay-${process.pid}-${Date.now()}`;
    const server = {
      mcp: { name: 'maths', command: ['node', CHILD, 'plain', mark], tools: ['add', 'keep'] },
    };
    const steps = [toolCalls(['add', { a: 2, b: 3 }], ['keep', { text: 'five' }]), text('5')];
    const { ended, found } = await replay(
      fixture([server, 'file_read'], steps, {
        tool_results_contain: [{ tool: 'add', needle: '5' }],
        workspace: { file_contains: { 'kept.txt': ['five'] } },
      }),
    );
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(at(found, 'tool_surface')).toEqual({
      requested: ['file_read', 'mcp:maths'],
      effective: ['file_read', 'mcp:maths'],
      registered: ['add', 'file_read', 'keep'],
    });
    await expect.poll(() => running(mark)).toEqual([]);
  });

  it('tells a server that died apart from an agent that failed', async () => {
    const server = { mcp: { name: 'frail', command: ['node', CHILD] } };
    const steps = [toolCalls(['die', {}]), text('Done.')];
    const { ended, found } = await replay(fixture([server], steps, { response_contains: ['Done'] }));
    expect(ended.code).toBe(1);
    expect(at(found, 'error')).toBe(
      'the MCP server "frail" failed while it ran die: it ended with exit code 7; it last said: out of memory',
    );
    expect(at(found, 'score')).toBe(null);
  });

  it('leaves no process when a tool that ignores every signal outlives the time limit', async () => {
    const mark = `assay-stubborn-${process.pid}-${Date.now()}`;
    const server = { mcp: { name: 'stubborn', command: ['node', CHILD, 'stubborn', mark] } };
    const steps = [toolCalls(['hang', {}]), text('Done.')];
    const { ended, found } = await replay(
      fixture([server], steps, { response_contains: ['Done'] }),
      '--timeout',
      '3',
    );
    expect(ended.code).toBe(1);
    expect(at(found, 'error')).toBe('turn 0 timed out after 3 s');
    await expect.poll(() => running(mark)).toEqual([]);
  });

  it('refuses a server elsewhere: a replay uses no network', async () => {
    const server = { mcp: { name: 'far', url: 'https://example.com/mcp' } };
    const { found } = await replay(fixture([server], [text('Done.')], { response_contains: ['Done'] }));
    expect(at(found, 'error')).toContain('a replay uses no network');
  });
});
