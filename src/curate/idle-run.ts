import { idleRecording } from '../core/index.js';
import { gradeChecks, verdictOf } from '../grade/index.js';
import { vacuousChecks } from '../run/index.js';
import type { Case } from '../suite/index.js';
import { answerReceipt } from './answer-recording.js';

/**
 * Labels of the checks that an agent which does nothing satisfies, when that is enough for the case to pass; null when
 * it fails. It passes when every check holds for it with its empty answer graded like any text, and also when, graded
 * as a run grades, its score reaches the threshold.
 */
export function idlePasses(tested: Case): string[] | null {
  const all = vacuousChecks(tested);
  if (all !== null) return all;
  const idle = idleRecording(
    answerReceipt(tested, 'idle'),
    tested.turns.map((turn) => turn.user),
  );
  const checks = gradeChecks(tested.checks, idle, { emptyText: tested.allowEmpty ? 'grade' : 'fail' });
  if (!verdictOf(checks, tested.scoring).passed) return null;
  return checks.filter((check) => !check.diagnostic && check.outcome === 'pass').map((check) => check.label);
}
