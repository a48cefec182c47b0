import type { CheckOutcome, JsonObject } from '../../core/index.js';

/** One answer, one assertion, and what must come of it. */
export interface AssertionExample {
  output: string;
  assert: JsonObject;
  expected: CheckOutcome;
  /** Names of tools that were called. */
  tools?: string[];
}

/** At least one example of every type that needs nothing but the recording, and both outcomes of the commonest. */
export const ASSERTION_EXAMPLES: readonly AssertionExample[] = [
  { output: 'Paris', assert: { type: 'equals', value: 'Paris' }, expected: 'pass' },
  { output: 'paris', assert: { type: 'equals', value: 'Paris' }, expected: 'fail' },
  { output: '{"b": 2, "a": 1}', assert: { type: 'equals', value: { a: 1, b: 2 } }, expected: 'pass' },
  { output: 'the sky is blue', assert: { type: 'contains', value: 'blue' }, expected: 'pass' },
  { output: 'the sky is blue', assert: { type: 'not-contains', value: 'green' }, expected: 'pass' },
  { output: 'the sky is blue', assert: { type: 'not-contains', value: 'blue' }, expected: 'fail' },
  { output: '', assert: { type: 'not-contains', value: 'blue' }, expected: 'fail' },
  { output: 'The SKY', assert: { type: 'icontains', value: 'sky' }, expected: 'pass' },
  { output: 'red and blue', assert: { type: 'contains-all', value: ['red', 'blue'] }, expected: 'pass' },
  { output: 'red', assert: { type: 'contains-all', value: ['red', 'blue'] }, expected: 'fail' },
  { output: 'blue', assert: { type: 'contains-any', value: ['red', 'blue'] }, expected: 'pass' },
  { output: 'order 12', assert: { type: 'regex', value: 'order \\d+' }, expected: 'pass' },
  { output: 'ORDER 12', assert: { type: 'regex', value: '(?i)order \\d+' }, expected: 'pass' },
  { output: '  Yes, it is', assert: { type: 'starts-with', value: 'Yes' }, expected: 'pass' },
  { output: 'it is done.\n', assert: { type: 'ends-with', value: 'done.' }, expected: 'pass' },
  { output: '{"a": 1}', assert: { type: 'is-json' }, expected: 'pass' },
  { output: '```json\n{"a": 1}\n```', assert: { type: 'is-json' }, expected: 'fail' },
  {
    output: '{"a": "x"}',
    assert: { type: 'is-json', value: { properties: { a: { type: 'number' } } } },
    expected: 'fail',
  },
  {
    output: 'here: {"a": 1, "b": 2} done',
    assert: { type: 'contains-json', value: { a: 1 } },
    expected: 'pass',
  },
  { output: 'Hello {name}', assert: { type: 'contains-json' }, expected: 'fail' },
  { output: 'short', assert: { type: 'max-length', value: 5 }, expected: 'pass' },
  { output: 'longer', assert: { type: 'max-length', value: 5 }, expected: 'fail' },
  { output: 'long enough', assert: { type: 'min-length', value: 5 }, expected: 'pass' },
  { output: 'one two three', assert: { type: 'word-count', max: 3 }, expected: 'pass' },
  { output: 'kitten', assert: { type: 'levenshtein', value: 'sitting', threshold: 3 }, expected: 'pass' },
  { output: 'done', tools: ['search'], assert: { type: 'tool-used', value: 'search' }, expected: 'pass' },
  { output: 'done', tools: ['shell'], assert: { type: 'tool-not-used', value: 'shell' }, expected: 'fail' },
  { output: 'done', tools: ['search', 'search'], assert: { type: 'tool-calls', max: 1 }, expected: 'fail' },
  {
    output: 'done',
    tools: ['read'],
    assert: { type: 'tool-arguments', tool: 'read', value: 'a.txt' },
    expected: 'pass',
  },
  {
    output: 'done',
    tools: ['read'],
    assert: { type: 'tool-results', tool: 'read', value: 'done' },
    expected: 'pass',
  },
  { output: 'done', assert: { type: 'file-absent', value: 'secret.txt' }, expected: 'pass' },
  { output: 'done', assert: { type: 'file-exists', value: 'report.txt' }, expected: 'fail' },
  { output: 'done', assert: { type: 'latency', threshold: 1000 }, expected: 'pass' },
  { output: 'done', assert: { type: 'tokens', threshold: 5 }, expected: 'fail' },
  { output: 'done', assert: { type: 'cost', threshold: 0.01 }, expected: 'pass' },
];
