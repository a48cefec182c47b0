import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AssayError, isSafeRelativePath, quote } from '../core/index.js';
import { trialEnvironment } from './trial-environment.js';

/**
 * The private place of one trial: a workspace, a home directory and a directory for temporary files, beside one another
 * so that none lies in the other. It is made on first use, since most replays never touch a file.
 */
export class Workspace {
  private readonly files: { [path: string]: string };
  private directory: string | null = null;
  private gone = false;

  /** @param files put into the workspace before the agent starts: safe relative path to text */
  constructor(files: { [path: string]: string }) {
    this.files = files;
  }

  /** True once the place exists. */
  get exists(): boolean {
    return this.directory !== null;
  }

  /**
   * Absolute path of the workspace, symbolic links resolved.
   * @throws AssayError `INPUT` when a file to set up would leave the workspace or cannot be written
   */
  root(): string {
    return join(this.place(), 'workspace');
  }

  /** Absolute path of the trial's own home directory. Throws as `root`. */
  home(): string {
    return join(this.place(), 'home');
  }

  /** The whole environment of what the trial starts: a few harmless variables, and this place. Throws as `root`. */
  environment(): { [name: string]: string } {
    const place = this.place();
    return trialEnvironment({ home: join(place, 'home'), temporary: join(place, 'tmp') });
  }

  /** Absolute path of everything that belongs to the trial. Throws as `root`. */
  place(): string {
    if (this.directory !== null) return this.directory;
    // What a session that was given up does later must not make a place that nobody removes.
    if (this.gone) throw new AssayError('INPUT', 'the trial is over, and its workspace is gone');
    for (const path of Object.keys(this.files)) {
      if (!isSafeRelativePath(path)) {
        throw new AssayError('INPUT', `setup.workspace_files: ${quote(path)} would leave the workspace`, {
          fix: 'write a path relative to the workspace, without ..',
        });
      }
    }
    const directory = realpathSync(mkdtempSync(join(tmpdir(), 'assay-')));
    this.directory = directory;
    for (const name of ['workspace', 'home', 'tmp']) mkdirSync(join(directory, name), { mode: 0o700 });
    for (const [path, text] of Object.entries(this.files)) {
      const target = join(directory, 'workspace', path);
      try {
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, text);
      } catch (error) {
        throw new AssayError('INPUT', `setup.workspace_files: ${quote(path)} cannot be written`, {
          cause: error,
        });
      }
    }
    return directory;
  }

  /** Removes the place and all that is in it, also what the agent closed to us. Never throws. */
  dispose(): void {
    this.gone = true;
    if (this.directory === null) return;
    removeTree(this.directory);
    this.directory = null;
  }
}

/** Removes a tree. What cannot be removed even after it was opened is left. */
function removeTree(path: string): void {
  const remove = (): void => rmSync(path, { recursive: true, force: true, maxRetries: 2 });
  try {
    remove();
  } catch {
    try {
      openTree(path);
      remove();
    } catch {
      // Somebody else's files, or a disk that is gone: the result of the trial does not depend on it.
    }
  }
}

function openTree(path: string): void {
  if (!lstatSync(path).isDirectory()) return;
  chmodSync(path, 0o700);
  for (const name of readdirSync(path)) openTree(join(path, name));
}
