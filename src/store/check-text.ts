import type { Check } from '../core/index.js';

/** A check as it is stored; `satisfies` makes a key that core gains a compile error here instead of a silent loss. */
function storedCheck(check: Check): object {
  return {
    type: check.type,
    passed: check.outcome === 'pass',
    score: check.score,
    reason: check.evidence,
    weight: check.weight,
    label: check.label,
    outcome: check.outcome,
    category: check.category,
    required: check.required,
    diagnostic: check.diagnostic,
    metric: check.metric,
    judge: check.judge,
  } satisfies Record<Exclude<keyof Check, 'evidence'> | 'passed' | 'reason', unknown>;
}

/** The text of a check around its evidence. */
interface Frame {
  check: Check;
  before: string;
  after: string;
}

const EVIDENCE = '"reason":""';

function frameOf(check: Check): Frame {
  const text = JSON.stringify(storedCheck({ ...check, evidence: '' }));
  // Nothing before it is anybody's text but the type, which has no quotes in it.
  const at = text.indexOf(EVIDENCE) + EVIDENCE.length - 2;
  return { check, before: text.slice(0, at), after: text.slice(at + 2) };
}

/** True when two checks differ in nothing but their evidence. */
function isAlike(left: Check, right: Check): boolean {
  return (
    left.label === right.label &&
    left.outcome === right.outcome &&
    left.score === right.score &&
    left.type === right.type &&
    left.weight === right.weight &&
    left.category === right.category &&
    left.required === right.required &&
    left.diagnostic === right.diagnostic &&
    left.metric === right.metric &&
    left.judge === undefined &&
    right.judge === undefined
  );
}

/**
 * Checks as JSON. One trial after another often has the same checks with the same outcomes, as with rows of one
 * template and repeated trials of one case: then only the evidence is written anew. What is kept is one check a place.
 */
export class CheckTexts {
  readonly #last: Check[] = [];
  readonly #frames: (Frame | undefined)[] = [];

  /** A JSON list. */
  of(checks: readonly Check[]): string {
    let text = '[';
    for (let place = 0; place < checks.length; place += 1) {
      const check = checks[place];
      if (check === undefined) continue;
      if (place > 0) text += ',';
      text += this.#text(check, place);
    }
    return `${text}]`;
  }

  #text(check: Check, place: number): string {
    let frame = this.#frames[place];
    if (frame === undefined || !isAlike(frame.check, check)) {
      const last = this.#last[place];
      this.#last[place] = check;
      // Kept only for what came twice: where every check is another one, keeping would cost more than it saves.
      if (last === undefined || !isAlike(last, check)) return JSON.stringify(storedCheck(check));
      frame = frameOf(check);
      this.#frames[place] = frame;
    }
    return frame.before + JSON.stringify(check.evidence) + frame.after;
  }
}
