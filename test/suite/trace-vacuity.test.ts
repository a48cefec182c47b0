import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSuite } from '../../src/index.js';
import { admitted, directoryOf, fixture, load, refusal, withCheck } from './trace-support.js';

const named = (id: string): string => fixture({ top: `"id": "${id}"` });
const shown = (name: string): string => join('regression', name);

describe('a regression suite refuses a case that an idle run passes', () => {
  const idle: [string, string][] = [
    ['tools_not_used("echo")', '{"tools_not_used": ["echo"]}'],
    ['max_tool_calls(0)', '{"max_tool_calls": 0}'],
    ['exact_tool_calls(0)', '{"exact_tool_calls": 0}'],
    ['all_tools_succeeded(true)', '{"all_tools_succeeded": true}'],
    ['response_not_contains("x")', '{"response_not_contains": ["x"]}'],
    ['response_matches("^$")', '{"response_matches": ["^$"]}'],
    ['file_absent("a")', '{"workspace": {"file_absent": ["a"]}}'],
    ['max_total_tokens(0)', '{"budget": {"max_total_tokens": 0}}'],
  ];

  it.each(idle)('%s alone is refused', async (label, expects) => {
    const error = await refusal(load({ 'a.json': fixture({ expects }) }));
    expect(error.code).toBe('VACUOUS');
    expect(error.problems).toEqual([
      {
        file: shown('a.json'),
        line: 4,
        column: 3,
        key: 'expects',
        message: `an agent that does nothing passes this case: ${label} is satisfied by an idle run`,
        fix: expect.stringContaining('add a check that needs the behaviour'),
      },
    ]);
  });

  it.each([
    '{"response_contains": ["ok"], "tools_not_used": ["echo"]}',
    '{"tools_used": ["echo"]}',
    '{"min_tool_calls": 1}',
    '{"all_tools_succeeded": false}',
    '{"workspace": {"file_exists": ["a"]}}',
    '{"workspace": {"file_contains": {"a": ["x"]}}}',
    '{"response_json": {"": ""}}',
    '{"response_matches": ["."]}',
  ])('%s is admitted', async (expects) => {
    expect((await admitted(fixture({ expects }))).id).toBe('sample');
  });

  it('all the checks that doing nothing satisfies are named, for every such case', async () => {
    const lazy = '{"max_tool_calls": 0, "response_not_contains": ["x"]}';
    const error = await refusal(
      load({
        'a.json': fixture({ expects: lazy }),
        'b.json': named('b'),
        'c.json': fixture({ expects: lazy, top: '"id": "c"' }),
      }),
    );
    expect(error.message).toContain('2 cases would pass without the agent doing anything');
    expect(error.problems.map((problem) => problem.file)).toEqual([shown('a.json'), shown('c.json')]);
    expect(error.problems[0]?.message).toContain(
      'response_not_contains("x"), max_tool_calls(0) are all satisfied',
    );
  });

  it('a capability suite admits it, and so does a regression suite whose gate is off', async () => {
    const files = { 'a.json': fixture({ expects: '{"max_tool_calls": 0}' }) };
    expect((await load(files, 'capability')).kind).toBe('capability');
    const { cwd, path } = directoryOf(files);
    expect((await loadSuite(path, { cwd, gate: false })).cases.length).toBe(1);
    expect((await loadSuite(path, { cwd, kind: 'capability' })).cases.length).toBe(1);
    const strict = directoryOf(files, 'capability');
    const error = await refusal(loadSuite(strict.path, { cwd: strict.cwd, kind: 'regression' }));
    expect(error.code).toBe('VACUOUS');
  });

  it('is reported beside the faults of other files', async () => {
    const error = await refusal(
      load({
        'a.json': fixture({ top: '"id": "idle"', expects: '{"max_tool_calls": 0}' }),
        'b.json': withCheck('"min_tool_calls": 0'),
      }),
    );
    expect(error.code).toBe('SUITE_INVALID');
    expect(error.problems.map((problem) => [problem.file, problem.key])).toEqual([
      [shown('a.json'), 'expects'],
      [shown('b.json'), 'expects.min_tool_calls'],
    ]);
  });
});
