import { isJsonObject, type JsonValue } from '../core/index.js';
import { patternFault } from '../match/index.js';
import { repeatedIds } from './curation.js';
import type { RuleProblem } from './document.js';
import { scriptRules } from './trace-script-rules.js';

/** Families of `expects` that make a case able to fail; judge rubrics never do. */
const LIST_FAMILIES = [
  'response_contains',
  'response_not_contains',
  'response_matches',
  'tools_used',
  'tools_not_used',
  'tool_arguments_contain',
  'tool_results_contain',
  'assert',
] as const;
const SCALAR_FAMILIES = [
  'max_tool_calls',
  'min_tool_calls',
  'exact_tool_calls',
  'all_tools_succeeded',
] as const;
const TEXT_FAMILIES = ['response_contains', 'response_not_contains', 'response_matches'] as const;
const WORKSPACE_FAMILIES = ['file_exists', 'file_absent', 'file_contains'] as const;

function hasEntries(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) && Object.keys(value).length > 0;
}

function workspaceHasChecks(workspace: JsonValue | undefined): boolean {
  return isJsonObject(workspace) && WORKSPACE_FAMILIES.some((family) => hasEntries(workspace[family]));
}

function budgetHasBounds(budget: JsonValue | undefined): boolean {
  return isJsonObject(budget) && Object.values(budget).some((bound) => bound !== null);
}

function hasEffectiveCheck(fixture: JsonValue): boolean {
  if (!isJsonObject(fixture)) return false;
  const expects = fixture['expects'];
  if (isJsonObject(expects)) {
    if (LIST_FAMILIES.some((family) => hasEntries(expects[family]))) return true;
    if (SCALAR_FAMILIES.some((family) => (expects[family] ?? null) !== null)) return true;
    if (workspaceHasChecks(expects['workspace'])) return true;
    if (budgetHasBounds(expects['budget'])) return true;
    if (hasEntries(expects['response_json'])) return true;
  }
  return turnsOf(fixture).some(({ expects: turnExpects }) =>
    TEXT_FAMILIES.some((family) => hasEntries(turnExpects[family])),
  );
}

function turnsOf(fixture: JsonValue): { index: number; expects: { [key: string]: JsonValue } }[] {
  if (!isJsonObject(fixture) || !Array.isArray(fixture['turns'])) return [];
  return fixture['turns'].flatMap((turn, index) =>
    isJsonObject(turn) && isJsonObject(turn['expects']) ? [{ index, expects: turn['expects'] }] : [],
  );
}

function boundProblems(expects: { [key: string]: JsonValue }): RuleProblem[] {
  const problems: RuleProblem[] = [];
  const at = (key: string): number | null => {
    const value = expects[key];
    return typeof value === 'number' ? value : null;
  };
  const min = at('min_tool_calls');
  const max = at('max_tool_calls');
  const exact = at('exact_tool_calls');
  if (min === 0) {
    problems.push({
      path: ['expects', 'min_tool_calls'],
      message: 'min_tool_calls 0 is always true and tests nothing',
      fix: 'write 1 or more, or remove it',
    });
  }
  if (min !== null && max !== null && min > max) {
    problems.push({
      path: ['expects', 'min_tool_calls'],
      message: `min_tool_calls ${min} exceeds max_tool_calls ${max}: no run can pass`,
      fix: `lower min_tool_calls to at most ${max}, or raise max_tool_calls`,
    });
  }
  if (exact !== null && min !== null && exact < min) {
    problems.push({
      path: ['expects', 'exact_tool_calls'],
      message: `exact_tool_calls ${exact} is below min_tool_calls ${min}: no run can pass`,
      fix: `raise exact_tool_calls to at least ${min}, or remove min_tool_calls`,
    });
  }
  if (exact !== null && max !== null && exact > max) {
    problems.push({
      path: ['expects', 'exact_tool_calls'],
      message: `exact_tool_calls ${exact} exceeds max_tool_calls ${max}: no run can pass`,
      fix: `lower exact_tool_calls to at most ${max}, or remove max_tool_calls`,
    });
  }
  return problems;
}

