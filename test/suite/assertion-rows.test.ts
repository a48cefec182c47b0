import { describe, expect, it } from 'vitest';
import { casesOf, load, refusal } from './assertion-support.js';

const TEMPLATE = [
  'cases:',
  '  from: FILE',
  '  template:',
  '    id: "{{id}}"',
  '    prompt: "{{question}}"',
  '    assert:',
  '      - { type: contains, value: "{{answer}}" }',
  '      - { type: not-contains, value: error }',
].join('\n');

function suiteFrom(file: string, template = TEMPLATE): string {
  return template.replace('FILE', file);
}

const CSV = 'id,question,answer\na,"What is 1, plus 1?",2\nb,"Say ""hi""\nnow",hi\n';

describe('cases from a data file', () => {
  it.each([
    ['rows.csv', CSV],
    ['rows.csv', `\ufeff${CSV.replaceAll('\n', '\r\n').replace('""\r\nnow', '""\nnow')}`],
    [
      'rows.jsonl',
      '{"id":"a","question":"What is 1, plus 1?","answer":2}\n\n{"id":"b","question":"Say \\"hi\\"\\nnow","answer":"hi"}\n',
    ],
    [
      'rows.json',
      '[{"id":"a","question":"What is 1, plus 1?","answer":2},\n{"id":"b","question":"Say \\"hi\\"\\nnow","answer":"hi"}]',
    ],
  ])('are one for every row of %s', (file, content) => {
    const suite = load(suiteFrom(file), { [file]: content });
    expect(suite.cases.length).toBe(2);
    const first = casesOf(suite);
    expect(first.map((made) => [made.id, made.turns[0]?.user, made.checks[0]?.label])).toEqual([
      ['a', 'What is 1, plus 1?', 'contains("2")'],
      ['b', 'Say "hi"\nnow', 'contains("hi")'],
    ]);
    expect(first[0]?.source).toMatchObject({ file, name: file });
    expect(first[0]?.checks[0]?.key).toBe('cases.template.assert[0]');
    expect(casesOf(suite)).toEqual(first);
  });

  it('know the line of their row', () => {
    const csv = load(suiteFrom('rows.csv'), { 'rows.csv': CSV });
    expect(casesOf(csv).map((made) => made.source.line)).toEqual([2, 3]);
    const lines = '\n{"id":"a","question":"q","answer":"x"}\n\n{"id":"b","question":"q","answer":"x"}';
    const jsonl = load(suiteFrom('rows.jsonl'), { 'rows.jsonl': lines });
    expect(casesOf(jsonl).map((made) => made.source.line)).toEqual([2, 4]);
    const list = '[\n{"id":"a","question":"q","answer":"x"},\n{"id":"b","question":"q","answer":"x"}]';
    const json = load(suiteFrom('rows.json'), { 'rows.json': list });
    expect(casesOf(json).map((made) => made.source.line)).toEqual([2, 3]);
  });

  it('are named after their row when the template has no id', () => {
    const template = TEMPLATE.replace('    id: "{{id}}"\n', '');
    const suite = load(suiteFrom('rows.csv', template), { 'rows.csv': CSV });
    expect(casesOf(suite).map((made) => made.id)).toEqual(['row-1', 'row-2']);
  });

  it('keep the JSON types of lone placeholders, and numbers as written in text', () => {
    const template = [
      'cases:',
      '  from: rows.jsonl',
      '  template:',
      '    prompt: "v{{n}}"',
      '    assert:',
      '      - { type: equals, value: "{{value}}" }',
      '      - { type: max-length, value: "{{limit}}" }',
      '      - { type: contains, value: "{{n}}" }',
    ].join('\n');
    const rows = [
      '{"value":{"a":1},"limit":5,"n":1.10}',
      '{"value":"text","limit":6,"n":"two"}',
      '{"value":7.0,"limit":7,"n":-0}',
    ];
    const made = casesOf(load(template, { 'rows.jsonl': rows.join('\n') }));
    expect(made.map(({ turns }) => turns[0]?.user)).toEqual(['v1.10', 'vtwo', 'v-0']);
    expect(made.map(({ checks }) => checks)).toMatchObject([
      [{ value: { a: 1 } }, { limit: 5 }, { value: '1.10' }],
      [{ value: 'text' }, { limit: 6 }, { value: 'two' }],
      [{ value: '7.0' }, { limit: 7 }, { value: '-0' }],
    ]);
    expect(made[1]?.variables).toEqual({ value: 'text', limit: 6, n: 'two' });
  });

  it('have the checks and the hash of their own row, whatever the rows before them say', () => {
    const values = ['a', 'a', 'b', 'a', 'a', '7', 'b', 'b'];
    const suite = (assert: string, name: string): string =>
      `cases:\n  from: rows.jsonl\n  template: { id: ${name}, prompt: Hi, assert: [${assert}] }`;
    const both =
      '{ type: contains, value: "{{v}}" }, { type: equals, value: "{{v}} {{w}}", weight: 2 }, { type: levenshtein, value: "{{w}}", threshold: 3 }';
    const rows = values.map((v, at) => JSON.stringify({ id: `r${at}`, v, w: values[at - 1] ?? 'first' }));
    const together = casesOf(load(suite(both, '"{{id}}"'), { 'rows.jsonl': rows.join('\n') }));
    const alone = rows.flatMap((row) => casesOf(load(suite(both, '"{{id}}"'), { 'rows.jsonl': row })));
    expect(together.map(({ checks }) => checks)).toEqual(alone.map(({ checks }) => checks));
    expect(together.map(({ hash }) => hash)).toEqual(alone.map(({ hash }) => hash));
    expect(new Set(together.map(({ hash }) => hash)).size).toBe(rows.length);
  });

  it('share the variables of the suite and of the template', () => {
    const text = suiteFrom('rows.csv')
      .replace('cases:', 'vars: { tone: kind }\ncases:')
      .replace('"{{question}}"', '"{{question}} Be {{tone}}."');
    expect(casesOf(load(text, { 'rows.csv': CSV }))[0]?.turns[0]?.user).toBe('What is 1, plus 1? Be kind.');
  });

  it('take threshold, trials and negative from the template', () => {
    const text = `${suiteFrom('rows.csv')}\n    threshold: 0.5\n    trials: 2\n    negative: true`;
    expect(casesOf(load(text, { 'rows.csv': CSV }))[1]).toMatchObject({
      scoring: { threshold: 0.5 },
      trials: 2,
      negative: true,
    });
  });
});

