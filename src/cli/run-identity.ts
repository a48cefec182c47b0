import { readFileSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { AssayError, quote, sha256, type JsonValue } from '../core/index.js';
import type { RunHeader } from '../store/index.js';

/** SHA-256 of a file's bytes; null when it cannot be read. */
function contentOf(path: string): string | null {
  try {
    return sha256(readFileSync(path, 'latin1'));
  } catch {
    return null;
  }
}

/** The file that a model string names, absolute and with links followed; null for models that are no file. */
function moduleFile(ref: string | null, directory: string): string | null {
  if (ref === null || !ref.startsWith('module:')) return null;
  const path = resolve(directory, ref.slice('module:'.length).replace(/#[^#/]*$/, ''));
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** A model string under which the same module has the same name, however its path was written. */
export function canonicalRef(ref: string, directory: string): string {
  const file = moduleFile(ref, directory);
  if (file === null) return ref;
  const exported = /#[^#/]*$/.exec(ref)?.[0] ?? '';
  return `module:${file}${exported}`;
}

/** Content of what answers and judges in a run, where that is a file: part of what a resumed run must share. */
export function inputsOf(run: {
  agentModel: string;
  judgeModel: string | null;
  outputs: string | null;
  directory: string;
}): { [name: string]: JsonValue } {
  const agent = moduleFile(run.agentModel, run.directory);
  const judge = moduleFile(run.judgeModel, run.directory);
  return {
    agent: agent === null ? null : contentOf(agent),
    judge: judge === null ? null : contentOf(judge),
    outputs: run.outputs === null ? null : contentOf(run.outputs),
  };
}

/**
 * A run that goes on must be answered and judged by what it began with: else trials of two models would be counted as
 * those of one.
 * @throws AssayError `STORE` naming what differs
 */
export function requireSameRun(stored: RunHeader, now: RunHeader): void {
  const differences: string[] = [];
  const differ = (what: string, before: string | null, after: string | null): void => {
    if (before !== after)
      differences.push(
        `${what} was ${before === null ? 'none' : quote(before)}, now ${after === null ? 'none' : quote(after)}`,
      );
  };
  differ('the mode', stored.mode, now.mode);
  differ("the agent's model", stored.agentModel, now.agentModel);
  differ('the judge', stored.judgeModel, now.judgeModel);
  differ('the system prompt', stored.promptHash, now.promptHash);
  const before = JSON.stringify(stored.settings?.['inputs'] ?? null);
  const after = JSON.stringify(now.settings?.['inputs'] ?? null);
  if (differences.length === 0 && before !== after && before !== 'null') {
    differences.push(
      'a file that answers or judges (model module, judge module or stored outputs) has changed since',
    );
  }
  if (differences.length === 0) return;
  throw new AssayError('STORE', `the run cannot go on: ${differences.join('; ')}`, {
    fix: 'resume with what the run began with, or start a new run without --resume',
  });
}
