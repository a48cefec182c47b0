import type { KeyPath } from '../core/index.js';
import type { CaseHead } from './assertion-suite-schema.js';
import type { KnownNames } from './assertion-unit.js';
import type { RuleProblem } from './document.js';
import type { Placeholder, Variables } from './template.js';
import { TextField, type TextRule } from './text-field.js';

/** The texts of a case after filling. */
export interface FilledTexts {
  id: string | null;
  prompts: string[];
  tags: string[];
  cluster: string | null;
  owner: string | null;
  setupFiles: { [path: string]: string };
  systemPrompt: string | null;
}

/** What the placeholders of a case may name, and the system prompt it shares with its suite. */
export interface CaseNames {
  known: KnownNames;
  /** It is templated where the suite itself declares variables or columns. */
  systemPrompt: { text: string | null; templated: boolean };
}

/** The texts of a case that may hold placeholders, each checked once unless a placeholder is in it. */
export class CaseTexts {
  readonly placeholders: readonly Placeholder[];
  private readonly id: TextField | null;
  private readonly prompts: readonly TextField[];
  private readonly tags: readonly TextField[];
  private readonly cluster: TextField | null;
  private readonly owner: TextField | null;
  private readonly setup: readonly (readonly [string, TextField])[];
  private readonly systemPrompt: TextField | null;

  constructor(head: CaseHead, path: KeyPath, names: CaseNames, problems: RuleProblem[]) {
    const { known, systemPrompt } = names;
    const field = (text: string, inner: KeyPath, rule: TextRule = 'not-blank'): TextField =>
      new TextField(text, [...path, ...inner], rule, known, problems);
    const optional = (text: string | undefined, key: string): TextField | null =>
      text === undefined ? null : field(text, [key]);
    this.id = head.id === undefined ? null : field(head.id, ['id'], 'id');
    this.prompts = [
      ...(head.prompt === undefined ? [] : [field(head.prompt, ['prompt'])]),
      ...(head.turns ?? []).map((turn, index) => field(turn.prompt, ['turns', index, 'prompt'])),
    ];
    this.tags = (head.tags ?? []).map((tag, index) => field(tag, ['tags', index]));
    this.cluster = optional(head.cluster, 'cluster');
    this.owner = optional(head.owner, 'owner');
    this.setup = Object.entries(head.setup?.workspace_files ?? {}).map(([name, content]) => [
      name,
      field(content, ['setup', 'workspace_files', name], 'any'),
    ]);
    this.systemPrompt =
      systemPrompt.text === null
        ? null
        : new TextField(
            systemPrompt.text,
            ['system_prompt'],
            'any',
            systemPrompt.templated ? known : null,
            problems,
          );
    this.placeholders = [
      this.id,
      ...this.prompts,
      ...this.tags,
      this.cluster,
      this.owner,
      ...this.setup.map(([, content]) => content),
      this.systemPrompt,
    ].flatMap((text) => text?.placeholders ?? []);
  }

  /** The texts for these variables; notes what is wrong with them. */
  fill(variables: Variables, problems: RuleProblem[]): FilledTexts {
    const filled = (text: TextField | null): string | null => text?.fill(variables, problems) ?? null;
    const setupFiles: { [path: string]: string } = {};
    for (const [name, content] of this.setup) setupFiles[name] = content.fill(variables, problems);
    return {
      id: filled(this.id),
      prompts: this.prompts.map((prompt) => prompt.fill(variables, problems)),
      tags: this.tags.map((tag) => tag.fill(variables, problems)),
      cluster: filled(this.cluster),
      owner: filled(this.owner),
      setupFiles,
      systemPrompt: filled(this.systemPrompt),
    };
  }
}
