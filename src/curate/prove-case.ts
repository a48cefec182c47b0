import { errorMessage, type Recording } from '../core/index.js';
import type { GradeContext } from '../grade/index.js';
import type { Case, Reasoned } from '../suite/index.js';
import { isJudged, VariantGrader, type MutantVerdict } from './grade-mutant.js';
import { idlePasses } from './idle-run.js';
import { hasWorkspace, inWorkspaceCopy } from './in-workspace-copy.js';
import { mutantsOf } from './mutants.js';
import type { Mutant } from './mutant.js';
import { pasteText, type Paste } from './paste.js';
import { proofRecording, type FindStored, type ProofOrigin } from './proof-recording.js';
import { suggestChecks, type Suggestion, type SuggestionPlace } from './suggest.js';

/** A mutant that the case does not catch. */
export interface Survivor {
  id: string;
  /** Ends the sentence "the case would still pass if …". */
  claim: string;
  /** Checks that noticed it, without weight enough to decide. */
  noticed: string[];
}

/** What a case is worth. */
export interface CaseProof {
  caseId: string;
  file: string;
  line: number;
  /** Labels of the checks that an idle run satisfies when it passes the case; null when it fails, as it must. */
  idle: string[] | null;
  /** Where the recording comes from; null when there is none. */
  origin: ProofOrigin | null;
  /** Why nothing more could be proven; null when it could. */
  problem: string | null;
  /** The case is marked as known to fail, so that nothing can be proven and nothing need be. */
  knownFailing: boolean;
  /** Mutants that count: neither equivalent nor repeated nor accepted. The idle run is one of them. */
  mutants: number;
  caught: number;
  /** caught / mutants; null when there is no recording, or only a judge could tell. */
  strength: number | null;
  survivors: Survivor[];
  /** Survivors that the case accepts, with the reason. */
  accepted: (Survivor & { reason: string })[];
  /** Accepted mutants that are caught, or that there are none of. */
  stale: Reasoned[];
  /** Mutants that record the same as the recording, or as another mutant. */
  equivalent: number;
  /** Faults the case says nothing about: waste where it sets no bound. */
  unclaimed: number;
  /** Mutants beyond the most that are tried of one kind. */
  leftOut: number;
  /** Checks that only a judge can decide and that were not asked. */
  notAsked: number;
  suggestions: Suggestion[];
  paste: Paste[];
}

/** How to prove. */
export interface ProveOptions {
  place: SuggestionPlace;
  find: FindStored | null;
  /** Asked about what the free checks let pass; null to leave judged checks out. */
  judge: GradeContext['judge'] | null;
}

function emptyProof(tested: Case, options: ProveOptions): CaseProof {
  return {
    caseId: tested.id,
    file: tested.source.file,
    line: tested.source.line,
    idle: idlePasses(tested),
    origin: null,
    problem: null,
    knownFailing: tested.expectedFailing,
    mutants: 0,
    caught: 0,
    strength: null,
    survivors: [],
    accepted: [],
    stale: [],
    equivalent: 0,
    unclaimed: 0,
    leftOut: 0,
    notAsked:
      options.judge === null
        ? tested.checks.filter((check) => isJudged(check) && !check.diagnostic).length
        : 0,
    suggestions: [],
    paste: [],
  };
}

function matches(pattern: string, id: string): boolean {
  return pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : pattern === id;
}

/** Grades one mutant: at once where that decides it, else with programs and the judge. */
async function gradeMutant(grader: VariantGrader, mutant: Mutant): Promise<MutantVerdict> {
  const { facet, file, recording } = mutant;
  if (file !== undefined) {
    return inWorkspaceCopy(recording, file, (copied) => grader.thorough(copied, facet));
  }
  const verdict = grader.quick(recording, facet);
  if (verdict.caught || !grader.hasLate(facet)) return verdict;
  return inWorkspaceCopy(recording, null, (copied) => grader.thorough(copied, facet));
}

function failedText(recording: Recording, failed: readonly { label: string; evidence: string }[]): string {
  const [first] = failed;
  const about = first === undefined ? '' : `: ${first.label}: ${first.evidence}`;
  const gone = recording.workspace !== undefined && !hasWorkspace(recording);
  return `the recording does not pass the case as it is today${about}${gone ? ' (its workspace is no longer there)' : ''}`;
}

async function proveWith(
  tested: Case,
  recording: Recording,
  options: ProveOptions,
  proof: CaseProof,
): Promise<void> {
  const grader = new VariantGrader(tested, options.judge ?? undefined);
  const { passed, failed } = await inWorkspaceCopy(recording, null, (copied) => grader.original(copied));
  if (!passed) {
    proof.problem = failedText(recording, failed);
    return;
  }
  const set = mutantsOf(tested, recording);
  const accepted = tested.curation?.acceptedMutants ?? [];
  const used = new Set<string>();
  const survivors: Mutant[] = [];
  // The idle run is the first mutant.
  proof.mutants = 1;
  proof.caught = proof.idle === null ? 1 : 0;
  if (proof.idle !== null) {
    proof.survivors.push({ id: 'idle', claim: 'the agent did nothing at all', noticed: [] });
  }
  for (const mutant of set.mutants) {
    const verdict = await gradeMutant(grader, mutant);
    const { id, claim } = mutant;
    const allowed = verdict.caught ? undefined : accepted.find((entry) => matches(entry.id, id));
    if (allowed !== undefined) {
      used.add(allowed.id);
      proof.accepted.push({ id, claim, noticed: verdict.failed, reason: allowed.reason });
      continue;
    }
    proof.mutants += 1;
    if (verdict.caught) proof.caught += 1;
    else {
      survivors.push(mutant);
      proof.survivors.push({ id, claim, noticed: verdict.failed });
    }
  }
  proof.stale = accepted.filter(({ id }) => !used.has(id));
  proof.equivalent = set.equivalent.length + set.repeated.length;
  proof.unclaimed = set.unclaimed.length;
  proof.leftOut = set.leftOut;
  proof.strength = tested.checks.some((check) => !check.diagnostic && (!isJudged(check) || options.judge))
    ? proof.caught / proof.mutants
    : null;
  if (proof.strength === null) {
    proof.problem = 'only a judge decides this case; --judges asks it';
    return;
  }
  proof.suggestions = await suggestChecks(tested, options.place, recording, survivors, grader);
  proof.paste = pasteText(proof.suggestions);
}

/**
 * Proves one case by mutation: takes a recording that passes it, puts one fault after the other in, and counts how many
 * the case notices. Never rejects: what cannot be proven is said in `problem`.
 */
export async function proveCase(tested: Case, options: ProveOptions): Promise<CaseProof> {
  const proof = emptyProof(tested, options);
  if (tested.expectedFailing) {
    proof.problem = 'it is marked as known to fail, so no recording passes it';
    return proof;
  }
  try {
    const found = await proofRecording(tested, options.find);
    if (!found.ok) {
      proof.problem = found.reason;
      return proof;
    }
    proof.origin = found.origin;
    try {
      await proveWith(tested, found.held.recording, options, proof);
    } finally {
      found.held.dispose();
    }
  } catch (error) {
    proof.problem = errorMessage(error);
    proof.strength = null;
  }
  return proof;
}
