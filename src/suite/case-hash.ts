import { canonicalJson, sha256, type CheckSpec } from '../core/index.js';
import type { AgentSpec, Case, CaseScenario } from './case.js';
import type { FilledTexts } from './case-texts.js';
import { graderFilesIdentity } from './grader-files.js';
import { fileIdentity, portablePath } from './inside-path.js';
import { portableTools } from './loop-tools.js';
import { scenarioIdentity } from './simulator-recording.js';

const NOT_HASHED: ReadonlySet<string> = new Set(['label', 'key', 'category']);

function hashedKeys(keys: readonly string[]): string[] {
  return keys.filter((key) => !NOT_HASHED.has(key)).toSorted();
}

function memberText(key: string, value: unknown): string {
  return `"${key}":${canonicalJson(value)}`;
}

/**
 * What a check contributes to the hash of its case: everything that decides its outcome, as canonical JSON. Its label
 * and place do not count, paths count from the suite's directory on, and files that it compares with or runs count by
 * their content.
 */
export function checkHashText(check: CheckSpec, root: string): string {
  const file =
    check.type === 'matches-file' || check.type === 'program' ? fileIdentity(check.path, root) : null;
  const members = hashedKeys(Object.keys(check)).map((key) =>
    memberText(key, file !== null && key === 'path' ? file : Reflect.get(check, key)),
  );
  return `{${members.join(',')}}`;
}

/**
 * `checkHashText` of checks that were made from one assertion, of which there may be as many as rows: they differ in a
 * member or two, and the text of the others is kept from the check before.
 */
export class CheckHashTexts {
  readonly #root: string;
  /** All keys of the last check, in its order. */
  #all: readonly string[] = [];
  #keys: readonly string[] = [];
  #values: unknown[] = [];
  #texts: string[] = [];
  #last: CheckSpec | null = null;
  #text = '';

  constructor(root: string) {
    this.#root = root;
  }

  /** As `checkHashText`. Values that are objects count as unchanged only when they are the same object. */
  of(check: CheckSpec): string {
    if (check.type === 'matches-file' || check.type === 'program') return checkHashText(check, this.#root);
    if (check !== this.#last) {
      this.#last = check;
      this.#text = this.#textOf(check);
    }
    return this.#text;
  }

  #textOf(check: CheckSpec): string {
    const all = Object.keys(check);
    if (all.length !== this.#all.length || all.some((key, at) => key !== this.#all[at])) {
      this.#all = all;
      this.#keys = hashedKeys(all);
      this.#values = this.#keys.map((key) => Reflect.get(check, key) as unknown);
      this.#texts = this.#keys.map((key, at) => memberText(key, this.#values[at]));
    }
    let text = '{';
    for (let at = 0; at < this.#keys.length; at += 1) {
      const key = this.#keys[at] ?? '';
      const value: unknown = Reflect.get(check, key);
      if (value !== this.#values[at]) {
        this.#values[at] = value;
        this.#texts[at] = memberText(key, value);
      }
      text += at === 0 ? this.#texts[at] : `,${this.#texts[at]}`;
    }
    return `${text}}`;
  }
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
