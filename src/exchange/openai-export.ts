import { isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import { objectsOf, textMember } from '../cases/index.js';
import { ExchangeTable, type TableRow, nameOf } from './import-table.js';
import { graderOf } from './openai-graders.js';
import type { JsonExport } from './skill-evals-export.js';
import type { WrittenSuite, WrittenSuiteCase } from './suite-cases.js';

function promptsOf({ value }: WrittenSuiteCase): string[] | null {
  const turns = objectsOf(value['turns']).map((turn) => turn['prompt']);
  const prompts = [...(typeof value['prompt'] === 'string' ? [value['prompt']] : []), ...turns];
  const texts = prompts.filter((prompt) => typeof prompt === 'string');
  return texts.length > 0 && texts.length === prompts.length ? texts : null;
}

function templated(value: JsonObject): boolean {
  return 'vars' in value;
}

interface Row {
  item: JsonObject;
  graders: JsonObject[];
}

function rowOf(found: WrittenSuiteCase, table: ExchangeTable): Row | null {
  const { value, line } = found;
  const name = textMember(value, 'id');
  const prompts = promptsOf(found);
  const [prompt, ...more] = prompts ?? [];
  if (prompt === undefined || more.length > 0 || templated(value)) {
    table.dropped('case', name, line, templated(value) ? 'it is a template' : 'an item has one prompt');
    return null;
  }
  const item: JsonObject = { id: name, prompt };
  const graders: JsonObject[] = [];
  for (const assertion of Array.isArray(value['assert']) ? value['assert'] : []) {
    const field = `expected_${graders.length + 1}`;
    const made = graderOf(assertion, field);
    const type = isJsonObject(assertion) ? nameOf(assertion['type']) : '?';
    if (made === null) {
      table.dropped('assertion', `${type} of ${name}`, line, 'no hosted grader does this');
      continue;
    }
    item[field] = made.value;
    graders.push(made.grader);
    table.kept('assertion', type, line);
  }
  if (graders.length === 0) {
    table.dropped('case', name, line, 'none of its assertions came over');
    return null;
  }
  table.kept('case', name, line);
  return { item, graders };
}

/**
 * Writes a suite as hosted evals: cases that are graded alike share one, with their items beside it. All graders of an
 * item must pass, so thresholds and weights are left out, which the table says.
 */
export function exportOpenaiGraders(suite: WrittenSuite): JsonExport {
  const table = new ExchangeTable();
  const groups = new Map<string, Row[]>();
  for (const found of suite.cases) {
    const row = rowOf(found, table);
    if (row === null) continue;
    for (const key of ['threshold', 'setup', 'tools', 'agent', 'negative']) {
      if (key in found.value && !(key === 'threshold' && found.value[key] === 1))
        table.dropped(
          'key',
          `${key} of ${nameOf(found.value['id'])}`,
          found.line,
          'a hosted eval has no word for it',
        );
    }
    const shape = JSON.stringify(row.graders);
    groups.set(shape, [...(groups.get(shape) ?? []), row]);
  }
  const title = textMember(suite.head, 'name') || 'suite';
  const system = suite.head['system_prompt'];
  const messages: JsonObject[] = [
    ...(typeof system === 'string' ? [{ role: 'system', content: system }] : []),
    { role: 'user', content: '{{item.prompt}}' },
  ];
  const document = [...groups.values()].map((rows, index): JsonValue => {
    const fields = Object.keys(rows[0]?.item ?? {});
    return {
      eval: {
        name: groups.size === 1 ? title : `${title} ${index + 1}`,
        data_source_config: {
          type: 'custom',
          item_schema: {
            type: 'object',
            properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])),
            required: fields,
          },
          include_sample_schema: true,
        },
        testing_criteria: rows[0]?.graders ?? [],
        input_messages: { type: 'template', template: messages },
      },
      data: rows.map(({ item }) => ({ item })),
    };
  });
  return { document, rows: table.rows };
}

/** Writes a suite as samples of an open-source eval: one line a case that has one ideal answer. */
export function exportOpenaiEvals(suite: WrittenSuite): { lines: JsonObject[]; rows: TableRow[] } {
  const table = new ExchangeTable();
  const system = suite.head['system_prompt'];
  const lines = suite.cases.flatMap((found): JsonObject[] => {
    const { value, line } = found;
    const name = textMember(value, 'id');
    const prompts = templated(value) ? null : promptsOf(found);
    if (prompts === null) {
      const reason = templated(value) ? 'a sample is no template' : 'its user turns are not all written';
      table.dropped('case', name, line, reason);
      return [];
    }
    const assertions = objectsOf(value['assert']);
    const ideal = assertions.find((one) => one['type'] === 'starts-with' || one['type'] === 'equals');
    if (ideal === undefined || typeof ideal['value'] !== 'string') {
      table.dropped('case', name, line, 'it has no starts-with or equals, so it has no ideal answer');
      return [];
    }
    if (ideal['type'] === 'equals')
      table.changed(
        'assertion',
        `equals of ${name}`,
        line,
        'a sample matches what starts with its ideal answer',
      );
    for (const other of assertions) {
      if (other !== ideal)
        table.dropped(
          'assertion',
          `${nameOf(other['type'])} of ${name}`,
          line,
          'a sample has one ideal answer',
        );
    }
    table.kept('case', name, line);
    return [
      {
        id: name,
        input: [
          ...(typeof system === 'string' ? [{ role: 'system', content: system }] : []),
          ...prompts.map((content) => ({ role: 'user', content })),
        ],
        ideal: ideal['value'],
      },
    ];
  });
  return { lines, rows: table.rows };
}
