import type { Case, Suite } from '../suite/index.js';
import { proveCase, type CaseProof, type ProveOptions } from './prove-case.js';

/** What a suite is worth. */
export interface SuiteProof {
  suite: string;
  path: string;
  format: Suite['format'];
  /** Cases that were proven, in suite order. */
  proofs: CaseProof[];
  mutants: number;
  caught: number;
  /** caught / mutants over all cases with a recording; null when there is none. */
  strength: number | null;
}

/** Proves cases of a suite one after the other. `progress` is told after each. */
export async function proveSuite(
  suite: Suite,
  options: Omit<ProveOptions, 'place'>,
  select: ((tested: Case) => boolean) | null = null,
  progress?: (done: number) => void,
): Promise<SuiteProof> {
  const proofs: CaseProof[] = [];
  for (const tested of suite.cases) {
    if (select !== null && !select(tested)) continue;
    proofs.push(await proveCase(tested, { ...options, place: suite }));
    progress?.(proofs.length);
  }
  const counted = proofs.filter(({ strength }) => strength !== null);
  const mutants = counted.reduce((total, proof) => total + proof.mutants, 0);
  const caught = counted.reduce((total, proof) => total + proof.caught, 0);
  return {
    suite: suite.name,
    path: suite.displayPath,
    format: suite.format,
    proofs,
    mutants,
    caught,
    strength: mutants === 0 ? null : caught / mutants,
  };
}

/** What a proof must reach. */
export interface ProofBar {
  /** Share of mutants that the suite must catch; null to let the idle run alone decide. */
  suite: number | null;
  /** Share that every single case must catch; null for none. */
  case: number | null;
}

/**
 * Why a proof is not enough, one line a reason; empty when it is. An idle run that passes always is one. Once a share
 * is asked for, a case that could not be proven is one too.
 */
export function proofFaults(proof: SuiteProof, bar: ProofBar): string[] {
  const faults = proof.proofs
    .filter(({ idle }) => idle !== null)
    .map(({ caseId }) => `${caseId}: an agent that does nothing passes`);
  if (bar.suite === null && bar.case === null) return faults;
  for (const { caseId, problem, strength, knownFailing } of proof.proofs) {
    if (knownFailing) continue;
    if (problem !== null) faults.push(`${caseId}: not proven: ${problem}`);
    else if (bar.case !== null && strength !== null && strength < bar.case)
      faults.push(`${caseId}: catches ${percent(strength)} of its mutants, below ${percent(bar.case)}`);
  }
  if (bar.suite !== null && (proof.strength ?? 0) < bar.suite)
    faults.push(
      `${proof.suite}: catches ${percent(proof.strength ?? 0)} of its mutants, below ${percent(bar.suite)}`,
    );
  return faults;
}

/** A share in percent with one decimal; never rounded up to 100 or down to 0. */
export function percent(share: number): string {
  const shown = Math.round(share * 1000) / 10;
  if (shown === 100 && share < 1) return '99.9 %';
  return shown === 0 && share > 0 ? '0.1 %' : `${shown} %`;
}
