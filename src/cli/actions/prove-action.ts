import { loadConfig, type LoadedConfig } from '../../config/index.js';
import { terminalLine } from '../../core/index.js';
import { proofFaults, proveSuite, proveText, storedPasses, type SuiteProof } from '../../curate/index.js';
import { findRun, readRun } from '../../store/index.js';
import type { ProveFlags } from '../commands/suite-prove.js';
import { ExitCode } from '../exit-code.js';
import { openSuites } from '../open-suites.js';
import { storeRoot } from '../run-store.js';
import { selectSuites, type SelectedSuite } from '../select-cases.js';
import { note, say } from '../streams.js';
import { suiteJudge } from '../suite-judge.js';

/** The model whose recordings are judged. */
function agentOf({ suite }: SelectedSuite, flags: ProveFlags, loaded: LoadedConfig): string {
  if (flags.judges !== true || flags.run === undefined) return suite.agentModel ?? 'scripted';
  return readRun(findRun(storeRoot(loaded), flags.run).directory).header.agentModel;
}

function jsonOf(proof: SuiteProof, faults: readonly string[]): object {
  return {
    suite: proof.suite,
    path: proof.path,
    cases: proof.proofs.length,
    mutants: proof.mutants,
    caught: proof.caught,
    strength: proof.strength,
    faults,
    vacuous: proof.proofs.flatMap(({ caseId, file, idle }) =>
      idle === null ? [] : [{ case: caseId, file, checks: idle }],
    ),
    proofs: proof.proofs,
  };
}

/** `assay suite prove`. Throws ExitCode 1 when a case is not worth what it must be. */
export async function proveAction(names: readonly string[], flags: ProveFlags): Promise<void> {
  const cwd = process.cwd();
  const loaded = await loadConfig(cwd, flags.config);
  const quiet = flags.quiet === true;
  const suites = selectSuites(await openSuites(names, { loaded, cwd, gate: false, quiet }), {
    filters: [],
    ids: flags.case ?? [],
    tags: [],
  });
  const bar = { suite: flags.minStrength ?? null, case: flags.minCaseStrength ?? null };
  const found: { proof: SuiteProof; faults: string[] }[] = [];
  for (const selected of suites) {
    const proof = await proveSuite(
      selected.suite,
      {
        find: storedPasses(storeRoot(loaded), selected.suite.name, flags.run ?? null),
        judge: await suiteJudge(selected.suite, agentOf(selected, flags, loaded), flags, loaded, cwd),
      },
      selected.select,
    );
    found.push({ proof, faults: proofFaults(proof, bar) });
  }
  const failed = found.some(({ faults }) => faults.length > 0);
  if (flags.json === true) {
    const outcome = failed ? 'failed' : 'passed';
    const reports = found.map(({ proof, faults }) => jsonOf(proof, faults));
    say(JSON.stringify({ schema: 'assay/prove/v1', outcome, suites: reports }, null, 2));
  } else {
    for (const { proof, faults } of found) {
      for (const line of proveText(proof, { all: flags.all === true })) say(terminalLine(line));
      for (const fault of faults) say(terminalLine(`failed: ${fault}`));
    }
    if (bar.suite === null && bar.case === null && !failed && !quiet) {
      note('only an idle run that passes fails this command; --min-strength makes the share decide as well');
    }
  }
  if (failed) throw new ExitCode(1);
}
