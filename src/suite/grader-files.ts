import { z } from 'zod';
import { isSafeRelativePath, isJsonObject, sha256, type JsonValue, type KeyPath } from '../core/index.js';
import { asWritten, text, type SourceAt } from './assertion-text.js';
import type { GraderFiles } from './case.js';
import type { RuleProblem } from './document.js';
import { fileIdentity, insidePath, type PathRoot } from './inside-path.js';
import { schemaProblems } from './schema-problems.js';

/** Files that only the graders need, as a human writes them. */
export const graderFilesSchema = z
  .record(
    z.string(),
    z.union([
      text,
      z.strictObject({ file: text.describe('A file beside the suite, by its relative path.') }),
    ]),
  )
  .describe('Files put into the workspace after the agent stopped, before checks run: path to text.');

/** Where grader files stand in their document. */
export interface GraderFilesContext {
  path: KeyPath;
  root: PathRoot;
  sourceAt: SourceAt;
}

/** Admits what is written as `grader_files`; undefined after noting what is wrong with it, or when there are none. */
export function compileGraderFiles(
  value: JsonValue | undefined,
  context: GraderFilesContext,
  problems: RuleProblem[],
): { graderFiles?: GraderFiles } {
  if (value === undefined) return {};
  const written = asWritten(graderFilesSchema, value, context.path, context.sourceAt);
  const parsed = graderFilesSchema.safeParse(written);
  if (!parsed.success) {
    problems.push(...schemaProblems(parsed.error, graderFilesSchema, written, context.path));
    return {};
  }
  const files: GraderFiles = {};
  for (const [name, content] of Object.entries(parsed.data)) {
    const path = [...context.path, name];
    if (!isSafeRelativePath(name)) {
      const message = 'is not a path inside the workspace';
      problems.push({ path, at: 'key', message, fix: 'write a relative path without ..' });
      continue;
    }
    if (typeof content === 'string') {
      files[name] = { text: content };
      continue;
    }
    const found = insidePath(content.file, context.root);
    if (!found.ok) {
      const message = `${JSON.stringify(content.file)} ${found.message}`;
      problems.push({ path: [...path, 'file'], message, fix: found.fix });
    } else if (!found.exists) {
      const message = `there is no file ${content.file}`;
      problems.push({
        path: [...path, 'file'],
        message,
        fix: 'correct the path; it is relative to the suite',
      });
    } else files[name] = { file: found.path };
  }
  if (Object.keys(parsed.data).length > 0) return { graderFiles: files };
  problems.push({ path: context.path, message: 'names no file', fix: 'add a file, or remove the key' });
  return {};
}

/** Grader files as hashes name them: a file beside the suite counts by its content. */
export function graderFilesIdentity(files: GraderFiles, root: string): JsonValue {
  const identity: { [path: string]: JsonValue } = {};
  for (const [name, content] of Object.entries(files)) {
    identity[name] = 'text' in content ? { text: sha256(content.text) } : fileIdentity(content.file, root);
  }
  return identity;
}

/** The same for a fixture as it is written: files beside it are replaced by what they hold. */
export function identifiedFixture<Fixture extends object>(
  fixture: Fixture,
  files: GraderFiles | undefined,
  root: string,
): Fixture | (Fixture & { grader_files: JsonValue }) {
  const named = Object.values(files ?? {}).some((content) => 'file' in content);
  if (files === undefined || !named || !isJsonObject(fixture)) return fixture;
  return { ...fixture, grader_files: graderFilesIdentity(files, root) };
}
