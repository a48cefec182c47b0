import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  type Dirent,
} from 'node:fs';
import { join } from 'node:path';

/** Where the system lets open files be named by their numbers, which no renaming or linking can redirect. */
const BY_NUMBER = process.platform === 'linux' && existsSync('/proc/self/fd');

const DIRECTORY = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * A directory that is held. What is opened below it is found from the open directory on, not from its path, so that a
 * link put into the path meanwhile leads nowhere. Where the system has no such names the path is used, and whoever opens
 * a file must look again at what was opened.
 */
export class OpenDirectory {
  private readonly descriptor: number | null;
  private readonly path: string;

  private constructor(place: string, path: string) {
    this.path = path;
    this.descriptor = BY_NUMBER ? openSync(place, DIRECTORY) : null;
    if (this.descriptor === null && !lstatSync(place).isDirectory()) {
      throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' });
    }
  }

  /** Opens a directory by its absolute path; a symbolic link at its end is refused. */
  static open(path: string): OpenDirectory {
    return new OpenDirectory(path, path);
  }

  private place(name: string): string {
    return this.descriptor === null ? join(this.path, name) : `/proc/self/fd/${this.descriptor}/${name}`;
  }

  /** Opens a directory in it; a symbolic link is refused. Made first when it is not there and `make` says so. */
  openDirectory(name: string, make: boolean): OpenDirectory {
    const place = this.place(name);
    if (make) {
      try {
        mkdirSync(place, 0o700);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      }
    }
    return new OpenDirectory(place, join(this.path, name));
  }

  /** Opens a file in it and gives its number; a symbolic link is refused, and a pipe does not make it wait. */
  openFile(name: string, flags: number): number {
    const plain = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    return openSync(this.place(name), flags | plain, 0o600);
  }

  /** What is in it, unsorted. */
  entries(): Dirent[] {
    return readdirSync(this.place('.'), { withFileTypes: true });
  }

  close(): void {
    if (this.descriptor !== null) closeSync(this.descriptor);
  }
}

/** True where an opened file is surely the one below the directory that was held. */
export const HOLDS_DIRECTORIES: boolean = BY_NUMBER;
