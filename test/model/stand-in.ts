import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** How the stand-in behaves in one call; see stand-in-claude.mjs. */
export interface Behaviour {
  /** Members of the envelope that replace the standard ones. */
  envelope?: Record<string, unknown>;
  /** The model that writes the answer in the standard `modelUsage`. */
  model?: string;
  /** Standard output instead of an envelope. */
  raw?: string;
  /** Text before the envelope. */
  prefix?: string;
  stderr?: string;
  silent?: boolean;
  hang?: boolean;
  ignoreTerm?: boolean;
  orphan?: 'plain' | 'stubborn';
  delayMs?: number;
  exitCode?: number;
}

/** What the stand-in received in one call. */
export interface ReceivedCall {
  argv: string[];
  env: Record<string, string>;
  stdin: string;
  cwd: string;
  pid: number;
  orphan: number | null;
  systemFile: string | null;
  systemFileMode: number | null;
}

/** An installed stand-in. */
export interface StandIn {
  /** The directory to put on PATH. */
  directory: string;
  /** The program. */
  path: string;
  calls(): Promise<ReceivedCall[]>;
  remove(): Promise<void>;
}

/** Installs the stand-in under the name of a program, in a directory of its own. */
export async function installStandIn(
  calls: Behaviour[],
  more: { program?: string; version?: string; loggedIn?: boolean; directory?: string } = {},
): Promise<StandIn> {
  const directory = more.directory ?? (await mkdtemp(join(tmpdir(), 'assay-stand-in-')));
  await mkdir(directory, { recursive: true });
  const script = join(directory, 'stand-in-claude.mjs');
  await copyFile(fileURLToPath(new URL('stand-in-claude.mjs', import.meta.url)), script);
  await chmod(script, 0o755);
  await writeFile(join(directory, 'control.json'), JSON.stringify({ calls, ...more }));
  const path = join(directory, more.program ?? 'claude');
  await symlink(script, path);
  return {
    directory,
    path,
    async calls() {
      const text = await readFile(join(directory, 'calls.jsonl'), 'utf8').catch(() => '');
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/** True while a process exists and is not a zombie. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return status === null || !/\) Z /.test(status);
}

/** Waits until a process is gone; false when it is still there after five seconds. */
export async function isGone(pid: number): Promise<boolean> {
  for (let round = 0; round < 250; round += 1) {
    if (!(await isAlive(pid))) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}
