import { rule, type Rule } from './trace-rules.js';
import { fixture, stepsFixture, turnFixture, withCheck } from './trace-support.js';

const TEXT = '{"type": "text", "content": "ok"}';
const step0 = 'turns[0].steps[0]';
const response = (inner: string): string => stepsFixture(`[{"response": ${inner}}]`);
const toolCalls = (list: string): string => response(`{"type": "tool_calls", "tool_calls": ${list}}`);
const turn = (inner: string): string => turnFixture(`{"user_input": "hello", ${inner}}`);
const top = (inner: string): string => fixture({ top: inner });
const rubric = (inner: string): string => withCheck(`"judge": [${inner}]`);
const payload = (inner: string): string => withCheck(`"tool_arguments_contain": [${inner}]`);

const typed = (
  key: string,
  what: string,
  write: (part: string) => string,
  wrong: string,
  right: string,
): Rule =>
  rule(`${key}: ${wrong}`, key, `must be ${what}, not `, `write ${what}`, write, [`§${wrong}`, right]);

const family = (name: string, wrong: string): Rule =>
  typed(`expects.${name}`, 'a list', (part) => withCheck(`"${name}": ${part}`), wrong, '[]');

/** A value of the wrong type, and null where only a value will do. */
export const wrongTypes: Rule[] = [
  typed('model_name', 'text', (part) => fixture().replace('"sample"', part), '3', '"sample"'),
  typed('model_name', 'text', (part) => fixture().replace('"sample"', part), 'null', '"sample"'),
  typed('id', 'text', (part) => top(`"id": ${part}`), '3', 'null'),
  typed('cluster', 'text', (part) => top(`"cluster": ${part}`), '["a"]', 'null'),
  typed('setup', 'an object', (part) => top(`"setup": ${part}`), '[]', 'null'),
  typed(
    'setup.workspace_files',
    'an object',
    (part) => top(`"setup": {"workspace_files": ${part}}`),
    'null',
    '{}',
  ),
  typed(
    'setup.workspace_files.a',
    'text',
    (part) => top(`"setup": {"workspace_files": {"a": ${part}}}`),
    '1',
    '""',
  ),
  typed('tools', 'a list', (part) => top(`"tools": ${part}`), '"echo"', 'null'),
  typed('tools[1]', 'text', (part) => top(`"tools": ["a", ${part}]`), 'null', '"b"'),
  typed('repeat', 'a number', (part) => top(`"repeat": ${part}`), 'null', '1'),
  typed('repeat', 'a whole number', (part) => top(`"repeat": ${part}`), '1.5', '2'),
  typed('tags', 'a list', (part) => top(`"tags": ${part}`), 'null', '["a"]'),
  typed('turns', 'a list', (part) => fixture({ turns: part }), 'null', '[{"user_input": "a"}]'),
  typed('turns[0]', 'an object', turnFixture, '"hello"', '{"user_input": "hello"}'),
  typed('turns[0].user_input', 'text', (part) => turnFixture(`{"user_input": ${part}}`), 'null', '""'),
  typed('turns[0].steps', 'a list', (part) => turn(`"steps": ${part}`), '{}', 'null'),
  typed(
    'turns[0].expects',
    'an object',
    (part) => turn(`"expects": ${part}`),
    'null',
    '{"response_contains": ["a"]}',
  ),
  typed(step0, 'an object', (part) => stepsFixture(`[${part}]`), 'null', `{"response": ${TEXT}}`),
  typed(`${step0}.response`, 'an object', response, '"ok"', TEXT),
  typed(
    `${step0}.response.content`,
    'text',
    (part) => response(`{"type": "text", "content": ${part}}`),
    'null',
    '""',
  ),
  typed(`${step0}.response.tool_calls`, 'a list', toolCalls, 'null', '[]'),
  typed(
    `${step0}.response.tool_calls[0].name`,
    'text',
    (part) => toolCalls(`[{"id": "a", "arguments": 1, "name": ${part}}]`),
    'null',
    '"echo"',
  ),
  typed(
    `${step0}.response.input_tokens`,
    'a number',
    (part) => response(`{"type": "text", "content": "ok", "input_tokens": ${part}}`),
    'null',
    '0',
  ),
  typed('expects.response_json', 'an object', (part) => withCheck(`"response_json": ${part}`), '[]', '{}'),
  typed('expects.workspace', 'an object', (part) => withCheck(`"workspace": ${part}`), '["a"]', 'null'),
  typed('expects.budget', 'an object', (part) => withCheck(`"budget": ${part}`), '7', 'null'),
  typed(
    'expects.max_tool_calls',
    'a number',
    (part) => withCheck(`"max_tool_calls": ${part}`),
    '"3"',
    'null',
  ),
  typed(
    'expects.min_tool_calls',
    'a whole number',
    (part) => withCheck(`"min_tool_calls": ${part}`),
    '1.5',
    'null',
  ),
  typed(
    'expects.exact_tool_calls',
    'a number',
    (part) => withCheck(`"exact_tool_calls": ${part}`),
    'true',
    'null',
  ),
  typed(
    'expects.all_tools_succeeded',
    'true or false',
    (part) => withCheck(`"all_tools_succeeded": ${part}`),
    '1',
    'null',
  ),
  typed(
    'expects.tool_arguments_contain[0].call_index',
    'a number',
    (part) => payload(`{"tool": "echo", "needle": "a", "call_index": ${part}}`),
    '"0"',
    'null',
  ),
  typed(
    'expects.response_matches[0]',
    'text',
    (part) => withCheck(`"response_matches": [${part}]`),
    'null',
    '"a"',
  ),
  typed(
    'expects.judge[0].threshold',
    'a number',
    (part) => rubric(`{"name": "a", "rubric": "b", "threshold": ${part}}`),
    '"0.5"',
    '1',
  ),
  typed(
    'expects.judge[0].include_transcript',
    'true or false',
    (part) => rubric(`{"name": "a", "rubric": "b", "include_transcript": ${part}}`),
    'null',
    'true',
  ),
  typed(
    'expects.response_contains',
    'a list',
    (part) => fixture({ expects: `{"tools_used": ["echo"], "response_contains": ${part}}` }),
    'null',
    '[]',
  ),
  family('tools_used', 'null'),
  family('tools_not_used', '"echo"'),
  family('response_not_contains', 'null'),
  family('response_matches', '"a"'),
  family('tool_arguments_contain', 'null'),
  family('tool_results_contain', '{}'),
  family('judge', 'null'),
];
