import { describe, expect, it } from 'vitest';
import { ASSERTION_TYPES } from '../../src/suite/index.js';
import { checkOf, expectAssertionRefused, type Expected, type Files } from './assertion-support.js';

const FILES: Files = { 'golden.txt': 'hello\n', 'grader.ts': 'export default () => true;\n' };

/** An assertion that loads, and what it becomes apart from what all checks carry. */
const ACCEPTED: [assertion: string, label: string, check: object][] = [
  ['{ type: equals, value: done }', 'equals("done")', { type: 'equals', value: 'done', trim: true }],
  ['{ type: equals, value: 7 }', 'equals(7)', { type: 'equals', value: 7 }],
  ['{ type: equals, value: 7.0 }', 'equals("7.0")', { type: 'equals', value: '7.0' }],
  ['{ type: equals, value: 1e3 }', 'equals("1e3")', { type: 'equals', value: '1e3' }],
  [
    '{ type: equals, value: 12345678901234567890 }',
    'equals("12345678901234567890")',
    { type: 'equals', value: '12345678901234567890' },
  ],
  ['{ type: equals, value: null }', 'equals(null)', { type: 'equals', value: null }],
  ['{ type: equals, value: ~ }', 'equals(null)', { type: 'equals', value: null }],
  ['{ type: equals, value: true }', 'equals(true)', { type: 'equals', value: true }],
  ['{ type: equals, value: True }', 'equals("True")', { type: 'equals', value: 'True' }],
  ['{ type: equals, value: { a: [1] } }', 'equals({"a":[1]})', { type: 'equals', value: { a: [1] } }],
  ['{ type: equals, value: 2026-01-02 }', 'equals("2026-01-02")', { type: 'equals', value: '2026-01-02' }],
  ['{ type: not-equals, value: "" }', 'not-equals("")', { type: 'equals', value: '', negated: true }],
  ['{ type: contains, value: "a b" }', 'contains("a b")', { type: 'contains', value: 'a b', trim: true }],
  ['{ type: contains, value: 0 }', 'contains("0")', { type: 'contains', value: '0' }],
  ['{ type: contains, value: 1.10 }', 'contains("1.10")', { type: 'contains', value: '1.10' }],
  ['{ type: contains, value: null }', 'contains("null")', { type: 'contains', value: 'null' }],
  ['{ type: contains, value: é, normalize: NFC }', 'contains("é")', { type: 'contains', normalize: 'NFC' }],
  ['{ type: not-contains, value: x }', 'not-contains("x")', { type: 'contains', negated: true }],
  ['{ type: icontains, value: on }', 'icontains("on")', { type: 'icontains', value: 'on' }],
  [
    '{ type: contains-all, value: [a, 2.50] }',
    'contains-all("a", "2.50")',
    { type: 'contains-all', values: ['a', '2.50'] },
  ],
  ['{ type: contains-all, value: abc }', 'contains-all("abc")', { type: 'contains-all', values: ['abc'] }],
  ['{ type: contains-any, value: [x] }', 'contains-any("x")', { type: 'contains-any', values: ['x'] }],
  [
    '{ type: regex, value: "^a+$", flags: im }',
    'regex("^a+$", im)',
    { type: 'regex', pattern: '^a+$', flags: 'im', dialect: 'javascript' },
  ],
  ['{ type: regex, value: "(?i)yes" }', 'regex("(?i)yes")', { type: 'regex', pattern: '(?i)yes', flags: '' }],
  ['{ type: starts-with, value: "Yes " }', 'starts-with("Yes ")', { type: 'starts-with', value: 'Yes ' }],
  ['{ type: ends-with, value: " end" }', 'ends-with(" end")', { type: 'ends-with', value: ' end' }],
  ['{ type: is-json }', 'is-json', { type: 'is-json', trim: true }],
  [
    '{ type: is-json, value: { type: object } }',
    'is-json({"type":"object"})',
    { type: 'is-json', schema: { type: 'object' } },
  ],
  [
    '{ type: is-json, schema: { type: object } }',
    'is-json({"type":"object"})',
    { type: 'is-json', schema: { type: 'object' } },
  ],
  ['{ type: contains-json }', 'contains-json', { type: 'contains-json' }],
  [
    '{ type: contains-json, value: [1], schema: { type: array } }',
    'contains-json([1], {"type":"array"})',
    { type: 'contains-json', subset: [1], schema: { type: 'array' } },
  ],
  ['{ type: max-length, value: 5 }', 'max-length(5)', { type: 'max-length', limit: 5 }],
  ['{ type: max-length, threshold: 5 }', 'max-length(5)', { type: 'max-length', limit: 5 }],
  ['{ type: max-length, value: 5, threshold: 5 }', 'max-length(5)', { type: 'max-length', limit: 5 }],
  ['{ type: not-max-length, value: 0 }', 'not-max-length(0)', { type: 'max-length', negated: true }],
  ['{ type: min-length, value: 1 }', 'min-length(1)', { type: 'min-length', limit: 1 }],
  ['{ type: word-count, value: 3 }', 'word-count(exact 3)', { type: 'word-count', exact: 3 }],
  [
    '{ type: word-count, min: 1, max: 1 }',
    'word-count(min 1, max 1)',
    { type: 'word-count', min: 1, max: 1 },
  ],
  ['{ type: levenshtein, value: abc }', 'levenshtein("abc", 5)', { type: 'levenshtein', maxDistance: 5 }],
  [
    '{ type: levenshtein, value: abc, threshold: 0 }',
    'levenshtein("abc", 0)',
    { type: 'levenshtein', maxDistance: 0 },
  ],
  [
    '{ type: matches-file, value: golden.txt }',
    'matches-file("golden.txt")',
    { type: 'matches-file', path: expect.stringMatching(/[/\\]golden\.txt$/) },
  ],
  [
    '{ type: program, value: ./grader.ts, export: grade, timeout_ms: 50, parameters: { a: 1 } }',
    'program("./grader.ts", grade)',
    { type: 'program', exportName: 'grade', timeoutMs: 50, parameters: { a: 1 }, category: 'program' },
  ],
  ['{ type: tool-used, value: echo }', 'tool-used("echo")', { type: 'tool-used', tools: ['echo'] }],
  ['{ type: tool-used, value: [a, b] }', 'tool-used("a", "b")', { type: 'tool-used', tools: ['a', 'b'] }],
  ['{ type: not-tool-used, value: [a] }', 'not-tool-used("a")', { type: 'tool-used', negated: true }],
  [
    '{ type: tool-not-used, value: [a, b] }',
    'tool-not-used("a", "b")',
    { type: 'tool-not-used', tools: ['a', 'b'], category: 'tool' },
  ],
  ['{ type: tool-calls, exact: 0 }', 'tool-calls(exact 0)', { type: 'tool-calls', exact: 0 }],
  [
    '{ type: tool-calls, tool: echo, min: 1, max: 2 }',
    'tool-calls("echo", min 1, max 2)',
    { type: 'tool-calls', tool: 'echo', min: 1, max: 2 },
  ],
  [
    '{ type: tool-calls, calls: [{ tool: a, arguments: { n: 1 } }, { tool: b }], order: strict }',
    'tool-calls(a{"n":1}, b, in this order)',
    { type: 'tool-calls', calls: [{ tool: 'a', arguments: { n: 1 } }, { tool: 'b' }], order: 'strict' },
  ],
  [
    '{ type: tool-arguments, tool: echo, value: 1.0 }',
    'tool-arguments("echo", "1.0")',
    { type: 'tool-arguments', tool: 'echo', needle: '1.0' },
  ],
  [
    '{ type: tool-arguments, tool: echo, value: { n: 1 }, call_index: 0 }',
    'tool-arguments("echo"[0], {"n":1})',
    { type: 'tool-arguments', value: { n: 1 }, callIndex: 0 },
  ],
  [
    '{ type: tool-results, tool: echo, value: ok }',
    'tool-results("echo", "ok")',
    { type: 'tool-results', needle: 'ok' },
  ],
  ['{ type: tools-succeeded }', 'tools-succeeded(true)', { type: 'tools-succeeded', expected: true }],
  [
    '{ type: file-exists, value: a/b.txt }',
    'file-exists("a/b.txt")',
    { type: 'file-exists', path: 'a/b.txt' },
  ],
  ['{ type: file-absent, value: tmp }', 'file-absent("tmp")', { type: 'file-absent', path: 'tmp' }],
  [
    '{ type: file-contains, path: a.txt, value: 1.10 }',
    'file-contains("a.txt", "1.10")',
    { type: 'file-contains', path: 'a.txt', needle: '1.10', category: 'side_effect' },
  ],
  [
    '{ type: command, value: [node, check.js, 1.0], exit_code: 3, stdout_contains: ok }',
    'command("node check.js 1.0", exit 3, "ok")',
    { type: 'command', command: ['node', 'check.js', '1.0'], exitCode: 3, stdoutContains: 'ok' },
  ],
  ['{ type: latency, value: 2000 }', 'latency(2000)', { type: 'budget', metric: 'duration_ms', limit: 2000 }],
  ['{ type: cost, threshold: 0 }', 'cost(0)', { type: 'budget', metric: 'cost', limit: 0 }],
  ['{ type: tokens, value: 9 }', 'tokens(9)', { type: 'budget', metric: 'total_tokens', limit: 9 }],
  [
    '{ type: tokens, value: 9, kind: output }',
    'tokens(output, 9)',
    { type: 'budget', metric: 'output_tokens', category: 'budget' },
  ],
  [
    '{ type: llm-rubric, value: Is it polite? }',
    'llm-rubric("Is it polite?")',
    { type: 'llm-rubric', rubric: 'Is it polite?', threshold: 0.6, includeTranscript: false },
  ],
  [
    '{ type: llm-rubric, value: ok, threshold: 1, reference: yes, model: scripted, include_transcript: true }',
    'llm-rubric("ok")',
    { threshold: 1, reference: 'yes', model: 'scripted', includeTranscript: true, category: 'judge' },
  ],
  ['{ type: llm-assert, value: A }', 'llm-assert("A")', { type: 'llm-assert', statements: ['A'] }],
  [
    '{ type: llm-assert, value: [A, B] }',
    'llm-assert("A", "B")',
    { type: 'llm-assert', statements: ['A', 'B'] },
  ],
  [
    '{ type: pairwise, value: clearer, reference: old answer }',
    'pairwise("clearer")',
    { type: 'pairwise', criteria: 'clearer', reference: 'old answer' },
  ],
];

