import { z } from 'zod';
import type { CheckBase, CheckSpec, JsonValue, KeyPath, NormalizationForm } from '../core/index.js';
import { clip, formatKeyPath, quote } from '../core/index.js';
import { text, type SourceAt } from './assertion-text.js';
import type { RuleProblem } from './document.js';
import type { PathRoot } from './inside-path.js';

/** What an assertion must know of the case it stands in. */
export interface AssertionPlace {
  /** Key path of the assertion in its document. */
  path: KeyPath;
  /** 0-based turn whose asserts these are; null for the asserts of the whole case. */
  turn: number | null;
  /** User turns of the case. */
  turnCount: number;
  /** An empty answer may pass the case. */
  allowEmpty: boolean;
  root: PathRoot;
  /** Golden files need not exist yet: this run writes them. */
  goldenFilesMayBeMissing: boolean;
  sourceAt: SourceAt;
}

/** What every assertion carries; `type` takes an optional `not-` in front. */
export function named<Type extends string>(
  type: Type,
): {
  type: z.ZodLiteral<Type | `not-${Type}`>;
  weight: z.ZodDefault<z.ZodNumber>;
  required: z.ZodDefault<z.ZodBoolean>;
  metric: z.ZodOptional<typeof text>;
} {
  return {
    type: z.literal<(Type | `not-${Type}`)[]>([type, `not-${type}`]),
    weight: z.number().min(0).default(1).describe('Share in the score of the case, 0 or more.'),
    required: z.boolean().default(false).describe('A failed required assertion fails the case.'),
    metric: text.optional().describe('Label under which scores are grouped.'),
  };
}

/** Keys of assertions that look at the text of one turn. */
export const graded = {
  turn: z
    .int()
    .min(0)
    .optional()
    .describe('0-based user turn whose answer is graded; the last one when absent.'),
};

/** Keys of assertions that compare text. */
export const compared = {
  ...graded,
  normalize: z
    .enum(['NFC', 'NFD', 'NFKC', 'NFKD'])
    .optional()
    .describe('Unicode normalisation of both sides; none when absent.'),
};

/** The members that every admitted assertion has. */
interface Named {
  type: string;
  weight: number;
  required: boolean;
  metric?: string | undefined;
  turn?: number | undefined;
}

const LABEL_LIMIT = 80;

/** Texts as they stand between the brackets of a label. */
export function labelTexts(values: readonly string[]): string {
  return values.map((value) => quote(clip(value, LABEL_LIMIT))).join(', ');
}

/** JSON as it stands between the brackets of a label. */
export function labelJson(value: JsonValue): string {
  return clip(JSON.stringify(value), LABEL_LIMIT);
}

/** Makes one check: gives it what all checks carry, and collects what is wrong with it. */
export class CheckMaker {
  readonly place: AssertionPlace;
  readonly negated: boolean;
  private readonly assertion: Named;
  private readonly problems: RuleProblem[];

  constructor(assertion: Named, place: AssertionPlace, problems: RuleProblem[]) {
    this.assertion = assertion;
    this.place = place;
    this.problems = problems;
    this.negated = assertion.type.startsWith('not-');
  }

  /** What every check carries; `shown` stands between the brackets of its label. */
  base(category: CheckBase['category'], shown: string): CheckBase {
    const { assertion, place } = this;
    const turn = place.turn ?? assertion.turn ?? null;
    const prefix = turn === null ? '' : `turns[${turn}].`;
    return {
      label: `${prefix}${assertion.type}${shown === '' ? '' : `(${shown})`}`,
      category,
      negated: this.negated,
      weight: assertion.weight,
      required: assertion.required,
      diagnostic: false,
      ...(assertion.metric === undefined ? {} : { metric: assertion.metric }),
      ...(turn === null ? {} : { turn }),
      key: formatKeyPath(place.path),
    };
  }

  /** Notes what is wrong at a key of the assertion; the check is then not made. */
  refuse(key: string | KeyPath, message: string, fix: string): null {
    const inner = typeof key === 'string' ? [key] : key;
    this.problems.push({ path: [...this.place.path, ...inner], message, fix });
    return null;
  }

  /** True after refusing a text that is given but blank. */
  refuseBlank(key: string | KeyPath, value: string | undefined): boolean {
    if (value === undefined || value.trim() !== '') return false;
    this.refuse(key, 'must not be blank', 'write some text');
    return true;
  }

  /** Refuses an assertion that only an empty answer could pass, unless the case says that one may. */
  refuseEmptyOnly(key: string, passing: boolean): boolean {
    if (!passing || this.place.allowEmpty) return false;
    this.refuse(
      key,
      'only an empty answer could pass, and an empty answer never passes a case',
      'write allow_empty: true in the case if that is meant, else another value',
    );
    return true;
  }

  /** The text that was written for a key of the assertion. */
  sourceAt(key: string | KeyPath): string | null {
    const inner = typeof key === 'string' ? [key] : key;
    return this.place.sourceAt([...this.place.path, ...inner]);
  }
}

/** An assertion whose shape is right. Its values may still break a rule, and may hold placeholders to be filled. */
export interface ShapedAssertion {
  /** The check, or null when `problems` got a reason against it. */
  build(place: AssertionPlace, problems: RuleProblem[]): CheckSpec | null;
  /** The same assertion with every text run through `fill`. */
  filled(fill: <Value>(value: Value) => Value): ShapedAssertion;
}

/** One assertion type: its shape, and how it becomes a check. */
export interface AssertionKind {
  type: string;
  schema: z.ZodType;
  shape(value: JsonValue): { ok: true; assertion: ShapedAssertion } | { ok: false; error: z.core.$ZodError };
}

function shaped<Assertion extends Named>(
  assertion: Assertion,
  build: (assertion: Assertion, maker: CheckMaker) => CheckSpec | null,
): ShapedAssertion {
  return {
    build(place, problems) {
      const maker = new CheckMaker(assertion, place, problems);
      const before = problems.length;
      const { turn } = assertion;
      if (turn !== undefined && place.turn !== null) {
        maker.refuse('turn', 'the assertion already belongs to a turn', 'remove turn');
      } else if (turn !== undefined && turn >= place.turnCount) {
        maker.refuse(
          'turn',
          `there is no turn ${turn}: the case has ${place.turnCount}, counted from 0`,
          `write 0 to ${place.turnCount - 1}`,
        );
      }
      maker.refuseBlank('metric', assertion.metric);
      const check = build(assertion, maker);
      return problems.length > before ? null : check;
    },
    filled: (fill) => shaped(fill(assertion), build),
  };
}

/** Defines an assertion type. `build` returns null after it has refused a value. */
export function assertionKind<Schema extends z.ZodType<Named>>(
  type: string,
  schema: Schema,
  build: (assertion: z.output<Schema>, maker: CheckMaker) => CheckSpec | null,
): AssertionKind & { schema: Schema } {
  return {
    type,
    schema,
    shape(value) {
      const parsed = schema.safeParse(value);
      return parsed.success
        ? { ok: true, assertion: shaped(parsed.data, build) }
        : { ok: false, error: parsed.error };
    },
  };
}

/** The options of a text check of an assertion suite, which grades the trimmed text. */
export function textOptions(assertion: { normalize?: NormalizationForm | undefined }): {
  trim: true;
  normalize?: NormalizationForm;
} {
  return assertion.normalize === undefined ? { trim: true } : { trim: true, normalize: assertion.normalize };
}
