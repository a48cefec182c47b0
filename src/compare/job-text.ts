import { terminalLine } from '../core/index.js';
import { comparisonMarkdown, markdownPlain, markdownTable } from './comparison-markdown.js';
import { columns, comparisonTable } from './comparison-table.js';
import { pText, rateText } from './comparison-text.js';
import type { JobDecision } from './job-decision.js';
import type { JobResult } from './job-result.js';
import type { ChoiceWeights } from './job-schema.js';

function pairRows({ pairwise }: JobResult): string[][] {
  return (pairwise?.pairs ?? []).map((pair) => [
    `${pair.a} : ${pair.b}`,
    `${pair.winsA} : ${pair.winsB}`,
    String(pair.ties),
    String(pair.inconsistent),
    String(pair.undecided),
    pText(pair.p),
  ]);
}

const PAIR_HEAD = ['judged pair', 'wins', 'ties', 'by position', 'no verdict', 'p'];

function strengthRows({ pairwise }: JobResult): string[][] {
  const sorted = (pairwise?.strengths ?? []).toSorted((left, right) => right.elo - left.elo);
  return sorted.map(({ arm, elo }) => [arm, elo.toFixed(0)]);
}

function weightsText({ quality, cost, latency }: ChoiceWeights): string {
  const shown = Object.entries({ quality, cost, latency }).filter(([, share]) => share > 0);
  return shown.map(([name, share]) => `${name} ${Number((share * 100).toFixed(1))}%`).join(', ');
}

function weighedFacts({ weighed }: JobDecision): string[][] {
  if (weighed === null) return [];
  const { weights, primary, budget, fallback } = weighed;
  return [
    ['weighed by', weightsText(weights)],
    ['primary', primary ?? 'none'],
    ['budget', budget ?? 'none'],
    ['fallback', fallback ?? 'none'],
  ];
}

function ruledFacts({ ruled }: JobResult): string[][] {
  if (ruled === null) return [];
  const { rule, cases, of, early } = ruled;
  const looks = `looked after every ${rule.block} cases for evidence of ${rule.threshold}`;
  return [['early stop', early ? `${looks}: ended after ${cases} of ${of} cases` : `${looks}: not reached`]];
}

const ARM_HEAD = ['arm', 'passes', 'cost, $', 'time, ms', 'weight', ''];

/** What each arm came to, and why it cannot be taken. */
function armRows({ decision }: JobResult): string[][] {
  return decision.arms.map(({ arm, quality, cost, latencyMs, score, out }) => [
    arm,
    rateText(quality),
    cost === null ? 'n/a' : cost.toFixed(6),
    latencyMs === null ? 'n/a' : latencyMs.toFixed(0),
    score === null ? '' : score.toFixed(3),
    out ?? '',
  ]);
}

function facts(result: JobResult): string[][] {
  const { job, decision } = result;
  return [
    ['hypothesis', job.hypothesis],
    ['success', job.success],
    ['refuted by', job.refutedBy],
    ['it is', decision.hypothesis],
    ['take', decision.take ?? 'undecided'],
    ['why', decision.reason],
    ['cheapest not worse', decision.cheapest ?? 'not known'],
    ...weighedFacts(decision),
    ...ruledFacts(result),
    ['confidence', `${decision.confidence * 100}%`],
  ];
}

/** The result of a job for people at a terminal. */
export function jobTable(result: JobResult): string {
  const lines = [
    `Comparison ${terminalLine(result.job.name)}, run ${result.runId}`,
    '',
    ...columns(facts(result)),
    '',
    ...columns([ARM_HEAD, ...armRows(result)]),
  ];
  const pairs = pairRows(result);
  if (pairs.length > 0) lines.push('', ...columns([PAIR_HEAD, ...pairs]));
  const strengths = strengthRows(result);
  if (strengths.length > 0) lines.push('', ...columns([['arm', 'strength'], ...strengths]));
  return `${lines.join('\n')}\n\n${comparisonTable(result.comparison)}`;
}

/** The result of a job in Markdown. */
export function jobMarkdown(result: JobResult): string {
  const lines = [
    `# ${markdownPlain(result.job.name)}`,
    '',
    ...markdownTable([['', ''], ...facts(result)]),
    '',
    ...markdownTable([ARM_HEAD, ...armRows(result)]),
  ];
  const pairs = pairRows(result);
  if (pairs.length > 0) lines.push('', ...markdownTable([PAIR_HEAD, ...pairs]));
  const strengths = strengthRows(result);
  if (strengths.length > 0) lines.push('', ...markdownTable([['arm', 'strength'], ...strengths]));
  return `${lines.join('\n')}\n\n${comparisonMarkdown(result.comparison)}`;
}
