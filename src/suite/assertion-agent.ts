import { z } from 'zod';
import { didYouMean, isJsonObject, type JsonValue, type KeyPath } from '../core/index.js';
import {
  commandAgentSchema,
  compileCommandAgent,
  compileHttpAgent,
  compilePresetAgent,
  httpAgentSchema,
  presetAgentSchema,
} from './agent-command.js';
import { asWritten, text, type SourceAt } from './assertion-text.js';
import type { AgentSpec } from './case.js';
import type { RuleProblem } from './document.js';
import { insidePath, type PathRoot } from './inside-path.js';
import { compileLoopTools, loopToolSchema } from './loop-tools.js';
import { DEFAULT_MAX_STEPS } from './max-steps.js';
import { describeValue, schemaProblems } from './schema-problems.js';

const MOST_STEPS = 1000;

const loopAgent = z.strictObject({
  loop: z.strictObject({
    tools: z
      .array(loopToolSchema)
      .optional()
      .describe('Tools the loop offers; the default of the mode when absent.'),
    max_steps: z
      .int()
      .min(1)
      .max(MOST_STEPS)
      .default(DEFAULT_MAX_STEPS)
      .describe('Model requests in one turn.'),
  }),
});
const moduleAgent = z.strictObject({
  module: text.describe('Module that exports the agent, relative to the suite file.'),
  export: text.default('default'),
});
const FORMS = {
  loop: loopAgent,
  module: moduleAgent,
  command: commandAgentSchema,
  preset: presetAgentSchema,
  http: httpAgentSchema,
} as const;
const FORM_NAMES = ['loop', 'module', 'command', 'preset', 'http'] as const;

const HOW = 'write prompt, loop, { loop: … }, { module: … }, { command: […] }, { preset: … } or { http: … }';

/** What is under test, as it may be written in a suite or a case. */
export const agentSchema = z.union([
  z.enum(['prompt', 'loop']),
  loopAgent,
  moduleAgent,
  commandAgentSchema,
  presetAgentSchema,
  httpAgentSchema,
]);

/** What compiling an agent must know. */
export interface AgentContext {
  /** Key path of the agent in its document. */
  path: KeyPath;
  root: PathRoot;
  sourceAt: SourceAt;
}

function blank(path: KeyPath, what: string): RuleProblem {
  return { path, message: 'must not be blank', fix: `write ${what}` };
}

function parseForm<Form extends z.ZodType>(
  form: Form,
  value: JsonValue,
  context: AgentContext,
  problems: RuleProblem[],
): z.output<Form> | null {
  const written = asWritten(form, value, context.path, context.sourceAt);
  const parsed = form.safeParse(written);
  if (parsed.success) return parsed.data;
  problems.push(...schemaProblems(parsed.error, form, written, context.path));
  return null;
}

function compileLoop(value: JsonValue, context: AgentContext, problems: RuleProblem[]): AgentSpec | null {
  const form = parseForm(FORMS.loop, value, context, problems);
  if (form === null) return null;
  const written = form.loop.tools;
  const path = [...context.path, 'loop', 'tools'];
  const tools =
    written === undefined ? null : compileLoopTools(written, path, context.root.directory, problems);
  return { type: 'loop', tools, maxSteps: form.loop.max_steps };
}

function compileModule(value: JsonValue, context: AgentContext, problems: RuleProblem[]): AgentSpec | null {
  const form = parseForm(FORMS.module, value, context, problems);
  if (form === null) return null;
  const path = [...context.path, 'module'];
  const found = insidePath(form.module, context.root);
  if (!found.ok) {
    problems.push({ path, message: `${JSON.stringify(form.module)} ${found.message}`, fix: found.fix });
    return null;
  }
  if (!found.exists) {
    problems.push({
      path,
      message: `there is no file ${form.module}`,
      fix: 'correct the path; it is relative to the suite file',
    });
  }
  if (form.export === '') problems.push(blank([...context.path, 'export'], 'the name of an export'));
  return { type: 'module', path: found.path, exportName: form.export };
}

function compileCommand(value: JsonValue, context: AgentContext, problems: RuleProblem[]): AgentSpec | null {
  const form = parseForm(FORMS.command, value, context, problems);
  return form === null ? null : compileCommandAgent(form, context.path, context.root.directory, problems);
}

function compilePreset(value: JsonValue, context: AgentContext, problems: RuleProblem[]): AgentSpec | null {
  const form = parseForm(FORMS.preset, value, context, problems);
  return form === null ? null : compilePresetAgent(form, context.path, problems);
}

function compileHttp(value: JsonValue, context: AgentContext, problems: RuleProblem[]): AgentSpec | null {
  const form = parseForm(FORMS.http, value, context, problems);
  return form === null ? null : compileHttpAgent(form, context.path, problems);
}

/** Compiles what is written as `agent`; null after noting what is wrong with it. */
export function compileAgent(
  value: JsonValue,
  context: AgentContext,
  problems: RuleProblem[],
): AgentSpec | null {
  if (value === 'prompt') return { type: 'prompt' };
  if (value === 'loop') return { type: 'loop', tools: null, maxSteps: DEFAULT_MAX_STEPS };
  const { path } = context;
  if (!isJsonObject(value)) {
    const meant = typeof value === 'string' ? didYouMean(value, ['prompt', 'loop']) : null;
    problems.push({
      path,
      message: `${describeValue(value)} is not an agent`,
      fix: meant === null ? HOW : `did you mean ${meant}?`,
    });
    return null;
  }
  const form = FORM_NAMES.find((name) => Object.hasOwn(value, name));
  switch (form) {
    case 'loop':
      return compileLoop(value, context, problems);
    case 'module':
      return compileModule(value, context, problems);
    case 'command':
      return compileCommand(value, context, problems);
    case 'preset':
      return compilePreset(value, context, problems);
    case 'http':
      return compileHttp(value, context, problems);
    case undefined: {
      const [key] = Object.keys(value);
      const meant = key === undefined ? null : didYouMean(key, FORM_NAMES);
      problems.push({
        path: key === undefined ? path : [...path, key],
        at: key === undefined ? 'value' : 'key',
        message: key === undefined ? 'names no agent' : 'unknown key',
        fix: meant === null ? HOW : `did you mean ${meant}?`,
      });
      return null;
    }
  }
}
