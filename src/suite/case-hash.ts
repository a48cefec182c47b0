import { canonicalJson, sha256, type CheckSpec } from '../core/index.js';
import type { AgentSpec, Case, CaseScenario } from './case.js';
import type { FilledTexts } from './case-texts.js';
import { graderFilesIdentity } from './grader-files.js';
import { fileIdentity, portablePath } from './inside-path.js';
import { portableTools } from './loop-tools.js';
import { scenarioIdentity } from './simulator-recording.js';

const NOT_HASHED: ReadonlySet<string> = new Set(['label', 'key', 'category']);

/** The keys of a check that count, in order, by the keys it has. Checks come in few shapes and great numbers. */
const ordered = new Map<string, { all: readonly string[]; hashed: readonly string[] }>();

function hashedKeys(check: CheckSpec): readonly string[] {
  const keys = Object.keys(check);
  const known = ordered.get(check.type);
  if (
    known !== undefined &&
    known.all.length === keys.length &&
    known.all.every((key, at) => key === keys[at])
  ) {
    return known.hashed;
  }
  const hashed = keys.filter((key) => !NOT_HASHED.has(key)).toSorted();
  ordered.set(check.type, { all: keys, hashed });
  return hashed;
}

/**
 * What a check contributes to the hash of its case: everything that decides its outcome, as canonical JSON. Its label
 * and place do not count, paths count from the suite's directory on, and files that it compares with or runs count by
 * their content.
 */
export function checkHashText(check: CheckSpec, root: string): string {
  const file =
    check.type === 'matches-file' || check.type === 'program' ? fileIdentity(check.path, root) : null;
  let text = '{';
  for (const key of hashedKeys(check)) {
    const member: unknown = file !== null && key === 'path' ? file : Reflect.get(check, key);
    text += `${text === '{' ? '' : ','}"${key}":${canonicalJson(member)}`;
  }
  return `${text}}`;
}

/** What the keys of a case that hold no texts contribute to its hash. */
export function fixedHashText(
  fields: Pick<Case, 'agent' | 'scoring' | 'tools' | 'allowEmpty' | 'graderFiles' | 'limits'>,
  root: string,
): string {
  const { graderFiles, ...rest } = fields;
  const files = graderFiles === undefined ? {} : { graderFiles: graderFilesIdentity(graderFiles, root) };
  return canonicalJson({ ...rest, ...files, agent: portableAgent(fields.agent, root) });
}

/**
 * An agent as hashes name it: the same for every machine, and after every edit of its code. What is under test may
 * change while its cases stay comparable.
 */
function portableAgent(agent: AgentSpec, root: string): AgentSpec {
  if (agent.type === 'module') return { ...agent, path: portablePath(agent.path, root) };
  if (agent.type === 'command' && agent.suiteDirectory !== undefined) return { ...agent, suiteDirectory: '' };
  if (agent.type === 'loop' && agent.tools !== null) return { ...agent, tools: portableTools(agent.tools) };
  return agent;
}

/**
 * SHA-256 over the default-filled content of a case that decides what its trials do and how they are graded, in one
 * order and with sorted keys. The number of trials, tags, owner, models and the like do not count: a finished trial
 * stays valid when they change.
 */
export function caseHash(
  id: string,
  texts: Pick<FilledTexts, 'prompts' | 'setupFiles' | 'systemPrompt'>,
  checks: readonly string[],
  fixed: string,
  scenario: CaseScenario | null,
): string {
  const { prompts, setupFiles, systemPrompt } = texts;
  return sha256(
    `{"case":${fixed},"checks":[${checks.join(',')}],"id":${JSON.stringify(id)},"prompts":${JSON.stringify(prompts)},` +
      (scenario === null ? '' : `"scenario":${scenarioHashText(scenario)},`) +
      `"setup":${canonicalJson(setupFiles)},"system":${JSON.stringify(systemPrompt)}}`,
  );
}

/** What decides the user's side: the texts, and what a recording says, wherever it lies. */
function scenarioHashText({ recorded, ...said }: CaseScenario): string {
  const recording = recorded?.recording ?? null;
  return canonicalJson({
    said: scenarioIdentity(said),
    recorded: recording === null ? null : { turns: recording.turns, ended: recording.ended },
  });
}
