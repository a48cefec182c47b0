import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { AssayError, didYouMean, formatKeyPath } from '../core/index.js';
import type { Runs } from './runs.js';
import type { Surroundings } from './surroundings.js';

/** What a call of a tool works with. */
export interface CallContext {
  surroundings: Surroundings;
  runs: Runs;
  /** Fires when the client gives the call up, or goes away. */
  signal: AbortSignal;
  /** Tells the client how far the call is, where it asked for that. `total` null: not known. */
  progress(done: number, total: number | null, message: string): void;
}

/** A tool as the server offers it. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  annotations: ToolAnnotations;
  /** JSON Schema of its arguments. */
  inputSchema: { type: 'object'; [key: string]: unknown };
  /** Checks the arguments and answers. Throws AssayError. */
  call(given: unknown, context: CallContext): Promise<CallToolResult>;
}

type Shape = z.ZodRawShape;

function inputSchemaOf(schema: z.ZodObject<Shape>): Tool['inputSchema'] {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return { ...rest, type: 'object' };
}

function problem(issue: z.core.$ZodIssue, known: readonly string[]): string {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .map((key) => {
        const meant = didYouMean(key, known);
        const fix = meant === null ? `it takes ${known.join(', ') || 'none'}` : `did you mean ${meant}?`;
        return `${key}: no such argument; ${fix}`;
      })
      .join('\n');
  }
  const path = issue.path.filter((part) => typeof part !== 'symbol');
  return `${path.length === 0 ? 'arguments' : formatKeyPath(path)}: ${issue.message}`;
}

/** What makes a tool: its words, its arguments, and what it does with them. */
export interface ToolDefinition<Arguments extends Shape> {
  name: string;
  title: string;
  description: string;
  /** It changes nothing. */
  readOnly?: boolean;
  /** It may start agents and ask models. */
  openWorld?: boolean;
  arguments: Arguments;
  call(
    given: z.output<z.ZodObject<Arguments, z.core.$strict>>,
    context: CallContext,
  ): Promise<CallToolResult>;
}

/** A tool whose arguments are checked strictly: all that is wrong with them is said at once. */
export function defineTool<Arguments extends Shape>(definition: ToolDefinition<Arguments>): Tool {
  const { name, title, description } = definition;
  const schema = z.strictObject(definition.arguments);
  const known = Object.keys(definition.arguments);
  return {
    name,
    title,
    description,
    annotations: {
      title,
      readOnlyHint: definition.readOnly === true,
      destructiveHint: false,
      openWorldHint: definition.openWorld === true,
    },
    inputSchema: inputSchemaOf(schema),
    async call(given, context) {
      const checked = schema.safeParse(given);
      if (checked.success) return definition.call(checked.data, context);
      const lines = checked.error.issues.map((issue) => problem(issue, known));
      throw new AssayError('INPUT', `${name} cannot be called like that\n${lines.join('\n')}`);
    },
  };
}