/** What is wrong with a data file, and the problems that are reported. */
const BAD_FILES: [why: string, file: string, content: string, problems: object[]][] = [
  ['an empty file', 'rows.csv', '', [{ line: null, message: 'the file is empty' }]],
  [
    'a header alone',
    'rows.csv',
    'id,question,answer\n',
    [{ line: null, message: expect.stringContaining('no rows') }],
  ],
  ['no lines', 'rows.jsonl', '\n\n', [{ line: null, message: expect.stringContaining('no rows') }]],
  ['an empty list', 'rows.json', '[]', [{ line: null, message: expect.stringContaining('no rows') }]],
  [
    'a header without a name',
    'rows.csv',
    'id,question,answer,\n1,2,3,4\n',
    [{ line: 1, message: 'the header of column 4 is empty' }],
  ],
  [
    'a header used twice',
    'rows.csv',
    'id,question,answer,id\n1,2,3,4\n',
    [{ line: 1, key: 'id', message: 'the header of column 4 is used twice' }],
  ],
  [
    'rows of another width, all of them',
    'rows.csv',
    'id,question,answer\na,b\nc,d,e\nf,g,h,i\n',
    [
      { line: 2, message: 'row 1 has 2 cells, the header has 3' },
      { line: 4, message: 'row 3 has 4 cells, the header has 3' },
    ],
  ],
  [
    'a stray quote',
    'rows.csv',
    'id,question,answer\na,b,c\nd,e"f,g\n',
    [{ line: 3, key: 'question', message: expect.stringContaining('row 2, column 2: not valid CSV') }],
  ],
  [
    'an unclosed quote',
    'rows.csv',
    'id,question,answer\na,"b,c\n',
    [{ line: 2, message: expect.stringContaining('not valid CSV') }],
  ],
  [
    'bad lines, all of them',
    'rows.jsonl',
    '{"id":"a","question":"q","answer":"x"}\n{"id":\n[1]\n{"id":"b","id":"b","question":"q","answer":"x"}\n{"id":"c","question":"q","answer":12345678901234567890}',
    [
      { line: 2, message: expect.stringContaining('not valid JSON') },
      { line: 3, message: 'a row must be an object, not a list' },
      { line: 4, key: 'id', message: expect.stringContaining('written twice') },
      { line: 5, key: 'answer', message: expect.stringContaining('cannot be held exactly') },
    ],
  ],
  [
    'no list',
    'rows.json',
    '{"id":1}',
    [{ line: 1, column: 1, message: 'must be a list of rows, not an object' }],
  ],
  [
    'a row that is no object',
    'rows.json',
    '[{"id":"a","question":"q","answer":"x"},\n 5]',
    [{ line: 2, key: '[1]', message: 'a row must be an object, not 5' }],
  ],
  ['broken JSON', 'rows.json', '[{]', [{ line: 1, message: expect.stringContaining('not valid JSON') }]],
  [
    'rows that lack a column, and rows with null in a text',
    'rows.jsonl',
    '{"id":"a","question":"q","answer":"x"}\n{"id":"b","question":"q"}\n{"id":"c","question":null,"answer":"x"}',
    [
      { line: 2, key: 'answer', message: 'row 2: there is no "answer" here' },
      { line: 3, key: 'question', message: 'row 3: "question" is null and cannot stand in a text' },
    ],
  ],
  [
    'values that break the rules of an assertion',
    'rows.csv',
    'id,question,answer\na,q,\nb," ",x\n',
    [
      {
        line: 2,
        key: 'cases.template.assert[0].value',
        message: expect.stringContaining('row 1: an empty text'),
      },
      { line: 3, key: 'cases.template.prompt', message: 'row 2: must not be blank' },
    ],
  ],
  [
    'the same id twice',
    'rows.csv',
    'id,question,answer\na,q,x\nb,q,x\na,q,y\n',
    [{ line: 4, key: 'id', message: 'row 3: the id "a" is already used by row 1 (line 2)' }],
  ],
];

