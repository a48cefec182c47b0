import { AssayError, canonicalJson, sha256 } from '../core/index.js';
import type { AgentSource } from '../run/index.js';
import type { Case, Suite } from '../suite/index.js';
import type { Arm, CompareJob } from './job-schema.js';

/** Between the name of an arm, which cannot hold it, and the id of a case, which can. */
const SEPARATOR = ':';

/** The arm and the case that an id of a run with arms stands for; null for any other id. */
export function armOf(id: string): { arm: string; caseId: string } | null {
  const at = id.indexOf(SEPARATOR);
  return at < 1 ? null : { arm: id.slice(0, at), caseId: id.slice(at + 1) };
}

function caseFor(tested: Case, arm: Arm): Case {
  return {
    ...tested,
    id: `${arm.name}${SEPARATOR}${tested.id}`,
    hash: sha256(canonicalJson({ case: tested.hash, system: arm.system, model: arm.model })),
    systemPrompt: arm.system ?? tested.systemPrompt,
  };
}

/**
 * The cases of a suite once for every arm, the arms of a case next to each other, so that a run which mixes the order
 * of its trials interleaves them and stops with all about equally complete.
 * @throws AssayError `INPUT` when a system text would change nothing
 */
export function suiteWithArms(suite: Suite, job: CompareJob): Suite {
  const cases: Case[] = [];
  for (const tested of suite.cases) {
    for (const arm of job.arms) cases.push(caseFor(tested, arm));
    const deaf = tested.agent.type !== 'prompt' && tested.agent.type !== 'loop';
    if (deaf && job.arms.some((arm) => arm.system !== null)) {
      throw new AssayError(
        'INPUT',
        `the case ${JSON.stringify(tested.id)} runs an agent of its own (${tested.agent.type}), which sees no system text`,
        { fix: 'compare prompts on cases of type prompt or loop' },
      );
    }
  }
  return { ...suite, name: job.name, trials: job.trials, gate: 'all', kind: 'capability', cases };
}

/** One agent source that hands every case to that of its arm. */
export function agentsWithArms(sources: ReadonlyMap<string, AgentSource>): AgentSource {
  const of = (tested: Case): AgentSource => {
    const source = sources.get(armOf(tested.id)?.arm ?? '');
    if (source === undefined)
      throw new AssayError('INPUT', `there is no arm for ${JSON.stringify(tested.id)}`);
    return source;
  };
  const all = [...sources.values()];
  const [first] = all;
  if (first === undefined) throw new AssayError('INPUT', 'a comparison needs arms');
  return {
    mode: first.mode,
    modelRef: [...new Set(all.map((source) => source.modelRef))].join(', '),
    modelRefOf: (tested) => of(tested).modelRef,
    deterministic: false,
    sandbox: first.sandbox,
    toolSurface: (tested) => of(tested).toolSurface(tested),
    prepare: (tested, trial) => of(tested).prepare(tested, trial),
  };
}
