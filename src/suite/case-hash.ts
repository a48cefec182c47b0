import { canonicalJson, sha256, type CheckSpec } from '../core/index.js';
import type { AgentSpec, Case } from './case.js';
import { fileIdentity, portablePath } from './inside-path.js';

/**
 * What a check contributes to the hash of its case: everything that decides its outcome. Its label and place do not
 * count, paths count from the suite's root on, and files that it compares with or runs count by their content.
 */
export function checkHashText(check: CheckSpec, root: string): string {
  const { label: _label, key: _key, category: _category, ...content } = check;
  if (content.type === 'matches-file' || content.type === 'program') {
    return canonicalJson({ ...content, path: fileIdentity(content.path, root) });
  }
  return canonicalJson(content);
}

function agentContent(agent: AgentSpec, root: string): unknown {
  return agent.type === 'module' ? { ...agent, path: portablePath(agent.path, root) } : agent;
}

/** What of a case decides what its trials do and how they are graded, apart from its checks. */
export type HashedFields = Pick<
  Case,
  'id' | 'turns' | 'scoring' | 'agent' | 'systemPrompt' | 'setupFiles' | 'tools' | 'allowEmpty'
>;

/**
 * SHA-256 over the canonical, default-filled content of a case. The number of trials, tags, owner and the like do not
 * count: a finished trial stays valid when they change.
 */
export function caseHash(fields: HashedFields, checks: readonly string[], root: string): string {
  const { id, turns, scoring, agent, systemPrompt, setupFiles, tools, allowEmpty } = fields;
  const rest = canonicalJson({
    id,
    prompts: turns.map((turn) => turn.user),
    scoring,
    agent: agentContent(agent, root),
    systemPrompt,
    setupFiles,
    tools,
    allowEmpty,
  });
  return sha256(`{"checks":[${checks.join(',')}],"case":${rest}}`);
}
