import { z } from 'zod';
import {
  AGENT_PLACEHOLDERS,
  AGENT_PRESETS,
  didYouMean,
  isAgentPreset,
  presetFacts,
  PROTOCOLS,
  type KeyPath,
} from '../core/index.js';
import { text } from './assertion-text.js';
import type { CommandAgent, HttpAgent } from './case.js';
import type { RuleProblem } from './document.js';

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;

const variable = z.string().regex(VARIABLE, { error: 'is not the name of an environment variable' });

const protocol = z
  .enum(PROTOCOLS)
  .describe('How the agent speaks to its model; decides the address that {{model_url}} stands for.');

/** An agent that is a program, as it may be written. */
export const commandAgentSchema = z.strictObject({
  command: z
    .array(text)
    .min(1)
    .describe(
      'Program and arguments, started in the workspace without a shell. {{prompt}}, {{model_url}}, {{model_base}}, ' +
        '{{workspace}}, {{home}} and {{suite}} are known.',
    ),
  env: z
    .record(variable, text)
    .optional()
    .describe('Variables that are set for the program, with the same placeholders.'),
  environment: z
    .array(variable)
    .optional()
    .describe('Variables of Assay’s own environment that are passed on, by name.'),
  stdin: text.optional().describe('Standard input, with the same placeholders; closed at once when absent.'),
  protocol: protocol.optional(),
  network: z
    .enum(['closed', 'open'])
    .default('closed')
    .describe('In replay the program reaches its scripted model and nothing else, unless this is open.'),
});

/** A well-known agent, as it may be written. */
export const presetAgentSchema = z.strictObject({
  preset: text.describe(`A well-known agent: ${Object.keys(AGENT_PRESETS).join(', ')}.`),
  protocol: protocol.optional(),
  model: text.optional().describe('Name of the model that the agent is told to use.'),
  args: z.array(text).optional().describe('More arguments, put before the prompt.'),
  env: z.record(variable, text).optional().describe('Variables that are set for the agent.'),
  environment: z
    .array(variable)
    .optional()
    .describe('Variables of Assay’s own environment that are passed on, by name.'),
  network: z.enum(['closed', 'open']).default('closed').describe('As for a command.'),
});

/** An agent behind an address, as it may be written. */
export const httpAgentSchema = z.strictObject({
  http: text.describe('URL of the endpoint; each turn is posted to it as JSON.'),
  protocol: protocol.optional(),
});

function unknownPlaceholders(written: string, path: KeyPath): RuleProblem[] {
  return [...written.matchAll(PLACEHOLDER)].flatMap(([whole, name = '']): RuleProblem[] => {
    if (AGENT_PLACEHOLDERS.some((known) => known === name)) return [];
    const meant = didYouMean(name, AGENT_PLACEHOLDERS);
    return [
      {
        path,
        message: `${whole} stands for nothing here`,
        fix:
          meant === null
            ? `write one of ${AGENT_PLACEHOLDERS.map((known) => `{{${known}}}`).join(', ')}`
            : `did you mean {{${meant}}}?`,
      },
    ];
  });
}

function environmentProblems(
  agent: { env?: { [name: string]: string } | undefined; environment?: string[] | undefined },
  path: KeyPath,
): RuleProblem[] {
  const problems = Object.entries(agent.env ?? {}).flatMap(([name, value]) =>
    unknownPlaceholders(value, [...path, 'env', name]),
  );
  const seen = new Set(Object.keys(agent.env ?? {}));
  (agent.environment ?? []).forEach((name, index) => {
    if (seen.has(name)) {
      problems.push({
        path: [...path, 'environment', index],
        message: `${name} is named twice`,
        fix: 'set it with env or pass it on, once',
      });
    }
    seen.add(name);
  });
  return problems;
}

/** Compiles a program agent; what is wrong is noted. Keys that are not written stay away, so old hashes stay. */
export function compileCommandAgent(
  form: z.output<typeof commandAgentSchema>,
  path: KeyPath,
  suiteDirectory: string,
  problems: RuleProblem[],
): CommandAgent {
  const { command, env, environment, stdin, network } = form;
  if (command[0]?.trim() === '') {
    problems.push({
      path: [...path, 'command', 0],
      message: 'must not be blank',
      fix: 'write the program to start',
    });
  }
  command.forEach((part, index) => problems.push(...unknownPlaceholders(part, [...path, 'command', index])));
  problems.push(...environmentProblems(form, path));
  const texts = [...command, ...Object.values(env ?? {}), stdin ?? ''].join('\n');
  if (stdin !== undefined) problems.push(...unknownPlaceholders(stdin, [...path, 'stdin']));
  return {
    type: 'command',
    command,
    ...(env === undefined ? {} : { env }),
    ...(environment === undefined ? {} : { environment }),
    ...(stdin === undefined ? {} : { stdin }),
    ...(form.protocol === undefined ? {} : { protocol: form.protocol }),
    ...(network === 'open' ? { network } : {}),
    ...(/\{\{\s*suite\s*\}\}/.test(texts) ? { suiteDirectory } : {}),
  };
}

/** Compiles a well-known agent; null after noting that there is none of that name. */
export function compilePresetAgent(
  form: z.output<typeof presetAgentSchema>,
  path: KeyPath,
  problems: RuleProblem[],
): CommandAgent | null {
  const { preset, protocol: spoken, model, args, env, environment, network } = form;
  if (!isAgentPreset(preset)) {
    const names = Object.keys(AGENT_PRESETS);
    const meant = didYouMean(preset, names);
    problems.push({
      path: [...path, 'preset'],
      message: `there is no preset ${JSON.stringify(preset)}`,
      fix: meant === null ? `write one of ${names.join(', ')}` : `did you mean ${meant}?`,
    });
    return null;
  }
  const { protocols } = presetFacts(preset);
  if (spoken !== undefined && !protocols.includes(spoken)) {
    problems.push({
      path: [...path, 'protocol'],
      message: `${preset} does not speak ${spoken}`,
      fix: `write ${protocols.join(' or ')}, or remove the key`,
    });
  }
  (args ?? []).forEach((part, index) =>
    problems.push(...unknownPlaceholders(part, [...path, 'args', index])),
  );
  problems.push(...environmentProblems(form, path));
  return {
    type: 'command',
    command: args ?? [],
    preset,
    ...(env === undefined ? {} : { env }),
    ...(environment === undefined ? {} : { environment }),
    ...(spoken === undefined ? {} : { protocol: spoken }),
    ...(model === undefined ? {} : { model }),
    ...(network === 'open' ? { network } : {}),
  };
}

/** Compiles an agent behind an address; what is wrong is noted. */
export function compileHttpAgent(
  form: z.output<typeof httpAgentSchema>,
  path: KeyPath,
  problems: RuleProblem[],
): HttpAgent {
  const url = URL.canParse(form.http) ? new URL(form.http) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    problems.push({
      path: [...path, 'http'],
      message: `${JSON.stringify(form.http)} is not an address of a web server`,
      fix: 'write a URL that begins with http:// or https://',
    });
  }
  return {
    type: 'http',
    url: form.http,
    ...(form.protocol === undefined ? {} : { protocol: form.protocol }),
  };
}
