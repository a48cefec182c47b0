import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { LoadedConfig } from '../config/index.js';

/** The nearest directory from `cwd` upwards that git calls its own; null when there is none. */
function gitRoot(cwd: string): string | null {
  for (let directory = resolve(cwd); ; directory = dirname(directory)) {
    if (existsSync(join(directory, '.git'))) return directory;
    if (dirname(directory) === directory) return null;
  }
}

/** The project: where its configuration is, else the root of its git working tree, else the working directory. */
export function projectRoot(loaded: LoadedConfig, cwd: string): string {
  return loaded.file === null ? (gitRoot(cwd) ?? resolve(cwd)) : loaded.root;
}

function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function real(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

/**
 * Directory that no path in a suite may leave: the project, for a suite that lies in it. Other suites keep to their own
 * directory, and nothing is said of it.
 */
export function suiteBounds(suitePath: string, loaded: LoadedConfig, cwd: string): { within?: string } {
  const root = projectRoot(loaded, cwd);
  return isInside(real(suitePath), real(root)) ? { within: root } : {};
}
