import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checkReference, checkTypes, describeCheck } from '../../src/grade/index.js';

describe('the reference of checks', () => {
  it('has an entry for every type of check, once', () => {
    const names = checkReference.map((entry) => entry.name);
    expect(new Set(names).size).toBe(names.length);
    expect(checkTypes.filter((type) => describeCheck(type)?.check !== type)).toEqual([]);
  });

  it('has an entry for every key of expects, with the check it compiles to', () => {
    const families = [
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
    ] as const;
    for (const [name, check] of families) {
      const entry = describeCheck(name);
      expect(entry).toMatchObject({ writtenIn: 'fixture', check });
      expect(entry?.notes.join(' ')).toContain(`${check};`);
      expect(entry?.json).toContain(`"${name}"`);
    }
    const fixtureNames = checkReference.filter((entry) => entry.writtenIn === 'fixture');
    expect(fixtureNames).toHaveLength(families.length);
  });

  it.each(checkReference.map((entry) => [entry.name, entry] as const))('%s is complete', (_name, entry) => {
    expect(entry.passes).not.toBe('');
    expect(entry.parameters.length).toBeGreaterThan(0);
    expect(entry.parameters.every((one) => one.meaning !== '' && one.type !== '')).toBe(true);
    const [item]: { type: string }[] = parse(entry.yaml);
    const written: unknown = JSON.parse(entry.json);
    if (entry.writtenIn === 'assertion') {
      expect(item).toEqual(written);
      expect(item?.type).toBe(entry.name);
      const known = new Set(['type', ...entry.parameters.map((one) => one.name)]);
      expect(Object.keys(item ?? {}).filter((key) => !known.has(key))).toEqual([]);
      const needed = entry.parameters.filter((one) => one.required).map((one) => one.name);
      expect(Object.keys(item ?? {})).toEqual(expect.arrayContaining(needed));
    } else {
      expect(written).toHaveProperty('expects');
      expect(describeCheck(item?.type ?? '')).not.toBeNull();
    }
  });

  it('finds a check by its name, its negation and its short name, and nothing else', () => {
    expect(describeCheck('not-contains')?.name).toBe('contains');
    expect(describeCheck('latency')?.check).toBe('budget');
    expect(describeCheck('not-response_contains')).toBeNull();
    expect(describeCheck('not-not-contains')).toBeNull();
    expect(describeCheck('telepathy')).toBeNull();
  });
});
