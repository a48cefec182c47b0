import { z } from 'zod';
import { answer } from '../answer.js';
import * as argument from '../arguments.js';
import { assayJson } from '../assay-process.js';
import { modelName, storedRun, suiteName } from '../confine.js';
import { defineTool } from '../tool.js';

const listSuites = defineTool({
  name: 'list_suites',
  title: 'List suites',
  description:
    'The suites that can be run by name: where each is, its kind, its number of cases, what is wrong with it.',
  readOnly: true,
  arguments: {},
  async call(_, { surroundings, signal }) {
    const { common, source } = surroundings;
    const listed = await assayJson(['list', 'suites', '--json', ...common], surroundings, signal);
    return answer(
      { tool: 'list_suites' },
      [{ name: 'suites', text: JSON.stringify(listed, null, 1) }],
      source,
    );
  },
});

const planRun = defineTool({
  name: 'plan_run',
  title: 'Plan a run',
  description:
    'Before spending: trials, judge calls, tokens, cost and time of a run, and the smallest difference it can show. Asks no model.',
  readOnly: true,
  arguments: {
    suite: argument.suite,
    trials: z.int().min(1).max(1000).optional().describe('Trials a case, overriding the suite.'),
    model: argument.name.optional().describe('Model of the agent: its history and its price count.'),
    effect: z.number().gt(0).lt(1).optional().describe('Difference that is to be shown: 0.05 is 5 points.'),
  },
  async call({ suite, trials, model, effect }, { surroundings, signal }) {
    const words = ['plan', '--json', ...surroundings.common, `--suite=${suiteName(suite, surroundings)}`];
    if (trials !== undefined) words.push(`--trials=${trials}`);
    if (model !== undefined) words.push(`--model=${modelName(model, surroundings)}`);
    if (effect !== undefined) words.push(`--effect=${effect}`);
    const plan = await assayJson(words, surroundings, signal);
    return answer(
      { tool: 'plan_run' },
      [{ name: 'plan', text: JSON.stringify(plan, null, 1) }],
      surroundings.source,
    );
  },
});

const compareRuns = defineTool({
  name: 'compare_runs',
  title: 'Compare stored runs',
  description:
    'Did it get better? Two or more stored runs of one suite; the first is the baseline. The verdict is better, worse, equivalent or not enough data. Asks no model.',
  readOnly: true,
  arguments: {
    runs: z.array(argument.run).min(2).max(6).describe('Stored runs; the first is the baseline.'),
    by: z.enum(['passed', 'score']).default('passed').describe('What is compared.'),
    tolerance: z.number().min(0).lt(1).default(0.05).describe('Differences up to this do not matter.'),
    alpha: z.number().gt(0).lt(1).default(0.05).describe('Chance of a false better or worse.'),
  },
  async call({ runs, by, tolerance, alpha }, { surroundings, signal }) {
    const stored = runs.map((run) => storedRun(run, surroundings));
    const words = [
      'compare',
      '--json',
      ...surroundings.common,
      `--by=${by}`,
      `--tolerance=${tolerance}`,
      `--alpha=${alpha}`,
      '--',
      ...stored.map(({ directory }) => directory),
    ];
    const comparison = await assayJson(words, surroundings, signal);
    const facts = { tool: 'compare_runs', runs: stored.map(({ header }) => header.runId) };
    const text = JSON.stringify(comparison, null, 1);
    return answer(facts, [{ name: 'comparison', text }], surroundings.source);
  },
});

/** Tools about suites and what is to be run, without running it. */
export const SUITE_TOOLS = [listSuites, planRun, compareRuns];
