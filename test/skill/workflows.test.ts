import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createProgram } from '../../src/cli/command-line.js';
import { WORKFLOWS } from '../../src/skill/workflows.js';
import { CLI, cleanEnvironment, project, type Ended, type Project } from '../cli/run-cli.js';
import { readSkillFile, SKILL } from './workflow-file.js';

/** A shell line in a project in which `assay` and `claude` are commands. */
function shell({ root }: Project, line: string): Promise<Ended> {
  return new Promise((done, failed) => {
    const environment = cleanEnvironment({ HOME: join(root, 'home') });
    const child = spawn('/bin/sh', ['-c', line], {
      cwd: root,
      env: { ...environment, PATH: `${join(root, 'bin')}:${environment['PATH'] ?? ''}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', failed);
    child.on('close', (code, signal) => done({ code, signal, stdout, stderr }));
  });
}

async function done(place: Project, line: string, code = 0): Promise<Ended> {
  const ended = await shell(place, line);
  expect(ended.code, `${line}\n${ended.stdout}\n${ended.stderr}`).toBe(code);
  return ended;
}

/** A project with the suite greetings, and stand-ins for the commands that the workflows and Assay itself start. */
async function prepared(): Promise<Project> {
  const place = project({
    'assay.config.yaml': 'eval: {}\n',
    'bad.jsonl': '{"id":"answers_a_known_question","trial":1,"output":"It deletes the folder."}\n',
  });
  onTestFinished(() => place.remove());
  const bin = join(place.root, 'bin');
  mkdirSync(bin);
  mkdirSync(join(place.root, 'home'));
  writeFileSync(join(bin, 'assay'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
  copyFileSync(join(import.meta.dirname, 'desk-claude.mjs'), join(bin, 'claude'));
  for (const name of ['assay', 'claude']) chmodSync(join(bin, name), 0o755);
  await done(place, 'assay suite create greetings --type capability');
  return place;
}

/** What stands in a project before a workflow begins. */
const BEFORE: Record<string, readonly (readonly [line: string, code: number])[]> = {
  RunScenario: [['assay scenario create refund --type capability', 0]],
  ViewResults: [
    ['assay run greetings --case answers_a_known_question --trials 1 --outputs bad.jsonl', 1],
    ['assay run greetings', 0],
    ['assay run greetings', 0],
  ],
};

/** Puts the ids of stored runs where a workflow says which run is meant. */
async function withRuns(place: Project, line: string): Promise<string> {
  if (!/\b(?:FIRST|SECOND|FAILED)_RUN\b/.test(line)) return line;
  const listed: { runs: { runId: string; outcome: string }[] } = JSON.parse(
    (await done(place, 'assay list runs --json')).stdout,
  );
  const passed = listed.runs.filter((run) => run.outcome === 'passed').map((run) => run.runId);
  const failed = listed.runs.find((run) => run.outcome === 'failed');
  return line
    .replaceAll('FIRST_RUN', passed[1] ?? 'NONE')
    .replaceAll('SECOND_RUN', passed[0] ?? 'NONE')
    .replaceAll('FAILED_RUN', failed?.runId ?? 'NONE')
    .replaceAll('FAILED_CASE', 'answers_a_known_question');
}

/** The command that the words of a line name, and its flags that do not exist. */
function unknownFlags(line: string): string[] {
  const words = line.split(/\s+/).slice(1);
  let command: Command = createProgram();
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word);
    if (next === undefined) break;
    command = next;
  }
  const known = new Set(command.options.flatMap((option) => [option.long, option.short]));
  const flags = words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.split('=')[0] ?? word);
  return command.parent === null ? [line] : flags.filter((flag) => !known.has(flag));
}

const files = readdirSync(join(SKILL, 'workflows')).toSorted();

describe('the skill', () => {
  test('has one file a workflow, and its first page leads to each of them', () => {
    const { text } = readSkillFile('SKILL.md');
    expect(files).toEqual(WORKFLOWS.map((name) => `${name}.md`).toSorted());
    for (const name of WORKFLOWS) expect(text).toContain(`workflows/${name}.md`);
  });

  test('begins with the front matter that agents look for', () => {
    const { text } = readSkillFile('SKILL.md');
    const head = /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? '';
    const description =
      /^description: >-\n((?: {2}.*\n?)+)/m.exec(head)?.[1]?.replace(/\s+/g, ' ').trim() ?? '';
    expect(head).toMatch(/^name: assay$/m);
    expect(description.length).toBeGreaterThan(100);
    expect(description.length).toBeLessThanOrEqual(1024);
  });

  test.each([...WORKFLOWS])('%s says in English and in Japanese when it is meant', (name) => {
    const { text } = readSkillFile(`workflows/${name}.md`);
    expect(text).toMatch(/^\*\*Triggers:\*\* "[^"]+"/m);
    expect(text).toMatch(/^\*\*トリガー:\*\* 「[^」]*[\u3040-\u30ff\u4e00-\u9fff][^」]*」/m);
    const row =
      readSkillFile('SKILL.md')
        .text.split('\n')
        .find((line) => line.startsWith(`| ${name} `)) ?? '';
    expect(row).toMatch(/[a-z]{3}.*[\u3040-\u30ff]/);
  });

  test.each(['SKILL.md', ...files.map((name) => `workflows/${name}`)])(
    'mentions only commands and flags that exist: %s',
    (name) => {
      const { mentioned, commands } = readSkillFile(name);
      for (const line of [...mentioned, ...commands]) {
        // What stands in quotes is a value, not a flag.
        expect(unknownFlags(line.replace(/'[^']*'/g, 'VALUE')), line).toEqual([]);
      }
    },
  );
});

describe('every command line of a workflow works, in order, in one project', () => {
  test.each([...WORKFLOWS])('%s', async (name) => {
    const { commands, files: written } = readSkillFile(`workflows/${name}.md`);
    const place = await prepared();
    for (const [line, code] of BEFORE[name] ?? []) await done(place, line, code);
    for (const [file, text] of written) place.write(file, text);
    expect(commands.length).toBeGreaterThan(2);
    for (const line of commands) await done(place, await withRuns(place, line));
    const log = JSON.parse((await done(place, 'assay log --list --json')).stdout);
    expect(log).toMatchObject({
      entries: [{ skill: 'assay', workflow: name, status: 'ok' }],
      broken_lines: [],
    });
  });
});
