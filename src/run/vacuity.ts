import { idleRecording, type Receipt } from '../core/index.js';
import { idleSatisfied } from '../grade/index.js';
import type { Case, InspectCase } from '../suite/index.js';

/** The receipt of a run in which the agent does nothing. */
export function idleReceipt(tested: Case): Receipt {
  return {
    schema: 'assay/recording/v1',
    caseId: tested.id,
    caseHash: tested.hash,
    trial: 1,
    mode: 'replay',
    modelRef: 'idle',
    servedModel: null,
    toolSurface: { requested: [], effective: [], registered: [] },
    sandbox: { autonomy: 'supervised', workspaceOnly: true },
    judgeRef: null,
    promptHash: null,
  };
}

/**
 * Labels of the checks of a case that an agent which does nothing already satisfies, when these are all of them; null
 * when at least one check fails on an idle run, which is what a case needs to be worth anything.
 */
export function vacuousChecks(tested: Case): string[] | null {
  const idle = idleRecording(
    idleReceipt(tested),
    tested.turns.map((turn) => turn.user),
  );
  const satisfied = idleSatisfied(tested.checks, idle, tested.scoring);
  return satisfied === null ? null : satisfied.map((check) => check.label);
}

/** Refuses a case of a regression suite that an idle run would pass. Hand it to the loader. */
export const inspectVacuity: InspectCase = (tested) => {
  const labels = vacuousChecks(tested);
  if (labels === null) return [];
  return [
    {
      message: `an agent that does nothing passes this case: ${labels.join(', ')} ${labels.length === 1 ? 'is' : 'are all'} satisfied by an idle run`,
      fix: `add a check that needs the behaviour, such as ${tested.scoring.rule === 'all' ? 'response_contains or tools_used' : 'contains or tool-used'}`,
      key: 'expects',
    },
  ];
};
