import { isJsonObject, type JsonValue, type KeyPath, type TrialLimits } from '../core/index.js';
import { compileAgent } from './assertion-agent.js';
import type { CaseHead } from './assertion-suite-schema.js';
import type { SourceAt } from './assertion-text.js';
import type { AgentSpec } from './case.js';
import type { CaseNames } from './case-texts.js';
import type { RuleProblem } from './document.js';
import type { PathRoot } from './inside-path.js';
import { isSafeRelativePath } from '../core/index.js';
import { checkpointsIn } from './scenario-checks.js';
import { scenarioLength, scenarioRules, scenarioTurns } from './scenario.js';

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
  /** Recordings of simulated users are about to be written. */
  recordingAgain: boolean;
}

/** Rules of a case's own keys that do not depend on variables. */
export function headRules(head: CaseHead, path: KeyPath): RuleProblem[] {
  const problems: RuleProblem[] = [];
  const refuse = (inner: KeyPath, message: string, fix: string, at: 'key' | 'value' = 'value'): void => {
    problems.push({ path: [...path, ...inner], message, fix, at });
  };
  if (head.scenario !== undefined) {
    problems.push(...scenarioRules(head.scenario, [...path, 'scenario']));
    for (const key of ['prompt', 'turns'] as const) {
      if (head[key] === undefined) continue;
      refuse(
        [key],
        'the scenario says what the user says',
        'write it as opening or script of the scenario',
        'key',
      );
    }
  } else if (head.prompt === undefined && head.turns === undefined) {
    refuse(
      ['prompt'],
      'missing; a prompt is required here',
      'add prompt, turns with a prompt each, or a scenario',
    );
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
  const { scenario } = head;
  const grades =
    scenario !== undefined && (scenario.criteria !== undefined || scenario.checkpoints !== undefined);
  if (head.assert === undefined && turnAsserts.length === 0 && !grades) {
    refuse(
      ['assert'],
      'missing; a list of assertions is required here',
      scenario === undefined
        ? 'add assert: a case without one tests nothing'
        : 'add criteria to the scenario, or assert: a case without either tests nothing',
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
  const context = { path: [...path, 'agent'], root: frame.root, sourceAt: frame.sourceAt };
  const agent =
    head.agent === undefined ? frame.agent : (compileAgent(head.agent, context, problems) ?? frame.agent);
  if (
    head.scenario !== undefined &&
    agent.type === 'command' &&
    agent.preset !== undefined &&
    scenarioLength(head.scenario) > 1
  ) {
    problems.push({
      path: [...path, 'scenario'],
      message: `the agent ${agent.preset} is started anew for every turn and forgets the conversation`,
      fix: 'write the agent as a command that keeps its conversation in its home or workspace',
      at: 'key',
    });
  }
  return agent;
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
  for (const { checkpoint, turn, path: at } of checkpointsIn(raw, path)) {
    const values = checkpoint['assert'];
    if (Array.isArray(values)) lists.push({ values, path: [...at, 'assert'], turn });
  }
  const whole = raw['assert'];
  if (Array.isArray(whole)) lists.push({ values: whole, path: [...path, 'assert'], turn: null });
  return lists;
}

/** User turns of a case that may be of any shape; at least 1. */
export function countTurns(raw: JsonValue): number {
  if (!isJsonObject(raw)) return 1;
  if (raw['scenario'] !== undefined) return scenarioTurns(raw['scenario']);
  const turns = raw['turns'];
  return Math.max(1, (raw['prompt'] === undefined ? 0 : 1) + (Array.isArray(turns) ? turns.length : 0));
}
