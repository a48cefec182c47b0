import { AssayError, plural } from '../core/index.js';
import type { ComparedCase, ComparedRun } from './compared-run.js';

/** One case on both sides. */
export interface CasePair {
  id: string;
  cluster: string | null;
  a: ComparedCase;
  b: ComparedCase;
}

/** What two runs have in common, and what had to be left out. */
export interface CommonPart {
  pairs: CasePair[];
  /** Ids of cases in only one of the runs. */
  onlyA: string[];
  onlyB: string[];
  /** Ids of cases whose content differs. */
  changed: string[];
  /** Why cases or claims are left out, one sentence each. */
  restrictions: string[];
  /** What differs between the sides and may be what is compared, one line each. */
  differences: string[];
}

function shown(ids: readonly string[]): string {
  const some = ids.slice(0, 3).map((id) => JSON.stringify(id));
  return ids.length > some.length
    ? `${some.join(', ')} and ${ids.length - some.length} more`
    : some.join(', ');
}

function differencesOf(a: ComparedRun, b: ComparedRun): string[] {
  const lines: string[] = [];
  const add = (what: string, left: string | null, right: string | null): void => {
    if (left !== right) lines.push(`${what}: ${left ?? 'none'} -> ${right ?? 'none'}`);
  };
  add('suite', a.suite, b.suite);
  add('model', a.agentModel, b.agentModel);
  add('judge', a.judgeModel, b.judgeModel);
  add('default system text', a.promptHash?.slice(0, 12) ?? null, b.promptHash?.slice(0, 12) ?? null);
  add('commit', a.commit?.slice(0, 12) ?? null, b.commit?.slice(0, 12) ?? null);
  add('version of Assay', a.assayVersion, b.assayVersion);
  return lines;
}

function refuseUnlike(a: ComparedRun, b: ComparedRun): void {
  if (a.mode !== b.mode) {
    throw new AssayError('INPUT', `${a.label} ran in mode ${a.mode} and ${b.label} in mode ${b.mode}`, {
      fix: 'compare two runs of one mode: what a script answers says nothing about what a model answers',
    });
  }
  for (const name of new Set([...a.limits.keys(), ...b.limits.keys()])) {
    const left = a.limits.get(name) ?? 'null';
    const right = b.limits.get(name) ?? 'null';
    if (left === right) continue;
    throw new AssayError('INPUT', `the runs had different limits: ${name} was ${left} and ${right}`, {
      fix: 'run one of them again under the limits of the other; no case is unaffected by a limit',
    });
  }
}

function match(a: ComparedRun, b: ComparedRun): CommonPart {
  const byKey = new Map(b.cases.map((one) => [one.key, one]));
  const idsOfB = new Set(b.cases.map((one) => one.id));
  const idsOfA = new Set(a.cases.map((one) => one.id));
  const part: CommonPart = {
    pairs: [],
    onlyA: [],
    onlyB: [],
    changed: [],
    restrictions: [],
    differences: differencesOf(a, b),
  };
  const keys = new Set<string>();
  for (const one of a.cases) {
    keys.add(one.key);
    const other = byKey.get(one.key);
    if (other !== undefined)
      part.pairs.push({ id: one.id, cluster: one.cluster ?? other.cluster, a: one, b: other });
    else if (idsOfB.has(one.id)) part.changed.push(one.id);
    else part.onlyA.push(one.id);
  }
  for (const one of b.cases) if (!keys.has(one.key) && !idsOfA.has(one.id)) part.onlyB.push(one.id);
  return part;
}

function leaveOut(part: CommonPart, test: (pair: CasePair) => boolean, why: string): void {
  const out = part.pairs.filter(test);
  if (out.length === 0) return;
  part.pairs = part.pairs.filter((pair) => !test(pair));
  part.restrictions.push(
    `${plural(out.length, 'case')} left out: ${why} (${shown(out.map((pair) => pair.id))})`,
  );
}

/** A case that nobody scored says nothing of its environment and must stay: its errors count against a verdict. */
function otherEnvironment({ a, b }: CasePair): boolean {
  return a.environment !== '' && b.environment !== '' && a.environment !== b.environment;
}

/**
 * The part of two runs that can be compared. Cases that only one run has, whose content changed, that another judge
 * graded, or that had other tools are left out, and it is said.
 * @throws AssayError `INPUT` when the runs differ in mode or limits, or have nothing in common
 */
export function commonPart(a: ComparedRun, b: ComparedRun): CommonPart {
  refuseUnlike(a, b);
  const part = match(a, b);
  const { restrictions } = part;
  if (part.changed.length > 0) {
    restrictions.push(
      `${plural(part.changed.length, 'case')} left out: the content changed (${shown(part.changed)})`,
    );
  }
  for (const [ids, run] of [[part.onlyA, a] as const, [part.onlyB, b] as const]) {
    if (ids.length > 0)
      restrictions.push(`${plural(ids.length, 'case')} left out: only in ${run.label} (${shown(ids)})`);
  }
  if (a.judgeModel !== b.judgeModel) {
    const why = `judged by ${a.judgeModel ?? 'nobody'} in ${a.label} and by ${b.judgeModel ?? 'nobody'} in ${b.label}`;
    leaveOut(part, (pair) => pair.a.judged || pair.b.judged, why);
  }
  leaveOut(part, otherEnvironment, 'the tools or the sandbox differ');
  for (const run of [a, b]) {
    if (run.incomplete !== null) {
      const missing = run.notRun > 0 ? `: ${plural(run.notRun, 'case')} not run` : '';
      restrictions.push(`${run.label} is not whole, ${run.incomplete}${missing}`);
    }
  }
  const stopped = part.pairs.filter((pair) => pair.a.stopped || pair.b.stopped).length;
  if (stopped > 0) {
    const rate = 'their rate is the estimate that fits, and they are not tested one by one';
    restrictions.push(`${plural(stopped, 'case')} stopped once decided: ${rate}`);
  }
  if (part.pairs.length > 0) return part;
  throw new AssayError('INPUT', `${a.label} and ${b.label} have no case in common that can be compared`, {
    fix: restrictions.length === 0 ? 'name two runs of the same suite' : restrictions.join('\n'),
  });
}
