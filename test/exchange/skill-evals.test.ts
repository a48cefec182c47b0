import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { yamlText } from '../../src/cases/index.js';
import { canonicalJson, type JsonValue } from '../../src/core/index.js';
import {
  exportSkillEvals,
  importSkillEvals,
  writtenSuiteCases,
  type JsonExport,
  type Origin,
  type SkillEvalsImport,
} from '../../src/exchange/index.js';
import { loadAssertionSuite } from '../../src/suite/index.js';

const A = {
  skill_name: 'pdf-tools',
  version: 3,
  evals: [
    {
      id: 1,
      prompt: 'Fill the form.',
      expected_output: 'A filled form.',
      files: ['evals/files/form.txt'],
      expectations: ['The name is filled in.', 'The date is filled in.'],
      author: { name: 'ann' },
    },
    { id: 'draft', prompt: 'Later.', expected_output: '' },
    {
      id: 7,
      prompt: 'Say the title.',
      expectations: ['It is short.'],
      assertions: [
        { name: 'title', type: 'contains', value: 'Report' },
        { name: 'no apology', type: 'not_contains', value: 'sorry' },
        { name: 'odd', type: 'sounds_like', value: 'x' },
      ],
    },
  ],
};

const B = {
  skill_name: 'pdf-tools',
  evals: [
    { id: 1, prompt: 'Fill the form.', expected_output: 'A form.', assertions: ['The name is filled in.'] },
  ],
};

function directory(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'assay-evals-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'evals/files'), { recursive: true });
  writeFileSync(join(root, 'evals/files/form.txt'), 'Name:');
  return root;
}

function imported(document: JsonValue, root = directory()): SkillEvalsImport {
  return importSkillEvals(JSON.stringify(document, null, 2), root, 'evals.json', null);
}

/** Through a suite file and back. */
function back(
  made: SkillEvalsImport,
  dialect: Origin['dialect'] | null = null,
  edit = (text: string) => text,
): JsonExport {
  const root = directory();
  const [only] = made.suites;
  if (only === undefined) throw new Error('no suite');
  writeFileSync(join(root, 'suite.yaml'), edit(yamlText(only.suite)));
  const suite = loadAssertionSuite(join(root, 'suite.yaml'));
  return exportSkillEvals(writtenSuiteCases(suite), made.origin, dialect);
}

describe('Evals of a skill', () => {
  it('become cases: texts are statements for a judge, objects checks of text, files the workspace', () => {
    const made = imported(A);
    expect(made.suites[0]?.suite['cases']).toEqual([
      {
        id: 'eval-1',
        prompt: 'Fill the form.',
        setup: { workspace_files: { 'form.txt': 'Name:' } },
        assert: [
          { type: 'llm-assert', value: ['The name is filled in.'], required: true },
          { type: 'llm-assert', value: ['The date is filled in.'], required: true },
        ],
      },
      {
        id: 'eval-7',
        prompt: 'Say the title.',
        assert: [
          { type: 'llm-assert', value: ['It is short.'], required: true },
          { type: 'contains', value: 'Report', required: true, metric: 'title' },
          { type: 'not-contains', value: 'sorry', required: true, metric: 'no apology' },
        ],
      },
    ]);
    const said = made.rows
      .filter((row) => row.outcome !== 'kept')
      .map((row) => `${row.line}: ${row.kind} ${row.name}`);
    expect(said).toEqual([
      '3: key version',
      '16: key author of eval-1',
      '5: key expected_output of eval-1',
      '20: eval draft',
      '25: expectation expectation 4 of eval-7',
    ]);
  });

  it.each([
    ['A', A],
    ['B', B],
  ])('of dialect %s come back as they were, unknown keys and all', (dialect, document) => {
    const made = imported(document);
    expect(made.origin.dialect).toBe(dialect);
    expect(canonicalJson(back(made).document)).toBe(canonicalJson(document));
  });

  it('come back as they were whatever they hold', () => {
    const text = fc.string({ minLength: 1 }).filter((value) => value.trim() !== '');
    const one = fc.record(
      { prompt: text, expected_output: fc.string(), expectations: fc.array(text), note: fc.jsonValue() },
      { requiredKeys: ['prompt'] },
    );
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 4 }), (evals) => {
        const document = { skill_name: 's', evals: evals.map((each, index) => ({ ...each, id: index })) };
        // What JSON cannot hold exactly (-0) is not what is tested here.
        const written = JSON.parse(JSON.stringify(document)) as JsonValue;
        const made = imported(written);
        if (made.suites.length === 0) return;
        expect(canonicalJson(back(made).document)).toBe(canonicalJson(written));
      }),
      { numRuns: 40 },
    );
  });

  it('change dialect when they are told to', () => {
    expect(back(imported(A), 'B').document).toMatchObject({
      evals: [
        { id: 1, assertions: ['The name is filled in.', 'The date is filled in.'] },
        { id: 'draft' },
        { id: 7, assertions: ['It is short.', { type: 'contains' }, { type: 'not_contains' }] },
      ],
    });
    expect(canonicalJson(back(imported(B), 'A').document)).toContain(
      '"expectations":["The name is filled in."]',
    );
  });

  it('follow the suite where it has changed', () => {
    const { document, rows } = back(imported(B), null, (text) =>
      text
        .replace('The name is filled in.', 'The name is right.')
        .concat(
          '  - id: extra\n    prompt: New.\n    assert: [{type: contains, value: x}, {type: regex, value: y}]\n',
        ),
    );
    expect(document).toMatchObject({
      evals: [
        { id: 1, expected_output: 'A form.', assertions: ['The name is right.'] },
        { id: 2, prompt: 'New.', assertions: [{ type: 'contains', value: 'x' }] },
      ],
    });
    expect(rows.filter((row) => row.outcome === 'dropped').map((row) => row.name)).toEqual([
      'regex of extra',
    ]);
  });

  it.each([
    ['nothing', 'not JSON'],
    ['{}', 'no evals.json'],
    ['{"evals":{}}', 'no evals.json'],
    [`{"evals":${'['.repeat(300)}${']'.repeat(300)}}`, 'no evals.json'],
  ])('are refused when they are %.20j', (text, message) => {
    expect(() => importSkillEvals(text, directory(), 'evals.json', null)).toThrow(message);
  });

  it('read no file outside the skill, and take no id twice', () => {
    const made = imported({
      skill_name: '../../evil',
      evals: [
        { id: 1, prompt: 'x', files: ['../../../etc/passwd', '/etc/passwd', 7], expectations: ['y'] },
        { id: 1, prompt: 'x', expectations: ['y'] },
        { id: {}, prompt: 'x', expectations: ['y'] },
        'text',
        { id: 2, prompt: '  ', expectations: ['y'] },
        { id: 3, prompt: 'x', expectations: [' ', null, { type: 'contains' }] },
      ],
    });
    expect(made.suites).toHaveLength(1);
    expect(made.suites[0]?.name).toBe('evil');
    expect(made.suites[0]?.suite['cases']).toEqual([
      { id: 'eval-1', prompt: 'x', assert: [{ type: 'llm-assert', value: ['y'], required: true }] },
    ]);
    const names = made.rows.filter((row) => row.outcome === 'dropped').map((row) => row.kind);
    expect(names.filter((kind) => kind === 'file')).toHaveLength(3);
    expect(names.filter((kind) => kind === 'eval')).toHaveLength(5);
  });
});
