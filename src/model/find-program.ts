import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';

/** Environment variables as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

function homeOf(environment: Environment): string | null {
  return environment['HOME'] ?? environment['USERPROFILE'] ?? null;
}

/**
 * Where command lines are usually installed although PATH does not say so, as under cron and launchd. The directory of
 * the running Node is where a global npm install puts its programs.
 */
export function usualDirectories(environment: Environment): string[] {
  const home = homeOf(environment);
  const prefix = environment['NPM_CONFIG_PREFIX'] ?? environment['npm_config_prefix'];
  return [
    ...(home === null ? [] : [join(home, '.local', 'bin'), join(home, '.claude', 'local')]),
    '/usr/local/bin',
    '/opt/homebrew/bin',
    ...(prefix === undefined || prefix === '' ? [] : [join(prefix, 'bin')]),
    dirname(process.execPath),
    ...(home === null
      ? []
      : [join(home, '.npm-global', 'bin'), join(home, '.bun', 'bin'), join(home, '.volta', 'bin')]),
  ];
}

/** The directories of PATH. Relative ones are left out: they would let the working directory choose the program. */
export function pathDirectories(environment: Environment): string[] {
  const path = environment['PATH'] ?? environment['Path'] ?? '';
  return path.split(delimiter).filter((directory) => isAbsolute(directory));
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** The absolute path of a program: on PATH, else in the usual places; null when it is nowhere. */
export async function findProgram(name: string, environment: Environment): Promise<string | null> {
  const names = process.platform === 'win32' ? [`${name}.exe`, name] : [name];
  for (const directory of [...pathDirectories(environment), ...usualDirectories(environment)]) {
    for (const candidate of names) {
      const path = join(directory, candidate);
      if (await isProgram(path)) return path;
    }
  }
  return null;
}

/** True when a path given in the configuration is a program that can be started. */
export async function isRunnable(path: string): Promise<boolean> {
  return isProgram(path);
}