describe('a data file is refused for', () => {
  it.each(BAD_FILES)('%s', (_why, file, content, problems) => {
    const error = refusal(() => load(suiteFrom(file), { [file]: content }));
    expect(error.code).toBe('SUITE_INVALID');
    expect(error.problems).toEqual(problems.map((problem) => expect.objectContaining({ file, ...problem })));
  });

  it('not being UTF-8', () => {
    const error = refusal(() => load(suiteFrom('rows.csv'), { 'rows.csv': new Uint8Array([0x61, 0xff]) }));
    expect(error.problems).toMatchObject([{ file: 'rows.csv', message: 'is not UTF-8 text' }]);
  });

  it('more bad rows than anyone reads: the rest are counted', () => {
    const rows = Array.from({ length: 250 }, (_, index) => `${index},q,\n`).join('');
    const { problems } = refusal(() =>
      load(suiteFrom('rows.csv'), { 'rows.csv': `id,question,answer\n${rows}` }),
    );
    expect(problems).toHaveLength(101);
    expect(problems.map((problem) => problem.message)).toContain(
      'and 150 more problems like these in other rows',
    );
  });
});

describe('a template is refused for', () => {
  const files = { 'rows.csv': CSV };

  it.each([
    ['a file that is not there', 'nowhere.csv', 'cases.from', 'no file nowhere.csv'],
    ['a file outside', '../rows.csv', 'cases.from', 'leaves'],
  ])('%s', (_why, file, key, says) => {
    expect(refusal(() => load(suiteFrom(file), files)).problems).toMatchObject([
      { file: 'sample.yaml', line: 2, column: 9, key, message: expect.stringContaining(says) },
    ]);
  });

  it('a file of another kind', () => {
    const error = refusal(() => load(suiteFrom('rows.txt'), { 'rows.txt': 'a' }));
    expect(error.problems).toMatchObject([
      { file: 'rows.txt', message: 'is no data file', fix: expect.stringContaining('.csv') },
    ]);
  });

  it('an unknown column, once, whatever the number of rows', () => {
    const text = suiteFrom('rows.csv').replace('{{question}}', '{{qestion}}');
    expect(refusal(() => load(text, files)).problems).toMatchObject([
      { file: 'sample.yaml', line: 5, key: 'cases.template.prompt', fix: 'did you mean {{question}}?' },
    ]);
  });

  it('using no column', () => {
    const text = suiteFrom('rows.csv').replaceAll(/\{\{\w+\}\}/g, 'same');
    expect(refusal(() => load(text, files)).problems).toMatchObject([
      { key: 'cases.template', message: expect.stringContaining('all 2 cases would be the same') },
    ]);
  });

  it('a variable that is also a column', () => {
    const text = suiteFrom('rows.csv').replace('cases:', 'vars: { answer: 1 }\ncases:');
    expect(refusal(() => load(text, files)).problems).toMatchObject([
      { line: 1, column: 9, key: 'vars.answer' },
    ]);
  });

  it('a placeholder where no text can stand', () => {
    const text = `${suiteFrom('rows.csv')}\n    negative: "{{answer}}"`;
    expect(refusal(() => load(text, files)).problems).toMatchObject([
      { key: 'cases.template.negative', message: expect.stringContaining('must be true or false') },
    ]);
  });

  it('a cell where a number must stand: cells are text', () => {
    const text = suiteFrom('rows.csv').replace(
      '{ type: not-contains, value: error }',
      '{ type: max-length, value: "{{answer}}" }',
    );
    const error = refusal(() => load(text, { 'rows.csv': 'id,question,answer\na,q,5\n' }));
    expect(error.problems).toMatchObject([
      { file: 'rows.csv', line: 2, message: 'row 1: must be a number, not the text "5"' },
    ]);
  });

  it('an unknown key, and a missing template', () => {
    const error = refusal(() => load('cases: { from: rows.csv, tempalte: {} }', files));
    expect(error.problems).toMatchObject([
      { key: 'cases.template', message: expect.stringContaining('missing') },
      { key: 'cases.tempalte', fix: 'did you mean template?' },
    ]);
  });

  it('its own faults and those of the rows at once', () => {
    const text = `${suiteFrom('rows.csv')}\n      - { type: nonsense }`;
    const error = refusal(() => load(text, { 'rows.csv': 'id,question,answer\na,q,\n' }));
    expect(error.problems.map(({ file, key }) => [file, key])).toEqual([
      ['rows.csv', 'cases.template.assert[0].value'],
      ['sample.yaml', 'cases.template.assert[2].type'],
    ]);
  });
});
