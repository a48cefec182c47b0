import { plural, quote } from '../core/index.js';
import type { Exchange } from './exchange.js';
import type { Leftover } from './lane-state.js';
import { offeredNames } from './messages.js';
import { describeRequest } from './trial-words.js';

/** Ways in which what crossed the wire was not what the script meant. Each fails the trial. */
export type WireProblemKind = 'leftover' | 'unmatched' | 'exhausted' | 'refused';

/** One reason why a trial is not what its script meant. */
export interface WireProblem {
  kind: WireProblemKind;
  lane: string | null;
  /** 0-based user turn. */
  turn: number;
  message: string;
}

/** A request worth listing. */
export interface RequestNote {
  /** Number of its first exchange. */
  number: number;
  summary: string;
  /** How often it came. */
  times: number;
}

/** A step or answer that was asked for again. */
export interface RetryNote {
  lane: string | null;
  /** Number of the exchange that was repeated. */
  number: number;
  times: number;
}

/** A tool that the script calls and the agent did not offer. */
export interface MissingTool {
  lane: string;
  tool: string;
  /** What was offered instead, sorted. */
  offered: string[];
}

/** What is said of a trial's traffic when it is closed. */
export interface TrialWireReport {
  /** Trial id. */
  id: string;
  /** Requests that asked for a reply, retries among them. */
  requests: number;
  /** Steps given, each counted once. */
  steps: number;
  /** Not empty: the trial fails, whatever the agent says. */
  problems: WireProblem[];
  leftovers: Leftover[];
  sideRequests: RequestNote[];
  unmatched: RequestNote[];
  exhausted: RequestNote[];
  retries: RetryNote[];
  toolsNotOffered: MissingTool[];
  /** Paths asked for that are not served, sorted, without queries. */
  otherPaths: string[];
  /** Notes for a person: retries, side requests, missing tools. */
  notes: string[];
}

function isFirst(exchange: Exchange): boolean {
  return exchange.retryOf === null;
}

function timesOf(exchanges: readonly Exchange[], first: Exchange): number {
  return 1 + exchanges.filter((exchange) => exchange.retryOf === first.number).length;
}

function notesOf(exchanges: readonly Exchange[], outcome: Exchange['outcome']): RequestNote[] {
  return exchanges
    .filter((exchange) => exchange.outcome === outcome && isFirst(exchange))
    .map((exchange) => ({
      number: exchange.number,
      summary: describeRequest(exchange.request),
      times: timesOf(exchanges, exchange),
    }));
}

function retriesOf(exchanges: readonly Exchange[]): RetryNote[] {
  return exchanges
    .filter((exchange) => isFirst(exchange) && timesOf(exchanges, exchange) > 1)
    .map((exchange) => ({
      lane: exchange.lane,
      number: exchange.number,
      times: timesOf(exchanges, exchange) - 1,
    }));
}

function missingTools(exchanges: readonly Exchange[]): MissingTool[] {
  const missing: MissingTool[] = [];
  for (const { outcome, lane, reply, request } of exchanges) {
    if (outcome !== 'step' || lane === null) continue;
    const offered = offeredNames(request).toSorted();
    for (const { name } of reply?.toolCalls ?? []) {
      const known = missing.some((each) => each.lane === lane && each.tool === name);
      if (!offered.includes(name) && !known) missing.push({ lane, tool: name, offered });
    }
  }
  return missing;
}

function problemsOf(exchanges: readonly Exchange[], leftovers: readonly Leftover[]): WireProblem[] {
  const left = leftovers.map(({ lane, turn, items }) => ({
    kind: 'leftover' as const,
    lane,
    turn,
    message: `${plural(items.length, 'scripted item')} of lane ${quote(lane)}, turn ${turn + 1}, never asked for.`,
  }));
  const asked = exchanges.filter(isFirst).flatMap(({ outcome, lane, turn, error }): WireProblem[] => {
    if (outcome !== 'unmatched' && outcome !== 'exhausted' && outcome !== 'refused') return [];
    return [{ kind: outcome, lane, turn, message: error?.message ?? outcome }];
  });
  // An agent that goes on asking with other words is still at the same end of its script.
  const once = asked.filter(
    (problem, index) =>
      asked.findIndex((other) => other.kind === problem.kind && other.message === problem.message) === index,
  );
  return [...once, ...left];
}

function wordsFor(report: Omit<TrialWireReport, 'notes'>): string[] {
  const sides = report.sideRequests.map(
    (side) => `Side request, answered beside the script: ${side.summary}.`,
  );
  const retries = report.retries.map(
    (retry) => `Request ${retry.number} came ${plural(retry.times + 1, 'time')} and got the same answer.`,
  );
  const tools = report.toolsNotOffered.map(({ tool, offered }) => {
    const names = offered.length === 0 ? 'no tools' : offered.map(quote).join(', ');
    return `The script calls ${quote(tool)}, which the agent did not offer; it offered ${names}.`;
  });
  return [...sides, ...retries, ...tools];
}

/** Says whether what crossed the wire was what the script meant. */
export function reportTraffic(
  id: string,
  exchanges: readonly Exchange[],
  leftovers: Leftover[],
  otherPaths: Iterable<string>,
): TrialWireReport {
  const facts = {
    id,
    requests: exchanges.length,
    steps: exchanges.filter((exchange) => exchange.outcome === 'step' && isFirst(exchange)).length,
    problems: problemsOf(exchanges, leftovers),
    leftovers,
    sideRequests: notesOf(exchanges, 'side'),
    unmatched: notesOf(exchanges, 'unmatched'),
    exhausted: notesOf(exchanges, 'exhausted'),
    retries: retriesOf(exchanges),
    toolsNotOffered: missingTools(exchanges),
    otherPaths: [...new Set(otherPaths)].toSorted(),
  };
  return { ...facts, notes: wordsFor(facts) };
}
