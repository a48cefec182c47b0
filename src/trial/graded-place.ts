import { basename, join } from 'node:path';
import { readFileSync } from 'node:fs';
import { sha256, type CheckSpec, type GraderFileState, type Recording } from '../core/index.js';
import type { AgentSpec, Case } from '../suite/index.js';
import { copyWorkspace, lookAgain, putGraderFiles } from './snapshot.js';
import type { Workspace } from './workspace.js';

/** What of a trial's plan decides what is graded where. */
export interface GradedPlan {
  case: Case;
  agent: { recorded?: Recording };
  goldenMayChange?: boolean;
}

/** Types of checks that look at files of the workspace. */
const READS_FILES: ReadonlySet<CheckSpec['type']> = new Set([
  'file-exists',
  'file-absent',
  'file-contains',
  'command',
]);

/** True for an agent that runs code which Assay does not confine, so that it can reach the files beside the suite. */
export function isUnconfined(agent: AgentSpec): boolean {
  if (agent.type === 'module' || agent.type === 'command') return true;
  return agent.type === 'loop' && (agent.tools ?? []).some((source) => typeof source !== 'string');
}

/** The files beside the suite by which the checks of a case decide. */
function decidingFiles(tested: Case): string[] {
  const paths = tested.checks.flatMap((check) =>
    check.type === 'matches-file' || check.type === 'program' ? [check.path] : [],
  );
  for (const content of Object.values(tested.graderFiles ?? {}))
    if ('file' in content) paths.push(content.file);
  return [...new Set(paths)];
}

function contentHash(path: string): string | null {
  try {
    return sha256(readFileSync(path, 'latin1'));
  } catch {
    return null;
  }
}

/**
 * The workspace as the checks see it: a copy that is made once the agent has stopped, into which the files of the
 * graders are put only then. A trial whose checks look at no file has none, and nothing is copied.
 */
export class GradedPlace {
  private readonly plan: GradedPlan;
  private readonly workspace: Workspace;
  private readonly before: ReadonlyMap<string, string | null>;
  private copy: string | null = null;

  constructor(plan: GradedPlan, workspace: Workspace) {
    this.plan = plan;
    this.workspace = workspace;
    const { case: tested } = plan;
    const watched = plan.goldenMayChange !== true && isUnconfined(tested.agent) ? decidingFiles(tested) : [];
    this.before = new Map(watched.map((path) => [path, contentHash(path)]));
  }

  /** True when checks may start programs that could change the files of the graders. */
  get mustLookAgain(): boolean {
    return this.copy !== null && this.plan.case.graderFiles !== undefined;
  }

  /** Says in a recording where the workspace of the checks is, and what became of the files they rely on. */
  async addTo(recording: Recording, willBeGraded: boolean): Promise<void> {
    const { case: tested, agent } = this.plan;
    // An earlier recording says itself what it found.
    if (agent.recorded !== undefined) return;
    const states: GraderFileState[] = [...this.before].map(([path, hash]) => ({
      path: basename(path),
      state: contentHash(path) === hash ? 'untouched' : 'changed',
    }));
    const { graderFiles } = tested;
    if (graderFiles !== undefined || this.workspace.exists) {
      recording.workspace = { root: this.workspace.root() };
      if (
        willBeGraded &&
        (graderFiles !== undefined || tested.checks.some((check) => READS_FILES.has(check.type)))
      ) {
        const copy = join(this.workspace.place(), 'graded');
        await copyWorkspace(this.workspace.root(), copy);
        this.copy = copy;
        recording.workspace = { root: copy };
        if (graderFiles !== undefined)
          states.push(...(await putGraderFiles(copy, graderFiles, tested.setupFiles)));
      }
    }
    if (states.length === 0) return;
    recording.workspace ??= { root: this.workspace.root() };
    recording.workspace.graderFiles = states;
  }

  /** Looks at the files of the graders again, after the checks ran, and notes what changed. */
  async lookAgain(recording: Recording): Promise<void> {
    const { graderFiles } = this.plan.case;
    const known = recording.workspace?.graderFiles;
    if (this.copy === null || graderFiles === undefined || known === undefined) return;
    const own = known.filter((state) => Object.hasOwn(graderFiles, state.path));
    const seen = new Map((await lookAgain(this.copy, graderFiles, own)).map((state) => [state.path, state]));
    for (const [index, state] of known.entries()) known[index] = seen.get(state.path) ?? state;
  }
}
