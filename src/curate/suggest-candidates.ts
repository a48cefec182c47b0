import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, Recording } from '../core/index.js';
import type { Mutant } from './mutant.js';
import { callCandidates } from './suggest-calls.js';
import { jsonCandidates, textCandidates } from './suggest-text.js';

/** A check that might catch a mutant, in both forms in which it can be written. */
export interface Candidate {
  /** As a suite writes it. */
  assertion: JsonObject;
  /** As a trace fixture writes it: keys of `expects`, of the whole case or of one turn (0-based). */
  fixture: { turn: number | null; expects: JsonObject };
}

/** Slack that a suggested bound leaves over what was used. */
const SLACK = 2;

function turnCandidates(original: Recording, changed: Recording): Candidate[] {
  const last = original.turns.length - 1;
  return original.turns.flatMap(({ text }, turn) => {
    const other = changed.turns[turn]?.text ?? '';
    if (other === text) return [];
    const json = turn === last ? jsonCandidates(text, other) : [];
    return [...json, ...textCandidates(text, other, turn === last ? null : turn)];
  });
}

function bounds(original: Recording, changed: Recording): Candidate[] {
  const { usage, durationMs, llmCalls } = original;
  const bound = (assertion: JsonObject, budget: JsonObject): Candidate => ({
    assertion,
    fixture: { turn: null, expects: { budget } },
  });
  const found: Candidate[] = [];
  if (usage.inputTokens !== changed.usage.inputTokens) {
    const value = usage.inputTokens * SLACK;
    found.push(bound({ type: 'tokens', kind: 'input', value }, { max_input_tokens: value }));
  }
  if (usage.outputTokens !== changed.usage.outputTokens) {
    const value = usage.outputTokens * SLACK;
    found.push(bound({ type: 'tokens', kind: 'output', value }, { max_output_tokens: value }));
  }
  if (durationMs !== changed.durationMs) {
    const value = Math.ceil(durationMs * SLACK);
    found.push(bound({ type: 'latency', value }, { max_duration_ms: value }));
  }
  if (usage.cost !== null && usage.cost !== changed.usage.cost) {
    const assertion = { type: 'cost', value: usage.cost * SLACK };
    found.push({ assertion, fixture: { turn: null, expects: { assert: [assertion] } } });
  }
  if (llmCalls !== changed.llmCalls) {
    // Suites have no bound of their own for model requests.
    const expects = { budget: { max_llm_calls: llmCalls } };
    found.push({ assertion: {}, fixture: { turn: null, expects } });
  }
  return found;
}

function fileCandidates(original: Recording, mutant: Mutant): Candidate[] {
  const { file } = mutant;
  const root = original.workspace?.root;
  if (file === undefined || root === undefined) return [];
  const { path } = file;
  const exists: Candidate = {
    assertion: { type: 'file-exists', value: path },
    fixture: { turn: null, expects: { workspace: { file_exists: [path] } } },
  };
  if (file.content === null) return [exists];
  const lines = readFileSync(join(root, path)).toString('utf8').split('\n');
  const line = lines.map((text) => text.trim()).find((text) => text.length >= 3 && text.length <= 120);
  if (line === undefined) return [];
  return [
    {
      assertion: { type: 'file-contains', path, value: line },
      fixture: { turn: null, expects: { workspace: { file_contains: { [path]: [line] } } } },
    },
  ];
}

/** Checks that hold for the recording and may fail for its mutant, the most fitting first. They are not tried here. */
export function candidatesFor(original: Recording, mutant: Mutant): Candidate[] {
  switch (mutant.facet) {
    case 'text':
      return turnCandidates(original, mutant.recording);
    case 'calls':
      return callCandidates(original, mutant.recording);
    case 'usage':
      return bounds(original, mutant.recording);
    case 'files':
      return fileCandidates(original, mutant);
  }
}
