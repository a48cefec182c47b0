import {
  countParameters,
  optional,
  required,
  textParameters,
  turnParameter,
  type CheckParameter,
  type ReferenceRow,
} from './reference-entry.js';

const VALUE = required('value', 'text', 'the text to look for');
const VALUES = required('value', 'list of texts', 'the texts to look for; one text is a list of one');

function lengthParameters(side: 'upper' | 'lower'): CheckParameter[] {
  return [
    optional('value', 'whole number', `the ${side} limit; this or threshold is required`),
    optional('threshold', 'whole number', 'the same bound under another name'),
  ];
}

/** Checks of the answer's text and of JSON in it. */
export const textRows: ReferenceRow[] = [
  {
    name: 'equals',
    passes: 'the answer is the value',
    notes: [
      'Both sides are trimmed; case counts.',
      'An object or array is compared as JSON, whatever its key order and spacing.',
      'A number, true, false or null is compared in its written form: 7 is not 7.0.',
    ],
    parameters: [required('value', 'text or JSON', 'what the answer must be'), ...textParameters],
    example: { type: 'equals', value: 'Paris' },
  },
  {
    name: 'contains',
    passes: 'the value occurs in the answer; case counts',
    parameters: [VALUE, ...textParameters],
    example: { type: 'contains', value: 'order 12' },
  },
  {
    name: 'icontains',
    passes: 'the value occurs in the answer, ignoring case',
    notes: ['Unicode full case folding: ß is ss, final sigma is sigma; the dot of İ is removed.'],
    parameters: [VALUE, ...textParameters],
    example: { type: 'icontains', value: 'sorry' },
  },
  {
    name: 'contains-all',
    passes: 'every value occurs in the answer',
    notes: ['There is no partial score; the evidence lists what is missing.'],
    parameters: [VALUES, ...textParameters],
    example: { type: 'contains-all', value: ['name', 'date'] },
  },
  {
    name: 'contains-any',
    passes: 'at least one value occurs in the answer',
    parameters: [VALUES, ...textParameters],
    example: { type: 'contains-any', value: ['yes', 'certainly'] },
  },
  {
    name: 'regex',
    passes: 'the pattern matches somewhere in the answer',
    notes: [
      'JavaScript syntax; a leading group such as (?i) sets flags.',
      'A search that takes longer than one second is an error, never a pass.',
      'Flag g is ignored; flag y matches at the start of the answer only.',
    ],
    parameters: [
      required('value', 'pattern', 'the regular expression'),
      optional('flags', 'some of d g i m s u v y', 'flags of the expression'),
      ...textParameters,
    ],
    example: { type: 'regex', value: 'Order \\d+', flags: 'i' },
  },
  {
    name: 'starts-with',
    passes: 'the answer begins with the value, white space before it aside',
    parameters: [VALUE, ...textParameters],
    example: { type: 'starts-with', value: 'Yes' },
  },
  {
    name: 'ends-with',
    passes: 'the answer ends with the value, white space after it aside',
    parameters: [VALUE, ...textParameters],
    example: { type: 'ends-with', value: 'Kind regards' },
  },
  {
    name: 'is-json',
    passes: 'the whole answer is JSON, and matches the schema if one is given',
    notes: [
      'A fenced block, a byte order mark or words around it make it fail.',
      'JSON Schema draft 7, or 2020-12 when $schema says so; unknown keywords are allowed.',
    ],
    parameters: [
      optional('value', 'JSON Schema', 'what the JSON must match'),
      optional('schema', 'JSON Schema', 'the same under its own name'),
      turnParameter,
    ],
    example: { type: 'is-json', value: { type: 'object', required: ['id'] } },
  },
  {
    name: 'contains-json',
    passes: 'some JSON object or array in the answer contains the value',
    notes: [
      'Every expected key must be there and match, others may be; arrays are compared at the expected positions.',
      'Without a value any JSON object or array will do.',
      'Objects and arrays are looked at as a whole, from the outermost bracket on.',
    ],
    parameters: [
      optional('value', 'object or list', 'the part that must be there'),
      optional('schema', 'JSON Schema', 'what the JSON must match'),
      turnParameter,
    ],
    example: { type: 'contains-json', value: { status: 'ok' } },
  },
  {
    name: 'max-length',
    passes: 'the answer is at most this long',
    notes: ['Counts UTF-16 units of the trimmed answer: most emoji count 2.'],
    parameters: [...lengthParameters('upper'), ...textParameters],
    example: { type: 'max-length', value: 400 },
  },
  {
    name: 'min-length',
    passes: 'the answer is at least this long',
    notes: ['Counts UTF-16 units of the trimmed answer: most emoji count 2.'],
    parameters: [...lengthParameters('lower'), ...textParameters],
    example: { type: 'min-length', value: 20 },
  },
  {
    name: 'word-count',
    passes: 'the number of words lies within every bound',
    notes: ['Words stand between white space; scripts without spaces are segmented by the Unicode rules.'],
    parameters: [...countParameters, ...textParameters],
    example: { type: 'word-count', min: 20, max: 80 },
  },
  {
    name: 'levenshtein',
    passes: 'the answer is at most this many single-character edits away from the value',
    notes: ['Counts characters (code points). Texts of more than 20,000 characters are an error.'],
    parameters: [
      required('value', 'text', 'the text to compare with'),
      optional('threshold', 'whole number', 'the largest distance that passes; default 5'),
      ...textParameters,
    ],
    example: { type: 'levenshtein', value: 'forty-two', threshold: 2 },
  },
  {
    name: 'matches-file',
    passes: 'the answer is the text of a golden file',
    notes: ['Line ends do not matter. A missing file is an error; assay run --update writes it.'],
    parameters: [required('value', 'path', 'the golden file, relative to the suite'), ...textParameters],
    example: { type: 'matches-file', value: 'golden/summary.txt' },
  },
];
