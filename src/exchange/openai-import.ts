import { AssayError, isJsonObject, parseJson, type JsonObject, type JsonValue } from '../core/index.js';
import {
  isTooDeep,
  member,
  objectMember,
  objectsOf,
  parseJsonLines,
  slug,
  textMember,
} from '../cases/index.js';
import { CaseIds } from './case-ids.js';
import { ExchangeTable } from './import-table.js';
import { filledWithItem, graderTwin } from './openai-graders.js';
import type { SuiteImport } from './promptfoo.js';

/** How the samples of an open-source eval are matched with their ideal answers. */
export const MATCHES = ['match', 'includes', 'json-match'] as const;

/** How the samples of an open-source eval are matched with their ideal answers. */
export type EvalsMatch = (typeof MATCHES)[number];

function suiteOf(name: string, cases: JsonObject[], system: string | null): SuiteImport['suites'] {
  if (cases.length === 0) return [];
  return [
    {
      name: slug(name),
      suite: {
        name,
        type: 'capability',
        trials: 1,
        pass_threshold: 1,
        ...(system === null ? {} : { system_prompt: system }),
        cases,
      },
    },
  ];
}

interface Asked {
  system: string | null;
  turns: string[];
}

/** What is asked of the model; a text when it has no twin. */
function askedIn(input: JsonValue | undefined): Asked | string {
  if (typeof input === 'string')
    return input.trim() === '' ? 'its input is blank' : { system: null, turns: [input] };
  if (!Array.isArray(input)) return 'it has no input';
  let system: string | null = null;
  const turns: string[] = [];
  const messages = objectsOf(input);
  if (messages.length < input.length) return 'a message of it is no object';
  for (const message of messages) {
    const content = member(message, 'content');
    const text =
      typeof content === 'string' ? content : isJsonObject(content) ? textMember(content, 'text') : null;
    if (text === null) return 'a message of it is not text';
    const role = textMember(message, 'role');
    if ((role === 'system' || role === 'developer') && turns.length === 0)
      system = system === null ? text : `${system}\n\n${text}`;
    else if (role === 'user') turns.push(text);
    else return `it puts words into the mouth of ${JSON.stringify(role)}`;
  }
  return turns.length === 0 ? 'nothing is asked in it' : { system, turns };
}

