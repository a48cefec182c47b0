import { failureDraft, findFailure, markConverted, readFailures } from '../../cases/index.js';
import type { FromFailureFlags } from '../commands/case-from.js';
import { deliverDraft, draftPlace } from '../draft-place.js';

/** `assay case from-failure`. */
export async function fromFailureAction(id: string, flags: FromFailureFlags): Promise<void> {
  const place = await draftPlace(flags);
  const failure = findFailure(readFailures(place.log), id);
  const draft = failureDraft(failure);
  deliverDraft(place, draft, flags.json === true);
  markConverted(place.log, failure, draft.id);
}