/** An assertion that must not load: the mark stands where the problem is. */
const REFUSED: [assertion: string, expected: Expected][] = [
  ['§{ type: equals }', { key: 'value', says: 'missing', fix: 'a value' }],
  ['{ type: equals, value: §}', { key: 'value', says: 'missing', fix: 'null for JSON null' }],
  [
    '{ type: equals, value: §" " }',
    { key: 'value', says: 'only an empty answer could pass', fix: 'allow_empty' },
  ],
  [
    '{ type: equals, value: { n: §12345678901234567890 } }',
    { key: 'value.n', says: 'would silently become 12345678901234567000', fix: 'quotes' },
  ],
  ['§{ type: contains }', { key: 'value', says: 'missing; text is required', fix: 'add it' }],
  ['{ type: contains, value: §"" }', { key: 'value', says: 'tests nothing', fix: 'write the text' }],
  ['{ type: not-contains, value: §"" }', { key: 'value', says: 'tests nothing', fix: 'write the text' }],
  ['{ type: contains, value: §[a] }', { key: 'value', says: 'must be text, not a list', fix: 'text' }],
  ['{ type: contains, value: a, §threshold: 1 }', { key: 'threshold', says: 'unknown key', fix: '' }],
  ['{ type: contains, value: a, §flags: i }', { key: 'flags', says: 'unknown key', fix: 'remove it' }],
  ['{ type: icontains, value: §"" }', { key: 'value', says: 'tests nothing', fix: 'write the text' }],
  ['{ type: contains, value: a, normalize: §NFX }', { key: 'normalize', says: 'not one of', fix: 'NF' }],
  ['{ type: contains-all, value: §[] }', { key: 'value', says: 'the list is empty', fix: 'add an entry' }],
  [
    '{ type: contains-all, value: [a, §""] }',
    { key: 'value[1]', says: 'tests nothing', fix: 'write the text' },
  ],
  [
    '{ type: not-contains-any, value: §[] }',
    { key: 'value', says: 'the list is empty', fix: 'add an entry' },
  ],
  ['{ type: regex, value: §"(" }', { key: 'value', says: 'does not compile', fix: 'JavaScript' }],
  ['{ type: not-regex, value: §"(" }', { key: 'value', says: 'does not compile', fix: 'JavaScript' }],
  ['{ type: regex, value: a, flags: §q }', { key: 'flags', says: '"q"', fix: 'i, m, s' }],
  ['{ type: regex, value: a, flags: §ii }', { key: 'flags', says: 'twice', fix: 'once' }],
  ['{ type: regex, value: §"(?q)a" }', { key: 'value', says: 'inline flag "q"', fix: 'correct it' }],
  ['{ type: regex, value: §"" }', { key: 'value', says: 'matches every answer', fix: 'say what' }],
  ['{ type: regex, value: §"^.*" }', { key: 'value', says: 'matches every answer', fix: 'say what' }],
  ['{ type: regex, value: §"(?i)" }', { key: 'value', says: 'matches every answer', fix: 'say what' }],
  [
    '{ type: starts-with, value: §" a" }',
    { key: 'value', says: 'no answer can start with it', fix: 'remove' },
  ],
  ['{ type: ends-with, value: §"a " }', { key: 'value', says: 'no answer can end with it', fix: 'remove' }],
  ['{ type: is-json, value: §[1] }', { key: 'value', says: 'must be an object', fix: 'schema' }],
  ['{ type: is-json, value: §}', { key: 'value', says: 'no value', fix: 'remove the key' }],
  [
    '{ type: is-json, value: §{ type: nonsense } }',
    { key: 'value', says: 'does not compile', fix: 'correct' },
  ],
  [
    '{ type: is-json, value: { type: object }, schema: §{ type: object } }',
    { key: 'schema', says: 'written twice', fix: 'keep one' },
  ],
  ['{ type: contains-json, value: §5 }', { key: 'value', says: 'only an object or a list', fix: 'contains' }],
  ['{ type: contains-json, value: §{} }', { key: 'value', says: 'any JSON would do', fix: 'remove value' }],
  ['{ type: contains-json, value: §[] }', { key: 'value', says: 'any JSON would do', fix: 'remove value' }],
  ['§{ type: max-length }', { key: 'value', says: 'missing', fix: 'bound' }],
  ['{ type: max-length, value: §-1 }', { key: 'value', says: 'at least 0', fix: 'at least 0' }],
  ['{ type: max-length, value: §1.5 }', { key: 'value', says: 'a whole number', fix: 'whole number' }],
  [
    '{ type: max-length, value: §"5" }',
    { key: 'value', says: 'must be a number, not the text "5"', fix: 'number' },
  ],
  ['{ type: max-length, value: 3, threshold: §4 }', { key: 'threshold', says: 'differ', fix: 'keep one' }],
  ['{ type: max-length, value: §0 }', { key: 'value', says: 'only an empty answer', fix: 'allow_empty' }],
  ['{ type: min-length, value: §0 }', { key: 'value', says: 'always true', fix: '1 or more' }],
  ['{ type: not-min-length, value: §1 }', { key: 'value', says: 'only an empty answer', fix: 'allow_empty' }],
  ['§{ type: word-count }', { key: '', says: 'no bound', fix: 'min or max' }],
  ['{ type: word-count, min: §0, max: 3 }', { key: 'min', says: 'always true', fix: '1 or more' }],
  ['{ type: word-count, min: §4, max: 3 }', { key: 'min', says: 'no answer can pass', fix: 'at most 3' }],
  ['{ type: word-count, value: §3, exact: 3 }', { key: 'value', says: 'same thing', fix: 'keep one' }],
  ['{ type: word-count, exact: 3, max: §4 }', { key: 'max', says: 'exact count of 3', fix: 'keep' }],
  ['{ type: word-count, max: §0 }', { key: 'max', says: 'only an empty answer', fix: 'allow_empty' }],
  ['{ type: levenshtein, value: §" " }', { key: 'value', says: 'blank', fix: 'resemble' }],
  ['{ type: levenshtein, value: a, threshold: §-1 }', { key: 'threshold', says: 'at least 0', fix: '0' }],
  [
    '{ type: matches-file, value: §nowhere.txt }',
    { key: 'value', says: 'no file nowhere.txt', fix: '--update' },
  ],
  ['{ type: matches-file, value: §../golden.txt }', { key: 'value', says: 'leaves', fix: 'inside' }],
  ['{ type: matches-file, value: §/etc/hostname }', { key: 'value', says: 'absolute', fix: 'relative' }],
  [
    '{ type: program, value: §nowhere.ts }',
    { key: 'value', says: 'no file nowhere.ts', fix: 'correct the path' },
  ],
  ['{ type: program, value: grader.ts, export: §"" }', { key: 'export', says: 'empty', fix: 'name' }],
  [
    '{ type: program, value: grader.ts, timeout_ms: §0 }',
    { key: 'timeout_ms', says: 'at least 1', fix: '1' },
  ],
  ['{ type: tool-used, value: §[] }', { key: 'value', says: 'the list is empty', fix: 'tool name' }],
  ['{ type: tool-used, value: §" " }', { key: 'value', says: 'blank', fix: 'write' }],
  [
    '{ type: not-tool-used, value: §[a, b] }',
    { key: 'value', says: 'one of them was not called', fix: 'tool-not-used' },
  ],
  [
    '{ type: not-tool-not-used, value: §[a, b] }',
    { key: 'value', says: 'one of them was called', fix: 'tool-used' },
  ],
  ['§{ type: tool-calls }', { key: '', says: 'no bound', fix: 'exact, min or max' }],
  ['{ type: tool-calls, min: §0 }', { key: 'min', says: 'always true', fix: '1 or more' }],
  ['{ type: tool-calls, min: §3, max: 2 }', { key: 'min', says: 'no answer can pass', fix: 'at most 2' }],
  ['{ type: tool-calls, calls: §[] }', { key: 'calls', says: 'the list is empty', fix: 'add a call' }],
  [
    '{ type: tool-calls, exact: 1, order: §strict }',
    { key: 'order', says: 'no calls to put in order', fix: 'add calls' },
  ],
  [
    '{ type: tool-calls, tool: a, calls: [{ tool: §b }] }',
    { key: 'calls[0].tool', says: 'cannot include one to b', fix: 'remove' },
  ],
  ['§{ type: tool-arguments, tool: a }', { key: 'value', says: 'missing', fix: 'a value' }],
  ['{ type: tool-arguments, tool: §"", value: a }', { key: 'tool', says: 'blank', fix: 'write' }],
  [
    '{ type: tool-arguments, tool: a, value: §"" }',
    { key: 'value', says: 'any call would do', fix: 'tool-used' },
  ],
  [
    '{ type: tool-results, tool: a, value: §{} }',
    { key: 'value', says: 'any call would do', fix: 'tool-used' },
  ],
  [
    '{ type: tool-results, tool: a, value: b, call_index: §-1 }',
    { key: 'call_index', says: 'at least 0', fix: '0' },
  ],
  ['{ type: tools-succeeded, value: §"yes" }', { key: 'value', says: 'true or false', fix: 'true or false' }],
  ['{ type: file-exists, value: §../a }', { key: 'value', says: 'inside the workspace', fix: 'relative' }],
  ['{ type: file-exists, value: §. }', { key: 'value', says: 'inside the workspace', fix: 'relative' }],
  ['{ type: file-absent, value: §/etc }', { key: 'value', says: 'inside the workspace', fix: 'relative' }],
  [
    '{ type: file-contains, path: a, value: §"" }',
    { key: 'value', says: 'tests nothing', fix: 'file-exists' },
  ],
  ['§{ type: file-contains, value: a }', { key: 'path', says: 'missing', fix: 'add it' }],
  ['{ type: command, value: §[] }', { key: 'value', says: 'names no program', fix: 'as a list' }],
  ['{ type: command, value: §echo hi }', { key: 'value', says: 'must be a list', fix: 'a list' }],
  ['{ type: command, value: [a], exit_code: §256 }', { key: 'exit_code', says: 'at most 255', fix: '255' }],
  ['{ type: latency, value: §0 }', { key: 'value', says: 'more than 0', fix: 'more than 0' }],
  ['§{ type: cost }', { key: 'value', says: 'missing', fix: 'bound' }],
  ['{ type: cost, value: §-1 }', { key: 'value', says: 'at least 0', fix: '0' }],
  ['{ type: tokens, value: §0 }', { key: 'value', says: 'at least 1', fix: '1' }],
  ['{ type: tokens, value: 5, kind: §all }', { key: 'kind', says: 'not one of', fix: '' }],
  ['{ type: llm-rubric, value: §" " }', { key: 'value', says: 'blank', fix: 'text' }],
  ['{ type: llm-rubric, value: a, threshold: §0 }', { key: 'threshold', says: 'more than 0', fix: '0' }],
  ['{ type: llm-rubric, value: a, threshold: §1.1 }', { key: 'threshold', says: 'at most 1', fix: '1' }],
  ['{ type: llm-assert, value: §[] }', { key: 'value', says: 'the list is empty', fix: 'statement' }],
  ['{ type: llm-assert, value: [a, §""] }', { key: 'value[1]', says: 'blank', fix: 'text' }],
  ['§{ type: pairwise, value: a }', { key: 'reference', says: 'missing', fix: 'text' }],
  ['{ type: pairwise, value: a, reference: §"" }', { key: 'reference', says: 'blank', fix: 'text' }],
  ['{ type: contains, value: x, weight: §-1 }', { key: 'weight', says: 'at least 0', fix: '0' }],
  ['{ type: contains, value: x, weight: §"2" }', { key: 'weight', says: 'must be a number', fix: 'number' }],
  ['{ type: contains, value: x, required: §"yes" }', { key: 'required', says: 'true or false', fix: 'true' }],
  ['{ type: contains, value: x, metric: §"" }', { key: 'metric', says: 'blank', fix: 'text' }],
  ['{ type: §not-not-contains, value: x }', { key: 'type', says: 'only once', fix: 'write contains' }],
  [
    '{ type: §not-not-not-contains, value: x }',
    { key: 'type', says: 'only once', fix: 'write not-contains' },
  ],
  ['{ type: §contians, value: x }', { key: 'type', says: 'not a known', fix: 'did you mean contains?' }],
  [
    '{ type: §not-containz, value: x }',
    { key: 'type', says: 'not a known', fix: 'did you mean not-contains?' },
  ],
  ['{ type: §zzzzzzzzz, value: x }', { key: 'type', says: 'not a known', fix: 'write one of equals' }],
  ['§{ value: x }', { key: 'type', says: 'missing', fix: 'write one of' }],
  ['{ type: §5 }', { key: 'type', says: 'must be text', fix: 'write one of' }],
  ['§just text', { key: '', says: 'must be an object', fix: 'type: contains' }],
];

