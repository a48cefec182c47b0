import { AssayError, canonicalJson, sha256, type CaseResult } from '../core/index.js';
import { blocksOf, shuffled, type AgentSource } from '../run/index.js';
import { seededRandom } from '../stats/index.js';
import type { Case, Suite } from '../suite/index.js';
import {
  addCase,
  allDecided,
  CASES_OF_BLOCK,
  noEvidence,
  type ArmRates,
  type EarlyStop,
} from './early-stop.js';
import type { Arm, CompareJob } from './job-schema.js';

/** What is known of a suite beside the run of its arms. */
export interface ArmedCases {
  /** Ids of its cases without their arms, in the order in which their blocks ran. */
  order: readonly string[];
  /** Families of correlated cases by those ids. */
  clusters: ReadonlyMap<string, string>;
}

/** Watches the cases of a run as they finish. */
export interface RuleWatch {
  add(result: Pick<CaseResult, 'id' | 'passed' | 'scored'>): void;
  /** Whether the rule has decided every arm; to be asked when a block of cases is whole. */
  decided(): boolean;
}

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
    if (job.earlyStop !== null && tested.cluster !== null) {
      throw new AssayError(
        'INPUT',
        `the case ${JSON.stringify(tested.id)} belongs to the cluster ${JSON.stringify(tested.cluster)}: a comparison that may end early needs independent cases`,
        { fix: 'leave early_stop out, or keep one case of each cluster' },
      );
    }
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

/** The cases of a suite with arms by the id of the case they are made of, in suite order. */
function byCase(cases: Iterable<Case>): Map<string, Case[]> {
  const groups = new Map<string, Case[]>();
  for (const tested of cases) {
    const id = armOf(tested.id)?.caseId ?? tested.id;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [tested]);
    else group.push(tested);
  }
  return groups;
}

/** What the result of a job needs to know of its suite beside the run. */
export function armedCases(suite: Suite, seed: number): ArmedCases {
  const groups = byCase(suite.cases);
  const clusters = new Map<string, string>();
  for (const [id, [first]] of groups) {
    if (first !== undefined && first.cluster !== null) clusters.set(id, first.cluster);
  }
  return { order: shuffled([...groups.keys()], seededRandom(seed)), clusters };
}

/**
 * The blocks in which the cases of a job run when a rule or a budget may end it early: in random order, all arms of a
 * case together, so that after every block all arms are equally complete and what was run is a random sample of the
 * suite.
 */
export function armBlocks(suite: Suite, { order }: ArmedCases): Case[][] {
  const groups = byCase(suite.cases);
  return [...blocksOf(order, CASES_OF_BLOCK)].map((ids) => ids.flatMap((id) => groups.get(id) ?? []));
}

/** Follows a job's run and says when its rule has decided every arm. */
export function ruleWatch(job: CompareJob, rule: EarlyStop): RuleWatch {
  const rates = new Map<string, ArmRates>();
  const names = job.arms.map((arm) => arm.name);
  return {
    add({ id, passed, scored }) {
      const named = armOf(id);
      if (named === null) return;
      const place = names.indexOf(named.arm);
      const known = rates.get(named.caseId) ?? names.map(() => null);
      rates.set(named.caseId, known.with(place, scored === 0 ? null : passed / scored));
    },
    decided() {
      const evidence = noEvidence(names.length - 1);
      for (const one of rates.values()) addCase(evidence, one);
      return allDecided(evidence, rule);
    },
  };
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
