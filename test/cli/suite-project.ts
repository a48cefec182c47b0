import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { assay, project, type Ended, type Project } from './run-cli.js';

/**
 * An agent that answers from answers.json (case id to one answer for each trial, or one for all) and notes every call
 * in calls.log. `wait:` before an answer keeps it back until a file of that name is there.
 */
export const AGENT = `
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
export default async function agent({ caseId, trial }) {
  appendFileSync(new URL('calls.log', import.meta.url), caseId + ' ' + trial + '\\n');
  const answers = JSON.parse(readFileSync(new URL('answers.json', import.meta.url), 'utf8'))[caseId];
  let answer = Array.isArray(answers) ? answers[trial - 1] : answers;
  if (answer.startsWith('throw:')) throw new Error(answer.slice(6));
  if (answer.startsWith('wait:')) {
    const [, file, text] = answer.split(':');
    while (!existsSync(new URL(file, import.meta.url))) await new Promise((done) => setTimeout(done, 5));
    answer = text;
  }
  return answer;
}
`;

/** Cases that look for the word yes in the answer. */
export function yesCases(ids: readonly string[]): string {
  const lines = ids.map(
    (id) => `  - { id: ${id}, prompt: p-${id}, assert: [{ type: contains, value: yes }] }`,
  );
  return `cases:\n${lines.join('\n')}\n`;
}

/** A project with the answering agent, evals/s.yaml and what else is given; removed after the test. */
export function suiteProject(
  suite: string,
  answers: Record<string, string | string[]>,
  files: Record<string, unknown> = {},
): Project {
  const made = project({
    'assay.config.yaml': 'eval: {}\n',
    'agent.mjs': AGENT,
    'answers.json': answers,
    'evals/s.yaml': suite.includes('agent:') ? suite : `agent: { module: ../agent.mjs }\n${suite}`,
    ...files,
  });
  onTestFinished(() => made.remove());
  return made;
}

/** A project whose answers stand in out.jsonl, for `--outputs`: no agent is started. */
export function outputsProject(suite: string, answers: Record<string, string | string[]>): Project {
  const rows = Object.entries(answers).flatMap(([id, outputs]) =>
    [outputs].flat().map((output, index) => JSON.stringify({ id, trial: index + 1, output })),
  );
  return suiteProject(`agent: prompt\n${suite}`, {}, { 'out.jsonl': `${rows.join('\n')}\n` });
}

/** The calls that the agent got, sorted: `case trial`. */
export function calls({ root }: Project): string[] {
  return readFileSync(join(root, 'calls.log'), 'utf8').split('\n').slice(0, -1).toSorted();
}

/** What a run came to, from its JSON report. */
export interface Report {
  outcome: string;
  reason: string;
  passed: boolean;
  exit_code: number;
  score: number | null;
  pass_to_k: number | null;
  totals: Record<string, number>;
  criteria?: Record<string, unknown>[];
  metrics?: Record<string, unknown>[];
  cases: Record<string, unknown>[];
  detail: { id: string; trials: Record<string, unknown>[] }[];
  run: Record<string, unknown>;
}

/** Runs evals/s.yaml and reads the JSON report. */
export async function runJson(
  { root }: Project,
  words: readonly string[] = [],
): Promise<{ report: Report; ended: Ended }> {
  const ended = await assay(root, ['run', '-s', 'evals/s.yaml', '--json', ...words]);
  const report: Report = JSON.parse(ended.stdout);
  return { report, ended };
}

/** Everything of a report but what names the run, the clock and the machine. */
export function comparable(report: Report): unknown {
  const { run: _, ...rest } = report;
  const text = JSON.stringify(rest, (key, value: unknown) =>
    key === 'run_id' || key.includes('duration') ? null : value,
  );
  return JSON.parse(text);
}
