import { isSimulated, type Case, type Suite } from '../suite/index.js';
import { caseFinding, suiteFinding, type LintContext, type LintFinding } from './lint-finding.js';
import { percent } from './prove-suite.js';

/** Cases below which balance says nothing. */
const FEWEST_FOR_BALANCE = 5;
/** Share that the rarer side must have. */
const LEAST_SHARE = 0.2;
/** Days after which a review counts as stale. */
const STALE_DAYS = 180;
const DAY = 24 * 60 * 60 * 1000;

const NEGATIVE_TAGS: ReadonlySet<string> = new Set(['should-not', 'should_not', 'negative']);
const POSITIVE_TAGS: ReadonlySet<string> = new Set(['should', 'positive']);

/** Which side of a behaviour a case shows: by its mark, else its tags, else by whether a check forbids something. */
export function polarityOf(tested: Case): 'should' | 'should-not' {
  if (tested.negative || tested.tags.some((tag) => NEGATIVE_TAGS.has(tag))) return 'should-not';
  if (tested.tags.some((tag) => POSITIVE_TAGS.has(tag))) return 'should';
  const forbids = tested.checks.some(
    ({ diagnostic, ...check }) =>
      !diagnostic &&
      ((check.type === 'tool-not-used' && !check.negated) ||
        (check.type === 'file-absent' && !check.negated) ||
        (check.type === 'tool-calls' && (check.max === 0 || check.exact === 0)) ||
        (check.negated && check.category === 'response')),
  );
  return forbids ? 'should-not' : 'should';
}

/** How many cases of a suite show what should and what should not happen. */
export function balanceOf(suite: Suite): { should: number; shouldNot: number } {
  const counts = { should: 0, shouldNot: 0 };
  for (const tested of suite.cases) {
    if (polarityOf(tested) === 'should') counts.should += 1;
    else counts.shouldNot += 1;
  }
  return counts;
}

function balance(suite: Suite): LintFinding[] {
  const { should, shouldNot } = balanceOf(suite);
  const all = should + shouldNot;
  const share = Math.min(should, shouldNot) / all;
  if (all < FEWEST_FOR_BALANCE || share >= LEAST_SHARE) return [];
  const rare = should < shouldNot ? 'should' : 'should not';
  return [
    suiteFinding(
      suite,
      'balance',
      `${should} of ${all} cases show what should happen and ${shouldNot} what should not (${percent(share)} ${rare}): a suite like that is passed by always, or never, acting`,
      suite.format === 'trace'
        ? 'add cases of the rarer kind, and tag them should or should-not'
        : 'add cases of the rarer kind; negative: true marks what the agent should not do',
    ),
  ];
}

function promptKey(tested: Case): string {
  const said = tested.turns.map(({ user }) => user.trim().replace(/\s+/g, ' ').toLowerCase());
  const { persona = null, goal = null } = tested.scenario ?? {};
  return JSON.stringify([said, persona, goal]);
}

function duplicatePrompts(suite: Suite): LintFinding[] {
  const first = new Map<string, string>();
  const findings: LintFinding[] = [];
  for (const tested of suite.cases) {
    // The same words with other steps are another behaviour.
    const key =
      promptKey(tested) + JSON.stringify([tested.setupFiles, tested.turns.map((turn) => turn.steps)]);
    const other = first.get(key);
    if (other === undefined) first.set(key, tested.id);
    else {
      findings.push(
        caseFinding(
          tested,
          'duplicate-prompt',
          `asks the same as ${other}, so one behaviour counts twice`,
          'put the checks of both into one case, or ask something else',
        ),
      );
    }
  }
  return findings;
}

function owners(suite: Suite): LintFinding[] {
  if (suite.owner !== null || suite.cases.length === 0) return [];
  const without: string[] = [];
  for (const tested of suite.cases) if (tested.owner === null) without.push(tested.id);
  if (without.length === 0) return [];
  const some = without.length === suite.cases.length ? 'no case' : `not every case (${without[0] ?? ''})`;
  return [
    suiteFinding(
      suite,
      'no-owner',
      `${some} names an owner: nobody is asked when it breaks`,
      suite.format === 'trace' ? 'write "owner" in the fixtures' : 'write owner: at the top of the suite',
    ),
  ];
}

function stale(suite: Suite, now: number): LintFinding[] {
  const curation = suite.curation;
  const ofSuite = curation?.reviewedAt ?? curation?.updatedAt ?? curation?.createdAt ?? null;
  const isOld = (day: string | null): boolean =>
    day !== null && Number.isFinite(Date.parse(day)) && now - Date.parse(day) > STALE_DAYS * DAY;
  const findings: LintFinding[] = [];
  const fix = 'look at it again, and write the day as reviewed_at';
  if (isOld(ofSuite)) {
    const message = `nobody has looked at the suite since ${ofSuite ?? ''}, more than ${STALE_DAYS} days ago`;
    findings.push(suiteFinding(suite, 'stale', message, fix));
  }
  for (const tested of suite.cases) {
    const day = tested.curation?.reviewedAt ?? null;
    if (!isOld(day)) continue;
    const message = `nobody has looked at the case since ${day ?? ''}, more than ${STALE_DAYS} days ago`;
    findings.push(caseFinding(tested, 'stale', message, fix));
  }
  return findings;
}

/** A regression that fails must fail because of the agent, and not because its user said something else today. */
function liveSimulators(suite: Suite): LintFinding[] {
  if (suite.kind !== 'regression') return [];
  return [...suite.cases]
    .filter(isSimulated)
    .map((tested) =>
      caseFinding(
        tested,
        'live-simulator',
        'its user says something else in every run, so the same agent may pass today and fail tomorrow',
        'record it (recorded: NAME.simulator.json, assay scenario run --record) or write a script; or silence this where many trials are run',
      ),
    );
}

/** Findings about a suite as a whole, or about cases seen together. */
export function suiteRuleFindings({ suite, now }: LintContext): LintFinding[] {
  return [
    ...balance(suite),
    ...duplicatePrompts(suite),
    ...owners(suite),
    ...stale(suite, now),
    ...liveSimulators(suite),
  ];
}
