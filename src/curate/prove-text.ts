import { plural } from '../core/index.js';
import type { CaseProof, Survivor } from './prove-case.js';
import type { ProofOrigin } from './proof-recording.js';
import { percent, type SuiteProof } from './prove-suite.js';

/** Survivors of one case that are printed before the rest is only counted. */
const SHOWN = 10;

function originText(origin: ProofOrigin | null): string {
  if (origin === null) return '';
  if (origin.kind === 'run') return ` (trial ${origin.trial} of ${origin.runId})`;
  return origin.kind === 'replay' ? '' : ' (its reference answer)';
}

function survivorLine({ id, claim, noticed }: Survivor): string {
  const but = noticed.length === 0 ? '' : `, though ${noticed.join(', ')} noticed: it weighs too little`;
  return `    ${claim}${but}  [${id}]`;
}

function caseLines(proof: CaseProof, all: boolean): string[] {
  const lines: string[] = [];
  const { caseId, file, survivors } = proof;
  if (proof.idle !== null) {
    lines.push(
      `✗ ${caseId} (${file}): an agent that does nothing passes; satisfied: ${proof.idle.join(', ')}`,
    );
  }
  const left = survivors.filter(({ id }) => id !== 'idle');
  if (proof.strength !== null && left.length > 0) {
    const share = `${proof.caught} of ${plural(proof.mutants, 'mutant')} caught (${percent(proof.strength)})`;
    lines.push(
      `${proof.idle === null ? '! ' : '  '}${caseId} (${file}): ${share}${originText(proof.origin)}`,
    );
    lines.push('  it would still pass if');
    const shown = all ? left : left.slice(0, SHOWN);
    lines.push(...shown.map(survivorLine));
    if (left.length > shown.length)
      lines.push(`    and ${left.length - shown.length} more (--all shows them)`);
    for (const { into, text } of proof.paste) {
      lines.push(`  to catch ${caughtCount(proof)}, add to ${into}:`);
      lines.push(...text.split('\n').map((line) => `    ${line}`));
    }
  }
  if (proof.problem !== null) lines.push(`? ${caseId} (${file}): ${proof.problem}`);
  for (const { id, reason } of proof.stale) {
    lines.push(
      `  ${caseId}: accepted mutant ${id} is caught or there is none; remove it (its reason: ${reason})`,
    );
  }
  return lines;
}

function caughtCount(proof: CaseProof): string {
  const caught = new Set(proof.suggestions.flatMap(({ catches }) => catches));
  const left = proof.survivors.filter(({ id }) => id !== 'idle' && !caught.has(id)).length;
  return left === 0 ? 'them' : `all but ${left} of them`;
}

function total(proofs: readonly CaseProof[], read: (proof: CaseProof) => number): number {
  return proofs.reduce((sum, proof) => sum + read(proof), 0);
}

function summaryLines(proof: SuiteProof): string[] {
  const { proofs } = proof;
  const idle = proofs.filter((one) => one.idle !== null).length;
  const lines = [
    `${proof.suite}: ${proofs.length - idle} of ${plural(proofs.length, 'case')} can fail on an idle run`,
  ];
  if (proof.strength !== null) {
    lines.push(
      `${proof.suite}: ${proof.caught} of ${plural(proof.mutants, 'mutant')} caught (${percent(proof.strength)})`,
    );
  }
  const notes = [
    [total(proofs, (one) => (one.problem === null ? 0 : 1)), 'case', 'not proven'],
    [total(proofs, (one) => one.accepted.length), 'survivor', 'accepted'],
    [total(proofs, (one) => one.equivalent), 'equivalent mutant', 'left out'],
    [total(proofs, (one) => one.notAsked), 'judged check', 'taken as passed (--judges asks)'],
    [total(proofs, (one) => one.leftOut), 'mutant', 'of too many of one kind not tried'],
  ] as const;
  const said = notes.flatMap(([count, noun, what]) => (count === 0 ? [] : `${plural(count, noun)} ${what}`));
  if (said.length > 0) lines.push(`${proof.suite}: ${said.join(', ')}`);
  return lines;
}

/** A proof for people, weakest cases first; not yet safe to print: ids and labels are data. */
export function proveText(proof: SuiteProof, options: { all: boolean }): string[] {
  const weakest = proof.proofs.toSorted((left, right) => (left.strength ?? -1) - (right.strength ?? -1));
  return [...weakest.flatMap((one) => caseLines(one, options.all)), ...summaryLines(proof)];
}
