import { isJsonObject, type JsonValue, type KeyPath, type TrialLimits } from '../core/index.js';
import { compileAgent } from './assertion-agent.js';
import type { CaseHead } from './assertion-suite-schema.js';
import type { SourceAt } from './assertion-text.js';
import type { AgentSpec } from './case.js';
import type { CaseNames } from './case-texts.js';
import type { RuleProblem } from './document.js';
import type { PathRoot } from './inside-path.js';
import { isSafeRelativePath } from '../core/index.js';

/** What the cases of a suite share. */
export interface SuiteFrame {
  passThreshold: number;
  trials: number;
  owner: string | null;
  tags: readonly string[];
  systemPrompt: CaseNames['systemPrompt'];
  agent: AgentSpec;
  /** Hard limits of a trial that the suite sets. */
  limits?: TrialLimits;
  root: PathRoot;
  sourceAt: SourceAt;
  goldenFilesMayBeMissing: boolean;
}

/** Rules of a case's own keys that do not depend on variables. */
export function headRules(head: CaseHead, path: KeyPath): RuleProblem[] {
  const problems: RuleProblem[] = [];
  const refuse = (inner: KeyPath, message: string, fix: string, at: 'key' | 'value' = 'value'): void => {
    problems.push({ path: [...path, ...inner], message, fix, at });
  };
  if (head.prompt === undefined && head.turns === undefined) {
    refuse(['prompt'], 'missing; a prompt is required here', 'add prompt, or turns with a prompt each');
  }
  if (head.turns?.length === 0) refuse(['turns'], 'the list is empty', 'add a turn, or remove the key');
  if (head.tags?.length === 0) refuse(['tags'], 'the list is empty', 'add a tag, or remove the key');
  for (const [index, tool] of (head.tools ?? []).entries()) {
    if (tool.trim() === '') refuse(['tools', index], 'must not be blank', 'write the name of a tool');
  }
  for (const name of Object.keys(head.setup?.workspace_files ?? {})) {
    if (isSafeRelativePath(name)) continue;
    refuse(
      ['setup', 'workspace_files', name],
      'is not a path inside the workspace',
      'write a relative path without ..',
      'key',
    );
  }
  const turnAsserts = (head.turns ?? []).filter((turn) => turn.assert !== undefined);
  if (head.assert === undefined && turnAsserts.length === 0) {
    refuse(
      ['assert'],
      'missing; a list of assertions is required here',
      'add assert: a case without one tests nothing',
    );
  }
  const empty = 'the list of assertions is empty, so it tests nothing';
  if (head.assert?.length === 0) refuse(['assert'], empty, 'add an assertion');
  for (const [index, turn] of (head.turns ?? []).entries()) {
    if (turn.assert?.length === 0)
      refuse(['turns', index, 'assert'], empty, 'add an assertion, or remove the key');
  }
  return problems;
}

/** The agent of a case: its own, else the suite's. */
export function caseAgent(
  head: CaseHead,
  frame: SuiteFrame,
  path: KeyPath,
  problems: RuleProblem[],
): AgentSpec {
  if (head.agent === undefined) return frame.agent;
  const context = { path: [...path, 'agent'], root: frame.root, sourceAt: frame.sourceAt };
  return compileAgent(head.agent, context, problems) ?? frame.agent;
}

/** Assertions as they stand in a case that may be of any shape: list, turn they belong to, key path. */
export function assertionLists(
  raw: JsonValue,
  path: KeyPath,
): { values: readonly JsonValue[]; path: KeyPath; turn: number | null }[] {
  if (!isJsonObject(raw)) return [];
  const lists: { values: readonly JsonValue[]; path: KeyPath; turn: number | null }[] = [];
  const turns = raw['turns'];
  if (Array.isArray(turns)) {
    const first = raw['prompt'] === undefined ? 0 : 1;
    turns.forEach((turn, index) => {
      const values = isJsonObject(turn) ? turn['assert'] : undefined;
      if (Array.isArray(values)) {
        lists.push({ values, path: [...path, 'turns', index, 'assert'], turn: first + index });
      }
    });
  }
  const whole = raw['assert'];
  if (Array.isArray(whole)) lists.push({ values: whole, path: [...path, 'assert'], turn: null });
  return lists;
}

/** User turns of a case that may be of any shape; at least 1. */
export function countTurns(raw: JsonValue): number {
  if (!isJsonObject(raw)) return 1;
  const turns = raw['turns'];
  return Math.max(1, (raw['prompt'] === undefined ? 0 : 1) + (Array.isArray(turns) ? turns.length : 0));
}
