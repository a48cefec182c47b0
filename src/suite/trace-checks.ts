import { compareUtf8, isSafeRelativePath, quote, type CheckBase, type CheckSpec } from '../core/index.js';
import type { TraceExpects, TraceFixture } from './trace-schema.js';

type Payload = TraceExpects['tool_arguments_contain'][number];
type TextFamilies = Pick<TraceExpects, 'response_contains' | 'response_not_contains' | 'response_matches'>;

/** The common part of a check of a fixture; every one gates and weighs the same. */
function base<Rest extends object>(
  label: string,
  category: CheckBase['category'],
  key: string,
  rest: Rest,
): CheckBase & Rest {
  return Object.assign(
    { label, category, key, negated: false, weight: 1, required: false, diagnostic: false },
    rest,
  );
}

function payloadCheck(
  type: 'tool-arguments' | 'tool-results',
  family: string,
  payload: Payload,
  index: number,
): CheckSpec {
  const { tool, needle, call_index: callIndex } = payload;
  const place = callIndex === null ? '' : `[${callIndex}]`;
  const label = `${family}(${quote(tool)}${place}, ${quote(needle)})`;
  const check = base(label, 'tool', `expects.${family}[${index}]`, { type, tool, needle });
  return callIndex === null ? check : Object.assign(check, { callIndex });
}

function containsChecks(families: TextFamilies, prefix: string, key: string): CheckSpec[] {
  return [
    ...families.response_contains.map((value, index): CheckSpec =>
      base(`${prefix}response_contains(${quote(value)})`, 'response', `${key}.response_contains[${index}]`, {
        type: 'contains',
        value,
        trim: false,
      }),
    ),
    ...families.response_not_contains.map((value, index): CheckSpec =>
      base(
        `${prefix}response_not_contains(${quote(value)})`,
        'response',
        `${key}.response_not_contains[${index}]`,
        {
          type: 'contains',
          negated: true,
          value,
          trim: false,
        },
      ),
    ),
  ];
}

function matchesChecks(families: TextFamilies, prefix: string, key: string): CheckSpec[] {
  return families.response_matches.map((pattern, index): CheckSpec =>
    base(`${prefix}response_matches(${quote(pattern)})`, 'response', `${key}.response_matches[${index}]`, {
      type: 'regex',
      pattern,
      flags: '',
      dialect: 're2',
      trim: false,
    }),
  );
}

function toolChecks(expects: TraceExpects): CheckSpec[] {
  const checks: CheckSpec[] = [];
  expects.tools_used.forEach((tool, index) =>
    checks.push(
      base(`tools_used(${quote(tool)})`, 'tool', `expects.tools_used[${index}]`, {
        type: 'tool-used',
        tools: [tool],
      }),
    ),
  );
  expects.tools_not_used.forEach((tool, index) =>
    checks.push(
      base(`tools_not_used(${quote(tool)})`, 'tool', `expects.tools_not_used[${index}]`, {
        type: 'tool-not-used',
        tools: [tool],
      }),
    ),
  );
  const bounds = [
    ['max', expects.max_tool_calls],
    ['min', expects.min_tool_calls],
    ['exact', expects.exact_tool_calls],
  ] as const;
  for (const [bound, limit] of bounds) {
    if (limit === null) continue;
    checks.push(
      base(`${bound}_tool_calls(${limit})`, 'tool', `expects.${bound}_tool_calls`, {
        type: 'tool-calls',
        [bound]: limit,
      }),
    );
  }
  expects.tool_arguments_contain.forEach((payload, index) =>
    checks.push(payloadCheck('tool-arguments', 'tool_arguments_contain', payload, index)),
  );
  expects.tool_results_contain.forEach((payload, index) =>
    checks.push(payloadCheck('tool-results', 'tool_results_contain', payload, index)),
  );
  if (expects.all_tools_succeeded !== null) {
    checks.push(
      base(`all_tools_succeeded(${expects.all_tools_succeeded})`, 'tool', 'expects.all_tools_succeeded', {
        type: 'tools-succeeded',
        expected: expects.all_tools_succeeded,
      }),
    );
  }
  return checks;
}