function caseFrom(id: string, { turns }: Asked, assertions: JsonObject[]): JsonObject {
  const [only, ...more] = turns;
  return {
    id,
    ...(more.length === 0 ? { prompt: only ?? '' } : { turns: turns.map((prompt) => ({ prompt })) }),
    threshold: 1,
    assert: assertions,
  };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function idealAssertion(ideal: JsonValue | undefined, match: EvalsMatch): JsonObject | string {
  const ideals = Array.isArray(ideal) ? ideal : ideal === undefined ? [] : [ideal];
  const [only] = ideals;
  if (only === undefined) return 'it has no ideal answer';
  if (match === 'json-match') {
    if (ideals.length > 1) return 'several ideal answers have no twin as JSON';
    const parsed = typeof only === 'string' ? parseJson(only) : ({ ok: true, value: only } as const);
    if (!parsed.ok || typeof parsed.value !== 'object') return 'its ideal answer is no JSON object or list';
    return { type: 'equals', value: parsed.value, required: true };
  }
  const written = ideals.filter((one) => typeof one === 'string' && one.trim() !== '');
  if (written.length < ideals.length) return 'an ideal answer is no text';
  const texts = written.flatMap((one) => (typeof one === 'string' ? [one.trim()] : []));
  if (match === 'includes') {
    return texts.length === 1
      ? { type: 'contains', value: texts[0] ?? '', required: true }
      : { type: 'contains-any', value: texts, required: true };
  }
  return texts.length === 1
    ? { type: 'starts-with', value: texts[0] ?? '', required: true }
    : { type: 'regex', value: `^(?:${texts.map(escaped).join('|')})`, required: true };
}

/** One system prompt for all cases, as a suite has it; cases with another one are left out. */
class OneSystem {
  system: string | null | undefined = undefined;

  admits(system: string | null): boolean {
    if (this.system === undefined) this.system = system;
    return this.system === system;
  }
}

const SAMPLE_KEYS = new Set(['input', 'ideal', 'id']);

/**
 * Reads the samples of an open-source eval: JSON lines of input and ideal answers.
 * @throws AssayError `INPUT` when there are none
 */
export function importOpenaiEvals(text: string, shown: string, name: string, match: EvalsMatch): SuiteImport {
  const { lines, broken } = parseJsonLines(text);
  if (lines.length === 0)
    throw new AssayError('INPUT', `${shown} holds no samples`, {
      fix: 'it has one JSON object a line, with input and ideal',
    });
  const table = new ExchangeTable();
  for (const line of broken) table.dropped('sample', `line ${line}`, line, 'it is not JSON');
  const ids = new CaseIds();
  const one = new OneSystem();
  const cases: JsonObject[] = [];
  for (const { line, value } of lines) {
    const id = ids.next(textMember(value, 'id'), `sample-${line}`);
    for (const key of Object.keys(value))
      if (!SAMPLE_KEYS.has(key)) table.dropped('key', `${key} of ${id}`, line, 'it has no twin');
    const asked = askedIn(member(value, 'input'));
    const assertion = idealAssertion(member(value, 'ideal'), match);
    const why =
      typeof asked === 'string'
        ? asked
        : typeof assertion === 'string'
          ? assertion
          : one.admits(asked.system)
            ? null
            : 'its system message is another one than that of the samples before';
    if (why !== null || typeof asked === 'string' || typeof assertion === 'string') {
      table.dropped('sample', id, line, why ?? '');
      continue;
    }
    cases.push(caseFrom(id, asked, [assertion]));
    table.kept('sample', id, line);
  }
  return { suites: suiteOf(name, cases, one.system ?? null), rows: table.rows };
}

/** One hosted eval with its data. */
interface HostedEval {
  definition: JsonObject;
  items: { item: JsonObject; line: number | null }[];
}

/** The evals in a document: one, or those of an export with their data beside them. */
function hostedEvals(document: JsonValue, data: string | null): HostedEval[] {
  const shared =
    data === null ? [] : parseJsonLines(data).lines.map(({ value, line }) => ({ item: itemOf(value), line }));
  const list = Array.isArray(document) ? objectsOf(document) : isJsonObject(document) ? [document] : [];
  return list.map((one) => {
    const definition = isJsonObject(one['eval']) ? one['eval'] : one;
    const own = objectsOf(member(one, 'data')).map((row) => ({ item: itemOf(row), line: null }));
    return { definition, items: [...own, ...shared] };
  });
}

function itemOf(row: JsonObject): JsonObject {
  return isJsonObject(row['item']) ? row['item'] : row;
}

function gradersIn(definition: JsonObject): JsonObject[] {
  const criteria = member(definition, 'testing_criteria') ?? member(definition, 'graders');
  if (Array.isArray(criteria)) return objectsOf(criteria);
  return 'operation' in definition || 'grader' in definition || 'type' in definition ? [definition] : [];
}

/** Messages in which items are asked: written in the definition, else the item's own `prompt`, `question` or `input`. */
function askedOf(definition: JsonObject, item: JsonObject): Asked | string {
  const template =
    member(objectMember(definition, 'input_messages'), 'template') ?? member(definition, 'template');
  if (template === undefined) {
    const own =
      member(item, 'prompt') ?? member(item, 'question') ?? member(item, 'input') ?? member(item, 'messages');
    return askedIn(own);
  }
  const asked = askedIn(template);
  if (typeof asked === 'string') return asked;
  const turns: string[] = [];
  for (const turn of asked.turns) {
    const filled = filledWithItem(turn, item);
    if (!filled.ok) return filled.why;
    turns.push(filled.text);
  }
  const system = asked.system === null ? null : filledWithItem(asked.system, item);
  if (system !== null && !system.ok) return system.why;
  return { turns, system: system?.text ?? null };
}

/**
 * Reads hosted evals: graders in `testing_criteria`, and items as JSON lines or beside the definition.
 * @param data JSON lines of items; null when they are in the document
 * @throws AssayError `INPUT` when there are no graders, or no items
 */
export function importOpenaiGraders(
  text: string,
  data: string | null,
  shown: string,
  name: string,
): SuiteImport {
  const parsed = parseJson(text);
  if (!parsed.ok || isTooDeep(parsed.value))
    throw new AssayError('INPUT', `${shown} is not JSON${parsed.ok ? '' : `: ${parsed.message}`}`);
  const evals = hostedEvals(parsed.value, data);
  if (evals.every(({ definition }) => gradersIn(definition).length === 0))
    throw new AssayError('INPUT', `${shown} holds no graders`, {
      fix: 'it has testing_criteria, a list of graders',
    });
  if (evals.every(({ items }) => items.length === 0))
    throw new AssayError('INPUT', `${shown} comes without items`, {
      fix: 'name a JSONL file of items with --data',
    });
  const table = new ExchangeTable();
  for (const line of data === null ? [] : parseJsonLines(data).broken)
    table.dropped('item', `line ${line} of the items`, line, 'it is not JSON');
  const ids = new CaseIds();
  const one = new OneSystem();
  const cases: JsonObject[] = [];
  for (const { definition, items } of evals) {
    const graders = gradersIn(definition);
    for (const [index, { item, line }] of items.entries()) {
      const id = ids.next(textMember(item, 'id', 'case_id'), `item-${index + 1}`);
      const asked = askedOf(definition, item);
      if (typeof asked === 'string' || !one.admits(asked.system)) {
        table.dropped(
          'item',
          id,
          line,
          typeof asked === 'string' ? asked : 'its system message is another one',
        );
        continue;
      }
      const assertions = graders.flatMap((grader): JsonObject[] => {
        const twin = graderTwin(grader, item);
        const label = textMember(grader, 'name') || textMember(grader, 'type');
        if (!twin.ok) table.dropped('grader', `${label} of ${id}`, line, twin.why);
        else table.kept('grader', label, line);
        return twin.ok ? [twin.assertion] : [];
      });
      if (assertions.length === 0) table.dropped('item', id, line, 'none of its graders came over');
      else {
        cases.push(caseFrom(id, asked, assertions));
        table.kept('item', id, line);
      }
    }
  }
  return { suites: suiteOf(name, cases, one.system ?? null), rows: table.rows };
}
