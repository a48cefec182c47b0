import { z } from 'zod';
import { configSchema } from '../../config/index.js';
import { assertionSuiteSchema, traceFixtureSchema } from '../../suite/index.js';
import { say } from '../streams.js';

const SCHEMAS = {
  trace: { schema: traceFixtureSchema, title: 'Assay trace fixture' },
  suite: { schema: assertionSuiteSchema, title: 'Assay assertion suite' },
  config: { schema: configSchema, title: 'Assay configuration' },
} as const;

/** The JSON Schema of a format, as text; what `assay schema` prints and schemas/ holds. */
export function schemaText(kind: keyof typeof SCHEMAS): string {
  const { schema, title } = SCHEMAS[kind];
  const generated = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12', unrepresentable: 'any' });
  return `${JSON.stringify({ title, ...generated }, null, 2)}\n`;
}

/** `assay schema`. */
export function schemaAction(kind: keyof typeof SCHEMAS): void {
  say(schemaText(kind));
}
