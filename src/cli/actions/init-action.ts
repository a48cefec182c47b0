import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { AssayError } from '../../core/index.js';
import { displayPath } from '../../suite/index.js';
import { say } from '../streams.js';

const CONFIG = `# Assay configuration. Editors complete it with: assay schema config
eval:
  suite_dir: evals/regression
  mode: replay
`;

const SHOULD = `{
  "model_name": "repeat-request-uses-the-echo-tool",
  "tags": ["example"],
  "turns": [
    {
      "user_input": "Please repeat the word lighthouse with your echo tool.",
      "steps": [
        {
          "response": {
            "type": "tool_calls",
            "tool_calls": [{ "id": "call_1", "name": "echo", "arguments": { "message": "lighthouse" } }]
          }
        },
        { "response": { "type": "text", "content": "The tool said: lighthouse" } }
      ]
    }
  ],
  "expects": {
    "response_contains": ["lighthouse"],
    "tools_used": ["echo"],
    "exact_tool_calls": 1,
    "tool_arguments_contain": [{ "tool": "echo", "needle": "\\"message\\":\\"lighthouse\\"", "call_index": 0 }]
  }
}
`;

const SHOULD_NOT = `{
  "model_name": "greeting-uses-no-tool",
  "tags": ["example"],
  "turns": [
    {
      "user_input": "Good morning!",
      "steps": [{ "response": { "type": "text", "content": "Good morning! What can I do for you?" } }]
    }
  ],
  "expects": {
    "response_contains": ["Good morning"],
    "tools_not_used": ["echo"],
    "max_tool_calls": 0
  }
}
`;

const CI = `# Copy into your CI: exit code 0 only if every case passed.
name: evals
on: [push, pull_request]
jobs:
  evals:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 20
      - run: npm ci
      - run: npx assay run --format junit --out assay-results.xml
`;

/** What `assay init` writes, by path. */
const FILES: readonly (readonly [string, string])[] = [
  ['assay.config.yaml', CONFIG],
  ['evals/regression/repeat_request_uses_the_echo_tool.json', SHOULD],
  ['evals/regression/greeting_uses_no_tool.json', SHOULD_NOT],
  ['evals/ci/github-actions.yml', CI],
];

/**
 * `assay init`: writes everything or nothing.
 * @throws AssayError naming every file that exists already
 */
export function initAction(directory: string, force: boolean): void {
  const root = resolve(directory);
  const existing = FILES.map(([path]) => path).filter((path) => existsSync(join(root, path)));
  if (existing.length > 0 && !force) {
    throw new AssayError(
      'INPUT',
      `nothing written: ${existing.join(', ')} ${existing.length === 1 ? 'exists' : 'exist'} already`,
      {
        fix: 'use --force to overwrite, or another directory',
      },
    );
  }
  for (const [path, text] of FILES) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const shown = displayPath(root, process.cwd());
  say(
    [
      ...FILES.map(([path]) => `wrote ${shown === '.' ? path : join(shown, path)}`),
      '',
      `next: ${shown === '.' ? '' : `cd ${shown} && `}assay run`,
    ].join('\n'),
  );
}
