import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AssayError, quote } from '../core/index.js';
import { findRun, readRun, type StoredRun } from '../store/index.js';
import type { Surroundings } from './surroundings.js';

/** Names that are paths also where nothing is there. */
const LOOKS_LIKE_PATH = /[/\\]|\.(?:json|jsonl|ya?ml|m?[jt]s)$/;
const FILE_MODEL = /^\s*(?:module|scripted|outputs):(.*)$/s;

/** A path with its links followed, as far as it is there. */
function real(path: string): string {
  let at = path;
  let rest = '';
  while (!existsSync(at) && dirname(at) !== at) {
    rest = join(at.slice(dirname(at).length).replace(/^[/\\]/, ''), rest);
    at = dirname(at);
  }
  return join(realpathSync(at), rest);
}

function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function requireInside(path: string, named: string, roots: readonly string[]): void {
  const target = real(path);
  if (roots.some((root) => isInside(target, real(root)))) return;
  throw new AssayError('INPUT', `${quote(named)} lies outside of the project and its suites`, {
    fix: 'name a suite of the project; list_suites shows them',
  });
}

/**
 * A suite that a client names, as the command line takes it.
 * @throws AssayError `INPUT` for a path out of the project and the directories of suites, links followed
 */
export function suiteName(named: string, surroundings: Surroundings): string {
  const direct = resolve(surroundings.directory, named);
  if (LOOKS_LIKE_PATH.test(named) || existsSync(direct)) requireInside(direct, named, surroundings.roots);
  return named;
}

/**
 * A model that a client names. Files are only those of the project.
 * @throws AssayError `INPUT`
 */
export function modelName(named: string, surroundings: Surroundings): string {
  const path = FILE_MODEL.exec(named)?.[1];
  if (path === undefined) return named;
  const file = path.replace(/#[^#/\\]*$/, '').trim();
  requireInside(resolve(surroundings.modelDirectory, file), named, surroundings.roots.slice(0, 1));
  return named;
}

/** A run as a client may name it: its id, the beginning of one, or `latest`, alone or after `suite/`. */
export const RUN_NAME =
  /^(?!\.{1,2}(?:\/|$))[^\s/\\-][^/\\]{0,127}(?:\/(?!\.{1,2}$)[^\s/\\-][^/\\]{0,127})?$/;

/** The stored run that a client names. Throws AssayError `RUN_NOT_FOUND`, or `INPUT` for what is not in the store. */
export function storedRun(named: string, surroundings: Surroundings): StoredRun {
  const { directory } = findRun(surroundings.store, named);
  if (!isInside(real(directory), real(join(surroundings.store, 'runs')))) {
    throw new AssayError('INPUT', `${quote(named)} is no run of this project's store`, {
      fix: 'list_runs shows them',
    });
  }
  return readRun(directory);
}