function workspaceChecks(expects: TraceExpects): CheckSpec[] {
  const workspace = expects.workspace;
  if (workspace === null) return [];
  const key = 'expects.workspace';
  const checks: CheckSpec[] = [
    ...workspace.file_exists.map((path, index): CheckSpec =>
      base(`file_exists(${quote(path)})`, 'side_effect', `${key}.file_exists[${index}]`, {
        type: 'file-exists',
        path,
      }),
    ),
    ...workspace.file_absent.map((path, index): CheckSpec =>
      base(`file_absent(${quote(path)})`, 'side_effect', `${key}.file_absent[${index}]`, {
        type: 'file-absent',
        path,
      }),
    ),
  ];
  for (const path of sortedKeys(workspace.file_contains)) {
    const needles = workspace.file_contains[path] ?? [];
    // A path that leaves the workspace is one failed check, however many needles it has.
    for (const needle of isSafeRelativePath(path) ? needles : needles.slice(0, 1)) {
      checks.push(
        base(`file_contains(${quote(path)}, ${quote(needle)})`, 'side_effect', `${key}.file_contains`, {
          type: 'file-contains',
          path,
          needle,
        }),
      );
    }
  }
  return checks;
}

const BUDGETS = ['input_tokens', 'output_tokens', 'total_tokens', 'duration_ms', 'llm_calls'] as const;

function budgetChecks(expects: TraceExpects): CheckSpec[] {
  const budget = expects.budget;
  if (budget === null) return [];
  return BUDGETS.flatMap((metric): CheckSpec[] => {
    const limit = budget[`max_${metric}`];
    if (limit === null) return [];
    return [
      base(`max_${metric}(${limit})`, 'budget', `expects.budget.max_${metric}`, {
        type: 'budget',
        metric,
        limit,
      }),
    ];
  });
}

function sortedKeys(record: { [key: string]: unknown }): string[] {
  return Object.keys(record).toSorted(compareUtf8);
}

/**
 * Compiles the expectations of a fixture, in the order in which they are graded and reported: text, tools, pattern,
 * the texts of single turns, workspace, budget, JSON, judge.
 */
export function traceChecks(fixture: TraceFixture): CheckSpec[] {
  const { expects } = fixture;
  const checks = [
    ...containsChecks(expects, '', 'expects'),
    ...toolChecks(expects),
    ...matchesChecks(expects, '', 'expects'),
  ];
  fixture.turns.forEach((turn, index) => {
    if (turn.expects === undefined) return;
    const prefix = `turns[${index}].`;
    const key = `turns[${index}].expects`;
    for (const check of [
      ...containsChecks(turn.expects, prefix, key),
      ...matchesChecks(turn.expects, prefix, key),
    ]) {
      checks.push(Object.assign(check, { turn: index }));
    }
  });
  checks.push(...workspaceChecks(expects), ...budgetChecks(expects));
  for (const pointer of sortedKeys(expects.response_json)) {
    checks.push(
      base(
        `response_json(${quote(pointer)})`,
        'response',
        `expects.response_json[${JSON.stringify(pointer)}]`,
        {
          type: 'json-pointer',
          pointer,
          value: expects.response_json[pointer] ?? null,
        },
      ),
    );
  }
  expects.judge.forEach((rubric, index) =>
    checks.push(
      base(`judge:${rubric.name}`, 'judge', `expects.judge[${index}]`, {
        diagnostic: true,
        type: 'trace-judge',
        name: rubric.name,
        rubric: rubric.rubric,
        threshold: rubric.threshold,
        includeTranscript: rubric.include_transcript,
      }),
    ),
  );
  return checks;
}
