import { logFailure } from '../../cases/index.js';
import { AssayError, systemSource } from '../../core/index.js';
import { displayPath } from '../../suite/index.js';
import type { CaseLogFlags } from '../commands/case.js';
import { draftPlace } from '../draft-place.js';
import { say } from '../streams.js';

/** `assay case log`. */
export async function caseLogAction(text: string, flags: CaseLogFlags): Promise<void> {
  if (text.trim() === '') {
    throw new AssayError('USAGE', 'the description is blank', { fix: 'say what went wrong' });
  }
  const place = await draftPlace(flags);
  const failure = logFailure(
    place.log,
    {
      description: text,
      category: flags.category,
      severity: flags.severity,
      expected_behavior: flags.expected ?? null,
      actual_behavior: flags.actual ?? null,
      task_context: flags.asked ?? null,
      transcript: flags.transcript ?? null,
    },
    systemSource(),
  );
  if (flags.json === true) say(JSON.stringify(failure, null, 2));
  else
    say(
      `${failure.id} logged in ${displayPath(place.log, place.cwd)}\n\nnext: assay case from-failure ${failure.id}`,
    );
}
