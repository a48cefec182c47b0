import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quote, type CheckSpecOf, type Recording } from '../core/index.js';
import { graderEnvironment } from './child-environment.js';
import { runChild } from './child-process.js';
import { cannotGrade, decide, type Verdict } from './grader.js';

const TAIL_CHARACTERS = 500;

function outputEnd(tail: string): string {
  const text = Array.from(tail.trimEnd()).slice(-TAIL_CHARACTERS).join('');
  return text === '' ? '; it printed nothing' : `; its output ends:\n${text}`;
}

async function gradeIn(spec: CheckSpecOf<'command'>, directory: string): Promise<Verdict> {
  const program = quote(spec.command[0] ?? '');
  const end = await runChild({
    command: spec.command,
    directory,
    environment: graderEnvironment(directory),
    timeoutMs: spec.timeoutMs,
    ...(spec.stdoutContains === undefined ? {} : { needle: spec.stdoutContains }),
  });
  if (end.kind === 'not-started') return cannotGrade(`cannot start ${program}: ${end.message}`);
  if (end.kind === 'timeout') {
    return cannotGrade(`${program} was stopped after ${spec.timeoutMs} ms${outputEnd(end.tail)}`);
  }
  if (end.exitCode === null) {
    return decide(false, `${program} was ended by ${end.signal ?? 'a signal'}${outputEnd(end.tail)}`);
  }
  const wanted = `exit code ${end.exitCode}, ${spec.exitCode} is wanted`;
  const text = spec.stdoutContains === undefined ? '' : quote(spec.stdoutContains);
  const printed =
    text === '' ? '' : `; standard output ${end.found ? 'contains' : 'does not contain'} ${text}`;
  return decide(end.exitCode === spec.exitCode && end.found, `${wanted}${printed}${outputEnd(end.tail)}`);
}

/**
 * Runs a program in the workspace after the agent stopped and passes on the wanted exit code (and text on standard
 * output, if one is given). No shell, standard input closed, the environment by allowlist, HOME the workspace. Running
 * out of time is an error. Without a workspace it runs in an empty directory.
 */
export async function gradeCommand(spec: CheckSpecOf<'command'>, recording: Recording): Promise<Verdict> {
  if (spec.command.length === 0) return cannotGrade('there is no program to run');
  if (recording.workspace !== undefined) return gradeIn(spec, recording.workspace.root);
  const directory = mkdtempSync(join(tmpdir(), 'assay-empty-'));
  try {
    return await gradeIn(spec, directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
