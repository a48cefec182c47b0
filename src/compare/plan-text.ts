import { columns } from './comparison-table.js';
import type { Plan } from './plan.js';

function count(value: number | null): string {
  return value === null ? 'not known' : Math.round(value).toLocaleString('en-US');
}

function dollars(value: number | null): string {
  return value === null ? 'not known' : `$${value.toFixed(value < 1 ? 4 : 2)}`;
}

function duration(milliseconds: number | null): string {
  if (milliseconds === null) return 'not known';
  const seconds = milliseconds / 1000;
  if (seconds < 90) return `${seconds.toFixed(1)} s`;
  return seconds < 5400 ? `${(seconds / 60).toFixed(1)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

function wantedLines({ wanted, cases, trials }: Plan): string[][] {
  if (wanted === null) return [];
  const effect = `${(wanted.effect * 100).toFixed(1)} points`;
  const now = Math.max(1, Math.round(trials / cases));
  return [
    [
      `to show ${effect}`,
      wanted.trials === null
        ? 'no number of trials on these cases is enough'
        : `${wanted.trials} trials a case`,
    ],
    ['', `or ${wanted.cases ?? 'no number of'} cases with ${now} trials each`],
  ];
}

/** A plan for people at a terminal. */
export function planTable(plan: Plan): string {
  const { expected, spread } = plan;
  const unknown = plan.trials - expected.knownTrials;
  const lines = columns([
    ['cases', count(plan.cases)],
    ['trials', count(plan.trials)],
    ['judge calls', count(plan.judgeCalls)],
    ['tokens in', count(expected.inputTokens)],
    ['tokens out', count(expected.outputTokens)],
    ['cost', dollars(expected.cost)],
    ...(plan.judgeCalls > 0
      ? [
          ['judge tokens', count(expected.judgeTokens)],
          ['judge cost', dollars(expected.judgeCost)],
        ]
      : []),
    ['time', duration(expected.wallMs)],
    [
      'can show',
      plan.detectable === null
        ? 'nothing: no case'
        : `${(plan.detectable * 100).toFixed(1)} points between two such runs (power ${plan.power * 100}%, alpha ${plan.alpha * 100}%)`,
    ],
    ...wantedLines(plan),
  ]);
  if (unknown === plan.trials) {
    lines.push('', 'No stored run of these cases yet: run a few of them once, and plan again.');
  } else if (unknown > 0) {
    lines.push(
      '',
      `${unknown} of ${plan.trials} trials have no history; they count as the mean of the others.`,
    );
  }
  lines.push(
    '',
    spread.from === 'history'
      ? 'Spread between and within cases from the two newest comparable runs.'
      : `Spread assumed (between cases ${spread.omega2}, within a case ${spread.sigma2}): two stored runs of two trials a case or more tell better.`,
  );
  return `${lines.join('\n')}\n`;
}
