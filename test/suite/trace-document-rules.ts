import type { Rule } from './trace-rules.js';
import { fixture, stepsFixture, turnFixture, withCheck } from './trace-support.js';

const response = (inner: string): string => stepsFixture(`[{"response": ${inner}}]`);

/** Values that choose a shape. */
export const tags: Rule[] = [
  {
    name: 'an unknown type of response',
    key: 'turns[0].steps[0].response.type',
    says: 'the text "tool_call" is not known here',
    fix: 'did you mean "tool_calls"?',
    refused: response('{"type": §"tool_call", "tool_calls": []}'),
    accepted: response('{"type": "tool_calls", "tool_calls": []}'),
  },
  {
    name: 'a type of response that is null',
    key: 'turns[0].steps[0].response.type',
    says: 'null is not known here',
    fix: 'write one of "text", "tool_calls"',
    refused: response('{"type": §null, "content": "ok"}'),
    accepted: response('{"type": "text", "content": "ok"}'),
  },
  {
    name: 'a text with calls in it',
    key: 'turns[0].steps[0].response.tool_calls',
    says: 'unknown key',
    fix: '',
    refused: response('{"type": "text", "content": "ok", §"tool_calls": []}'),
    accepted: response('{"type": "text", "content": "ok", "input_tokens": 0}'),
  },
  {
    name: 'an unknown type of assertion',
    key: 'expects.assert[0].type',
    says: '"contain" is not a known assertion type',
    fix: 'did you mean contains?',
    refused: withCheck('"assert": [{"type": §"contain", "value": "ok"}]'),
    accepted: withCheck('"assert": [{"type": "contains", "value": "ok"}]'),
  },
];

/** Names of cases. */
export const identities: Rule[] = [
  {
    name: 'a model_name that is empty, without an id',
    key: 'model_name',
    says: 'the identity of the case is empty',
    fix: 'give the case a name of its own',
    refused: fixture().replace('"sample"', '§""'),
    accepted: fixture({ top: '"id": "named"' }).replace('"sample"', '""'),
  },
  {
    name: 'a model_name that is empty, with an id of null',
    key: 'model_name',
    says: 'the identity of the case is empty',
    fix: 'give the case a name of its own',
    refused: fixture({ top: '"id": null' }).replace('"sample"', '§""'),
    accepted: fixture({ top: '"id": null' }).replace('"sample"', '" "'),
  },
  {
    name: 'an id that is empty, although the model_name is fine',
    key: 'id',
    says: 'the identity of the case is empty',
    fix: 'give the case a name of its own',
    refused: fixture({ top: '"id": §""' }),
    accepted: fixture({ top: '"id": "x"' }),
  },
];

const LINEAR = 'use linear-time syntax: no look-around, no back-references';
const pattern = (name: string, refused: string, accepted: string, turn = false): Rule => {
  const write = (part: string): string =>
    turn
      ? turnFixture(`{"user_input": "a", "expects": {"response_matches": ["ok", ${part}]}}`)
      : withCheck(`"response_matches": ["ok", ${part}]`);
  return {
    name,
    key: turn ? 'turns[0].expects.response_matches[1]' : 'expects.response_matches[1]',
    says: 'the regular expression does not compile',
    fix: LINEAR,
    refused: write(`§${refused}`),
    accepted: write(accepted),
  };
};

const pointer = (key: string, fix: string, accepted: string): Rule => ({
  name: `the JSON pointer ${key}`,
  key: `expects.response_json[${key}]`,
  says: 'not a JSON pointer',
  fix,
  refused: withCheck(`"response_json": {"": 0, §${key}: 1}`),
  accepted: withCheck(`"response_json": {"": 0, ${accepted}: 1}`),
});

/** Regular expressions and JSON pointers, compiled at load. */
export const patternsAndPointers: Rule[] = [
  pattern('an open group', '"("', '"()"'),
  pattern('look-ahead', '"(?=ok)"', '"(?:ok)"'),
  pattern('look-behind', '"(?<!ok)"', '"(?P<name>ok)"'),
  pattern('a back-reference', String.raw`"(o)\\1"`, String.raw`"(o)\\x31"`),
  pattern('a repetition of nothing', '"*"', String.raw`"\\*"`),
  pattern('a class operator, which would be read as plain signs', '"[a&&b]"', String.raw`"[a\\&b]"`),
  pattern('a brace that opens no repetition', '"x{"', String.raw`"x\\{"`),
  pattern('a code point that is written wrongly', String.raw`"\\u{1f60"`, String.raw`"\\u{1f600}"`),
  pattern('an open group in a turn', '"("', '"()"', true),
  pointer('"a b"', 'start it with a slash: "/a b"', '"/a b"'),
  pointer('"$.a.b"', 'start it with a slash: "/a/b"', '"/a/b"'),
  pointer('"/a~2"', 'write ~0 for ~ and ~1 for /', '"/a~0~1"'),
  pointer('"/~"', 'write ~0 for ~ and ~1 for /', '"/"'),
];