describe('an assertion', () => {
  it.each(ACCEPTED)('is admitted: %s', (assertion, label, check) => {
    const made = checkOf(assertion, FILES);
    expect(made.label).toBe(label);
    expect(made).toMatchObject(check);
  });

  it.each(REFUSED)('is refused: %s', (assertion, expected) => {
    expectAssertionRefused(assertion, expected, FILES);
  });

  it('of every type is in both tables', () => {
    const typesIn = (rows: readonly [string, ...unknown[]][]): string[] =>
      rows.flatMap(([text]) => /type: §?(?:not-)?([a-z-]+)/.exec(text)?.[1] ?? []);
    for (const rows of [ACCEPTED, REFUSED])
      expect(typesIn(rows)).toEqual(expect.arrayContaining([...ASSERTION_TYPES]));
  });

  it('weighs 1, is not required and grades the last turn when it does not say', () => {
    expect(checkOf('{ type: contains, value: x }')).toEqual({
      label: 'contains("x")',
      type: 'contains',
      value: 'x',
      trim: true,
      category: 'response',
      negated: false,
      weight: 1,
      required: false,
      diagnostic: false,
      key: 'cases[0].assert[0]',
    });
  });

  it('carries weight, required and metric', () => {
    expect(checkOf('{ type: contains, value: x, weight: 0.5, required: true, metric: 1.0 }')).toMatchObject({
      weight: 0.5,
      required: true,
      metric: '1.0',
    });
  });

  it('may carry no unknown key, and is told the one that was meant', () => {
    expectAssertionRefused('{ type: contains, value: x, §wieght: 2 }', {
      key: 'wieght',
      says: 'unknown key',
      fix: 'did you mean weight?',
    });
  });
});
