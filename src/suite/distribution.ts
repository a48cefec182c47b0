import { z } from 'zod';
import { AssayError, quote, type ScriptedStep } from '../core/index.js';
import { placeProblem } from './document.js';
import { parseJsonDocument } from './json-document.js';
import { schemaProblems } from './schema-problems.js';
import { responseSchema, scriptedStep } from './trace-step.js';

/** A model whose answers vary, as a human writes it. */
export const distributionSchema = z.strictObject({
  seed: z.int().optional().describe('Decides what is drawn; 1 when absent.'),
  steps: z
    .array(
      z
        .array(
          z.strictObject({
            response: responseSchema,
            weight: z.number().gt(0).default(1).describe('How often it is given, against the others.'),
          }),
        )
        .min(1),
    )
    .min(1)
    .describe('The answers to the first request of a conversation, to the second, and so on.'),
});

/** A model whose answers vary. */
export interface Distribution {
  seed: number;
  steps: { weight: number; step: ScriptedStep }[][];
}

/**
 * Reads a distribution.
 * @param file as the user would name it
 * @throws AssayError `SCRIPT`, with every problem and its place
 */
export function readDistribution(file: string, text: string): Distribution {
  const document = parseJsonDocument(file, text);
  const refused = `${quote(file)} is not a distribution of answers`;
  if (!document.ok) throw new AssayError('SCRIPT', refused, { problems: document.problems });
  const parsed = distributionSchema.safeParse(document.document.value);
  if (!parsed.success) {
    const problems = schemaProblems(parsed.error, distributionSchema, document.document.value);
    throw new AssayError('SCRIPT', refused, {
      problems: problems.map((problem) => placeProblem(document.document, problem)),
    });
  }
  return {
    seed: parsed.data.seed ?? 1,
    steps: parsed.data.steps.map((answers) =>
      answers.map(({ weight, response }) => ({ weight, step: scriptedStep({ response }) })),
    ),
  };
}
