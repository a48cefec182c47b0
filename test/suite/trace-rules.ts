import { fixture, stepsFixture, turnFixture, withCheck, type Expected } from './trace-support.js';

/** One admission rule: a text that breaks it at its mark, and its nearest neighbour that does not. */
export interface Rule extends Expected {
  name: string;
  refused: string;
  accepted: string;
}

/** The same text twice: with the marked fault, and with what it should have been. */
export function rule(
  name: string,
  key: string,
  says: string,
  fix: string,
  write: (part: string) => string,
  [wrong, right]: readonly [string, string],
): Rule {
  return { name, key, says, fix, refused: write(wrong), accepted: write(right) };
}

const TEXT = '{"type": "text", "content": "ok"}';
const response = (inner: string): string => stepsFixture(`[{"response": ${inner}}]`);
const toolCalls = (list: string): string => response(`{"type": "tool_calls", "tool_calls": ${list}}`);
const turn = (inner: string): string => turnFixture(`{"user_input": "hello", ${inner}}`);
const top = (inner: string): string => fixture({ top: inner });
const rubric = (inner: string): string => withCheck(`"judge": [${inner}]`);
const payload = (inner: string): string => withCheck(`"tool_arguments_contain": [${inner}]`);

function unknown(key: string, meant: string, write: (part: string) => string, rest = ''): Rule {
  const written = key.slice(key.lastIndexOf('.') + 1);
  return rule(`unknown key ${key}`, key, 'unknown key', `did you mean ${meant}?`, write, [
    `${rest}§"${written}"`,
    `${rest}"${meant}"`,
  ]);
}

const step0 = 'turns[0].steps[0]';

/** A key that nobody knows, at every depth; the accepted twin has the key that was meant. */
export const unknownKeys: Rule[] = [
  unknown('clustr', 'cluster', (key) => top(`${key}: "a"`)),
  unknown('setup.workspace_file', 'workspace_files', (key) => top(`"setup": {${key}: {}}`)),
  unknown('turns[0].step', 'steps', (key) => turn(`${key}: null`)),
  unknown(`${step0}.response.input_token`, 'input_tokens', (key) =>
    response(`{"type": "text", "content": "ok", ${key}: 1}`),
  ),
  unknown(`${step0}.response.output_token`, 'output_tokens', (key) =>
    response(`{"type": "tool_calls", "tool_calls": [], ${key}: 1}`),
  ),
  unknown('expects.tool_used', 'tools_used', (key) => withCheck(`${key}: ["echo"]`)),
  unknown('turns[0].expects.response_match', 'response_matches', (key) =>
    turn(`"expects": {"response_contains": ["ok"], ${key}: ["o"]}`),
  ),
  unknown('expects.tool_arguments_contain[0].call_indx', 'call_index', (key) =>
    payload(`{"tool": "echo", "needle": "a", ${key}: 0}`),
  ),
  unknown('expects.tool_results_contain[0].callindex', 'call_index', (key) =>
    withCheck(`"tool_results_contain": [{"tool": "echo", "needle": "a", ${key}: 0}]`),
  ),
  unknown('expects.workspace.file_absnt', 'file_absent', (key) =>
    withCheck(`"workspace": {"file_exists": ["a"], ${key}: ["b"]}`),
  ),
  unknown('expects.budget.max_total_token', 'max_total_tokens', (key) =>
    withCheck(`"budget": {"max_llm_calls": 1, ${key}: 1}`),
  ),
  unknown('expects.judge[0].treshold', 'threshold', (key) =>
    rubric(`{"name": "a", "rubric": "b", ${key}: 0.5}`),
  ),
  // All keys of these objects are required, so the twin just goes without the extra one.
  rule(
    `unknown key in a step`,
    `${step0}.respons`,
    'unknown key',
    'did you mean response?',
    (extra) => stepsFixture(`[{"response": ${TEXT}${extra}}]`),
    [', §"respons": null', ''],
  ),
  rule(
    'unknown key in a call',
    `${step0}.response.tool_calls[0].argument`,
    'unknown key',
    'did you mean arguments?',
    (extra) => toolCalls(`[{"id": "a", "name": "echo", "arguments": {}${extra}}]`),
    [', §"argument": {}', ''],
  ),
  rule(
    'a key that only the prototype has',
    'expects.__proto__',
    'unknown key',
    'remove it; the keys here are all_tools_succeeded,',
    withCheck,
    ['§"__proto__": {"max_tool_calls": 0}', '"max_tool_calls": 0'],
  ),
  rule(
    'a key of the whole case in the expectations of a turn',
    'turns[0].expects.tools_used',
    'unknown key',
    'remove it; the keys here are response_contains, response_matches, response_not_contains',
    (extra) => turn(`"expects": {"response_contains": ["ok"]${extra}}`),
    [', §"tools_used": ["echo"]', ''],
  ),
];

const missing = (key: string, what: string, write: (part: string) => string, right: string): Rule =>
  rule(`missing ${key}`, key, `missing; ${what} is required here`, `add it`, write, ['', right]);

/** A required key that is not there; reported at the object that lacks it. */
export const missingKeys: Rule[] = [
  missing(
    'model_name',
    'text',
    (part) => `§{${part}"turns": [{"user_input": "a"}], "expects": {"response_contains": ["ok"]}}`,
    '"model_name": "sample", ',
  ),
  missing(
    'turns',
    'a list',
    (part) => `§{"model_name": "sample", ${part}"expects": {"response_contains": ["ok"]}}`,
    '"turns": [{"user_input": "a"}], ',
  ),
  missing('turns[0].user_input', 'text', (part) => turnFixture(`§{${part}}`), '"user_input": "a"'),
  missing(`${step0}.response`, 'an object', (part) => stepsFixture(`[§{${part}}]`), `"response": ${TEXT}`),
  rule(
    'missing type of a response',
    `${step0}.response.type`,
    'missing',
    'write one of "text", "tool_calls"',
    (part) => response(`§{${part}"content": "ok"}`),
    ['', '"type": "text", '],
  ),
  missing(
    `${step0}.response.content`,
    'text',
    (part) => response(`§{"type": "text"${part}}`),
    ', "content": "ok"',
  ),
  missing(
    `${step0}.response.tool_calls`,
    'a list',
    (part) => response(`§{"type": "tool_calls"${part}}`),
    ', "tool_calls": []',
  ),
  missing(
    `${step0}.response.tool_calls[0].id`,
    'text',
    (part) => toolCalls(`[§{${part}"name": "echo", "arguments": {}}]`),
    '"id": "a", ',
  ),
  missing(
    `${step0}.response.tool_calls[0].name`,
    'text',
    (part) => toolCalls(`[§{${part}"id": "a", "arguments": {}}]`),
    '"name": "echo", ',
  ),
  missing(
    `${step0}.response.tool_calls[0].arguments`,
    'any JSON value',
    (part) => toolCalls(`[§{${part}"id": "a", "name": "echo"}]`),
    '"arguments": null, ',
  ),
  missing(
    'expects.tool_arguments_contain[0].tool',
    'text',
    (part) => payload(`§{${part}"needle": "a"}`),
    '"tool": "echo", ',
  ),
  missing(
    'expects.tool_arguments_contain[0].needle',
    'text',
    (part) => payload(`§{${part}"tool": "echo"}`),
    '"needle": "a", ',
  ),
  missing('expects.judge[0].name', 'text', (part) => rubric(`§{${part}"rubric": "b"}`), '"name": "a", '),
  missing('expects.judge[0].rubric', 'text', (part) => rubric(`§{${part}"name": "a"}`), '"rubric": "b", '),
];
