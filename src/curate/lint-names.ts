import type { CheckSpec } from '../core/index.js';
import type { Case } from '../suite/index.js';
import { caseFinding, type LintFinding } from './lint-finding.js';

type Grades = (check: CheckSpec, tested: Case) => boolean;

const JSON_TYPES: ReadonlySet<string> = new Set(['json-pointer', 'is-json', 'contains-json', 'program']);

const ARGUMENT_TYPES: ReadonlySet<string> = new Set([
  'tool-arguments',
  'tool-results',
  'tool-calls',
  'program',
]);

const isTool: Grades = ({ category, type }) => category === 'tool' || type === 'program';
const counts: Grades = (check) =>
  (check.type === 'tool-calls' || check.category === 'budget' || check.type === 'program') &&
  !check.diagnostic;
const isJson: Grades = (check) =>
  JSON_TYPES.has(check.type) ||
  (check.type === 'equals' && typeof check.value === 'object') ||
  check.category === 'tool' ||
  ('pattern' in check && check.pattern.includes('{'));

/** Words of names, what they promise, and how a check keeps it. */
const PROMISES: readonly { words: readonly string[]; about: string; kept: Grades; fix: string }[] = [
  {
    words: ['tool', 'tools', 'call', 'calls', 'called', 'dispatch', 'dispatched', 'invokes'],
    about: 'tool calls',
    kept: isTool,
    fix: 'tools_used, exact_tool_calls or tool_arguments_contain (tool-used, tool-calls, tool-arguments in a suite)',
  },
  {
    words: ['argument', 'arguments', 'parameter', 'parameters'],
    about: 'arguments of calls',
    kept: ({ type }) => ARGUMENT_TYPES.has(type),
    fix: 'tool_arguments_contain or tool_results_contain (tool-arguments or tool-results in a suite)',
  },
  {
    words: ['once', 'twice', 'thrice'],
    about: 'how often something happens',
    kept: counts,
    fix: 'exact_tool_calls (tool-calls in a suite)',
  },
  {
    words: ['json'],
    about: 'JSON',
    kept: isJson,
    fix: 'response_json (is-json or contains-json in a suite)',
  },
  {
    words: ['file', 'files', 'writes', 'saves', 'written', 'saved'],
    about: 'files',
    kept: ({ category, type }) => category === 'side_effect' || category === 'tool' || type === 'program',
    fix: 'workspace.file_exists or file_contains (file-exists, file-contains in a suite)',
  },
  {
    words: ['tokens', 'budget', 'cost', 'cheap', 'cheaply', 'latency', 'fast', 'quick', 'quickly'],
    about: 'what is used up',
    kept: ({ category, type }) => category === 'budget' || type === 'tool-calls' || type === 'program',
    fix: 'budget (tokens, latency or cost in a suite)',
  },
];

function wordsOf(name: string): Set<string> {
  return new Set(
    name
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u),
  );
}

/** Tools that the script of the case calls. */
function scriptedTools(tested: Case): Set<string> {
  const names = tested.turns.flatMap((turn) =>
    (turn.steps ?? []).flatMap((step) =>
      step.type === 'tool_calls' ? step.toolCalls.map((call) => call.name) : [],
    ),
  );
  return new Set(names);
}

/** Names that speak of something no check of the case looks at. A judge may look at anything. */
export function unkeptPromises(tested: Case): LintFinding[] {
  const gating = tested.checks.filter((check) => !check.diagnostic);
  if (gating.some((check) => check.category === 'judge')) return [];
  const words = wordsOf(tested.id);
  const findings: LintFinding[] = [];
  for (const { words: promised, about, kept, fix } of PROMISES) {
    const said = promised.filter((word) => words.has(word));
    if (said.length === 0 || gating.some((check) => kept(check, tested))) continue;
    findings.push(
      caseFinding(
        tested,
        'name-without-check',
        `the name says ${said.join(', ')}, and no check looks at ${about}`,
        `add ${fix}, or give the case another name`,
      ),
    );
  }
  const tools = [...scriptedTools(tested)].filter((name) => words.has(name.toLowerCase()));
  if (tools.length > 0 && findings.length === 0 && !gating.some((check) => isTool(check, tested))) {
    findings.push(
      caseFinding(
        tested,
        'name-without-check',
        `the name says ${tools.join(', ')}, and no check looks at its calls`,
        'add tools_used or tool_arguments_contain, or give the case another name',
      ),
    );
  }
  return findings;
}
