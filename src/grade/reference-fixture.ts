import type { CheckType, JsonValue } from '../core/index.js';

/** A key of `expects` in a trace fixture: the check it compiles to, and an example of its value. */
export interface FamilyRow {
  name: string;
  check: CheckType;
  passes: string;
  notes?: string[];
  /** What is written under `expects`. */
  expects: { [key: string]: JsonValue };
  /** The same check as an item of `assert`; null where a suite cannot say it. */
  assertion: { type: string; [key: string]: JsonValue } | null;
}

function bound(name: string, key: 'max' | 'min' | 'exact', passes: string): FamilyRow {
  return {
    name,
    check: 'tool-calls',
    passes,
    expects: { [name]: 1 },
    assertion: { type: 'tool-calls', [key]: 1 },
  };
}

function budget(metric: string, what: string, limit: number, assertion: FamilyRow['assertion']): FamilyRow {
  const name = `max_${metric}`;
  return {
    name,
    check: 'budget',
    passes: `${what} of the run is at most the limit`,
    expects: { budget: { [name]: limit } },
    assertion,
  };
}

const LAST_TURN = 'Looks at the text of the last turn as it is: case counts, nothing is trimmed.';
const CALL_INDEX = 'call_index is 0-based among the calls to that tool; without it any call will do.';

/** The keys of `expects`, in the order in which they are graded. */
export const familyRows: FamilyRow[] = [
  {
    name: 'response_contains',
    check: 'contains',
    passes: 'the text occurs in the final response',
    notes: [LAST_TURN],
    expects: { response_contains: ['Paris'] },
    assertion: { type: 'contains', value: 'Paris' },
  },
  {
    name: 'response_not_contains',
    check: 'contains',
    passes: 'the text does not occur in the final response',
    notes: [LAST_TURN],
    expects: { response_not_contains: ['password'] },
    assertion: { type: 'not-contains', value: 'password' },
  },
  {
    name: 'tools_used',
    check: 'tool-used',
    passes: 'the tool was called at least once; failed calls count',
    expects: { tools_used: ['echo'] },
    assertion: { type: 'tool-used', value: ['echo'] },
  },
  {
    name: 'tools_not_used',
    check: 'tool-not-used',
    passes: 'the tool was never called',
    expects: { tools_not_used: ['shell'] },
    assertion: { type: 'tool-not-used', value: ['shell'] },
  },
  bound('max_tool_calls', 'max', 'at most this many calls were made'),
  bound('min_tool_calls', 'min', 'at least this many calls were made'),
  bound('exact_tool_calls', 'exact', 'exactly this many calls were made'),
  {
    name: 'tool_arguments_contain',
    check: 'tool-arguments',
    passes: 'the argument text of a call to the tool contains the needle',
    notes: ['Argument text is compact JSON with sorted keys: "message":"hello".', CALL_INDEX],
    expects: { tool_arguments_contain: [{ tool: 'echo', needle: '"message":"hello"', call_index: 0 }] },
    assertion: { type: 'tool-arguments', tool: 'echo', value: '"message":"hello"', call_index: 0 },
  },
  {
    name: 'tool_results_contain',
    check: 'tool-results',
    passes: 'the result text of a call to the tool contains the needle',
    notes: [CALL_INDEX],
    expects: { tool_results_contain: [{ tool: 'echo', needle: 'hello' }] },
    assertion: { type: 'tool-results', tool: 'echo', value: 'hello' },
  },
  {
    name: 'all_tools_succeeded',
    check: 'tools-succeeded',
    passes: '"every call succeeded" is as expected; no calls at all count as true',
    expects: { all_tools_succeeded: true },
    assertion: { type: 'tools-succeeded', value: true },
  },
  {
    name: 'response_matches',
    check: 'regex',
    passes: 'the pattern matches somewhere in the final response',
    notes: [
      'Linear time, the syntax of Rust: no look-around, no back-references; . excludes the line feed, $ is the very end.',
      '\\d, \\w and \\s are Unicode-aware, \\b is ASCII; a brace that is no repetition is written \\{.',
    ],
    expects: { response_matches: ['(?i)order \\d+'] },
    assertion: { type: 'regex', value: '(?i)order \\d+' },
  },
  {
    name: 'file_exists',
    check: 'file-exists',
    passes: 'a regular file is there',
    expects: { workspace: { file_exists: ['report.md'] } },
    assertion: { type: 'file-exists', value: 'report.md' },
  },
  {
    name: 'file_absent',
    check: 'file-absent',
    passes: 'nothing at all is there',
    expects: { workspace: { file_absent: ['secrets.txt'] } },
    assertion: { type: 'file-absent', value: 'secrets.txt' },
  },
  {
    name: 'file_contains',
    check: 'file-contains',
    passes: 'the file can be read as UTF-8 and contains the text',
    expects: { workspace: { file_contains: { 'report.md': ['Summary'] } } },
    assertion: { type: 'file-contains', path: 'report.md', value: 'Summary' },
  },
  budget('input_tokens', 'the sum of input tokens', 2000, { type: 'tokens', kind: 'input', value: 2000 }),
  budget('output_tokens', 'the sum of output tokens', 500, { type: 'tokens', kind: 'output', value: 500 }),
  budget('total_tokens', 'the sum of input and output tokens', 2500, { type: 'tokens', value: 2500 }),
  budget('duration_ms', 'the duration in milliseconds', 30_000, { type: 'latency', value: 30_000 }),
  budget('llm_calls', 'the number of model calls', 4, null),
  {
    name: 'response_json',
    check: 'json-pointer',
    passes: 'the JSON pointer yields exactly the value in the final response read as JSON',
    notes: [
      'The response is read as a whole, else its first ```json block.',
      'Pointers follow RFC 6901; "" is the whole document. Numbers compare by value: 1 is 1.0.',
    ],
    expects: { response_json: { '/order/id': 12 } },
    assertion: null,
  },
  {
    name: 'judge',
    check: 'trace-judge',
    passes: 'the judge scores the run at the threshold or above',
    notes: ['Diagnostic unless the judge is calibrated: shown, and without a say in the verdict.'],
    expects: { judge: [{ name: 'tone', rubric: 'Is the tone friendly?', threshold: 0.7 }] },
    assertion: null,
  },
];
