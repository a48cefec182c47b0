import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { toJSONSchema } from 'zod';
import type { JsonValue } from '../../src/core/index.js';
import { checkReference, checkTypes, describeCheck } from '../../src/grade/index.js';
import {
  ASSERTION_TYPES,
  assertionSchema,
  compileAssertions,
  parseTraceFixture,
} from '../../src/suite/index.js';
import { temporaryDirectory } from './support.js';

const assertions = checkReference.filter((entry) => entry.writtenIn === 'assertion');
const families = checkReference.filter((entry) => entry.writtenIn === 'fixture');

/** What the loader makes of one assertion, with the files it names in place. */
function compiled(value: JsonValue) {
  const directory = temporaryDirectory();
  for (const file of ['golden/summary.txt', 'checks/polite.ts']) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    writeFileSync(join(directory, file), 'x');
  }
  return compileAssertions([value], { path: ['assert'], directory, turnCount: 1 });
}

/** Keys of every assertion type, as the loader takes them. */
const admittedKeys = new Map<string, { keys: string[]; required: string[] }>();
const schema: unknown = toJSONSchema(assertionSchema, { io: 'input', unrepresentable: 'any' });
const { oneOf, anyOf } = schema as { oneOf?: unknown[]; anyOf?: unknown[] };
for (const variant of oneOf ?? anyOf ?? []) {
  const { properties, required } = variant as {
    properties: { [key: string]: { enum?: string[] } };
    required?: string[];
  };
  const name = properties['type']?.enum?.find((type) => !type.startsWith('not-')) ?? '';
  admittedKeys.set(name, {
    keys: Object.keys(properties).filter((key) => key !== 'type'),
    required: (required ?? []).filter((key) => key !== 'type'),
  });
}

describe('the reference of checks', () => {
  it('has one entry a name', () => {
    const names = checkReference.map((entry) => entry.name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('has an entry for every assertion type that can be written, and no other', () => {
    expect(assertions.map((entry) => entry.name).toSorted()).toEqual(ASSERTION_TYPES.toSorted());
  });

  it('says for every type of check how it is written', () => {
    const described = new Set(checkReference.map((entry) => entry.check));
    expect(checkTypes.filter((type) => !described.has(type))).toEqual([]);
  });

  it('has an entry for every key of expects, with the check it compiles to', () => {
    const wanted = [
      ['response_contains', 'contains'],
      ['response_not_contains', 'contains'],
      ['response_matches', 'regex'],
      ['tools_used', 'tool-used'],
      ['tools_not_used', 'tool-not-used'],
      ['max_tool_calls', 'tool-calls'],
      ['min_tool_calls', 'tool-calls'],
      ['exact_tool_calls', 'tool-calls'],
      ['all_tools_succeeded', 'tools-succeeded'],
      ['tool_arguments_contain', 'tool-arguments'],
      ['tool_results_contain', 'tool-results'],
      ['file_exists', 'file-exists'],
      ['file_absent', 'file-absent'],
      ['file_contains', 'file-contains'],
      ['max_input_tokens', 'budget'],
      ['max_output_tokens', 'budget'],
      ['max_total_tokens', 'budget'],
      ['max_duration_ms', 'budget'],
      ['max_llm_calls', 'budget'],
      ['response_json', 'json-pointer'],
      ['judge', 'trace-judge'],
    ];
    const found = families.map((entry) => [entry.name, entry.check]);
    expect(new Set(found.map((pair) => pair.join(' ')))).toEqual(
      new Set(wanted.map((pair) => pair.join(' '))),
    );
    expect(found).toHaveLength(wanted.length);
  });

  it.each(assertions.map((entry) => [entry.name, entry] as const))(
    '%s has an example that the loader admits and exactly the keys that it takes',
    (name, entry) => {
      const written: JsonValue = JSON.parse(entry.json);
      expect(parse(entry.yaml ?? '')).toEqual([written]);
      const { checks, problems } = compiled(written);
      expect(problems).toEqual([]);
      expect(checks.map((check) => check.type)).toEqual([entry.check]);
      const admitted = admittedKeys.get(name);
      expect(entry.parameters.map((one) => one.name).toSorted()).toEqual(admitted?.keys.toSorted());
      const needed = entry.parameters.filter((one) => one.required).map((one) => one.name);
      // A key that takes any JSON is not required by the schema, though the loader asks for it.
      expect(needed).toEqual(expect.arrayContaining(admitted?.required ?? ['?']));
    },
  );

  it.each(families.map((entry) => [entry.name, entry] as const))(
    '%s has an example that the loader admits, in a fixture and in a suite',
    (name, entry) => {
      expect(entry.json).toContain(`"${name}"`);
      expect(entry.notes.join(' ')).toMatch(new RegExp(`Compiles to (?:not-)?${entry.check}\\.`));
      const { expects }: { expects: JsonValue } = JSON.parse(entry.json);
      const steps = [{ response: { type: 'text', content: 'x' } }];
      const turns = [{ user_input: 'x', steps }];
      expect(parseTraceFixture({ model_name: 'x', turns, expects })).not.toBeNull();
      if (entry.yaml === null) return;
      const [written]: JsonValue[] = parse(entry.yaml);
      const { checks, problems } = compiled(written ?? null);
      expect(problems).toEqual([]);
      expect(checks.map((check) => check.type)).toEqual([entry.check]);
    },
  );

  it('finds a check by its name, its negation and its short name, and nothing else', () => {
    expect(describeCheck('not-contains')?.name).toBe('contains');
    expect(describeCheck('latency')?.check).toBe('budget');
    expect(describeCheck('not-response_contains')).toBeNull();
    expect(describeCheck('not-not-contains')).toBeNull();
    expect(describeCheck('telepathy')).toBeNull();
  });
});
