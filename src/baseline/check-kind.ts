import type { Check, CheckType } from '../core/index.js';

// Written out so that a type which core gains is a compile error here instead of a name that history quietly drops.
const TYPES: { [Type in CheckType]: true } = {
  equals: true,
  contains: true,
  icontains: true,
  'contains-all': true,
  'contains-any': true,
  regex: true,
  'starts-with': true,
  'ends-with': true,
  'is-json': true,
  'contains-json': true,
  'max-length': true,
  'min-length': true,
  'word-count': true,
  levenshtein: true,
  'matches-file': true,
  'json-pointer': true,
  'tool-used': true,
  'tool-not-used': true,
  'tool-calls': true,
  'tool-arguments': true,
  'tool-results': true,
  'tools-succeeded': true,
  'file-exists': true,
  'file-absent': true,
  'file-contains': true,
  budget: true,
  command: true,
  program: true,
  'llm-rubric': true,
  'llm-assert': true,
  pairwise: true,
  'trace-judge': true,
};

/** Names of the expectations of trace fixtures, as their labels begin. */
const EXPECTATIONS: ReadonlySet<string> = new Set([
  'response_contains',
  'response_not_contains',
  'response_matches',
  'response_json',
  'tools_used',
  'tools_not_used',
  'max_tool_calls',
  'min_tool_calls',
  'exact_tool_calls',
  'tool_arguments_contain',
  'tool_results_contain',
  'all_tools_succeeded',
  'file_exists',
  'file_absent',
  'file_contains',
  'max_input_tokens',
  'max_output_tokens',
  'max_total_tokens',
  'max_duration_ms',
  'max_llm_calls',
]);

const KINDS: ReadonlySet<string> = new Set([
  ...EXPECTATIONS,
  'judge',
  ...Object.keys(TYPES).flatMap((type) => [type, `not-${type}`]),
]);

/**
 * What may be said of a check without quoting it: labels hold expected text, so only a name of a closed list is taken
 * from one, then the check's type, then its category.
 */
export function checkKind(check: Pick<Check, 'label' | 'type' | 'category'>): string {
  const name = /^(?:turns\[\d{1,9}\]\.)?([a-z_]{1,40})\(/.exec(check.label)?.[1];
  if (name !== undefined && EXPECTATIONS.has(name)) return name;
  if (check.type === 'trace-judge') return 'judge';
  return KINDS.has(check.type) ? check.type : check.category;
}

/**
 * The checks of a trial under names that quote nothing: `response_contains:1`, `response_contains:2`, `tools_used:1`;
 * ordinals count the checks of one kind, in order. The same check has the same name in every trial of its case.
 */
export function namedChecks<One extends Pick<Check, 'label' | 'type' | 'category'>>(
  checks: readonly One[],
): [string, One][] {
  const counts = new Map<string, number>();
  return checks.map((check) => {
    const kind = checkKind(check);
    const ordinal = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, ordinal);
    return [`${kind}:${ordinal}`, check];
  });
}