function blockProblems(expects: { [key: string]: JsonValue }): RuleProblem[] {
  const problems: RuleProblem[] = [];
  const workspace = expects['workspace'];
  if (isJsonObject(workspace) && !workspaceHasChecks(workspace)) {
    problems.push({
      path: ['expects', 'workspace'],
      message: 'the workspace block holds no check',
      fix: 'add file_exists, file_absent or file_contains, or remove the block',
    });
  }
  const budget = expects['budget'];
  if (isJsonObject(budget) && !budgetHasBounds(budget)) {
    problems.push({
      path: ['expects', 'budget'],
      message: 'the budget block holds no bound',
      fix: 'add a bound such as max_total_tokens, or remove the block',
    });
  }
  return problems;
}

function patternProblems(
  families: { [key: string]: JsonValue },
  base: readonly (string | number)[],
): RuleProblem[] {
  const patterns = families['response_matches'];
  if (!Array.isArray(patterns)) return [];
  return patterns.flatMap((pattern, index) => {
    if (typeof pattern !== 'string' || pattern === '') return [];
    const fault = patternFault(pattern, '', 're2');
    return fault === null
      ? []
      : [
          {
            path: [...base, 'response_matches', index],
            message: `the regular expression does not compile: ${fault}`,
            fix: 'use linear-time syntax: no look-around, no back-references',
          },
        ];
  });
}

function pointerProblems(expects: { [key: string]: JsonValue }): RuleProblem[] {
  const pointers = expects['response_json'];
  if (!isJsonObject(pointers)) return [];
  return Object.keys(pointers).flatMap((pointer): RuleProblem[] => {
    if (pointer === '' || (pointer.startsWith('/') && !/~(?![01])/.test(pointer))) return [];
    return [
      {
        path: ['expects', 'response_json', pointer],
        at: 'key',
        message: 'not a JSON pointer',
        fix: pointer.startsWith('/')
          ? 'write ~0 for ~ and ~1 for /'
          : `start it with a slash: ${JSON.stringify(`/${pointer.replace(/^\$?\.?/, '').replaceAll('.', '/')}`)}`,
      },
    ];
  });
}

/** Ids that are written twice where each may stand once. */
function upkeepProblems(fixture: { [key: string]: JsonValue }): RuleProblem[] {
  const problems: RuleProblem[] = [];
  const lint = fixture['lint'];
  const ignore = isJsonObject(lint) ? lint['ignore'] : undefined;
  for (const [path, list] of [
    [['accepted_mutants'], fixture['accepted_mutants']],
    [['lint', 'ignore'], ignore],
  ] as const) {
    if (!Array.isArray(list)) continue;
    const named = list.map((entry) => ({
      id: isJsonObject(entry) && typeof entry['id'] === 'string' ? entry['id'] : '',
      reason: '',
    }));
    repeatedIds(named, path, problems);
  }
  return problems;
}

/**
 * The rules of a fixture that span several keys. They look at the value as written, so they are reported together
 * with the faults of single keys, and never throw on values of the wrong type.
 */
export function traceRules(fixture: JsonValue): RuleProblem[] {
  if (!isJsonObject(fixture)) return [];
  const problems: RuleProblem[] = [];
  if (!hasEffectiveCheck(fixture)) {
    problems.push({
      path: 'expects' in fixture ? ['expects'] : [],
      at: 'key',
      message: 'the case has no check that can fail, so it would pass without testing anything',
      fix: 'add an expectation such as response_contains or tools_used (a judge rubric alone does not count)',
    });
  }
  const expects = fixture['expects'];
  if (isJsonObject(expects)) {
    problems.push(...boundProblems(expects), ...blockProblems(expects));
    problems.push(...patternProblems(expects, ['expects']), ...pointerProblems(expects));
  }
  for (const turn of turnsOf(fixture)) {
    problems.push(...patternProblems(turn.expects, ['turns', turn.index, 'expects']));
    if (!TEXT_FAMILIES.some((family) => hasEntries(turn.expects[family]))) {
      problems.push({
        path: ['turns', turn.index, 'expects'],
        message: 'the expects block of this turn holds no check',
        fix: 'add response_contains, response_not_contains or response_matches, or remove the block',
      });
    }
  }
  problems.push(...upkeepProblems(fixture), ...scriptRules(fixture));
  const id = fixture['id'] ?? null;
  if (id === '' || (id === null && fixture['model_name'] === '')) {
    problems.push({
      path: [id === '' ? 'id' : 'model_name'],
      message: 'the identity of the case is empty',
      fix: 'give the case a name of its own',
    });
  }
  return problems;
}
