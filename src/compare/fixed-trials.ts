import { isJsonObject } from '../core/index.js';
import type { StoredHeader } from '../store/index.js';

/**
 * How many trials every case of a run was sure to get, whatever came out of them; null when that is all of them. A
 * rule that stops a case by its outcomes writes this number into the run's header before the first trial.
 */
export function firstTrials(header: Pick<StoredHeader, 'settings'>): number | null {
  const stop = header.settings?.['stop'];
  if (!isJsonObject(stop)) return null;
  const first = stop['first'];
  return typeof first === 'number' ? first : null;
}
