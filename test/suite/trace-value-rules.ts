import { fixture, stepsFixture, turnFixture, withCheck } from './trace-support.js';
import type { Rule } from './trace-rules.js';

const empty = (key: string, write: (part: string) => string, right = '" "'): Rule => ({
  name: `an empty ${key}`,
  key,
  says: 'must not be empty',
  fix: 'write some text',
  refused: write('§""'),
  // White space is the author's business.
  accepted: write(right),
});

const blank = (key: string, wrong: string, write: (part: string) => string): Rule => ({
  name: `a blank ${key}: ${wrong}`,
  key,
  says: 'must not be blank',
  fix: 'write some text',
  refused: write(`§${wrong}`),
  accepted: write('"a"'),
});

const list =
  (family: string) =>
  (part: string): string =>
    fixture({ expects: `{"min_tool_calls": 1, "${family}": ["ok", ${part}]}` });

const turnList =
  (family: string) =>
  (part: string): string =>
    turnFixture(`{"user_input": "a", "expects": {"${family}": ["ok", ${part}]}}`);

const payload =
  (family: string, inner: (part: string) => string) =>
  (part: string): string =>
    withCheck(`"${family}": [{${inner(part)}}]`);

const FIVE_FAMILIES = [
  'response_contains',
  'response_not_contains',
  'response_matches',
  'tools_used',
  'tools_not_used',
];
const TURN_FAMILIES = FIVE_FAMILIES.slice(0, 3);
const PAYLOADS = ['tool_arguments_contain', 'tool_results_contain'];

/** Texts that match everything, and names that name nothing. */
export const emptyTexts: Rule[] = [
  ...FIVE_FAMILIES.map((family) => empty(`expects.${family}[1]`, list(family))),
  ...TURN_FAMILIES.map((family) => empty(`turns[0].expects.${family}[1]`, turnList(family))),
  ...PAYLOADS.map((family) =>
    empty(
      `expects.${family}[0].needle`,
      payload(family, (part) => `"tool": "echo", "needle": ${part}`),
    ),
  ),
  ...PAYLOADS.flatMap((family) =>
    ['""', '" \\t"'].map((wrong) =>
      blank(
        `expects.${family}[0].tool`,
        wrong,
        payload(family, (part) => `"needle": "a", "tool": ${part}`),
      ),
    ),
  ),
  empty('expects.workspace.file_contains.a[1]', (part) =>
    withCheck(`"workspace": {"file_contains": {"a": ["x", ${part}]}}`),
  ),
  ...['""', '"  "'].flatMap((wrong) => [
    blank('expects.judge[0].name', wrong, (part) => withCheck(`"judge": [{"name": ${part}, "rubric": "b"}]`)),
    blank('expects.judge[0].rubric', wrong, (part) =>
      withCheck(`"judge": [{"name": "a", "rubric": ${part}}]`),
    ),
  ]),
  empty('tags[1]', (part) => fixture({ top: `"tags": ["a", ${part}]` })),
];

interface Bound {
  key: string;
  wrong: string;
  right: string;
  says: string;
  fix: string;
  write: (part: string) => string;
}

function bound({ key, wrong, right, says, fix, write }: Bound): Rule {
  return { name: `${key}: ${wrong}`, key, says, fix, refused: write(`§${wrong}`), accepted: write(right) };
}

const atLeast = (key: string, write: (part: string) => string): Rule =>
  bound({
    key,
    wrong: '-1',
    right: '0',
    says: 'must be at least 0, not -1',
    fix: 'write a number that is at least 0',
    write,
  });

const atMost = (key: string, most: string, above: string, write: (part: string) => string): Rule =>
  bound({
    key,
    wrong: above,
    right: most,
    says: `must be at most ${most}, not ${above}`,
    fix: `write a number that is at most ${most}`,
    write,
  });

const BUDGETS = ['input_tokens', 'output_tokens', 'total_tokens', 'duration_ms', 'llm_calls'];
const threshold = (part: string): string =>
  withCheck(`"judge": [{"name": "a", "rubric": "b", "threshold": ${part}}]`);

/** Bounds that are outside their range, or that no run can meet. */
export const bounds: Rule[] = [
  atLeast('expects.max_tool_calls', (part) => withCheck(`"max_tool_calls": ${part}`)),
  atLeast('expects.exact_tool_calls', (part) => withCheck(`"exact_tool_calls": ${part}`)),
  atLeast('expects.tool_results_contain[0].call_index', (part) =>
    withCheck(`"tool_results_contain": [{"tool": "a", "needle": "b", "call_index": ${part}}]`),
  ),
  ...BUDGETS.map((metric) =>
    atLeast(`expects.budget.max_${metric}`, (part) => withCheck(`"budget": {"max_${metric}": ${part}}`)),
  ),
  atMost('expects.budget.max_llm_calls', '4294967295', '4294967296', (part) =>
    withCheck(`"budget": {"max_llm_calls": ${part}}`),
  ),
  atLeast('repeat', (part) => fixture({ top: `"repeat": ${part}` })),
  atMost('repeat', '4294967295', '4294967296', (part) => fixture({ top: `"repeat": ${part}` })),
  atLeast('turns[0].steps[0].response.output_tokens', (part) =>
    stepsFixture(`[{"response": {"type": "text", "content": "ok", "output_tokens": ${part}}}]`),
  ),
  atLeast('expects.judge[0].threshold', threshold),
  atMost('expects.judge[0].threshold', '1', '1.001', threshold),
  bound({
    key: 'expects.min_tool_calls',
    wrong: '0',
    right: '1',
    says: 'min_tool_calls 0 is always true and tests nothing',
    fix: 'write 1 or more, or remove it',
    write: (part) => withCheck(`"min_tool_calls": ${part}`),
  }),
  bound({
    key: 'expects.min_tool_calls',
    wrong: '3',
    right: '2',
    says: 'min_tool_calls 3 exceeds max_tool_calls 2',
    fix: 'lower min_tool_calls to at most 2, or raise max_tool_calls',
    write: (part) => withCheck(`"max_tool_calls": 2, "min_tool_calls": ${part}`),
  }),
  bound({
    key: 'expects.exact_tool_calls',
    wrong: '1',
    right: '2',
    says: 'exact_tool_calls 1 is below min_tool_calls 2',
    fix: 'raise exact_tool_calls to at least 2, or remove min_tool_calls',
    write: (part) => withCheck(`"min_tool_calls": 2, "exact_tool_calls": ${part}`),
  }),
  bound({
    key: 'expects.exact_tool_calls',
    wrong: '3',
    right: '2',
    says: 'exact_tool_calls 3 exceeds max_tool_calls 2',
    fix: 'lower exact_tool_calls to at most 2, or remove max_tool_calls',
    write: (part) => withCheck(`"max_tool_calls": 2, "exact_tool_calls": ${part}`),
  }),
];

