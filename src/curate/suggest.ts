import { canonicalJson, type CheckSpec, type JsonObject, type Recording } from '../core/index.js';
import { compileAssertions, compileFixtureChecks, type Case, type Suite } from '../suite/index.js';
import type { VariantGrader } from './grade-mutant.js';
import { inWorkspaceCopy } from './in-workspace-copy.js';
import type { Mutant } from './mutant.js';
import { candidatesFor, type Candidate } from './suggest-candidates.js';

/** A check that would catch survivors; it was tried on the recording and on each of them. */
export interface Suggestion {
  /** What to add to `assert` of a suite; null in a fixture. */
  assertion: JsonObject | null;
  /** What to add to `expects` of a fixture, of the whole case or of one turn (0-based); null in a suite. */
  fixture: { turn: number | null; expects: JsonObject } | null;
  /** Ids of the mutants it catches. */
  catches: string[];
}

/** Where suggested checks would be written. */
export type SuggestionPlace = Pick<Suite, 'format' | 'root'>;

interface Tried extends Suggestion {
  specs: CheckSpec[];
}

/** Finds checks for the survivors of one case. */
class Suggester {
  private readonly tested: Case;
  private readonly place: SuggestionPlace;
  private readonly original: Recording;
  private readonly grader: VariantGrader;
  private readonly refused = new Set<string>();

  constructor(tested: Case, place: SuggestionPlace, original: Recording, grader: VariantGrader) {
    this.tested = tested;
    this.place = place;
    this.original = original;
    this.grader = grader;
  }

  /** The first candidate that holds for the recording and fails for the mutant. */
  async firstFor(mutant: Mutant): Promise<Tried | null> {
    for (const candidate of candidatesFor(this.original, mutant)) {
      const tried = await this.admitted(candidate);
      if (tried !== null && (await this.catches(tried, mutant))) return tried;
    }
    return null;
  }

  async catches({ specs }: Tried, mutant: Mutant): Promise<boolean> {
    return !(await this.holds(specs, mutant.recording, mutant));
  }

  private async holds(
    specs: readonly CheckSpec[],
    recording: Recording,
    mutant: Mutant | null,
  ): Promise<boolean> {
    const onDisk = mutant?.file !== undefined || specs.some((spec) => spec.category === 'side_effect');
    const grade = (of: Recording): boolean =>
      this.grader.other(specs, of).every((check) => check.outcome === 'pass');
    return onDisk ? inWorkspaceCopy(recording, mutant?.file ?? null, grade) : grade(recording);
  }

  private async admitted(candidate: Candidate): Promise<Tried | null> {
    const key = canonicalJson(candidate);
    if (this.refused.has(key)) return null;
    const tried = this.compiled(candidate);
    if (tried !== null && (await this.holds(tried.specs, this.original, null))) return tried;
    this.refused.add(key);
    return null;
  }

  private compiled(candidate: Candidate): Tried | null {
    return this.place.format === 'trace' ? this.inFixture(candidate) : this.inSuite(candidate);
  }

  private inFixture({ fixture }: Candidate): Tried | null {
    const { turn, expects } = fixture;
    const turns = this.tested.turns.map(({ user }, index) => ({
      user_input: user,
      ...(index === turn ? { expects } : {}),
    }));
    const whole = { model_name: 'candidate', turns, ...(turn === null ? { expects } : {}) };
    const specs = compileFixtureChecks(whole, this.place.root);
    return specs === null ? null : { assertion: null, fixture, catches: [], specs };
  }

  private inSuite(candidate: Candidate): Tried | null {
    if (candidate.assertion['type'] === undefined) return null;
    // Its weight alone might leave the score above the threshold.
    const assertion = { ...candidate.assertion, required: true };
    const { checks, problems } = compileAssertions([assertion], {
      path: ['assert'],
      directory: this.place.root,
      turnCount: this.tested.turns.length,
      allowEmpty: this.tested.allowEmpty,
    });
    return problems.length > 0 ? null : { assertion, fixture: null, catches: [], specs: checks };
  }
}

/**
 * Checks that together catch the survivors for which one is known: each was tried on the recording, which it lets pass,
 * and on every survivor. None is needed twice over.
 */
export async function suggestChecks(
  tested: Case,
  place: SuggestionPlace,
  original: Recording,
  survivors: readonly Mutant[],
  grader: VariantGrader,
): Promise<Suggestion[]> {
  const suggester = new Suggester(tested, place, original, grader);
  const chosen: Tried[] = [];
  const caught = new Set<string>();
  for (const mutant of survivors) {
    if (caught.has(mutant.id)) continue;
    const tried = await suggester.firstFor(mutant);
    if (tried === null) continue;
    for (const other of survivors) {
      if (other.facet === mutant.facet && (await suggester.catches(tried, other)))
        tried.catches.push(other.id);
    }
    for (const id of tried.catches) caught.add(id);
    chosen.push(tried);
  }
  return withoutSpare(chosen).map(({ assertion, fixture, catches }) => ({ assertion, fixture, catches }));
}

/** A check that only Assay reads, where the format has checks of its own. */
function isExtension({ fixture }: Tried): boolean {
  return fixture !== null && 'assert' in fixture.expects;
}

/** Leaves out what the others catch as well, checks that only Assay reads first. */
function withoutSpare(chosen: readonly Tried[]): Tried[] {
  const kept = [...chosen];
  const inOrder = [...chosen.filter(isExtension), ...chosen.filter((tried) => !isExtension(tried))];
  for (const tried of inOrder) {
    const others = new Set(kept.filter((other) => other !== tried).flatMap(({ catches }) => catches));
    if (tried.catches.every((id) => others.has(id))) kept.splice(kept.indexOf(tried), 1);
  }
  return kept;
}
