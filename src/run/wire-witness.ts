import { nothingObserved, scriptDisagreement, type Observed, type Witness } from '../agent/index.js';
import type { JsonObject } from '../core/index.js';
import { scrubCredentials } from '../tool/index.js';
import {
  wireEvidence,
  type Traffic,
  type TrialWireReport,
  type WireEvidence,
  type WireTrial,
} from '../wire/index.js';

const BROKEN: ReadonlySet<string> = new Set(['exhausted', 'unmatched', 'refused']);

/** Evidence of the wire in the words of recordings. Nobody says what scripted calls would cost: nothing. */
export function observedOnWire(evidence: WireEvidence, cost: number | null): Observed {
  const seen = nothingObserved();
  seen.messages = evidence.messages;
  seen.toolCalls = evidence.toolCalls.map(
    ({ lane: _lane, offered: _offered, answered: _answered, executed: _executed, ...call }) => call,
  );
  seen.inputTokens = evidence.usage.inputTokens;
  seen.outputTokens = evidence.usage.outputTokens;
  seen.llmCalls = evidence.llmCalls;
  seen.cost = cost;
  seen.notes = unexecuted(evidence);
  const others = evidence.lanes.slice(1);
  const lanes: JsonObject = {};
  for (const { name, messages } of others) lanes[name] = messages.map(({ role, text }) => ({ role, text }));
  if (others.length > 0) seen.extra = { lanes };
  return seen;
}

/** Calls that the model asked for and that never ran, as far as the wire can tell. */
function unexecuted(evidence: WireEvidence): string[] {
  return evidence.toolCalls
    .filter((call) => !call.executed)
    .map((call) => {
      const why = call.offered ? 'no result came back' : 'the agent did not offer it';
      return `turn ${call.turn + 1}: ${call.name} (${call.id}) was called and not executed: ${why}`;
    });
}

/** What is looked at when a trial has come to its end; what it returns are notes. Throws to fail the trial. */
export type AtEnd = (traffic: Traffic) => string[];

/** The scripted server as the witness of one trial. */
export class WireWitness implements Witness {
  private readonly trial: WireTrial;
  private readonly lastTurn: number;
  private readonly atEnd: AtEnd;
  private readonly endNotes: string[] = [];
  private report: TrialWireReport | null = null;

  /** @param lastTurn 0-based */
  constructor(trial: WireTrial, lastTurn: number, atEnd: AtEnd) {
    this.trial = trial;
    this.lastTurn = lastTurn;
    this.atEnd = atEnd;
  }

  beginTurn(): void {
    // The script has the words of every turn.
  }

  /** @throws AgentError of kind `script` when agent and script disagree */
  endTurn(turn: number): void {
    this.trial.endTurn();
    const broken = this.trial.exchanges.some((exchange) => BROKEN.has(exchange.outcome));
    if (!broken && turn < this.lastTurn) return;
    const report = this.close();
    if (report.problems.length > 0) {
      throw scriptDisagreement(report.problems.map((problem) => problem.message));
    }
    this.endNotes.push(...this.atEnd(this.trial));
  }

  text(turn: number): string {
    return this.evidence().turns[turn]?.text ?? '';
  }

  seen(): Observed {
    const seen = observedOnWire(this.evidence(), 0);
    seen.servedModel = 'scripted';
    seen.notes = [...seen.notes, ...(this.report?.notes ?? []), ...this.endNotes];
    return seen;
  }

  /** Ends the trial at the server; no request is answered any more. */
  close(): TrialWireReport {
    this.report ??= this.trial.close();
    return this.report;
  }

  private evidence(): WireEvidence {
    return wireEvidence(this.trial, scrubCredentials);
  }
}
