import { z } from 'zod';
import { patternFlags } from './assertion-pattern.js';
import { assertionKind, compared, named } from './assertion-kind.js';
import { labelJson, labelText, labelTexts, type CheckMaker } from './check-maker.js';
import { inexactNumbers, writtenScalar } from './assertion-json.js';
import { json, text } from './assertion-text.js';
import { insidePath } from './inside-path.js';

const oneOrMore = z.union([text, z.array(text)]).describe('A text, or a list of texts.');

/** The texts of a list, or of the one text that stands for a list. Null after refusing an empty one. */
export function listedTexts(value: string | string[], maker: CheckMaker): string[] | null {
  const values = Array.isArray(value) ? value : [value];
  if (values.length === 0)
    return maker.refuse('value', 'the list is empty, so it tests nothing', 'add an entry');
  const empty = values.findIndex((entry) => entry === '');
  if (empty < 0) return values;
  const path = Array.isArray(value) ? ['value', empty] : ['value'];
  return maker.refuse(
    path,
    'an empty text occurs everywhere, so it tests nothing',
    'write the text to look for',
  );
}

function needle(value: string, maker: CheckMaker): string | null {
  if (value !== '') return value;
  return maker.refuse(
    'value',
    'an empty text occurs everywhere, so it tests nothing',
    'write the text to look for',
  );
}

/** `equals`: the whole trimmed answer is this text, or equals this JSON value. */
export const equalsKind = assertionKind(
  'equals',
  z.strictObject({
    ...named('equals'),
    ...compared,
    value: json.describe(
      'Text the whole trimmed answer must be, or a JSON value it must equal as JSON. A number that is not written as JSON writes it (1.10, 1e3, 20 digits) is compared as the text that was written.',
    ),
  }),
  (assertion, maker) => {
    const value = writtenScalar(assertion.value, maker);
    if (value === null && maker.sourceAt('value') === '') {
      return maker.refuse(
        'value',
        'missing; a value is required here',
        'write a text or a JSON value (null for JSON null)',
      );
    }
    if (inexactNumbers(value, maker, ['value'])) return null;
    const blank = typeof value === 'string' && value.trim() === '';
    if (maker.refuseEmptyOnly('value', blank && !maker.negated)) return null;
    return Object.assign(maker.textBase(typeof value === 'string' ? labelText(value) : labelJson(value)), {
      type: 'equals' as const,
      value,
    });
  },
);

/** `contains`: a text occurs; case counts. */
export const containsKind = assertionKind(
  'contains',
  z.strictObject({
    ...named('contains'),
    ...compared,
    value: text.describe('Text that must occur; case counts.'),
  }),
  (assertion, maker) => {
    const value = needle(assertion.value, maker);
    return value === null ? null : maker.needleCheck('contains', value);
  },
);

/** `icontains`: a text occurs under Unicode case folding. */
export const icontainsKind = assertionKind(
  'icontains',
  z.strictObject({
    ...named('icontains'),
    ...compared,
    value: text.describe('Text that must occur, under full Unicode case folding.'),
  }),
  (assertion, maker) => {
    const value = needle(assertion.value, maker);
    return value === null ? null : maker.needleCheck('icontains', value);
  },
);

/** `contains-all`: every one of the texts occurs. */
export const containsAllKind = assertionKind(
  'contains-all',
  z.strictObject({ ...named('contains-all'), ...compared, value: oneOrMore }),
  (assertion, maker) => {
    const values = listedTexts(assertion.value, maker);
    if (values === null) return null;
    return Object.assign(maker.textBase(labelTexts(values)), {
      type: 'contains-all' as const,
      values,
    });
  },
);

/** `contains-any`: at least one of the texts occurs. */
export const containsAnyKind = assertionKind(
  'contains-any',
  z.strictObject({ ...named('contains-any'), ...compared, value: oneOrMore }),
  (assertion, maker) => {
    const values = listedTexts(assertion.value, maker);
    if (values === null) return null;
    return Object.assign(maker.textBase(labelTexts(values)), {
      type: 'contains-any' as const,
      values,
    });
  },
);

/** `regex`: a JavaScript regular expression matches somewhere. */
export const regexKind = assertionKind(
  'regex',
  z.strictObject({
    ...named('regex'),
    ...compared,
    value: text.describe(
      'JavaScript regular expression, searched for anywhere. May begin with a flag group: (?i).',
    ),
    flags: text.default('').describe('Flags of the expression: i, m, s, u, v, y.'),
  }),
  (assertion, maker) => {
    const flags = patternFlags(assertion.value, assertion.flags, maker);
    return flags === null ? null : maker.patternCheck(assertion.value, flags);
  },
);

/** `starts-with`: the answer begins with a text. */
export const startsWithKind = assertionKind(
  'starts-with',
  z.strictObject({ ...named('starts-with'), ...compared, value: text }),
  (assertion, maker) => {
    const value = needle(assertion.value, maker);
    if (value === null) return null;
    if (value.trimStart() !== value) {
      return maker.refuse(
        'value',
        'begins with white space, which is cut from the answer, so no answer can start with it',
        'remove the white space in front',
      );
    }
    return maker.needleCheck('starts-with', value);
  },
);

/** `ends-with`: the answer ends with a text. */
export const endsWithKind = assertionKind(
  'ends-with',
  z.strictObject({ ...named('ends-with'), ...compared, value: text }),
  (assertion, maker) => {
    const value = needle(assertion.value, maker);
    if (value === null) return null;
    if (value.trimEnd() !== value) {
      return maker.refuse(
        'value',
        'ends with white space, which is cut from the answer, so no answer can end with it',
        'remove the white space at the end (a block text | ends with a line feed: write |-)',
      );
    }
    return maker.needleCheck('ends-with', value);
  },
);

/** Edits that a text may be away from the expected one when the suite does not say. */
const DEFAULT_DISTANCE = 5;

/** `levenshtein`: the answer is at most so many edits away from a text. */
export const levenshteinKind = assertionKind(
  'levenshtein',
  z.strictObject({
    ...named('levenshtein'),
    ...compared,
    value: text.describe('Text the answer must resemble.'),
    threshold: z.int().min(0).default(DEFAULT_DISTANCE).describe('Most edits (characters) between the two.'),
  }),
  (assertion, maker) => {
    const { value, threshold } = assertion;
    if (value.trim() === '')
      return maker.refuse('value', 'must not be blank', 'write the text the answer must resemble');
    return Object.assign(maker.textBase(`${labelText(value)}, ${threshold}`), {
      type: 'levenshtein' as const,
      value,
      maxDistance: threshold,
    });
  },
);

/** `matches-file`: the answer equals a golden file. */
export const matchesFileKind = assertionKind(
  'matches-file',
  z.strictObject({
    ...named('matches-file'),
    ...compared,
    value: text.describe('Golden file the answer must equal, relative to the suite file.'),
  }),
  (assertion, maker) => {
    const { value } = assertion;
    const found = insidePath(value, maker.place.root);
    if (!found.ok) return maker.refuse('value', `${JSON.stringify(value)} ${found.message}`, found.fix);
    if (!found.exists && (maker.negated || !maker.place.goldenFilesMayBeMissing)) {
      return maker.refuse(
        'value',
        `there is no file ${value}`,
        maker.negated ? 'write it' : 'write it, or let a run with --update write it',
      );
    }
    return Object.assign(maker.textBase(labelText(value)), {
      type: 'matches-file' as const,
      path: found.path,
    });
  },
);
