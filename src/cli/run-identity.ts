import { realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import {
  AssayError,
  canonicalJson,
  isJsonObject,
  moduleContent,
  quote,
  sha256,
  type JsonObject,
  type JsonValue,
} from '../core/index.js';
import type { ResolvedModel } from '../model/index.js';
import type { RunHeader } from '../store/index.js';
import { caseTraits, type Suite } from '../suite/index.js';

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
  return `module:${file}${exported === '#default' ? '' : exported}`;
}

/** What decides the answers of a model beside its name, as a hash: effort, server, settings, code of a module. */
export function modelScope(model: {
  resolved: Pick<ResolvedModel, 'cacheScope'>;
  fallback: Pick<ResolvedModel, 'ref' | 'cacheScope'> | null;
}): string {
  const { resolved, fallback } = model;
  const second = fallback === null ? null : { ref: fallback.ref, scope: fallback.cacheScope };
  return sha256(canonicalJson({ scope: resolved.cacheScope, fallback: second }));
}

/** What answers and judges in a run, beside the names of the models. */
export interface RunInputs {
  suite: Suite;
  /** As `modelScope`; null where no model answers, or judges. */
  agentScope: string | null;
  judgeScope: string | null;
  /** Absent where no model plays users. */
  simulatorScope?: string | null;
  /** Absolute; null when no stored answers are graded. */
  outputs: string | null;
  /** Directory that models are looked up in; absolute. */
  directory: string;
}

/** The same as hashes of what was read: part of what a resumed run must share. Keys say what it is to a person. */
export function inputsOf(run: RunInputs): JsonObject {
  const { agentFiles, judges } = caseTraits(run.suite.cases);
  const inputs: { [name: string]: JsonValue } = {};
  const add = (name: string, content: string | null): void => {
    if (content !== null) inputs[name] = content;
  };
  add("the settings or the code of the agent's model", run.agentScope);
  add('the settings or the code of the judge', run.judgeScope);
  add('the settings or the code of the simulator', run.simulatorScope ?? null);
  if (run.outputs !== null) add('the file of stored outputs', moduleContent(run.outputs));
  for (const path of agentFiles) add(`the agent ${portable(path, run.suite.root)}`, moduleContent(path));
  for (const ref of judges) {
    const file = moduleFile(ref, run.directory);
    if (file !== null) add(`the judge ${ref}`, moduleContent(file));
  }
  return inputs;
}

function portable(path: string, root: string): string {
  return relative(root, path).split(sep).join('/');
}

/** Names of the inputs that are not the same in both, as far as both know them. */
function changedInputs(before: JsonObject, now: JsonObject): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => before[name] !== now[name]);
}

function settingText({ settings }: RunHeader, key: string): string | null {
  const value = settings?.[key];
  return typeof value === 'string' ? value : null;
}

/**
 * A run that goes on must be answered and judged by what it began with: else trials of two models would be counted as
 * those of one.
 * @throws AssayError `STORE` naming what differs
 */
export function requireSameRun(stored: RunHeader, now: RunHeader): void {
  const differences: string[] = [];
  const differ = (what: string, before: string | number | null, after: string | number | null): void => {
    const shown = (value: string | number | null): string =>
      value === null ? 'none' : typeof value === 'number' ? String(value) : quote(value);
    if (before !== after) differences.push(`${what} was ${shown(before)}, now ${shown(after)}`);
  };
  differ('the mode', stored.mode, now.mode);
  differ("the agent's model", stored.agentModel, now.agentModel);
  differ('the judge', stored.judgeModel, now.judgeModel);
  differ('the simulator', settingText(stored, 'simulatorModel'), settingText(now, 'simulatorModel'));
  if (stored.promptHash !== now.promptHash) differences.push('the system prompt has changed');
  const before = stored.settings?.['inputs'];
  const after = now.settings?.['inputs'];
  if (differences.length === 0 && isJsonObject(before) && isJsonObject(after)) {
    differences.push(...changedInputs(before, after).map((name) => `${name} changed`));
  }
  if (differences.length === 0) return;
  throw new AssayError('STORE', `the run cannot go on: ${differences.join('; ')}`, {
    fix: 'resume with what the run began with, or start a new run without --resume',
  });
}
