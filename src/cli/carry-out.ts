import { createInterface } from 'node:readline/promises';
import { terminalLine } from '../core/index.js';
import { applyPlan, type ChangePlan } from '../curate/index.js';
import { displayPath } from '../suite/index.js';
import { note, say } from './streams.js';

async function agreed(): Promise<boolean> {
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await asking.question('do it? [y/N] ');
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    asking.close();
  }
}

function saidFiles(plan: ChangePlan, cwd: string): void {
  for (const { path, text } of plan.files) {
    say(terminalLine(`${text === null ? 'removed' : 'wrote'} ${displayPath(path, cwd)}`));
  }
}

/** Makes a change that the command itself asks for. */
export async function carryOut(plan: ChangePlan, cwd: string): Promise<void> {
  await applyPlan(plan);
  for (const line of plan.lines) say(terminalLine(line));
  saidFiles(plan, cwd);
}

/** True when a person confirms what was shown: with `--yes`, or at the terminal. Otherwise says that nothing changes. */
export async function confirmed(flags: { yes?: boolean }): Promise<boolean> {
  if (flags.yes === true) return true;
  const canAsk = process.stdin.isTTY && process.stderr.isTTY;
  if (canAsk && (await agreed())) return true;
  note(canAsk ? 'nothing was changed' : 'nothing was changed: --yes carries it out');
  return false;
}

/**
 * Proposes a change and makes it once a person confirms: with `--yes`, or at the terminal. Otherwise nothing changes.
 * @returns true when the change was made
 */
export async function propose(plan: ChangePlan, flags: { yes?: boolean }, cwd: string): Promise<boolean> {
  for (const line of plan.lines) say(terminalLine(line));
  if (!(await confirmed(flags))) return false;
  await applyPlan(plan);
  saidFiles(plan, cwd);
  return true;
}
