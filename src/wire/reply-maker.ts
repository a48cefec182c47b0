import type { NeutralReply, NeutralRequest } from './neutral.js';
import { buildReply } from './reply-build.js';
import type { WireStep } from './script.js';

/** Makes replies whose ids are the same in every run and never the same twice. */
export class ReplyMaker {
  private readonly mark: string;
  private readonly seconds: () => number;
  private readonly callIds = new Map<WireStep, string[]>();
  private readonly used = new Set<string>();

  /**
   * @param mark digits that keep this trial's ids apart from those of all others
   * @param seconds the time, in Unix seconds
   */
  constructor(mark: string, seconds: () => number) {
    this.mark = mark;
    this.seconds = seconds;
  }

  /** @param place letters, digits and underscores, used once in this trial */
  make(step: WireStep, request: NeutralRequest, place: string): NeutralReply {
    const seed = `${this.mark}_${place}`;
    return buildReply(step, request, { seed, callIds: this.idsOf(step), createdAt: this.seconds() });
  }

  /** The ids of a step's calls: those of the script, made unique within the trial. */
  private idsOf(step: WireStep): string[] {
    if (step.type !== 'tool_calls') return [];
    const known = this.callIds.get(step);
    if (known !== undefined) return known;
    const ids = step.toolCalls.map((call) => this.unused(call.id === '' ? `call_${this.mark}` : call.id));
    this.callIds.set(step, ids);
    return ids;
  }

  private unused(base: string): string {
    let id = base;
    for (let count = 2; this.used.has(id); count += 1) id = `${base}_${count}`;
    this.used.add(id);
    return id;
  }
}
