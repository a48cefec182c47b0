import { formatKeyPath, type CheckSpec, type JsonValue } from '../core/index.js';
import type { AssertionKind, ShapedAssertion } from './assertion-kind.js';
import type { AssertionPlace } from './check-maker.js';
import { findAssertionKind, shapeAssertion } from './assertion-schema.js';
import type { SourceAt } from './assertion-text.js';
import type { RuleProblem } from './document.js';
import { fillValue, placeholdersIn, unknownNames, type Placeholder, type Variables } from './template.js';

/** Names that placeholders may use; null where nothing is templated and braces are literal. */
export type KnownNames = ReadonlySet<string> | null;

/** One assertion of a case: a check that is always the same, or one to be made anew for every set of variables. */
export interface AssertionUnit {
  /** The check, when no placeholder is in it. */
  fixed: CheckSpec | null;
  placeholders: readonly Placeholder[];
  /** The check for these variables; null after noting what is wrong. */
  make(variables: Variables, problems: RuleProblem[]): CheckSpec | null;
}

/** Where a filled value came from: numbers and the like as their variables were written. */
function writtenIn(soles: readonly Placeholder[], variables: Variables, sourceAt: SourceAt): SourceAt {
  const filled = new Map<string, string | null>();
  for (const { name, path } of soles) {
    const value = variables.value(name) ?? null;
    filled.set(
      formatKeyPath(path),
      value === null || typeof value === 'object' ? null : variables.text(name),
    );
  }
  return (path) => {
    const written = filled.get(formatKeyPath(path));
    return written === undefined ? sourceAt(path) : written;
  };
}

/** The last check that was made of an assertion; the next row often has the same texts in it. */
class LastCheck {
  readonly #names: readonly string[];
  #values: unknown[] = [];
  #check: CheckSpec | null = null;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** The kept check when these variables make the same one. Only texts are compared: of them nothing but the text counts. */
  for(variables: Variables): CheckSpec | null {
    let same = this.#check !== null;
    for (let at = 0; at < this.#names.length; at += 1) {
      const value = variables.value(this.#names[at] ?? '');
      if (typeof value !== 'string' || value !== this.#values[at]) same = false;
      this.#values[at] = value;
    }
    if (!same) this.#check = null;
    return this.#check;
  }

  /** Keeps what was made for the variables that were asked about last; null when it was refused. */
  keep(check: CheckSpec | null): void {
    this.#check = check;
  }
}

function templatedUnit(
  value: JsonValue,
  kind: AssertionKind,
  placeholders: readonly Placeholder[],
  place: AssertionPlace,
): AssertionUnit {
  const soles = placeholders.filter(({ sole }) => sole);
  const names = [...new Set(placeholders.map(({ name }) => name))];
  const last = new LastCheck(names);
  // Where placeholders stand only for text, the shape is checked once, with the placeholders in place.
  const asText: ShapedAssertion | null = shapeAssertion(kind, value, place.path, place.sourceAt, []);
  return {
    fixed: null,
    placeholders,
    make(variables, problems) {
      const known = last.for(variables);
      if (known !== null) return known;
      if (asText !== null && soles.every(({ name }) => typeof variables.value(name) === 'string')) {
        const check = asText.buildFilled((part) => fillValue(part, variables, false), place, problems);
        last.keep(check);
        return check;
      }
      const sourceAt = writtenIn(soles, variables, place.sourceAt);
      const filled = fillValue(value, variables, true);
      const shaped = shapeAssertion(kind, filled, place.path, sourceAt, problems);
      return shaped === null ? null : shaped.build({ ...place, sourceAt }, problems);
    },
  };
}

/** Prepares one assertion; null after noting what is wrong with it whatever the variables are. */
export function assertionUnit(
  value: JsonValue,
  place: AssertionPlace,
  known: KnownNames,
  problems: RuleProblem[],
): AssertionUnit | null {
  const kind = findAssertionKind(value, place.path, problems);
  if (kind === null) return null;
  if (place.turn !== null && !kind.gradesTurn) {
    problems.push({
      path: [...place.path, 'type'],
      message: `${kind.type} looks at the whole run, not at the answer of one turn`,
      fix: 'move the assertion to the assert of the case',
    });
    return null;
  }
  const placeholders = known === null ? [] : placeholdersIn(value, place.path);
  if (known !== null && placeholders.length > 0) {
    const unknown = unknownNames(placeholders, known);
    problems.push(...unknown);
    return unknown.length > 0 ? null : templatedUnit(value, kind, placeholders, place);
  }
  const shaped = shapeAssertion(kind, value, place.path, place.sourceAt, problems);
  const fixed = shaped === null ? null : shaped.build(place, problems);
  return fixed === null ? null : { fixed, placeholders: [], make: () => fixed };
}

/** The checks with labels that are all different: the second of two equal ones gets ` #2`. */
export function withDistinctLabels(checks: readonly CheckSpec[]): CheckSpec[] {
  const used: string[] = [];
  return checks.map((check) => {
    let { label } = check;
    for (let count = 2; used.includes(label); count += 1) label = `${check.label} #${count}`;
    used.push(label);
    return label === check.label ? check : { ...check, label };
  });
}
