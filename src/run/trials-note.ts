import { plural } from '../core/index.js';
import type { Case } from '../suite/index.js';

/** Cases that are named one by one before the rest is only counted. */
const NAMED = 10;

/** What a run does otherwise than a case asked; null when it does what was asked. */
function difference(tested: Case, planned: number, replayed: boolean): string | null {
  const asked = tested.requestedTrials ?? tested.trials;
  if (replayed) {
    return asked === 1
      ? null
      : `repeat ${asked} is ignored: a replay cannot differ from itself and runs once`;
  }
  if (tested.requestedTrials === undefined) return null;
  return asked < 1
    ? `repeat ${asked} is too few: ${plural(planned, 'trial')}`
    : `repeat ${asked} is more than a case may have: ${plural(planned, 'trial')}`;
}

/** Notes of cases that get another number of trials than they asked for; the first few by name. */
export class TrialsNotes {
  private readonly note: (text: string) => void;
  private readonly replayed: boolean;
  private count = 0;

  constructor(note: (text: string) => void, replayed: boolean) {
    this.note = note;
    this.replayed = replayed;
  }

  look(tested: Case, planned: number): void {
    const text = difference(tested, planned, this.replayed);
    if (text === null) return;
    this.count += 1;
    if (this.count <= NAMED) this.note(`warning: ${tested.id}: ${text}`);
  }

  finish(): void {
    const rest = this.count - NAMED;
    if (rest > 0)
      this.note(`warning: ${plural(rest, 'more case')} with another number of trials than asked for`);
  }
}
