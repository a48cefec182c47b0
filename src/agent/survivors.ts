import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** A process that an agent left behind. */
export interface Survivor {
  pid: number;
  /** What the system calls it. */
  name: string;
}

const ROUNDS = 20;
const ROUND_MS = 25;

function inside(path: string, directories: readonly string[]): boolean {
  return directories.some((directory) => path === directory || path.startsWith(`${directory}/`));
}

function belongs(pid: string, home: string, directories: readonly string[]): boolean {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    if (variables.includes(`HOME=${home}`)) return true;
    return inside(readlinkSync(`/proc/${pid}/cwd`), directories);
  } catch {
    // It ended meanwhile, or belongs to someone else.
    return false;
  }
}

function isDead(pid: string): boolean {
  try {
    return /^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}

function nameOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return 'unknown';
  }
}

/**
 * The processes that carry an agent's home directory in their environment or work in one of its directories, wherever
 * in the process tree they are. Null where the system does not tell.
 */
export function findSurvivors(home: string, directories: readonly string[]): Survivor[] | null {
  let pids: string[];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return null;
  }
  const own = String(process.pid);
  return pids
    .filter((pid) => pid !== own && belongs(pid, home, directories) && !isDead(pid))
    .map((pid) => ({ pid: Number(pid), name: nameOf(pid) }));
}

/**
 * Ends what an agent left running and waits until it is gone.
 * @returns what was found, each process once; null where the system does not tell
 */
export async function endSurvivors(home: string, directories: readonly string[]): Promise<Survivor[] | null> {
  const found = new Map<number, Survivor>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const left = findSurvivors(home, directories);
    if (left === null) return null;
    if (left.length === 0) break;
    for (const survivor of left) {
      found.set(survivor.pid, survivor);
      try {
        process.kill(survivor.pid, 'SIGKILL');
      } catch {
        // It ended by itself.
      }
    }
    await wait(ROUND_MS);
  }
  return [...found.values()];
}