const NO_CHECK = {
  key: 'expects',
  says: 'the case has no check that can fail',
  fix: 'add an expectation such as response_contains or tools_used',
};
const RUBRIC = '{"name": "a", "rubric": "b"}';
const everyListEmpty = `"response_not_contains": [], "response_matches": [], "tools_used": [], "tools_not_used": [],
    "tool_arguments_contain": [], "tool_results_contain": [], "response_json": {}, "judge": [],
    "max_tool_calls": null, "min_tool_calls": null, "exact_tool_calls": null, "all_tools_succeeded": null,
    "workspace": null, "budget": null`;

function noCheck(name: string, refused: string, accepted: string): Rule {
  const whole = (expects: string): string => fixture({ expects }).replace('"expects":', '§"expects":');
  return { ...NO_CHECK, name, refused: whole(refused), accepted: whole(accepted) };
}

const block = (key: string, says: string, fix: string, wrong: string, right: string): Rule =>
  bound({ key: `expects.${key}`, wrong, right, says, fix, write: (part) => withCheck(`"${key}": ${part}`) });

const workspace = (wrong: string, right: string): Rule =>
  block(
    'workspace',
    'the workspace block holds no check',
    'add file_exists, file_absent or file_contains',
    wrong,
    right,
  );
const budget = (wrong: string, right: string): Rule =>
  block('budget', 'the budget block holds no bound', 'add a bound such as max_total_tokens', wrong, right);
const turnBlock = (wrong: string, right: string): Rule =>
  bound({
    key: 'turns[0].expects',
    wrong,
    right,
    says: 'the expects block of this turn holds no check',
    fix: 'add response_contains, response_not_contains or response_matches',
    write: (part) => turnFixture(`{"user_input": "a", "expects": ${part}}`),
  });

/** Cases, blocks and lists that check nothing. */
export const nothingChecked: Rule[] = [
  noCheck('no expectation', '{}', '{"tools_used": ["echo"]}'),
  noCheck(
    'nothing but empty lists and nulls',
    `{${everyListEmpty}}`,
    `{"response_contains": ["ok"], ${everyListEmpty}}`,
  ),
  noCheck('nothing but a judge', `{"judge": [${RUBRIC}]}`, `{"judge": [${RUBRIC}], "min_tool_calls": 1}`),
  {
    ...NO_CHECK,
    name: 'no expects at all',
    key: '',
    refused: '§{"model_name": "sample", "turns": [{"user_input": "a"}]}',
    accepted:
      '{"model_name": "sample", "turns": [{"user_input": "a", "expects": {"response_contains": ["ok"]}}]}',
  },
  workspace('{}', '{"file_exists": ["a"]}'),
  workspace(
    '{"file_exists": [], "file_absent": [], "file_contains": {}}',
    '{"file_absent": ["a"], "file_contains": {}}',
  ),
  budget('{}', '{"max_llm_calls": 0}'),
  budget('{"max_llm_calls": null, "max_duration_ms": null}', '{"max_llm_calls": null, "max_duration_ms": 0}'),
  turnBlock('{}', '{"response_matches": ["a"]}'),
  turnBlock('{"response_contains": []}', '{"response_contains": ["a"], "response_matches": []}'),
  bound({
    key: 'expects.workspace.file_contains.a',
    wrong: '[]',
    right: '["x"]',
    says: 'must have at least 1 entry',
    fix: 'add an entry, or remove the key',
    write: (part) => withCheck(`"workspace": {"file_contains": {"a": ${part}}}`),
  }),
  bound({
    key: 'tags',
    wrong: '[]',
    right: '["a"]',
    says: 'must have at least 1 entry',
    fix: 'add an entry, or remove the key',
    write: (part) => fixture({ top: `"tags": ${part}` }),
  }),
  bound({
    key: 'turns',
    wrong: '[]',
    right: '[{"user_input": "a"}]',
    says: 'must have at least 1 entry',
    fix: 'add an entry',
    write: (part) => fixture({ turns: part }),
  }),
  bound({
    key: 'expects.assert',
    wrong: '[]',
    right: '[{"type": "contains", "value": "ok"}]',
    says: 'the list of assertions is empty',
    fix: 'add an assertion',
    write: (part) => withCheck(`"assert": ${part}`),
  }),
];
