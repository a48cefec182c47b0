import { z } from 'zod';
import { RUN_NAME } from './confine.js';

const MOST_NAME = 300;
const MOST_TEXT = 20_000;

/** The name of a thing, on one line. */
export const name = z
  .string()
  .min(1)
  .max(MOST_NAME)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]+$/u, 'must be one line without control characters');

/** A suite: its name, or a file or directory of the project. */
export const suite = name.describe(
  'Suite: its name as list_suites shows it, or a file or directory of the project.',
);

/** A stored run. */
export const run = z
  .string()
  .regex(RUN_NAME, 'must be a run id, the beginning of one, latest, or suite/latest')
  .describe('Stored run: its id, the beginning of it, latest, or SUITE/latest.');

/** A case of a suite or a run. */
export const caseId = name.describe('Id of the case.');

/** Text of any length that makes sense. */
export const text = z.string().min(1).max(MOST_TEXT);
