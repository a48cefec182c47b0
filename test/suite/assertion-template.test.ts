import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../src/core/index.js';
import { caseText, expectRefused, load, onlyCase } from './assertion-support.js';

/** A case in JSON, which is YAML as well, so that any text can stand in it. */
function jsonSuite(parts: { [key: string]: unknown }, top: { [key: string]: unknown } = {}): string {
  const assertions = [{ type: 'contains', value: 'ok' }];
  return JSON.stringify({ ...top, cases: [{ id: 'one', prompt: 'Hi', assert: assertions, ...parts }] });
}

describe('double braces', () => {
  it('are literal where no variables are declared', () => {
    const made = onlyCase(
      load(caseText('prompt: "{{x}} and {y}"\nassert: [{ type: contains, value: "x{{y}}z" }]')),
    );
    expect(made.turns[0]?.user).toBe('{{x}} and {y}');
    expect(made.checks[0]).toMatchObject({ value: 'x{{y}}z', label: 'contains("x{{y}}z")' });
    expect(made.variables).toBeNull();
  });

  it('are literal in any text without variables', () => {
    const piece = fc.oneof(fc.constantFrom('{', '}', '{{', '}}', '{{a}}', ' '), fc.string({ maxLength: 5 }));
    const texts = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(
        texts.filter((text) => text.trim() !== ''),
        (text) => {
          const made = onlyCase(
            load(jsonSuite({ prompt: text, assert: [{ type: 'contains', value: text }] })),
          );
          expect(made.turns[0]?.user).toBe(text);
          expect(made.checks[0]).toMatchObject({ value: text });
        },
      ),
      { numRuns: 50 },
    );
  });

  it('take any value, which is not looked at again', () => {
    const values = fc.string({ minLength: 1, maxLength: 12 }).map((text) => `${text}{{a}}`);
    fc.assert(
      fc.property(values, (value) => {
        const parts = {
          vars: { a: value },
          prompt: '<{{a}}|{{ a }}>',
          assert: [{ type: 'contains', value: '{{a}}' }],
        };
        const made = onlyCase(load(jsonSuite(parts)));
        expect(made.turns[0]?.user).toBe(`<${value}|${value}>`);
        expect(made.checks[0]).toMatchObject({ value });
      }),
      { numRuns: 50 },
    );
  });

  it('are filled at any depth of prompts, assertions, setup and labels, and of the system prompt', () => {
    const text = caseText(
      [
        'id: case-{{n}}',
        'turns: [{ prompt: "Say {{word}}", assert: [{ type: contains, value: "{{word}}!" }] }]',
        'tags: ["{{word}}"]',
        'cluster: "{{word}}"',
        'owner: "{{word}}"',
        'setup: { workspace_files: { a.txt: "{{word}}" } }',
        'assert:',
        '  - { type: contains-all, value: [a, "b{{n}}"] }',
        '  - { type: equals, value: { deep: ["{{word}}", "{{n}}", "n={{n}}"] } }',
        'vars: { n: 1.0 }',
      ].join('\n'),
      'vars: { word: hello }\nsystem_prompt: Speak {{word}}.',
    );
    const made = onlyCase(load(text));
    expect(made).toMatchObject({
      id: 'case-1.0',
      turns: [{ user: 'Say hello' }],
      tags: ['hello'],
      cluster: 'hello',
      owner: 'hello',
      setupFiles: { 'a.txt': 'hello' },
      systemPrompt: 'Speak hello.',
      variables: { word: 'hello', n: 1 },
    });
    expect(made.checks).toMatchObject([
      { type: 'contains', value: 'hello!' },
      { type: 'contains-all', values: ['a', 'b1.0'], label: 'contains-all("a", "b1.0")' },
      { type: 'equals', value: { deep: ['hello', 1, 'n=1.0'] } },
    ]);
  });

  it('leave the system prompt alone where only a case has variables', () => {
    const text = caseText('vars: { x: 1 }\nprompt: "{{x}}"', 'system_prompt: Use {{x}}.');
    expect(onlyCase(load(text)).systemPrompt).toBe('Use {{x}}.');
  });

  it('give a value of its own type where one stands alone and JSON is expected', () => {
    const assertions = [
      { type: 'equals', value: '{{object}}' },
      { type: 'max-length', value: '{{limit}}' },
      { type: 'contains-any', value: '{{words}}' },
      { type: 'contains', value: '{{limit}}' },
      { type: 'is-json', value: '{{schema}}' },
      { type: 'llm-rubric', value: 'x', threshold: '{{share}}' },
    ];
    const vars = { object: { a: [1] }, limit: 7, words: ['a', 'b'], schema: { type: 'object' }, share: 0.5 };
    expect(onlyCase(load(jsonSuite({ vars, assert: assertions }))).checks).toMatchObject([
      { value: { a: [1] } },
      { limit: 7 },
      { values: ['a', 'b'] },
      { value: '7' },
      { schema: { type: 'object' } },
      { threshold: 0.5 },
    ]);
  });

  it('give a number as it was written where text is expected', () => {
    const text = caseText(
      'vars: { version: 1.10, long: 12345678901234567890 }\nprompt: "v{{version}}"\nassert: [{ type: contains, value: "{{version}}" }, { type: equals, value: "{{version}}" }, { type: contains, value: "{{long}}" }]',
    );
    const made = onlyCase(load(text));
    expect(made.turns[0]?.user).toBe('v1.10');
    expect(made.checks).toMatchObject([
      { value: '1.10' },
      { value: '1.10' },
      { value: '12345678901234567890' },
    ]);
  });

  it('take the value of the case before that of the suite', () => {
    const text = caseText('vars: { x: mine }\nprompt: "{{x}}"', 'vars: { x: ours }');
    expect(onlyCase(load(text)).turns[0]?.user).toBe('mine');
  });

  it('with an unknown name are refused, with the one that was meant', () => {
    expectRefused(
      caseText(
        'prompt: §"{{nmae}}"\nassert: [{ type: contains-all, value: [a, §"{{zzz}}"] }]',
        'vars: { name: x }',
      ),
      [
        { key: 'cases[0].prompt', says: '{{nmae}} is no variable', fix: 'did you mean {{name}}?' },
        {
          key: 'cases[0].assert[0].value[1]',
          says: '{{zzz}} is no variable',
          fix: 'the variables here are: name',
        },
      ],
    );
  });

  it('in the system prompt are reported once, however many cases there are', () => {
    const lines = ['vars: { a: 1 }', 'system_prompt: §"{{b}}"', 'cases:'];
    for (const id of ['x', 'y'])
      lines.push(`  - { id: ${id}, prompt: "{{a}}", assert: [{ type: contains, value: z }] }`);
    expectRefused(lines.join('\n'), [{ key: 'system_prompt', says: '{{b}} is no variable', fix: '{{a}}' }]);
  });

  it('may not put null into a text, nor a value that breaks a rule', () => {
    expectRefused(caseText('vars: { x: §null }\nprompt: "Say {{x}}"'), [
      { key: 'cases[0].vars.x', says: '"x" is null and cannot stand in a text', fix: 'write a text' },
    ]);
    expectRefused(caseText('vars: { x: "" }\nassert: [{ type: contains, value: §"{{x}}" }]'), [
      { key: 'cases[0].assert[0].value', says: 'tests nothing', fix: 'write the text' },
    ]);
    expectRefused(caseText('vars: { x: null }\nassert: [{ type: contains, value: §"{{x}}" }]'), [
      { key: 'cases[0].assert[0].value', says: 'must be text, not null', fix: 'text' },
    ]);
    expectRefused(caseText('vars: { x: "5" }\nassert: [{ type: max-length, value: §"{{x}}" }]'), [
      { key: 'cases[0].assert[0].value', says: 'must be a number, not the text "5"', fix: 'number' },
    ]);
  });

  it('give JSON null where one stands alone and JSON is expected', () => {
    const text = caseText('vars: { x: null }\nassert: [{ type: equals, value: "{{x}}" }]');
    expect(onlyCase(load(text)).checks[0]).toMatchObject({ type: 'equals', value: null });
  });

  it('are literal in the type of an assertion', () => {
    expectRefused(
      caseText('vars: { t: contains }\nprompt: "{{t}}"\nassert: [{ type: §"{{t}}", value: a }]'),
      [{ key: 'cases[0].assert[0].type', says: 'not a known assertion type', fix: '' }],
    );
  });
});

describe('a variable that is never used', () => {
  it('is warned of and stops nothing', () => {
    const warnings: Problem[] = [];
    const text = caseText('vars: { used: 1, spare: 2 }\nprompt: "{{used}}"', 'vars: { other: 3 }');
    load(text, {}, { warn: (problem) => warnings.push(problem) });
    expect(warnings.map(({ key, line, message }) => [key, line, message])).toEqual([
      ['cases[0].vars.spare', 4, 'the variable is never used'],
      ['vars.other', 1, 'the variable is never used'],
    ]);
  });
});
