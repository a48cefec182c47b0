import {
  clip,
  quote,
  type CheckBase,
  type CheckSpec,
  type JsonValue,
  type KeyPath,
  type NormalizationForm,
  type TextOptions,
} from '../core/index.js';
import type { SourceAt } from './assertion-text.js';
import type { RuleProblem } from './document.js';
import type { PathRoot } from './inside-path.js';

/** What an assertion must know of the case it stands in. */
export interface AssertionPlace {
  /** Key path of the assertion in its document. */
  path: KeyPath;
  /** The same as people write it. */
  key: string;
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

/** The members that every admitted assertion has. */
export interface Named {
  type: string;
  weight: number;
  required: boolean;
  metric?: string | undefined;
  turn?: number | undefined;
  normalize?: NormalizationForm | undefined;
}

const LABEL_LIMIT = 80;

/** A text as it stands between the brackets of a label. */
export function labelText(value: string): string {
  return quote(clip(value, LABEL_LIMIT));
}

/** Several texts as they stand between the brackets of a label. */
export function labelTexts(values: readonly string[]): string {
  return values.map(labelText).join(', ');
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
    const { assertion } = this;
    return this.complete({
      label: this.label(shown),
      category,
      negated: this.negated,
      weight: assertion.weight,
      required: assertion.required,
      diagnostic: false,
      key: this.place.key,
    });
  }

  /** What every check of the trimmed answer carries. */
  textBase(shown: string): CheckBase & TextOptions {
    // Not a spread: there may be very many of these, and copying a literal is slow.
    return Object.assign(this.base('response', shown), { trim: true });
  }

  /** A check that compares the trimmed answer with one text; made in one piece, for there may be very many. */
  needleCheck(type: 'contains' | 'icontains' | 'starts-with' | 'ends-with', value: string): CheckSpec {
    const { assertion } = this;
    return this.complete({
      label: this.label(labelText(value)),
      category: 'response',
      negated: this.negated,
      weight: assertion.weight,
      required: assertion.required,
      diagnostic: false,
      key: this.place.key,
      trim: true,
      type,
      value,
    });
  }

  /** A check that searches the trimmed answer for a pattern; made in one piece as well. */
  patternCheck(pattern: string, flags: string): CheckSpec {
    const { assertion } = this;
    return this.complete({
      label: this.label(labelText(pattern) + (flags === '' ? '' : `, ${flags}`)),
      category: 'response',
      negated: this.negated,
      weight: assertion.weight,
      required: assertion.required,
      diagnostic: false,
      key: this.place.key,
      trim: true,
      type: 'regex',
      pattern,
      flags,
      dialect: 'javascript',
    });
  }

  private label(shown: string): string {
    const { type, turn } = this.assertion;
    const name = shown === '' ? type : `${type}(${shown})`;
    const at = this.place.turn ?? turn;
    return at === undefined ? name : `turns[${at}].${name}`;
  }

  /** Adds the members that only some assertions have. */
  private complete<Base extends CheckBase & Partial<TextOptions>>(base: Base): Base {
    const { metric, turn, normalize } = this.assertion;
    const at = this.place.turn ?? turn;
    if (metric !== undefined) base.metric = metric;
    if (at !== undefined) base.turn = at;
    if (normalize !== undefined) base.normalize = normalize;
    return base;
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