/** The file as a JSON document. */
export const documents: Rule[] = [
  {
    name: 'a list',
    key: '',
    says: 'must be an object, not a list',
    fix: 'write an object',
    refused: '§[]',
    accepted: fixture(),
  },
  {
    name: 'a comma too many',
    key: '',
    says: 'not valid JSON',
    fix: 'JSON has no comments and no trailing commas',
    refused: fixture().replace(']}\n', '],§}\n'),
    accepted: fixture(),
  },
  {
    name: 'a comment',
    key: '',
    says: 'not valid JSON',
    fix: 'JSON has no comments and no trailing commas',
    refused: `${fixture()}§// the end`,
    accepted: `${fixture()}\n\n`,
  },
  {
    name: 'an empty file',
    key: '',
    says: 'not valid JSON',
    fix: 'the file is empty: write one case as a JSON object',
    refused: '§',
    accepted: fixture(),
  },
  {
    name: 'a key that is written twice',
    key: 'id',
    says: 'the key is written twice (first on line 3)',
    fix: 'keep one of the two',
    refused: fixture({ top: '"id": "a",\n  §"id": "a"' }),
    accepted: fixture({ top: '"id": "a",\n  "cluster": "a"' }),
  },
  {
    name: 'a key of a map that is written twice, once with an escape',
    key: 'expects.response_json["/a"]',
    says: 'the key is written twice on this line',
    fix: 'keep one of the two',
    refused: withCheck(String.raw`"response_json": {"/a": 1, §"/\u0061": 2}`),
    accepted: withCheck(String.raw`"response_json": {"/a": 1, "/\u0062": 2}`),
  },
  {
    name: 'a key in the arguments of a call that is written twice',
    key: 'turns[0].steps[0].response.tool_calls[0].arguments.x.y',
    says: 'the key is written twice',
    fix: 'keep one of the two',
    refused: response(
      '{"type": "tool_calls", "tool_calls": [{"id": "a", "name": "b", "arguments": {"x": {"y": 1, §"y": 1}}}]}',
    ),
    accepted: response(
      '{"type": "tool_calls", "tool_calls": [{"id": "a", "name": "b", "arguments": {"x": {"y": 1}, "y": 1}}]}',
    ),
  },
  {
    name: 'a whole number that is too long to be held exactly',
    key: 'expects.budget.max_total_tokens',
    says: 'the number 9007199254740993 cannot be held exactly and would silently become 9007199254740992',
    fix: 'with fewer digits',
    refused: withCheck('"budget": {"max_total_tokens": §9007199254740993}'),
    accepted: withCheck('"budget": {"max_total_tokens": 9007199254740991}'),
  },
  {
    name: 'a fraction that is too long to be held exactly',
    key: 'expects.response_json["/a"]',
    says: 'the number 0.12345678901234567 cannot be held exactly',
    fix: 'write it as a string',
    refused: withCheck('"response_json": {"/a": §0.12345678901234567}'),
    accepted: withCheck('"response_json": {"/a": "0.12345678901234567", "/b": 0.1234567890123456}'),
  },
  {
    name: 'a number that overflows',
    key: 'expects.response_json["/a"]',
    says: 'the number 1e400 cannot be held exactly and would silently become Infinity',
    fix: 'write it as a string',
    refused: withCheck('"response_json": {"/a": §1e400}'),
    accepted: withCheck('"response_json": {"/a": 1e300, "/b": 1.50e2}'),
  },
  {
    name: 'a number that vanishes',
    key: 'expects.response_json["/a"]',
    says: 'the number 1e-400 cannot be held exactly and would silently become 0',
    fix: 'write it as a string',
    refused: withCheck('"response_json": {"/a": §1e-400}'),
    accepted: withCheck('"response_json": {"/a": 1e-300, "/b": 0.0e5}'),
  },
];
