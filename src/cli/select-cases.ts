import { AssayError, didYouMean, plural } from '../core/index.js';
import { caseIds, type Case, type Suite } from '../suite/index.js';

/** What the command line selects cases by; several values of one kind are alternatives, kinds combine. */
export interface Selection {
  filters: readonly string[];
  ids: readonly string[];
  tags: readonly string[];
  /** Only scenarios. */
  scenarios?: boolean;
}

/** True when `text` matches a glob: `*` is any run of characters, `?` any one. Linear in the text for each star. */
export function matchesGlob(text: string, glob: string): boolean {
  let at = 0;
  let pattern = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    const wanted = glob[pattern];
    if (wanted === '*') {
      star = pattern;
      resume = at;
      pattern += 1;
    } else if (wanted !== undefined && (wanted === '?' || wanted === text[at])) {
      at += 1;
      pattern += 1;
    } else if (star >= 0) {
      resume += 1;
      at = resume;
      pattern = star + 1;
    } else return false;
  }
  while (glob[pattern] === '*') pattern += 1;
  return pattern === glob.length;
}

/** The test that a selection stands for; null when it selects everything. */
export function caseTest(selection: Selection): ((tested: Case) => boolean) | null {
  const { filters, ids, tags, scenarios } = selection;
  if (filters.length + ids.length + tags.length === 0 && scenarios !== true) return null;
  const wanted = new Set(ids);
  return (tested) =>
    (scenarios !== true || tested.scenario !== undefined) &&
    (filters.length === 0 || filters.some((glob) => matchesGlob(tested.id, glob))) &&
    (wanted.size === 0 || wanted.has(tested.id)) &&
    (tags.length === 0 || tags.some((tag) => tested.tags.includes(tag)));
}

/** A suite and the cases of it that are to run. */
export interface SelectedSuite {
  suite: Suite;
  /** Null when all of them are. */
  select: ((tested: Case) => boolean) | null;
  /** How many cases are selected. */
  count: number;
}

/** The cases of a suite that are to run, in suite order. */
export function* selectedCases(selected: SelectedSuite): Generator<Case> {
  for (const tested of selected.suite.cases) {
    if (selected.select === null || selected.select(tested)) yield tested;
  }
}

/** The ids of the cases of a suite that are to run, in suite order. */
export function* selectedIds(selected: SelectedSuite): Generator<string> {
  if (selected.select === null) yield* caseIds(selected.suite.cases);
  else for (const tested of selectedCases(selected)) yield tested.id;
}

/**
 * The suites that have a selected case.
 * @throws AssayError `NOTHING_SELECTED` when no suite has one, or when an id names no case
 */
export function selectSuites(suites: readonly Suite[], selection: Selection): SelectedSuite[] {
  const select = caseTest(selection);
  if (select === null) return suites.map((suite) => ({ suite, select, count: suite.cases.length }));
  const known = new Set<string>();
  const chosen: SelectedSuite[] = [];
  for (const suite of suites) {
    let count = 0;
    for (const tested of suite.cases) {
      known.add(tested.id);
      if (select(tested)) count += 1;
    }
    if (count > 0) chosen.push({ suite, select, count });
  }
  const unknown = selection.ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw unknownIds(unknown, known);
  if (
    chosen.length === 0 &&
    selection.scenarios === true &&
    selection.filters.length + selection.tags.length === 0
  ) {
    throw new AssayError('NOTHING_SELECTED', 'there is no scenario in it: a run of nothing never passes', {
      fix: 'write scenario: in a case, or start one with assay scenario create NAME',
    });
  }
  if (chosen.length === 0) {
    const parts = [
      ...selection.filters.map((glob) => `--filter ${glob}`),
      ...selection.ids.map((id) => `--case ${id}`),
      ...selection.tags.map((tag) => `--tag ${tag}`),
    ];
    const some = [...known].slice(0, 3).join(', ');
    throw new AssayError(
      'NOTHING_SELECTED',
      `no case is selected by ${parts.join(' ')}: a run of nothing never passes`,
      {
        fix: `check the spelling; there ${known.size === 1 ? 'is' : 'are'} ${plural(known.size, 'case')}, such as ${some}`,
      },
    );
  }
  return chosen;
}

function unknownIds(unknown: readonly string[], known: ReadonlySet<string>): AssayError {
  const [first = ''] = unknown;
  const meant = didYouMean(first, known);
  const named = unknown.map((id) => JSON.stringify(id)).join(', ');
  return new AssayError('NOTHING_SELECTED', `no case has the id ${named}`, {
    fix:
      meant === null ? 'assay run --filter "*" runs all of them' : `did you mean ${JSON.stringify(meant)}?`,
  });
}
