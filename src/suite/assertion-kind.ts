import { z } from 'zod';
import type { CheckSpec, JsonValue } from '../core/index.js';
import { text } from './assertion-text.js';
import { CheckMaker, type AssertionPlace, type Named } from './check-maker.js';
import type { RuleProblem } from './document.js';
import { holdsPlaceholder } from './template.js';

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

/** Puts values in the place of the placeholders in every text of a value, at any depth. */
export type Fill = (value: unknown) => unknown;

/** An assertion whose shape is right. Its values may still break a rule, and may hold placeholders to be filled. */
export interface ShapedAssertion {
  /** The check, or null when `problems` got a reason against it. */
  build(place: AssertionPlace, problems: RuleProblem[]): CheckSpec | null;
  /** The same of the assertion whose members with placeholders in them were run through `fill`. */
  buildFilled(fill: Fill, place: AssertionPlace, problems: RuleProblem[]): CheckSpec | null;
}

/** One assertion type: its shape, and how it becomes a check. */
export interface AssertionKind {
  type: string;
  /** It can grade the answer of one turn; others look at the whole run. */
  gradesTurn: boolean;
  schema: z.ZodType;
  shape(value: JsonValue): { ok: true; assertion: ShapedAssertion } | { ok: false; error: z.core.$ZodError };
}

/** One assertion of a kind; its members that hold placeholders are found once, when it is first filled. */
class Shaped<Assertion extends Named> implements ShapedAssertion {
  readonly #assertion: Assertion;
  readonly #make: (assertion: Assertion, maker: CheckMaker) => CheckSpec | null;
  #templated: string[] | null = null;

  constructor(assertion: Assertion, make: (assertion: Assertion, maker: CheckMaker) => CheckSpec | null) {
    this.#assertion = assertion;
    this.#make = make;
  }

  build(place: AssertionPlace, problems: RuleProblem[]): CheckSpec | null {
    return this.#check(this.#assertion, place, problems);
  }

  buildFilled(fill: Fill, place: AssertionPlace, problems: RuleProblem[]): CheckSpec | null {
    this.#templated ??= Object.entries(this.#assertion).flatMap(([key, value]) =>
      holdsPlaceholder(value) ? [key] : [],
    );
    const filled = { ...this.#assertion };
    for (const key of this.#templated) Reflect.set(filled, key, fill(Reflect.get(filled, key)));
    return this.#check(filled, place, problems);
  }

  #check(assertion: Assertion, place: AssertionPlace, problems: RuleProblem[]): CheckSpec | null {
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
    const check = this.#make(assertion, maker);
    return problems.length > before ? null : check;
  }
}

/** Defines an assertion type. `build` returns null after it has refused a value. */
export function assertionKind<Schema extends z.ZodObject & z.ZodType<Named>>(
  type: string,
  schema: Schema,
  build: (assertion: z.output<Schema>, maker: CheckMaker) => CheckSpec | null,
): AssertionKind & { schema: Schema } {
  return {
    type,
    gradesTurn: 'turn' in schema.shape,
    schema,
    shape(value) {
      const parsed = schema.safeParse(value);
      return parsed.success
        ? { ok: true, assertion: new Shaped(parsed.data, build) }
        : { ok: false, error: parsed.error };
    },
  };
}
