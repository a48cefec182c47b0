import { RE2JS } from 're2js';

/** What is overlooked when requests are compared. Everything is optional. */
export interface CompareRules {
  /** Overlook identifiers: UUIDs, provider ids, long hexadecimal numbers, process ids, ports. Default true. */
  ids?: boolean;
  /** Overlook dates and times. Default true. */
  clocks?: boolean;
  /** Directories and what to write for them: a workspace, a home. Temporary directories are always overlooked. */
  paths?: { [path: string]: string };
  /** Linear-time regular expressions of more text to overlook. */
  mask?: readonly string[];
  /** Names of parameters to overlook, such as `metadata`. */
  parameters?: readonly string[];
}

const CLOCKS: readonly [RegExp, string][] = [
  [/\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?(?:Z|[+-]\d{2}:?\d{2}))?/g, '<time>'],
  [
    /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? (?:\d{1,2} )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?,?(?: \d{1,2})?,? \d{4}/g,
    '<date>',
  ],
  [/\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.? \d{1,2}, \d{4}\b/g, '<date>'],
  [/\b\d{4}-\d{2}-\d{2}\b/g, '<date>'],
  [/\b\d{1,2}\/\d{1,2}\/\d{4}\b/g, '<date>'],
  [/\b\d{1,2}:\d{2}:\d{2}(?:\.\d{1,9})?(?: ?[AP]M)?\b/g, '<time>'],
  [/\b1[5-9]\d{11}\b/g, '<time>'],
];

/** Numbered in order of appearance, so that an id that stands for another thing is still seen. */
const IDS: readonly RegExp[] = [
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  /\b(?:msg|toolu|call|resp|fc|ctc|rs|chatcmpl|req|item|session|ses|thread|run|user|prt)[_-](?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9_-]{6,}/g,
  /\b[0-9a-f]{16,}\b/gi,
];

const PLACES: readonly [RegExp, string][] = [
  [
    /(\/(?:private\/)?(?:var\/folders\/[^\s/"'`]+\/[^\s/"'`]+\/T|tmp|var\/tmp))\/[^\s/"'`:,;)\]}<>]+/g,
    '<temporary>',
  ],
  [/\b(127\.0\.0\.1|localhost):\d{2,5}\b/g, '$1:<port>'],
  [/\b(PGID|PID|pid|Process Group PGID|process id)([:= ]+)\d+/g, '$1$2<process>'],
];

/** Replaces in one request what may differ between two runs of the same thing. */
export class Normaliser {
  private readonly rules: CompareRules;
  private readonly masks: readonly RE2JS[];
  private readonly paths: readonly [string, string][];
  private readonly numbers = new Map<string, number>();

  constructor(rules: CompareRules) {
    this.rules = rules;
    this.masks = (rules.mask ?? []).map((pattern) => RE2JS.compile(pattern));
    // The longest first, so that a directory inside another is not taken for the outer one.
    this.paths = Object.entries(rules.paths ?? {})
      .filter(([path]) => path !== '')
      .toSorted((left, right) => right[0].length - left[0].length);
  }

  text(text: string): string {
    let shown = text;
    for (const [path, name] of this.paths) shown = shown.replaceAll(path, name);
    for (const mask of this.masks) shown = mask.matcher(shown).replaceAll('<masked>');
    if (this.rules.clocks !== false) for (const [clock, word] of CLOCKS) shown = shown.replace(clock, word);
    for (const [place, word] of PLACES) shown = shown.replace(place, word);
    if (this.rules.ids === false) return shown;
    for (const shape of IDS) shown = shown.replace(shape, (id) => this.id(id));
    return shown;
  }

  /** An identifier, by its place in order of appearance. */
  id(id: string): string {
    if (this.rules.ids === false) return id;
    const known = this.numbers.get(id) ?? this.numbers.size + 1;
    this.numbers.set(id, known);
    return `<id ${known}>`;
  }
}
