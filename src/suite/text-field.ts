import type { KeyPath } from '../core/index.js';
import type { KnownNames } from './assertion-unit.js';
import type { RuleProblem } from './document.js';
import { fillText, placeholdersIn, unknownNames, type Placeholder, type Variables } from './template.js';

/** What a text of a case must hold: an id may be used as a name, other texts say something, contents may be empty. */
export type TextRule = 'id' | 'not-blank' | 'any';

const CONTROL = /[\u0000-\u001f\u007f]/;

function textFault(text: string, rule: TextRule): { message: string; fix: string } | null {
  if (rule === 'any') return null;
  if (text.trim() === '') return { message: 'must not be blank', fix: 'write some text' };
  if (rule === 'id' && CONTROL.test(text)) {
    return { message: 'an id must be one line without control characters', fix: 'write a short name' };
  }
  return null;
}

/** One text of a case, with or without placeholders. */
export class TextField {
  readonly placeholders: readonly Placeholder[];
  private readonly text: string;
  private readonly path: KeyPath;
  private readonly rule: TextRule;

  /** Notes at once what is wrong with it whatever the variables are. */
  constructor(text: string, path: KeyPath, rule: TextRule, known: KnownNames, problems: RuleProblem[]) {
    this.text = text;
    this.path = path;
    this.rule = rule;
    const placeholders = known === null ? [] : placeholdersIn(text, path);
    const unknown = known === null ? [] : unknownNames(placeholders, known);
    problems.push(...unknown);
    // A text that can never be filled is not looked at again.
    this.placeholders = unknown.length > 0 ? [] : placeholders;
    if (placeholders.length === 0) this.check(text, problems);
  }

  /** The text for these variables; notes what is wrong with it. */
  fill(variables: Variables, problems: RuleProblem[]): string {
    if (this.placeholders.length === 0) return this.text;
    const filled = fillText(this.text, variables);
    this.check(filled, problems);
    return filled;
  }

  private check(text: string, problems: RuleProblem[]): void {
    const fault = textFault(text, this.rule);
    if (fault !== null) problems.push({ path: this.path, ...fault });
  }
}
