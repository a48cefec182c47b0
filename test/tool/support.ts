import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import type { JsonValue } from '../../src/core/index.js';
import { workspaceTools, type ToolOutcome } from '../../src/tool/index.js';

const directories: string[] = [];

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

/** A directory with a workspace in it and things beside it that no tool may reach. */
export interface Place {
  root: string;
  outside: string;
}

/** A fresh place; `files` are put into the workspace. */
export function place(files: { [path: string]: string } = {}): Place {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'assay-tool-')));
  directories.push(base);
  const root = join(base, 'workspace');
  const outside = join(base, 'outside');
  mkdirSync(root);
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret.txt'), 'the secret');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return { root, outside };
}

/** Calls a file tool in a workspace. */
export async function call(root: string, name: string, input: JsonValue): Promise<ToolOutcome> {
  const tool = workspaceTools.get(name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool.execute(input, { workspace: () => root, signal: null });
}
