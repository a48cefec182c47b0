import { describe, expect, it } from 'vitest';
import {
  admitted,
  expectRefused,
  fixture,
  load,
  markedPlace,
  problemAt,
  refusal,
  stepsFixture,
  turnFixture,
  withCheck,
} from './trace-support.js';
import { documents, identities, patternsAndPointers, tags } from './trace-document-rules.js';
import { missingKeys, unknownKeys } from './trace-rules.js';
import { wrongTypes } from './trace-type-rules.js';
import { upkeep } from './trace-upkeep-rules.js';
import { bounds, emptyTexts, nothingChecked } from './trace-value-rules.js';

describe.each([
  ['an unknown key is refused, with the key that was meant', unknownKeys],
  ['a required key must be there', missingKeys],
  ['a value must be of the right type, and null only where it is allowed', wrongTypes],
  ['a type must be known', tags],
  ['a text that would match anything is refused', emptyTexts],
  ['a bound must be possible and must be able to fail', bounds],
  ['something must be checked', nothingChecked],
  ['a case needs an identity', identities],
  ['keys of upkeep are as strict as the rest', upkeep],
  ['patterns and pointers are compiled at load', patternsAndPointers],
  ['a file is one JSON object, each key once, each number exact', documents],
])('%s', (_title, rules) => {
  it.each(rules)('$name is refused', async ({ refused, ...expected }) => {
    await expectRefused(refused, expected);
  });

  it.each(rules)('$name: its nearest neighbour is accepted', async ({ accepted }) => {
    expect((await admitted(accepted)).checks.length).toBeGreaterThan(0);
  });
});

describe('a fixture with many faults', () => {
  it('reports all of them at once, in the order of the file', async () => {
    const text = fixture({
      top: '"clustr": "a",\n  "repeat": -1',
      expects: '{"tools_used": [""],\n     "min_tool_calls": 0,\n     "response_matches": ["("]}',
    });
    const error = await refusal(load({ 'case.json': text }));
    expect(error.problems.map((problem) => [problem.line, problem.column, problem.key])).toEqual([
      [3, 3, 'clustr'],
      [4, 13, 'repeat'],
      [6, 21, 'expects.tools_used[0]'],
      [7, 24, 'expects.min_tool_calls'],
      [8, 27, 'expects.response_matches[0]'],
    ]);
    expect(error.message).toContain('5 problems');
  });

  it('does not also call a case empty when its only family is misspelt', async () => {
    await expectRefused(fixture({ expects: '{§"respons_contains": ["ok"]}' }), {
      key: 'expects.respons_contains',
      says: 'unknown key',
      fix: 'did you mean response_contains?',
    });
  });

  it('an empty block is reported beside the case that has no check', async () => {
    const text = fixture({ expects: '{"workspace": §{}}' });
    const error = await refusal(load({ 'case.json': text }));
    expect(error.problems).toEqual([
      expect.objectContaining({ key: 'expects', message: expect.stringContaining('no check that can fail') }),
      problemAt(text, { key: 'expects.workspace', says: 'holds no check', fix: 'remove the block' }),
    ]);
  });

  it('counts columns in UTF-16 units, as editors do', async () => {
    const text = fixture({ top: '"id": "😀", §"x": 1' });
    expect(markedPlace(text)).toEqual({ line: 3, column: 15 });
    await expectRefused(text, { key: 'x', says: 'unknown key', fix: 'remove it' });
  });
});

describe('what is the author’s own business is admitted', () => {
  it.each([
    ['text that is white space', withCheck('"response_not_contains": ["  "]')],
    ['a blank user message', turnFixture('{"user_input": " "}')],
    ['a turn without steps', turnFixture('{"user_input": "a", "steps": []}')],
    [
      'a list of calls that is empty',
      stepsFixture('[{"response": {"type": "tool_calls", "tool_calls": []}}]'),
    ],
    ['paths that will escape the workspace', withCheck('"workspace": {"file_exists": ["../a", ""]}')],
    ['a repeat of 0', fixture({ top: '"repeat": 0' })],
    [
      'arguments of any shape',
      stepsFixture(
        '[{"response": {"type": "tool_calls", "tool_calls": [{"id": "", "name": "", "arguments": [null]}]}}]',
      ),
    ],
  ])('%s', async (_name, text) => {
    expect((await admitted(text)).checks.length).toBeGreaterThan(0);
  });

  it.each([
    ['0', 1],
    ['1', 1],
    ['50', 50],
    ['51', 50],
    ['4294967295', 50],
  ])('repeat %s asks for %i trials', async (written, trials) => {
    expect((await admitted(fixture({ top: `"repeat": ${written}` }))).trials).toBe(trials);
  });
});

describe('labels', () => {
  it('name every check in the order in which it is graded', async () => {
    const tested = await admitted(
      turnFixture(
        '{"user_input": "a", "expects": {"response_matches": ["t"], "response_not_contains": ["u"], "response_contains": ["v"]}}',
      ).replace(
        '{"response_contains": ["ok"]}',
        `{"judge": [{"name": "tone", "rubric": "kind"}], "assert": [{"type": "contains", "value": "w"}],
          "response_json": {"/b": 1, "/a": 2}, "budget": {"max_llm_calls": 5, "max_duration_ms": 4, "max_total_tokens": 3,
          "max_output_tokens": 2, "max_input_tokens": 1},
          "workspace": {"file_contains": {"z": ["1", "2"], "y": ["3"]}, "file_absent": ["n"], "file_exists": ["m"]},
          "response_matches": ["\\\\d"], "all_tools_succeeded": true,
          "tool_results_contain": [{"tool": "e", "needle": "r", "call_index": 1}],
          "tool_arguments_contain": [{"tool": "e", "needle": "a\\"b"}], "exact_tool_calls": 2, "min_tool_calls": 1,
          "max_tool_calls": 3, "tools_not_used": ["no"], "tools_used": ["yes"],
          "response_not_contains": ["line\\nbreak"], "response_contains": ["ok"]}`,
      ),
    );
    expect(tested.checks.map((check) => check.label)).toEqual([
      'response_contains("ok")',
      'response_not_contains("line\\nbreak")',
      'tools_used("yes")',
      'tools_not_used("no")',
      'max_tool_calls(3)',
      'min_tool_calls(1)',
      'exact_tool_calls(2)',
      'tool_arguments_contain("e", "a\\"b")',
      'tool_results_contain("e"[1], "r")',
      'all_tools_succeeded(true)',
      'response_matches("\\\\d")',
      'turns[0].response_contains("v")',
      'turns[0].response_not_contains("u")',
      'turns[0].response_matches("t")',
      'file_exists("m")',
      'file_absent("n")',
      'file_contains("y", "3")',
      'file_contains("z", "1")',
      'file_contains("z", "2")',
      'max_input_tokens(1)',
      'max_output_tokens(2)',
      'max_total_tokens(3)',
      'max_duration_ms(4)',
      'max_llm_calls(5)',
      'response_json("/a")',
      'response_json("/b")',
      'judge:tone',
      expect.stringContaining('contains'),
    ]);
    expect(tested.checks.filter((check) => check.diagnostic).map((check) => check.label)).toEqual([
      'judge:tone',
    ]);
  });
});
