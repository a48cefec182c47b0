import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AssayError, isSafeRelativePath, quote } from '../core/index.js';

/** The private directory of one trial. It is made on first use, since most replays never touch a file. */
export class Workspace {
  private readonly files: { [path: string]: string };
  private directory: string | null = null;

  /** @param files put in before the agent starts: safe relative path to text */
  constructor(files: { [path: string]: string }) {
    this.files = files;
  }

  /** True once the directory exists. */
  get exists(): boolean {
    return this.directory !== null;
  }

  /**
   * Absolute path with symbolic links resolved.
   * @throws AssayError when a file to set up would leave the workspace
   */
  root(): string {
    if (this.directory !== null) return this.directory;
    for (const path of Object.keys(this.files)) {
      if (!isSafeRelativePath(path)) {
        throw new AssayError('INPUT', `setup.workspace_files: ${quote(path)} would leave the workspace`, {
          fix: 'write a path relative to the workspace, without ..',
        });
      }
    }
    const directory = realpathSync(mkdtempSync(join(tmpdir(), 'assay-')));
    this.directory = directory;
    for (const [path, text] of Object.entries(this.files)) {
      const target = join(directory, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
    return directory;
  }

  /** Removes the directory and all that is in it. */
  dispose(): void {
    if (this.directory === null) return;
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 2 });
    this.directory = null;
  }
}
