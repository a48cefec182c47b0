import { terminalLine } from '../core/index.js';
import { comparisonMarkdown, markdownPlain, markdownTable } from './comparison-markdown.js';
import { columns, comparisonTable } from './comparison-table.js';
import { pText } from './comparison-text.js';
import type { JobResult } from './job-result.js';

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

function facts({ job, decision }: JobResult): string[][] {
  return [
    ['hypothesis', job.hypothesis],
    ['success', job.success],
    ['refuted by', job.refutedBy],
    ['it is', decision.hypothesis],
    ['take', decision.take ?? 'undecided'],
    ['why', decision.reason],
    ['cheapest not worse', decision.cheapest ?? 'not known'],
    ['confidence', `${decision.confidence * 100}%`],
  ];
}

/** The result of a job for people at a terminal. */
export function jobTable(result: JobResult): string {
  const lines = [
    `Comparison ${terminalLine(result.job.name)}, run ${result.runId}`,
    '',
    ...columns(facts(result)),
  ];
  const pairs = pairRows(result);
  if (pairs.length > 0) lines.push('', ...columns([PAIR_HEAD, ...pairs]));
  const strengths = strengthRows(result);
  if (strengths.length > 0) lines.push('', ...columns([['arm', 'strength'], ...strengths]));
  return `${lines.join('\n')}\n\n${comparisonTable(result.comparison)}`;
}

/** The result of a job in Markdown. */
export function jobMarkdown(result: JobResult): string {
  const lines = [`# ${markdownPlain(result.job.name)}`, '', ...markdownTable([['', ''], ...facts(result)])];
  const pairs = pairRows(result);
  if (pairs.length > 0) lines.push('', ...markdownTable([PAIR_HEAD, ...pairs]));
  const strengths = strengthRows(result);
  if (strengths.length > 0) lines.push('', ...markdownTable([['arm', 'strength'], ...strengths]));
  return `${lines.join('\n')}\n\n${comparisonMarkdown(result.comparison)}`;
}
