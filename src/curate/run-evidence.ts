import { canonicalJson, sha256, type JsonValue } from '../core/index.js';
import { listRuns, readRun, type RunListing } from '../store/index.js';

/** How one case did in one run. */
export interface CaseCounts {
  id: string;
  hash: string;
  /** Scored trials. */
  n: number;
  /** Passed trials. */
  c: number;
}

/** One finished run of a suite. */
export interface RunEvidence {
  runId: string;
  /** ISO time. */
  startedAt: string;
  /** Runs with the same family may be compared: same models, prompt, levels and mode. */
  family: string;
  agentModel: string;
  mode: RunListing['header']['mode'];
  /** Share of the cases of which every trial passed; null when no case was scored. */
  rate: number | null;
  /** Trials a case. */
  k: number;
  /** Every case, by id; read from disk on first use. */
  cases(): readonly CaseCounts[];
}

function familyOf({ header }: RunListing): string {
  const settings: { [key: string]: JsonValue } = header.settings ?? {};
  return sha256(
    canonicalJson({
      mode: header.mode,
      agentModel: header.agentModel,
      judgeModel: header.judgeModel,
      promptHash: header.promptHash,
      agentLevel: settings['agentLevel'] ?? null,
      judgeLevel: settings['judgeLevel'] ?? null,
    }),
  );
}

function countsOf(directory: string): CaseCounts[] {
  const counts: CaseCounts[] = [];
  for (const { id, hash, trials } of readRun(directory).cases()) {
    const scored = trials.filter((trial) => trial.status !== 'error');
    const passed = scored.filter((trial) => trial.status === 'passed');
    counts.push({ id, hash, n: scored.length, c: passed.length });
  }
  return counts;
}

function evidenceOf(run: RunListing): RunEvidence {
  let known: CaseCounts[] | null = null;
  const cases = (): CaseCounts[] => (known ??= countsOf(run.directory));
  const { header, summary } = run;
  return {
    runId: run.runId,
    startedAt: header.startedAt,
    family: familyOf(run),
    agentModel: header.agentModel,
    mode: header.mode,
    rate: summary?.passHatK ?? null,
    k: header.trials,
    cases,
  };
}

/** Finished runs of a suite, oldest first, at most `most` of them, the newest. Unreadable ones are left out. */
export function runEvidence(root: string, suite: string, most: number): RunEvidence[] {
  return listRuns(root, suite)
    .runs.filter((run) => run.state === 'finished')
    .slice(0, most)
    .toReversed()
    .map(evidenceOf);
}
