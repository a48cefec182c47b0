import { join } from 'node:path';
import { AssayError } from '../core/index.js';
import { HISTORY_NAME, type ChangePlan } from './change-plan.js';
import { compactJson } from './compact-json.js';
import { entryOf } from './plan-edit.js';

/** How a new suite is written. */
export type NewSuiteFormat = 'yaml' | 'fixtures' | 'program';

/** A suite to be created. */
export interface NewSuite {
  name: string;
  kind: 'regression' | 'capability';
  format: NewSuiteFormat;
  description: string | null;
  domain: string | null;
  /** Absolute: the suite directory it goes to. */
  directory: string;
}

/** Threshold of a new suite, by its kind. */
const THRESHOLDS = { regression: 0.95, capability: 0.7 };

function describe({ name, description }: NewSuite): string {
  return description ?? `What ${name} must and must not do`;
}

/** It runs as it is, and shows one case of each polarity. */
function yamlText(suite: NewSuite, day: string): string {
  const regression = suite.kind === 'regression';
  const domain = suite.domain === null ? '' : `domain: ${JSON.stringify(suite.domain)}\n`;
  return `# Assertion suite. What can be written here: assay schema suite, assay explain
name: ${JSON.stringify(suite.name)}
description: ${JSON.stringify(describe(suite))}
type: ${suite.kind}
${domain}# ${regression ? 'Every trial of every case must pass: pass^k gates.' : 'Progress is tracked by the mean score.'}
gate: ${regression ? 'pass^k' : 'mean'}
pass_threshold: ${THRESHOLDS[suite.kind]}
saturation_threshold: 0.95
trials: 3
created_at: ${day}

cases:
  - id: answers_a_known_question
    prompt: In git, what does \`git switch -c topic\` do? Answer in one sentence.
    assert:
      - type: icontains
        value: branch
        required: true
      - type: max-length
        value: 400
    reference:
      output: It creates a branch called topic and switches to it.
    known_bad:
      - It deletes the folder topic.

  - id: does_not_invent_a_figure
    negative: true
    prompt: How many people visited our website yesterday? You have no access to any data.
    assert:
      - type: not-regex
        value: '\\d{2,}'
        required: true
      - type: min-length
        value: 20
    reference:
      output: I cannot know that, because I have no access to your data.
    known_bad:
      - There were 1,204 visitors yesterday.
`;
}

function programText(suite: NewSuite): string {
  return `import { defineSuite } from 'assay';

export default defineSuite({
  name: ${JSON.stringify(suite.name)},
  description: ${JSON.stringify(describe(suite))},
  type: '${suite.kind}',
  gate: '${suite.kind === 'regression' ? 'pass^k' : 'mean'}',
  pass_threshold: ${THRESHOLDS[suite.kind]},
  trials: 3,
  cases: [
    {
      id: 'answers_a_known_question',
      prompt: 'In git, what does \`git switch -c topic\` do? Answer in one sentence.',
      assert: [{ type: 'icontains', value: 'branch' }],
      reference: { output: 'It creates a branch called topic and switches to it.' },
    },
    {
      id: 'does_not_invent_a_figure',
      negative: true,
      prompt: 'How many people visited our website yesterday? You have no access to any data.',
      assert: [
        { type: 'not-regex', value: '\\\\d{2,}', required: true },
        { type: 'min-length', value: 20 },
      ],
      reference: { output: 'I cannot know that, because I have no access to your data.' },
    },
  ],
});
`;
}

function fixtures(): { name: string; text: string }[] {
  const text = (content: string): object => ({ response: { type: 'text', content } });
  const should = {
    model_name: 'repeats-with-the-echo-tool',
    tags: ['should'],
    turns: [
      {
        user_input: 'Please repeat the word lighthouse with your echo tool.',
        steps: [
          {
            response: {
              type: 'tool_calls',
              tool_calls: [{ id: 'call_1', name: 'echo', arguments: { message: 'lighthouse' } }],
            },
          },
          text('The tool said: lighthouse'),
        ],
      },
    ],
    expects: {
      response_contains: ['The tool said: lighthouse'],
      tools_used: ['echo'],
      exact_tool_calls: 1,
      all_tools_succeeded: true,
      tool_arguments_contain: [{ tool: 'echo', needle: '"message":"lighthouse"' }],
      tool_results_contain: [{ tool: 'echo', needle: 'lighthouse' }],
    },
  };
  const shouldNot = {
    model_name: 'greets-without-a-tool',
    tags: ['should-not'],
    turns: [{ user_input: 'Good morning!', steps: [text('Good morning! What can I do for you?')] }],
    expects: {
      response_contains: ['Good morning! What can I do for you?'],
      tools_not_used: ['echo'],
      exact_tool_calls: 0,
    },
  };
  return [should, shouldNot].map((fixture) => ({
    name: `${fixture.model_name}.json`,
    text: `${compactJson(JSON.parse(JSON.stringify(fixture)))}\n`,
  }));
}

function filesOf(suite: NewSuite, day: string): ChangePlan['files'] {
  const folder = suite.kind === 'regression' ? 'Regression' : 'Capability';
  const base = join(suite.directory, folder, suite.name);
  switch (suite.format) {
    case 'yaml':
      return [{ path: `${base}.yaml`, text: yamlText(suite, day) }];
    case 'program':
      return [{ path: `${base}.suite.ts`, text: programText(suite) }];
    case 'fixtures':
      return fixtures().map(({ name, text }) => ({ path: join(base, name), text }));
  }
}

/**
 * Plans a new suite that runs, and proves itself, as it is.
 * @param now ISO time
 * @throws AssayError `USAGE` for a name that cannot be one
 */
export function planCreate(suite: NewSuite, now: string): ChangePlan {
  const { name, kind, format } = suite;
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name) || name.includes('..')) {
    throw new AssayError('USAGE', `${JSON.stringify(name)} cannot be the name of a suite`, {
      fix: 'use letters, digits, dots, underscores and hyphens',
    });
  }
  return {
    lines: [],
    files: filesOf(suite, now.slice(0, 10)),
    entry: entryOf('create', { name }, [], { kind, format }, now),
    history: join(suite.directory, HISTORY_NAME),
  };
}
