import type { Command } from 'commander';
import { checkReference } from '../grade/index.js';
import { statsGroups } from '../stats/index.js';
import { schemaText } from './actions/schema-action.js';
import { createProgram } from './command-line.js';

const NOTICE = '<!-- Generated from the code by npm run generate. Do not edit. -->';

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function helpOf(command: Command, name: string): string[] {
  const lines = [`## ${name}`, '', '```', command.helpInformation().trimEnd(), '```', ''];
  for (const child of command.commands) lines.push(...helpOf(child, `${name} ${child.name()}`));
  return lines;
}

function commandPage(): string {
  const program = createProgram();
  program.configureHelp({ helpWidth: 100 });
  const lines = ['# Command line', '', NOTICE, ''];
  for (const command of program.commands) {
    command.configureHelp({ helpWidth: 100 });
    lines.push(...helpOf(command, `assay ${command.name()}`));
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function checksPage(): string {
  const lines = [
    '# Checks',
    '',
    NOTICE,
    '',
    'Every check that a case can use. `assay explain NAME` prints one with its parameters and an example. A name with the prefix `not-` passes where the plain check fails; `unknown` and `error` are never turned into a pass.',
    '',
    '| check | passes when |',
    '| --- | --- |',
    ...checkReference.map((entry) => `| \`${entry.name}\` | ${cell(entry.passes)} |`),
  ];
  return `${lines.join('\n')}\n`;
}

function statisticsPage(): string {
  const lines = [
    '# Statistics',
    '',
    NOTICE,
    '',
    "Every function of `assay/stats`, and of `assay stats NAME '{...}'`. Undefined results are `null`; bad input is a typed error.",
    '',
    '| name | what it is | in | out | formula |',
    '| --- | --- | --- | --- | --- |',
    ...[...statsGroups.values()].map(
      (group) =>
        `| \`${group.name}\` | ${cell(group.summary)} | ${cell(group.inputs.join(', '))} | ${cell(group.outputs.join(', '))} | ${cell(group.formula)} |`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** Every file that is written from the code: path relative to the repository, and its text. */
export function generatedFiles(): [string, string][] {
  return [
    ['schemas/trace.schema.json', schemaText('trace')],
    ['schemas/suite.schema.json', schemaText('suite')],
    ['schemas/config.schema.json', schemaText('config')],
    ['docs/reference/command-line.md', commandPage()],
    ['docs/reference/checks.md', checksPage()],
    ['docs/reference/statistics.md', statisticsPage()],
  ];
}
