import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadConfig } from '../../config/index.js';
import { AssayError, didYouMean } from '../../core/index.js';
import { displayPath } from '../../suite/index.js';
import type { CreateFlags } from '../commands/suite.js';
import { suiteRoots } from '../open-suites.js';
import { say } from '../streams.js';

const KINDS = ['regression', 'capability'];

/** The text of a new suite: it runs as it is, and shows one case of each polarity. */
function suiteText(name: string, flags: CreateFlags): string {
  const regression = flags.type === 'regression';
  const domain = flags.domain === undefined ? '' : `domain: ${JSON.stringify(flags.domain)}\n`;
  return `# Assertion suite. What can be written here: assay schema suite, assay explain
name: ${name}
description: ${JSON.stringify(flags.description ?? `What ${name} must and must not do`)}
type: ${flags.type}
${domain}# ${regression ? 'Every trial of every case must pass: pass^k gates.' : 'Progress is tracked by the mean score.'}
gate: ${regression ? 'pass^k' : 'mean'}
pass_threshold: ${regression ? '0.95' : '0.7'}
saturation_threshold: 0.95
trials: 3

cases:
  - id: answers_a_known_question
    prompt: In git, what does \`git switch -c topic\` do? Answer in one sentence.
    assert:
      - type: icontains
        value: branch
      - type: max-length
        value: 400

  - id: does_not_invent_a_figure
    negative: true
    prompt: How many people visited our website yesterday? You have no access to any data.
    assert:
      - type: not-regex
        value: '\\d{2,}'
      - type: min-length
        value: 20
`;
}

/**
 * `assay suite create`.
 * @throws AssayError for a bad name or type, and when the suite exists already
 */
export async function createAction(name: string, flags: CreateFlags): Promise<void> {
  const cwd = process.cwd();
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name) || name.includes('..')) {
    throw new AssayError('USAGE', `${JSON.stringify(name)} cannot be the name of a suite`, {
      fix: 'use letters, digits, dots, underscores and hyphens',
    });
  }
  if (!KINDS.includes(flags.type)) {
    const meant = didYouMean(flags.type, KINDS);
    throw new AssayError('USAGE', `--type must be one of ${KINDS.join(', ')}`, {
      fix: meant === null ? '' : `did you mean ${meant}?`,
    });
  }
  const loaded = await loadConfig(cwd, flags.config);
  const [directory = cwd] = suiteRoots(loaded).projectDirs;
  const folder = flags.type === 'regression' ? 'Regression' : 'Capability';
  const path = join(directory, folder, `${name}.yaml`);
  if (existsSync(path) && flags.force !== true) {
    throw new AssayError('INPUT', `${displayPath(path, cwd)} exists already`, {
      fix: 'use --force to overwrite it',
    });
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, suiteText(name, flags));
  say(`wrote ${displayPath(path, cwd)}\n\nnext: assay run -s ${name}`);
}
